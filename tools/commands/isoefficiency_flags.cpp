// Reading lists and optional texts out of flags.
#include "tools/commands/isoefficiency_flags.hpp"

namespace nowsim {

namespace po = boost::program_options;

namespace {

std::optional<std::string> text_of(const po::variables_map& flags, const char* name) {
  if (flags.count(name) == 0) return {};
  return flags[name].as<std::string>();
}

/// None where the flag is not given.
std::vector<std::string> list_of(const po::variables_map& flags, const char* name) {
  const auto text = text_of(flags, name);
  return text ? list_flag(name, *text) : std::vector<std::string>{};
}

}  // namespace

IsoefficiencyRequest isoefficiency_request(const ParsedFlags& parsed) {
  const po::variables_map& flags = parsed.flags;
  IsoefficiencyRequest request;
  request.file = find_experiment(parsed.words.front());
  request.targets = list_of(flags, "efficiency");
  request.metric = text_of(flags, "metric");
  request.key = text_of(flags, "size");
  request.from = text_of(flags, "from");
  request.to = text_of(flags, "to");
  request.tolerance = text_of(flags, "tolerance");
  request.along = list_of(flags, "along");
  request.options = load_options(flags);
  if (flags.count("sweep") > 0)
    for (const auto& axis : flags["sweep"].as<std::vector<std::string>>())
      request.options.overrides.push_back(sweep_override(axis));
  return request;
}

void add_isoefficiency_flags(po::options_description& description) {
  description.add_options()("efficiency,e", po::value<std::string>(), "what is to be kept, such as 0.5,0.7 or 50%,70%")(
      "metric,m", po::value<std::string>(), "the efficiency that is meant: eps (the default), eps_a, E, ...")(
      "size", po::value<std::string>(), "the key that is the problem's size; by default job.size, or else job.work")(
      "from", po::value<std::string>(), "the smallest size that is tried (1)")(
      "to", po::value<std::string>(), "the largest (1e9; of job.work 1e18)")(
      "tolerance", po::value<std::string>(), "how near the efficiency has to be, as a share of it (0.1%)")(
      "sweep", po::value<std::vector<std::string>>()->composing(),
      "KEY=V1,V2,...: sweeps a key of the experiment, once or more")(
      "along", po::value<std::string>(),
      "the swept key, or keys, along which the system grows; by default platform.workstations, or the first along "
      "which machines or their speeds change");
}

}  // namespace nowsim

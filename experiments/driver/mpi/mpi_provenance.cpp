// As JSON.
#include "experiments/driver/mpi/mpi_provenance.hpp"

#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

using Json = nlohmann::ordered_json;

std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

MpiProvenance provenance_in(const Json& json) {
  MpiProvenance p;
  p.program = json.at("program");
  p.program_sha256 = json.at("program_sha256");
  p.arguments = json.at("arguments").get<std::vector<std::string>>();
  p.ranks = json.at("ranks");
  p.host_speed_flops = json.at("host_speed_flops");
  p.is_explicit = json.at("computing") == "explicit";
  p.repetitions = json.at("repetitions");
  const Json& spread = json.at("spread");
  p.spread.total = spread.at("total");
  p.spread.median_compute = spread.at("median_compute");
  p.spread.by_rank = spread.at("by_rank").get<std::vector<double>>();
  p.flop_scale = json.at("flop_scale");
  for (const auto& [place, flop] : json.at("regions_flop").items()) p.regions[place] = flop;
  const Json& timing = json.at("timing");
  p.timing.any_source = timing.at("any_source");
  p.timing.any_tag = timing.at("any_tag");
  p.timing.tests = timing.at("tests");
  p.timing.failed_tests = timing.at("failed_tests");
  p.timing.wait_any = timing.at("wait_any");
  p.timing.probes = timing.at("probes");
  p.messages_among_others = json.at("messages_on_other_communicators");
  p.simgrid = json.at("simgrid");
  p.nowsim = json.at("nowsim");
  p.command = json.at("command");
  return p;
}

}  // namespace

std::string MpiProvenance::timing_text() const {
  std::string text;
  const auto add = [&](std::uint64_t count, const std::string& one, const std::string& many) {
    if (count > 0) text += (text.empty() ? "" : ", ") + counted(count, one, many);
  };
  add(timing.any_source, "receive from any source", "receives from any source");
  add(timing.any_tag, "receive of any tag", "receives of any tag");
  add(timing.tests, "test", "tests");
  if (timing.failed_tests > 0) text += " (" + std::to_string(timing.failed_tests) + " found nothing)";
  add(timing.wait_any, "wait for any of several", "waits for any of several");
  add(timing.probes, "probe", "probes");
  return text;
}

std::string json_of(const MpiProvenance& p) {
  const MpiTimingCounts& timing = p.timing;
  const Json json = {
      {"format", 1},
      {"program", p.program},
      {"program_sha256", p.program_sha256},
      {"arguments", p.arguments},
      {"ranks", p.ranks},
      {"host_speed_flops", p.host_speed_flops},
      {"computing", p.is_explicit ? "explicit" : "measured"},
      {"repetitions", p.repetitions},
      {"spread",
       {{"total", p.spread.total}, {"median_compute", p.spread.median_compute}, {"by_rank", p.spread.by_rank}}},
      {"flop_scale", p.flop_scale},
      {"regions_flop", p.regions},
      {"timing",
       {{"any_source", timing.any_source},
        {"any_tag", timing.any_tag},
        {"tests", timing.tests},
        {"failed_tests", timing.failed_tests},
        {"wait_any", timing.wait_any},
        {"probes", timing.probes}}},
      {"messages_on_other_communicators", p.messages_among_others},
      {"simgrid", p.simgrid},
      {"nowsim", p.nowsim},
      {"command", p.command}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<MpiProvenance> read_mpi_provenance(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kMpiProvenanceFile;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return {};
  try {
    return provenance_in(Json::parse(read_user_file(file.string(), kMostDescriptionBytes)));
  } catch (const Json::exception&) {
    throw InputError({file.string(), 0, ""}, "this is not what 'nowsim trace mpi' writes: record the program again.");
  }
}

}  // namespace nowsim

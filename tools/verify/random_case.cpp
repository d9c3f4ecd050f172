// Cases by number, all of a network in one batch, and shrinking.
#include "tools/verify/random_case.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/owners/owner_models.hpp"

namespace nowsim {
namespace {

/// Each replication runs another program, drawn from its own stream, or all the one that is given.
class RandomWorkload final : public Workload {
 public:
  RandomWorkload(bool own_paths, bool on_grid)
      : Workload(ProgramDescription{.communicates = true}), own_paths_(own_paths), on_grid_(on_grid) {}
  /// On machines of any speed: it begins after a second, so that rounding on SimGrid's clock is small beside the makespan.
  RandomWorkload() : Workload(ProgramDescription{.communicates = true}), begin_s_(1) {}
  explicit RandomWorkload(RandomProgram program)
      : Workload(ProgramDescription{.communicates = true}), given_(std::move(program)) {}

  [[nodiscard]] RandomProgram drawn(int ranks, const Stream& stream) const {
    RandomDraws draws(stream, on_grid_);
    return random_program(ranks, own_paths_, draws);
  }
  Process run(Rank& self) const override {
    const RandomProgram program = given_ ? *given_ : drawn(self.count(), self.common_random());
    co_await self.sleep_until(begin_s_);
    co_await follow(program, self);
  }

 private:
  double begin_s_ = 0;
  std::optional<RandomProgram> given_;
  bool own_paths_ = false, on_grid_ = false;
};

bool is_on_grid(std::uint64_t network) { return network / random_network_kinds().size() % 2 == 1; }

/// Without its programs.
RandomCase network_case(std::uint64_t network, std::uint64_t seed) {
  const std::uint64_t streams_seed = network + SplitMix64::mix(seed - 1);  // seed 1: the number itself
  RandomDraws draws(Stream({streams_seed, 0, 0, Purpose::workload}), is_on_grid(network));
  RandomCase one{random_network(network % random_network_kinds().size(), draws), {}};
  one.has_owners = draws.one_in(5);
  one.on_grid = is_on_grid(network);
  one.streams_seed = streams_seed;
  return one;
}

std::shared_ptr<const RandomWorkload> drawing_workload(const RandomCase& one) {
  return std::make_shared<const RandomWorkload>(one.network.has_own_paths(), one.on_grid);
}

Scenario scenario_on(std::shared_ptr<const Platform> platform, const OwnerPtr& owner,
                     std::shared_ptr<const Workload> workload, std::uint64_t seed) {
  Scenario s;
  s.platform = std::move(platform);
  s.owners.assign(s.size(), owner);
  s.workload = std::move(workload);
  s.share_flop.assign(s.size(), 0);
  s.seed = seed;
  return s;
}

Scenario scenario_of(const RandomCase& one, std::shared_ptr<const Workload> workload) {
  const OwnerPtr owner = one.has_owners ? duty_cycle_owner(0.3, 0.4, true) : dedicated_owner();
  return scenario_on(platform_of(one.network), owner, std::move(workload), one.streams_seed);
}

/// All cases that are a step smaller.
std::vector<RandomCase> smaller(const RandomCase& from) {
  std::vector<RandomCase> all;
  const auto add = [&](const std::function<void(RandomCase&)>& change) {
    all.push_back(from);
    change(all.back());
  };
  for (std::size_t k = 0; k < from.program.size(); ++k) {
    add([k](RandomCase& c) { c.program.erase(c.program.begin() + static_cast<std::ptrdiff_t>(k)); });
    for (std::size_t p = 0; p < from.program[k].pairs.size(); ++p)
      add([k, p](RandomCase& c) {
        c.program[k].pairs.erase(c.program[k].pairs.begin() + static_cast<std::ptrdiff_t>(p));
      });
    if (from.program[k].patience_s > 0) add([k](RandomCase& c) { c.program[k].patience_s = 0; });
  }
  const int ranks = static_cast<int>(from.network.speeds_flops.size());
  for (int rank = 0; ranks > 1 && rank < ranks; ++rank)
    add([rank](RandomCase& c) {
      c.program = without_rank(c.program, rank);
      c.network = c.network.without_machine(rank);
    });
  for (std::size_t l = 0; l < from.network.links.size(); ++l) {
    add([l](RandomCase& c) { c.network = c.network.without_link(l); });
    if (!from.network.links[l].profile.empty()) add([l](RandomCase& c) { c.network.links[l].profile.clear(); });
  }
  if (from.has_owners) add([](RandomCase& c) { c.has_owners = false; });
  return all;
}

std::size_t size_of(const RandomCase& one) {
  std::size_t size = one.network.speeds_flops.size() + one.network.links.size() + (one.has_owners ? 1 : 0);
  for (const RandomOperation& op : one.program) size += op.size();
  for (const auto& link : one.network.links) size += link.profile.empty() ? 0 : 1;
  return size;
}

}  // namespace

RandomCase random_case(std::uint64_t network, std::uint64_t program, std::uint64_t seed) {
  RandomCase one = network_case(network, seed);
  const Stream stream({one.streams_seed, program, kAllWorkstations, Purpose::workload});
  one.program = drawing_workload(one)->drawn(static_cast<int>(one.network.speeds_flops.size()), stream);
  one.replication = program;
  return one;
}

Agreement compare_engines(const RandomCase& one) {
  const auto workload = std::make_shared<const RandomWorkload>(one.program);
  return compare_engines(scenario_of(one, workload), {one.replication, 1});
}

bool has_failed(const Agreement& agreement) {
  return agreement.kind == Agreement::Kind::differ || agreement.kind == Agreement::Kind::reordered ||
         agreement.kind == Agreement::Kind::failed;
}

RandomComparison compare_engines_on(std::uint64_t network, std::uint64_t seed) {
  const RandomCase all = network_case(network, seed);
  RandomComparison comparison{compare_engines(scenario_of(all, drawing_workload(all)), {0, kProgramsPerNetwork})};
  if (!has_failed(comparison.agreement)) return comparison;
  for (std::uint64_t program = 0; program < kProgramsPerNetwork && !comparison.failing; ++program)
    if (const Agreement alone = compare_engines(random_case(network, program, seed)); has_failed(alone)) {
      comparison.failing = program;
      comparison.agreement.where = alone.where;
    }
  return comparison;
}

Agreement compare_random_programs(std::shared_ptr<const Platform> platform, std::uint64_t seed) {
  const auto workload = std::make_shared<const RandomWorkload>();
  return compare_engines(scenario_on(std::move(platform), dedicated_owner(), workload, seed), {0, kProgramsPerNetwork});
}

RandomCase smallest_failing(RandomCase failing, const std::function<bool(const RandomCase&)>& fails) {
  for (bool has_shrunk = true; std::exchange(has_shrunk, false);)
    for (RandomCase& candidate : smaller(failing))
      if (size_of(candidate) < size_of(failing) && fails(candidate)) {
        failing = std::move(candidate);
        has_shrunk = true;
        break;
      }
  return failing;
}

std::string case_text(const RandomCase& one) {
  std::string text = program_text(one.program) + '\n' + platform_of(one.network)->xml;
  for (std::size_t l = 0; l < one.network.links.size(); ++l)
    if (const std::string& profile = one.network.links[l].profile; !profile.empty())
      text += "\nbandwidth of l" + std::to_string(l) + ":\n" + profile;
  if (one.has_owners) text += "\nowners take 0.12 s of every 0.3 s\n";
  return text;
}

}  // namespace nowsim

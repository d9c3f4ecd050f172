// HL's augmented task: N_s phases, in each of which the ranks compute, communicate and synchronise.
#include "sim/program/supersteps.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {
namespace {

struct AugmentedTaskParameters {
  double work_flop;
  std::int64_t phases;
  bool meets_twice;  ///< before communicating as well as after: HL's computers synchronise for communication
  double barrier_cost_s;
  double bytes;  ///< that each rank moves over its own path in each phase
};

/// Transfers cost as much as messages.
ProgramDescription description(const AugmentedTaskParameters& p) {
  const Superstep phase{.own_bytes = p.bytes,
                        .meets_before_moving = p.meets_twice,
                        .barrier_cost_s = p.barrier_cost_s};
  return {.work_flop = p.work_flop,
          .phases = p.phases,
          .communicates = p.bytes > 0,
          .messages = [p](int ranks) { return p.bytes > 0 ? static_cast<double>(p.phases) * ranks : 0; },
          .supersteps = std::make_shared<RepeatedStep>(phase, p.phases)};
}

}  // namespace

WorkloadInfo augmented_task() {
  return {.name = "augmented-task",
          .summary = "phases of computing its share's part, communicating and synchronising (HL 2.2, 3.3, 5.2.5)",
          .keys = {{"work", KeyType::work, kMustBeGiven, "of all ranks together"},
                   {"phases", KeyType::count, kMustBeGiven, "of computing, communicating and synchronising", {1}},
                   {"synchronise", KeyType::word, "after", "after communicating, or before it as well", {},
                    {"after", "both"}},
                   {"barrier_cost", KeyType::time, "0s", "of each barrier"},
                   {"bytes", KeyType::bytes, "0", "that each rank moves over its own link in each phase"}},
          .make =
              [](KeyReader& read) {
                return std::make_shared<Workload>(
                    description({read.value("work"), read.whole("phases"), read.word("synchronise") == 1,
                                 read.value("barrier_cost"), read.value("bytes")}));
              },
          .later = {"bytes"}};
}

}  // namespace nowsim

// HL's augmented task: N_s phases, in each of which the ranks compute, communicate and synchronise.
#include "workloads/synthetic/augmented_task.hpp"

namespace nowsim {
namespace {

/// Where the ranks wait for one another in a phase.
enum class Synchronise {
  after,  ///< once, after communicating
  both,   ///< before communicating as well: HL's computers synchronise for communication
};

struct AugmentedTaskParameters {
  double work_flop;
  std::int64_t phases;
  Synchronise synchronise;
  double barrier_cost_s;
  double bytes;  ///< that each rank moves over its own path in each phase
};

class AugmentedTask final : public Workload {
 public:
  explicit AugmentedTask(const AugmentedTaskParameters& parameters) : p_(parameters) {}
  double work_flop() const override { return p_.work_flop; }
  std::int64_t phases() const override { return p_.phases; }
  bool communicates() const override { return p_.bytes > 0; }
  /// Transfers cost as much.
  double messages(int ranks) const override { return communicates() ? static_cast<double>(p_.phases) * ranks : 0; }

  Process run(Rank& self) const override {
    for (std::int64_t phase = 0; phase < p_.phases; ++phase) {
      co_await self.compute(self.share() / static_cast<double>(p_.phases));
      if (p_.synchronise == Synchronise::both) co_await self.barrier(p_.barrier_cost_s);
      if (p_.bytes > 0) co_await self.transfer(p_.bytes);
      co_await self.barrier(p_.barrier_cost_s);
    }
  }

 private:
  AugmentedTaskParameters p_;
};

}  // namespace

WorkloadInfo augmented_task() {
  WorkloadInfo info{"augmented-task",
                    "phases of computing its share's part, communicating and synchronising (HL 2.2, 3.3, 5.2.5)",
                    "work, phases, synchronise, barrier_cost, bytes", [](ParameterReader& read) {
                      return std::make_shared<AugmentedTask>(
                          AugmentedTaskParameters{read.work("work"), read.count("phases", std::nullopt, 1),
                                     static_cast<Synchronise>(read.choice("synchronise", {"after", "both"}, 0)),
                                     read.time("barrier_cost", 0), read.bytes("bytes", 0)});
                    }};
  info.later = {"bytes"};
  return info;
}

}  // namespace nowsim

// The NAS kernel EP: pairs of Gaussian deviates are counted by the annuli they fall into, and only counts travel.
//
// Bailey et al., "The NAS parallel benchmarks", Int. J. Supercomputer Applications 5(3), 1991. Of the programs of ZY
// 4.2 the one whose messages per process are as many for any size.
#include "sim/base/text.hpp"
#include "workloads/parts/master.hpp"
#include "workloads/parts/whole_parts.hpp"

namespace nowsim {
namespace {

constexpr double kTaskBytes = 2 * 8;     ///< the first pair and how many there are
constexpr double kCountsBytes = 12 * 8;  ///< of ten annuli, and the sums of both deviates

/// Operations per pair [flop]: 26.68e9 for the 2^28 pairs of class A, as NASA counted them (Bailey, Dagum, Barszcz &
/// Simon, "NAS parallel benchmark results", IEEE Parallel & Distributed Technology 1(1), 1993).
constexpr double kClassA = 26.68e9 / (std::int64_t{1} << 28);

struct EpParameters {
  std::int64_t pairs;
  double work_per_pair_flop;
  [[nodiscard]] double work_for(std::int64_t of_pairs) const { return static_cast<double>(of_pairs) * work_per_pair_flop; }
};

class Ep final : public MasterProgram {
 public:
  Ep(const EpParameters& p, const MasterCosts& costs)
      : MasterProgram({.work_flop = p.work_for(p.pairs),
                       .messages = [](int ranks) { return kMessagesOfMaster * (ranks - 1); }},
                      costs),
        p_(p) {}

 private:
  /// Ranks without pairs get and send the same messages.
  Process run_with_others(Rank& self) const override {
    const std::int64_t mine = whole_parts(p_.pairs, self.shares())[index_of(self.index())];
    co_await deal_out(self, [](int) { return kTaskBytes; });
    co_await self.compute(p_.work_for(mine));
    co_await take_back(self, [](int) { return kCountsBytes; });
  }

  EpParameters p_;
};

}  // namespace

WorkloadInfo ep() {
  return master_program(
      {"ep", "NAS kernel EP: each rank counts its pairs of deviates, a constant number of messages (ZY 4.2)",
       {{"size", KeyType::count, kMustBeGiven, "pairs of deviates", {1}},
        {"work_per_pair", KeyType::work, number_text(kClassA), "that of class A unless given"}},
       [](KeyReader& read) {
         const EpParameters p{read.whole("size"), read.value("work_per_pair")};
         return std::make_shared<Ep>(p, read_master_costs(read, false));
       }},
      false);
}

}  // namespace nowsim

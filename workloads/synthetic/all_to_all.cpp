// Everybody sends a message to everybody, in rounds: loads a network as much as it can be.
#include "workloads/parts/registry.hpp"

namespace nowsim {
namespace {

struct AllToAllParameters {
  double work_flop;
  std::int64_t rounds;
  double bytes;
};

class AllToAll final : public Workload {
 public:
  explicit AllToAll(const AllToAllParameters& p)
      : Workload({.work_flop = p.work_flop,
                  .phases = p.rounds,
                  .communicates = true,
                  .messages = [p](int ranks) { return static_cast<double>(p.rounds) * ranks * (ranks - 1); }}),
        p_(p) {}

  /// In each round a rank computes its part, sends to its neighbours at distance 1, 2, ... and waits for theirs.
  Process run(Rank& self) const override {
    const int n = self.count();
    for (std::int64_t round = 0; round < p_.rounds; ++round) {
      co_await self.compute(self.share() / static_cast<double>(p_.rounds));
      for (int distance = 1; distance < n; ++distance)
        co_await self.isend((self.index() + distance) % n, p_.bytes);
      for (int distance = 1; distance < n; ++distance) co_await self.receive((self.index() + n - distance) % n);
    }
  }

 private:
  AllToAllParameters p_;
};

}  // namespace

WorkloadInfo all_to_all() {
  return {"all-to-all", "rounds of computing a part and sending a message to every other rank",
          {{"work", KeyType::work, "0", "of all ranks together"},
           {"rounds", KeyType::count, "1", "of computing and sending", {1}},
           {"bytes", KeyType::bytes, "0", "of a message"}},
          [](KeyReader& read) {
            return std::make_shared<AllToAll>(
                AllToAllParameters{read.value("work"), read.whole("rounds"), read.value("bytes")});
          }};
}

}  // namespace nowsim

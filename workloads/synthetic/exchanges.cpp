// Programs that measure networks: a message to and fro between rank 0 and each other rank in turn, and rounds in which
// everybody sends a message to everybody.
#include "workloads/parts/registry.hpp"

namespace nowsim {
namespace {

class PingPong final : public Workload {
 public:
  PingPong(std::int64_t rounds, double bytes)
      : Workload({.communicates = true,
                  .least_ranks = 2,
                  .messages = [rounds](int ranks) { return 2 * static_cast<double>(rounds) * (ranks - 1); }}),
        rounds_(rounds), bytes_(bytes) {}

  Process run(Rank& self) const override {
    for (std::int64_t round = 0; round < rounds_; ++round) {
      if (self.index() > 0) {
        co_await self.receive(0);
        co_await self.send(0, bytes_);
        continue;
      }
      for (int peer = 1; peer < self.count(); ++peer) {
        co_await self.send(peer, bytes_);
        co_await self.receive(peer);
      }
    }
  }

 private:
  std::int64_t rounds_;
  double bytes_;
};

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

WorkloadInfo ping_pong() {
  return {"ping-pong", "a message to and fro between rank 0 and every other rank in turn",
          {{"rounds", KeyType::count, "1", "of exchanges with every other rank"},
           {"bytes", KeyType::bytes, "0", "of a message"}},
          [](KeyReader& read) {
            const std::int64_t rounds = read.whole("rounds");
            return std::make_shared<PingPong>(rounds, read.value("bytes"));
          }};
}

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

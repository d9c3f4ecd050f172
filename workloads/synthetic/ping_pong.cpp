// A message to and fro between rank 0 and each other rank in turn: measures a network.
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
    if (self.index() > 0) {
      for (std::int64_t round = 0; round < rounds_; ++round) {
        co_await self.receive(0);
        co_await self.send(0, bytes_);
      }
      co_return;
    }
    for (std::int64_t round = 0; round < rounds_; ++round) {
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

}  // namespace nowsim

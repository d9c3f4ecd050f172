// nowsim with two workloads more that do nothing but send messages: what plain_messages.cpp does with S4U.
#include "sim/program/collectives.hpp"
#include "tests/bench/message_sizes.hpp"
#include "tools/line/command_line.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;

namespace {

struct Messages {
  std::int64_t rounds, neighbours;
  double bytes, spread;
};

/// In each round a rank sends to its next neighbours, all at once, and waits for what comes from those before it.
class Exchange final : public Workload {
 public:
  explicit Exchange(const Messages& m) : Workload({.phases = m.rounds, .communicates = true}), m_(m) {}
  Process run(Rank& self) const override {
    const int n = self.count(), near = static_cast<int>(std::min<std::int64_t>(m_.neighbours, n - 1));
    for (std::int64_t round = 0; round < m_.rounds; ++round) {
      for (int d = 1; d <= near; ++d)
        co_await self.isend((self.index() + d) % n, bench::message_bytes(m_.bytes, m_.spread, number(self, round, d)));
      for (int d = 1; d <= near; ++d) co_await self.receive((self.index() + n - d) % n);
    }
  }

 private:
  [[nodiscard]] double number(const Rank& self, std::int64_t round, int distance) const {
    return static_cast<double>((round * m_.neighbours + distance) * self.count() + self.index());
  }
  Messages m_;
};

/// Rank 0 sends to all others along a binomial tree, again and again.
class Broadcasts final : public Workload {
 public:
  explicit Broadcasts(const Messages& m) : Workload({.phases = m.rounds, .communicates = true}), m_(m) {}
  Process run(Rank& self) const override {
    for (std::int64_t round = 0; round < m_.rounds; ++round) co_await broadcast(self, 0, m_.bytes, {});
  }

 private:
  Messages m_;
};

template <class Program>
WorkloadInfo info(const char* name, const char* help) {
  return {name, help,
          {{"rounds", KeyType::count, "1", "of messages", {1}},
           {"neighbours", KeyType::count, "1", "that a rank sends to", {1}},
           {"bytes", KeyType::bytes, "0", "of a message, at least"},
           {"spread", KeyType::number, "0", "by how much of that a message may be larger"}},
          [](KeyReader& read) {
            return std::make_shared<Program>(Messages{read.whole("rounds"), read.whole("neighbours"), read.value("bytes"),
                                                      read.value("spread")});
          }};
}

}  // namespace

int main(int argc, char** argv) {
  Additions additions;
  additions.workloads.push_back(info<Exchange>("exchange", "rounds of messages to neighbours"));
  additions.workloads.push_back(info<Broadcasts>("broadcasts", "rounds of messages along a tree"));
  return command_line(argc, argv, additions);
}

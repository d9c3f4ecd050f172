// Programs of messages as one writes them with S4U: an actor per machine and mailboxes. Peers for the benchmark, not a
// part of nowsim; of nowsim's, only sizes and operations are used.
// usage: plain_messages PLATFORM.xml exchange ROUNDS NEIGHBOURS BYTES SPREAD
//        plain_messages PLATFORM.xml broadcasts ROUNDS BYTES
//        plain_messages PLATFORM.xml cholesky ORDER BLOCK ELEMENT_BYTES
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/bench/message_sizes.hpp"
#include "workloads/matrices/matrix_parts.hpp"

namespace s4u = simgrid::s4u;

namespace {

int token = 0;  // what all messages hold

/// Mailboxes from each rank to each other: a pair's own.
class Ways {
 public:
  Ways(const char* name, int ranks) : name_(name), ranks_(ranks) {}
  s4u::Mailbox* at(int from, int to) {
    auto& box = boxes_[from * ranks_ + to];
    if (box == nullptr) box = s4u::Mailbox::by_name(name_ + std::to_string(from) + " to " + std::to_string(to));
    return box;
  }

 private:
  std::string name_;
  int ranks_;
  std::unordered_map<int, s4u::Mailbox*> boxes_;
};

/// What every rank knows. A message begins to travel when its receiver waits for it, unless it is posted: then at once.
struct Ranks {
  int count;
  std::vector<s4u::Host*> hosts;
  Ways rendezvous{"from ", count}, posted{"posted from ", count};

  void send(int from, int to, double bytes) { rendezvous.at(from, to)->put(&token, static_cast<std::uint64_t>(bytes)); }
  void receive(int from, int to) { rendezvous.at(from, to)->get<int>(); }
  /// To be called by the receiver before anything is posted to it.
  void expect(int from, int to) { posted.at(from, to)->set_receiver(s4u::Actor::self()); }
  void post(int from, int to, double bytes) {
    posted.at(from, to)->put_init(&token, static_cast<std::uint64_t>(bytes))->detach();
  }
  void take(int from, int to) { posted.at(from, to)->get<int>(); }
};

using Program = std::function<void(Ranks&, int self)>;

struct Exchange {
  std::int64_t rounds, neighbours;
  double bytes, spread;
  void operator()(Ranks& ranks, int self) const {
    const int n = ranks.count, near = static_cast<int>(std::min<std::int64_t>(neighbours, n - 1));
    for (int d = 1; d <= near; ++d) ranks.expect((self + n - d) % n, self);
    s4u::this_actor::yield();  // all expect before any posts
    for (std::int64_t round = 0; round < rounds; ++round) {
      for (int d = 1; d <= near; ++d) {
        const auto k = static_cast<double>((round * neighbours + d) * n + self);
        ranks.post(self, (self + d) % n, nowsim::bench::message_bytes(bytes, spread, k));
      }
      for (int d = 1; d <= near; ++d) ranks.take((self + n - d) % n, self);
    }
  }
};

/// A binomial tree: the parent is the number without its lowest set bit; children have one bit more below it.
struct Broadcasts {
  std::int64_t rounds;
  double bytes;
  void operator()(Ranks& ranks, int self) const {
    int lowest = 1;
    while (lowest < ranks.count && (self & lowest) == 0) lowest <<= 1;
    for (std::int64_t round = 0; round < rounds; ++round) {
      if (self > 0) ranks.receive(self & ~lowest, self);
      for (int bit = lowest >> 1; bit > 0; bit >>= 1)
        if (self + bit < ranks.count) ranks.send(self, self + bit, bytes);
    }
  }
};

/// By blocks of columns, right-looking: rank 0 deals them out and takes them back.
struct Cholesky {
  nowsim::BlockColumns matrix;
  double element_bytes;
  std::vector<int> owner = {};
  std::vector<double> elements = {};
  std::vector<std::size_t> done_at = {};

  void deal(const Ranks& ranks) {
    std::vector<double> speeds;
    for (const auto* host : ranks.hosts) speeds.push_back(host->get_speed());
    owner = nowsim::deal_blocks(matrix, speeds);
    elements.assign(speeds.size(), 0);
    done_at.assign(speeds.size(), 0);
    for (std::size_t k = 0; k < owner.size(); ++k) {
      elements[static_cast<std::size_t>(owner[k])] += matrix.elements(k);
      done_at[static_cast<std::size_t>(owner[k])] = k + 1;
    }
  }
  [[nodiscard]] bool needs(int rank, std::size_t k) const {
    return rank != owner[k] && done_at[static_cast<std::size_t>(rank)] > k;
  }
  void operator()(Ranks& ranks, int self) const {
    for (int from = 0; from < ranks.count; ++from) ranks.expect(from, self);
    const auto bytes_of = [&](int rank) { return element_bytes * elements[static_cast<std::size_t>(rank)]; };
    for (int rank = 1; rank < ranks.count; ++rank) {
      if (bytes_of(rank) <= 0) continue;
      if (self == 0) ranks.send(0, rank, bytes_of(rank));
      if (self == rank) ranks.receive(0, rank);
    }
    factor(ranks, self);
    for (int rank = 1; rank < ranks.count; ++rank) {
      if (bytes_of(rank) <= 0) continue;
      if (self == 0) ranks.receive(rank, 0);
      if (self == rank) ranks.send(rank, 0, bytes_of(rank));
    }
  }
  void factor(Ranks& ranks, int self) const {
    double right = elements[static_cast<std::size_t>(self)];
    for (std::size_t k = 0; k < owner.size(); ++k) {
      if (owner[k] == self) {
        s4u::this_actor::execute(matrix.panel_flop(k));
        right -= matrix.elements(k);
        for (int i = 0; i < ranks.count; ++i)
          if (needs(i, k)) ranks.post(self, i, element_bytes * matrix.elements(k));
      } else if (needs(self, k)) {
        ranks.take(owner[k], self);
      }
      if (right > 0) s4u::this_actor::execute(matrix.update_flop(k, right));
    }
  }
};

Program program_of(const std::vector<std::string>& words, const Ranks& ranks) {
  const auto whole = [&](std::size_t i) { return static_cast<std::int64_t>(std::stoll(words.at(i))); };
  const auto real = [&](std::size_t i) { return std::stod(words.at(i)); };
  if (words.at(0) == "exchange") return Exchange{whole(1), whole(2), real(3), real(4)};
  if (words.at(0) == "broadcasts") return Broadcasts{whole(1), real(2)};
  Cholesky cholesky{nowsim::BlockColumns(whole(1), whole(2)), real(3)};
  cholesky.deal(ranks);
  return cholesky;
}

/// In the order of the file.
std::vector<s4u::Host*> hosts_of(const s4u::Engine& engine) {
  auto hosts = engine.get_all_hosts();
  std::ranges::sort(hosts, {}, [](const s4u::Host* host) { return host->get_netpoint()->id(); });
  return hosts;
}

}  // namespace

int main(int argc, char** argv) {
  const std::clock_t begin = std::clock();  // processor time
  s4u::Engine engine(&argc, argv);
  if (argc < 4) return 2;
  // What makes a message of m bytes take latency + m/bandwidth, as in nowsim.
  for (const char* setting : {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:1e300",
                              "contexts/stack-size:64", "surf/precision:1e-9"})
    s4u::Engine::set_config(setting);
  engine.load_platform(argv[1]);
  const auto hosts = hosts_of(engine);
  Ranks ranks{static_cast<int>(hosts.size()), hosts};
  const Program program = program_of({argv + 2, argv + argc}, ranks);
  for (int i = 0; i < ranks.count; ++i)
    s4u::Actor::create("rank", hosts[static_cast<std::size_t>(i)], [&, i] { program(ranks, i); });
  const std::clock_t set_up = std::clock();
  engine.run();
  const std::clock_t end = std::clock();
  std::printf("makespan %.17g seconds %.6f set_up %.6f\n", s4u::Engine::get_clock(),
              static_cast<double>(end - set_up) / CLOCKS_PER_SEC, static_cast<double>(set_up - begin) / CLOCKS_PER_SEC);
}

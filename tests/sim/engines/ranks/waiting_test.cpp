// What ranks wait for: messages in their mailboxes, and one another at barriers.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "sim/engines/ranks/engine_rank.hpp"
#include "sim/engines/ranks/mailbox.hpp"
#include "sim/statistics/random.hpp"

using namespace nowsim;

namespace {

Envelope envelope(std::uint64_t id, int from, bool buffered) { return {id, from, 0, buffered, {}}; }

/// The rules of Mailbox, by search through lists.
class SearchedInbox {
 public:
  struct Waiting {
    std::uint64_t id;
    bool buffered, available;
    double since_s;
  };
  std::map<int, std::vector<Waiting>> from;

  /// The sender whose message is taken from any.
  [[nodiscard]] std::optional<int> next() const {
    std::optional<double> first_s;
    for (const auto& [sender, queue] : from)
      if (!queue.empty() && queue[0].available)
        first_s = std::min(first_s.value_or(queue[0].since_s), queue[0].since_s);
    if (!first_s) return std::nullopt;
    for (const auto& [sender, queue] : from)
      if (!queue.empty() && queue[0].available && queue[0].since_s <= Mailbox::latest_tie(*first_s)) return sender;
    return std::nullopt;
  }
  std::uint64_t take(int sender) {
    auto& queue = from[sender];
    const Waiting taken = queue.front();
    queue.erase(queue.begin());
    if (!queue.empty()) queue[0].since_s = std::max(queue[0].since_s, taken.since_s);
    return taken.id;
  }
};

}  // namespace

TEST_CASE("The first to be available goes first, the lowest rank where times are equal to 1e-9",
          "[computes][reads][inbox]") {
  Mailbox inbox;
  CHECK_FALSE(inbox.may_tie(1));
  inbox.offer(envelope(1, 7, false), 100);
  CHECK(inbox.may_tie(100));
  CHECK(inbox.may_tie(100 * (1 + 1e-10)));
  CHECK_FALSE(inbox.may_tie(100.001));
  inbox.offer(envelope(2, 3, false), 100 * (1 + 1e-10));
  inbox.offer(envelope(3, 1, false), 100.001);
  CHECK(inbox.take(-1)->from == 3);
  CHECK(inbox.take(-1)->from == 7);
  CHECK(inbox.take(-1)->from == 1);
}

TEST_CASE("Withdrawn and forgotten messages are gone, and let those behind them through", "[inbox]") {
  Mailbox inbox;
  inbox.offer(envelope(1, 0, false), 1);
  inbox.offer(envelope(2, 0, false), 1);
  inbox.withdraw(0, 1);
  CHECK(inbox.take(0)->id == 2);
  inbox.depart(envelope(3, 1, true));
  inbox.offer(envelope(4, 1, false), 2);
  inbox.forget_buffered();
  CHECK(inbox.take(-1)->id == 4);
  inbox.arrive(1, 3, 5);  // a message that was forgotten while under way
  CHECK_FALSE(inbox.has(-1));
}

TEST_CASE("Whatever comes, goes and is taken, an inbox gives what a search through all messages gives", "[inbox]") {
  Stream random = Stream::Family(1, 0).stream(0, Purpose::workload);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random.uniform() * static_cast<double>(n)); };
  Mailbox inbox;
  SearchedInbox expected;
  double now_s = 1;
  for (std::uint64_t id = 1; id <= 20'000; ++id) {
    const int sender = static_cast<int>(below(6));
    auto& queue = expected.from[sender];
    now_s += random.uniform() < 0.5 ? 0 : random.uniform();
    const std::size_t what = below(8);
    if (what < 2) {
      inbox.offer(envelope(id, sender, false), now_s);
      queue.push_back({id, false, true, now_s});
    } else if (what < 4) {
      inbox.depart(envelope(id, sender, true));
      queue.push_back({id, true, false, 0});
    } else if (what == 4 && !queue.empty()) {
      if (auto& one = queue[below(queue.size())]; !one.available) {
        inbox.arrive(sender, one.id, now_s);
        one.available = true;
        one.since_s = now_s;
      }
    } else if (what == 5 && !queue.empty()) {
      const auto at = queue.begin() + static_cast<std::ptrdiff_t>(below(queue.size()));
      inbox.withdraw(sender, at->id);
      queue.erase(at);
    } else if (what == 6 && id % 50 == 0) {
      inbox.forget_buffered();
      for (auto& [other, waiting] : expected.from) std::erase_if(waiting, [](const auto& w) { return w.buffered; });
    } else if (what == 7) {
      const bool from_any = random.uniform() < 0.7;
      const auto next = from_any ? expected.next() : std::optional<int>(sender);
      const bool can = next && !expected.from[*next].empty() && expected.from[*next][0].available;
      REQUIRE(inbox.has(from_any ? -1 : sender) == can);
      const auto taken = inbox.take(from_any ? -1 : sender);
      REQUIRE(taken.has_value() == can);
      if (can) REQUIRE(taken->id == expected.take(*next));
    }
  }
}

using Arrival = JobBarrier::Arrival;

TEST_CASE("The last to arrive ends the round, and who waited goes on in the order of arrival", "[barrier]") {
  JobBarrier barrier;
  for (std::uint64_t round = 0; round < 3; ++round) {
    CHECK(barrier.round() == round);
    CHECK(barrier.arrive(2, 1, nullptr, 3) == Arrival::waits);
    CHECK(barrier.arrive(0, 1, nullptr, 3) == Arrival::waits);
    CHECK(barrier.arrive(1, 1, nullptr, 3) == Arrival::is_last);
    CHECK(barrier.release() == std::vector<int>{2, 0, 1});
  }
}

TEST_CASE("All at a barrier ask for the same cost, which may be another one in the next round", "[barrier][error]") {
  JobBarrier barrier;
  barrier.arrive(0, 1, nullptr, 2);
  CHECK_THROWS_AS(barrier.arrive(1, 2, nullptr, 2), std::invalid_argument);
  CHECK(barrier.arrive(1, 1, nullptr, 2) == Arrival::is_last);
  barrier.release();
  CHECK(barrier.arrive(1, 2, nullptr, 2) == Arrival::waits);
}

TEST_CASE("A rank that began again passes the rounds that are over, and waits where the others are", "[barrier]") {
  JobBarrier barrier;
  std::uint64_t first = 0, second = 0;
  for (int round = 0; round < 2; ++round) {
    barrier.arrive(0, 0, &first, 2);
    CHECK(barrier.arrive(1, 0, &second, 2) == Arrival::is_last);
    barrier.release();
  }
  barrier.arrive(0, 0, &first, 2);
  barrier.leave(0);
  first = 0;
  CHECK(barrier.arrive(0, 7, &first, 2) == Arrival::passes);  // whatever it costs: it is over
  CHECK(barrier.arrive(0, 0, &first, 2) == Arrival::passes);
  CHECK(barrier.arrive(0, 0, &first, 2) == Arrival::waits);
  CHECK(barrier.arrive(1, 0, &second, 2) == Arrival::is_last);
}

// Which message a receive gets.
#include <catch2/catch.hpp>

#include "sim/inbox.hpp"

using namespace nowsim;

namespace {
Envelope envelope(std::uint64_t id, int from, bool buffered) { return {id, from, 0, buffered, {}}; }
}  // namespace

TEST_CASE("A buffered message can be taken once it has arrived, an offer at once", "[inbox]") {
  Inbox inbox;
  inbox.depart(envelope(1, 4, true));
  CHECK_FALSE(inbox.has(-1));
  inbox.offer(envelope(2, 5, false), 1);
  CHECK(inbox.has(-1));
  CHECK(inbox.has(5));
  CHECK_FALSE(inbox.has(4));
  inbox.arrive(4, 1, 2);
  CHECK(inbox.take(4)->id == 1);
  CHECK(inbox.take(-1)->id == 2);
  CHECK_FALSE(inbox.take(-1));
}

TEST_CASE("A sender's messages keep their order although the later one arrives first", "[inbox]") {
  Inbox inbox;
  inbox.depart(envelope(1, 0, true));
  inbox.depart(envelope(2, 0, true));
  inbox.arrive(0, 2, 1);
  CHECK_FALSE(inbox.has(0));
  inbox.arrive(0, 1, 3);
  CHECK(inbox.take(0)->id == 1);
  CHECK(inbox.take(0)->id == 2);
}

TEST_CASE("The first to be available goes first, the lowest rank where times are equal to 1e-9", "[inbox]") {
  Inbox inbox;
  inbox.offer(envelope(1, 7, false), 100);
  inbox.offer(envelope(2, 3, false), 100 * (1 + 1e-10));
  inbox.offer(envelope(3, 1, false), 100.001);
  CHECK(inbox.take(-1)->from == 3);
  CHECK(inbox.take(-1)->from == 7);
  CHECK(inbox.take(-1)->from == 1);
}

TEST_CASE("Withdrawn and forgotten messages are gone, and let those behind them through", "[inbox]") {
  Inbox inbox;
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

TEST_CASE("A message is available no earlier than those that its sender sent before it", "[inbox]") {
  Inbox inbox;
  inbox.depart(envelope(1, 0, true));
  inbox.offer(envelope(2, 0, false), 1);  // offered at 1, but behind a message that arrives at 5
  inbox.offer(envelope(3, 1, false), 3);
  inbox.arrive(0, 1, 5);
  CHECK(inbox.take(0)->id == 1);
  CHECK(inbox.take(-1)->id == 3);
  CHECK(inbox.take(-1)->id == 2);
}

TEST_CASE("Whether others may yet come at the same time is known", "[inbox]") {
  Inbox inbox;
  CHECK_FALSE(inbox.may_tie(1));
  inbox.offer(envelope(1, 0, false), 100);
  CHECK(inbox.may_tie(100));
  CHECK(inbox.may_tie(100 * (1 + 1e-10)));
  CHECK_FALSE(inbox.may_tie(100.001));
}

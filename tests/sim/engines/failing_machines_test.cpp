// Machines that switch off and on, links that vary, and messages, barriers and servers beside them: times by hand, and at
// random, alike on both engines.
#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/engines/direct/engine.hpp"
#include "tests/sim/run_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// Machines of unit speed with links of 1000 B/s and 1 ms each; of each a state profile, or none where the text is "".
std::shared_ptr<const Platform> switching(const std::vector<std::string>& states) {
  std::map<std::size_t, std::string> given;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (!states[i].empty()) given[i] = states[i];
  return with_states(*machines(states.size(), NetworkKind::links), given);
}
/// From a machine to another one.
constexpr double kLatency_s = 1e-3;

/// Runs on both engines, of which the direct one has to be able to.
std::vector<RunResult> run_on_both(const Scenario& s, std::uint64_t replications = 3) {
  REQUIRE_FALSE(DirectEngine::unsupported_reason(s));
  CHECK_NOTHROW(run_batch_direct(s, {0, replications}));  // nothing meets on links either
  return run(s, replications);
}

/// Two machines a and b of unit speed, each with a half-duplex link of 1000 B/s and no latency; the profile is of the file
/// that an attribute of a or of b's link names.
std::shared_ptr<const Platform> pair(const std::string& profile, const std::string& host_a, const std::string& link_b) {
  const Folder folder;
  folder.file("profile", profile);
  const std::string xml =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Cluster\">\n"
      "<host id=\"a\" speed=\"1f\" " + host_a + "/>\n<host id=\"b\" speed=\"1f\"/>\n"
      "<link id=\"la\" bandwidth=\"1000Bps\" latency=\"0us\"/>\n"
      "<link id=\"lb\" bandwidth=\"1000Bps\" latency=\"0us\" " + link_b + "/>\n"
      "<host_link id=\"a\" up=\"la\" down=\"la\"/>\n<host_link id=\"b\" up=\"lb\" down=\"lb\"/>\n</zone>\n</platform>\n";
  return std::make_shared<const Platform>(load_platform(folder.file("platform.xml", xml)));
}

std::shared_ptr<const Platform> a_switching(const std::string& profile) {
  return pair(profile, "state_file=\"profile\"", "");
}
std::shared_ptr<const Platform> b_behind(const std::string& quantity, const std::string& profile) {
  return pair(profile, "", quantity + "_file=\"profile\"");
}

Process message_to_b(Rank& self) {
  if (self.index() == 0) co_await self.send(1, 3000);
  else co_await self.receive(0);
}

}  // namespace

TEST_CASE("A send that waits for a machine that died is given up after its time", "[computes][reads][failures][send]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 1) {
      co_await self.compute(100);
      co_return;
    }
    co_await self.sleep_until(2);
    const bool is_delivered = co_await self.send_within(5, 1, 1000);
    CHECK_FALSE(is_delivered);
    CHECK(self.now() == near(7));
  };
  for (const auto& r : run_on_both(scenario(switching({"", "0 1\n1 0\n20 1\n"}), program))) {
    CHECK(r[Quantity::finish_s][0] == near(7));
    CHECK(r[Quantity::finish_s][1] == near(120));
  }
}

TEST_CASE("A send with a time-out fails when its receiver goes off in the middle of the transfer", "[failures][send]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 1) {
      const auto message = co_await self.receive_any(50);
      if (self.now() > 10) CHECK_FALSE(message);
      co_return;
    }
    try {
      co_await self.send_within(5, 1, 10'000);
      CHECK(false);
    } catch (const CommunicationFailed&) {
      CHECK(self.now() == near(4));
    }
    co_await self.compute(1);
  };
  for (const auto& r : run_on_both(scenario(switching({"", "0 1\n4 0\n20 1\n"}), program))) {
    CHECK(r[Quantity::finish_s][0] == near(5));
    CHECK(r[Quantity::finish_s][1] == near(70));  // it begins again, and nothing comes
    CHECK(r[Quantity::messages][0] == 1);
  }
}

TEST_CASE("A receive with a time-out fails with its sender, and the next one is served", "[failures][receive]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() > 0) {
      co_await self.compute(self.index());
      co_await self.send(0, 4000);
      co_return;
    }
    int failed = 0;
    for (int left = 2; left > 0;) {
      try {
        const auto message = co_await self.receive_any(100);
        if (message) --left;
      } catch (const CommunicationFailed&) {
        ++failed;
        CHECK(self.now() == near(3));  // cut in the middle of the transfer
      }
    }
    CHECK(failed == 1);
  };
  // Rank 1 sends from 1 s on and goes off at 3 s; rank 2 from 3 s on; rank 1 is back at 4 s, and offers again at 5 s.
  for (const auto& r : run_on_both(scenario(switching({"", "0 1\n3 0\n4 1\n", ""}), program))) {
    CHECK(r[Quantity::finish_s][2] == near(3 + kLatency_s + 4));
    CHECK(r[Quantity::finish_s][0] == near(3 + 2 * (kLatency_s + 4)));
    CHECK(r[Quantity::messages][1] == 2);
  }
}

TEST_CASE("Two machines that go off at once lose their transfer, and both begin again", "[failures]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.send(1, 5000);
    if (self.index() == 1) co_await self.receive(0);
    if (self.index() == 2) co_await self.compute(1);
  };
  const std::string state = "0 1\n3 0\n7 1\n";
  for (const auto& r : run_on_both(scenario(switching({state, state, ""}), program))) {
    CHECK(r[Quantity::finish_s][0] == near(12 + kLatency_s));
    CHECK(r[Quantity::finish_s][1] == near(12 + kLatency_s));
    CHECK(r[Quantity::finish_s][2] == near(1));
  }
}

TEST_CASE("Machines that begin again at different times meet at the barrier they have not passed", "[failures]") {
  const auto program = [](Rank& self) -> Process {
    for (int phase = 0; phase < 3; ++phase) {
      co_await self.compute(4);
      co_await self.barrier(0.5);
    }
  };
  // Barriers end at 4.5, then b is off 6 .. 7 and begins again: 11 s, passes the first, 15 s; a is off 10 .. 10.25 as it
  // waits at the second: 14.25, passes the first, 18.25; third: 22.75 and its cost.
  for (const auto& r : run_on_both(scenario(switching({"0 1\n10 0\n10.25 1\n", "0 1\n6 0\n7 1\n", ""}), program)))
    CHECK(r.makespan_s == near(18.25 + 0.5 + 4 + 0.5));
}

TEST_CASE("A machine that goes off while it pays for a barrier does not take part in it again", "[failures]") {
  const auto program = [](Rank& self) -> Process {
    co_await self.compute(1);
    co_await self.barrier(2);
    co_await self.compute(1);
  };
  for (const auto& r : run_on_both(scenario(switching({"0 1\n2 0\n5 1\n", ""}), program))) {
    CHECK(r[Quantity::finish_s][1] == near(4));
    CHECK(r[Quantity::finish_s][0] == near(7));
  }
}

TEST_CASE("A buffered message to a machine that is off is lost, and one that has arrived before too", "[failures]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.isend(1, 1000);  // there at 1 s
      co_await self.sleep_until(5);
      co_await self.isend(1, 1000);  // it is off
      co_await self.sleep_until(9);
      co_await self.isend(1, 2000);
    } else {
      co_await self.compute(3.5);
      const Message message = co_await self.receive(0);
      CHECK(message.bytes == 2000);
    }
  };
  for (const auto& r : run_on_both(scenario(switching({"", "0 1\n3 0\n6 1\n"}), program)))
    CHECK(r[Quantity::finish_s][1] == near(11 + kLatency_s));
}

TEST_CASE("A message dies with its sender's machine although the sender's program has ended", "[failures]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.isend(1, 10'000);
    } else {
      const auto message = co_await self.receive(0, 30);
      CHECK_FALSE(message);
    }
  };
  for (const auto& r : run_on_both(scenario(switching({"0 1\n5 0\n8 1\n", ""}), program))) {
    CHECK(r[Quantity::finish_s][0] == 0);
    CHECK(r[Quantity::finish_s][1] == near(30));
  }
}

TEST_CASE("A transfer over a machine's own path is begun again with the machine", "[failures][transfer]") {
  const auto program = [](Rank& self) -> Process { co_await self.transfer(3000); };
  std::string xml =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Cluster\">"
      "<host id=\"a\" speed=\"1f\" state_file=\"state\"/>"
      "<link id=\"la\" bandwidth=\"1000Bps\" latency=\"0us\"/><host_link id=\"a\" up=\"la\" down=\"la\"/>"
      "</zone></platform>\n";
  const Folder folder;
  folder.file("state", "0 1\n2 0\n3 1\n");
  const auto platform = std::make_shared<const Platform>(load_platform(folder.file("platform.xml", xml)));
  for (const auto& r : run_on_both(scenario(platform, program))) CHECK(r.makespan_s == near(6));
}

TEST_CASE("Work that was kept counts once, and the rest of a life that was cut does not", "[failures][server]") {
  const auto program = [](Rank& self) -> Process {
    for (int k = 0; k < 3; ++k) {
      co_await self.compute(2);
      self.keep_work();
    }
    co_await self.compute(3);
  };
  // Off at 5: two parts of 2 are kept; from 6 on all again.
  for (const auto& r : run_on_both(scenario(switching({"0 1\n5 0\n6 1\n"}), program))) {
    CHECK(r.makespan_s == near(15));
    CHECK(r[Quantity::work_flop][0] == near(4 + 9));
    CHECK(r[Quantity::active_s][0] == near(4 + 9));
  }
}

TEST_CASE("A job that ends with rank 0 does so whatever others do, on or off", "[failures][server]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.compute(10);
      co_return;
    }
    co_await self.compute(1);
    self.keep_work();
    co_await self.compute(1.5);
    co_await self.send(0, 10);
  };
  const auto platform = switching({"", "0 1\n2 0\n", "0 1\n9 0\n30 1\n", "0 1\n4 0\n6 1\n8.75 0\n9.5 1\n20 0\n", ""});
  for (const auto& r : run_on_both(ending_with_first(platform, program))) {
    CHECK(r.makespan_s == near(10));
    for (const double finish_s : r[Quantity::finish_s]) CHECK(finish_s == near(10));
    CHECK(r[Quantity::work_flop] == std::vector<double>{10, 1, 1, 2, 2.5});
    CHECK(r[Quantity::messages] == std::vector<double>{0, 0, 1, 2, 1});  // one by each life that gets so far
  }
}

TEST_CASE("A job whose first rank begins again ends when that one does", "[failures][server]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.compute(2);
      co_await self.receive_any(4.0);
    } else {
      co_await self.compute(30);
    }
  };
  for (const auto& r : run_on_both(ending_with_first(switching({"0 1\n3 0\n5 1\n", "0 1\n8 0\n9 1\n"}), program))) {
    CHECK(r.makespan_s == near(11));
    CHECK(r[Quantity::work_flop] == std::vector<double>{2, 0});
  }
}

TEST_CASE("A rank that begins again draws the same numbers again", "[failures]") {
  const auto program = [](Rank& self) -> Process {
    Stream numbers = self.random();
    co_await self.compute(1 + numbers.uniform());
    co_await self.compute(1 + numbers.uniform());
  };
  Scenario with = scenario(switching({"0 1\n1.5 0\n2 1\n"}), program), without = scenario(switching({""}), program);
  const auto a = run_on_both(with), b = run_on_both(without);
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(a[k].makespan_s == near(2 + b[k].makespan_s));
}

TEST_CASE("Machines that switch compute beside owners as those that stay", "[failures]") {
  for (const char* text : {"PERIODICITY 7\n0 0.5\n2 1\n4 0.25\n", "STOCHASTIC LOOP\nEXP 0.5 UNIF 0.1 1\n"}) {
    const auto owner = profile_of(text);
    const auto platform = switching({"", "STOCHASTIC LOOP\nEXP 0.04 DET 0\nEXP 0.5 DET 1\n",
                                     "STOCHASTIC LOOP\nEXP 0.01 DET 0\nEXP 1 DET 1\n"});
    run_on_both(computing(platform, 10, owner), 40);
    const auto always_on = switching({"", "0 1\n1e6 0\n", "0 1\n1e6 0\n"});
    for (const auto& r : run_on_both(computing(always_on, 10, owner), 10))
      for (std::size_t i = 0; i < 3; ++i)
        CHECK(r[Quantity::finish_s][i] == near(naive_finish(*owner, 1, r.replication, i, 10, 1)));
  }
}

namespace {

/// A server that gives numbered tasks to whoever asks, again where an answer does not come in time.
struct SmallFarm {
  int tasks;
  double timeout_s;

  Process serve(Rank& self) const {
    struct Task {
      bool is_done = false;
      double due_s = 0;
    };
    std::vector<Task> all(static_cast<std::size_t>(tasks));
    for (int left = tasks; left > 0;) {
      try {
        const auto request = co_await self.receive_any(timeout_s);
        if (!request) continue;
        const int done = std::any_cast<int>(request->content);
        if (done >= 0 && !std::exchange(all[static_cast<std::size_t>(done)].is_done, true)) --left;
        int next = -1;
        for (int k = 0; k < tasks && next < 0; ++k)
          if (const Task& t = all[static_cast<std::size_t>(k)]; !t.is_done && t.due_s <= self.now()) next = k;
        if (next >= 0) all[static_cast<std::size_t>(next)].due_s = self.now() + timeout_s;
        co_await self.send_within(timeout_s / 8, request->from, 137, next);
      } catch (const CommunicationFailed&) {
      }
    }
  }
  Process work(Rank& self) const {
    Stream costs = self.random();
    co_await self.sleep_until(self.now() + 0.013 * self.index());  // no two ask at once
    for (int done = -1;;) {
      const bool is_heard = co_await self.send_within(3.7, 0, 211, done);
      if (!is_heard) continue;
      std::optional<Message> answer;
      answer = co_await self.receive(0, 2.3);
      done = answer ? std::any_cast<int>(answer->content) : -1;
      if (done >= 0) {
        co_await self.compute(1 + 2 * costs.uniform());
        self.keep_work();
      } else {
        co_await self.sleep_until(self.now() + 0.93 + 0.11 * self.index());
      }
    }
  }
  Process operator()(Rank& self) const { return self.index() == 0 ? serve(self) : work(self); }
};

/// What a rank does at random: a program drawn from a stream that is the same in each of its lives.
Process random_program(Rank& self) {
  Stream draws = self.random();
  const auto between = [&draws](double least, double most) { return least + (most - least) * draws.uniform(); };
  const auto other = [&] {
    const int to = static_cast<int>(draws.uniform() * (self.count() - 1));
    return to >= self.index() ? to + 1 : to;
  };
  for (int k = 0; k < 12; ++k) {
    const double kind = draws.uniform(), amount = between(0.1, 2);
    const int peer = other();
    bool has_failed = false;
    try {
      if (kind < 0.25) co_await self.compute(amount);
      else if (kind < 0.3) co_await self.sleep_until(self.now() + amount);
      else if (kind < 0.55) co_await self.send_within(amount, peer, 300 * amount, k);
      else if (kind < 0.65) co_await self.isend(peer, 200 * amount, k);
      else if (kind < 0.75) co_await self.receive(peer, amount);
      else if (kind < 0.95) co_await self.receive_any(amount);
      else self.keep_work();
    } catch (const CommunicationFailed&) {
      has_failed = true;
    }
    if (has_failed) co_await self.compute(0.05);
    if (k == 5) co_await self.barrier(0.25);
  }
}

/// Compares both engines where nothing depends on which of two goes first; returns of how many replications.
std::uint64_t compare_without_ties(const Scenario& s, std::uint64_t replications) {
  std::uint64_t compared = 0;
  for (std::uint64_t k = 0; k < replications; ++k) {
    if (run_batch_direct(s, {k, 1}).front().ties > 0) continue;
    run(s, 1, k);
    ++compared;
  }
  return compared;
}

}  // namespace

TEST_CASE("A farm on machines that fail ends alike on both engines", "[failures][server]") {
  const std::string often = "STOCHASTIC LOOP\nEXP 0.1 DET 0\nEXP 0.5 DET 1\n";
  const std::string seldom = "STOCHASTIC LOOP\nEXP 0.02 DET 0\nEXP 0.1 DET 1\n";
  const auto platform = switching({"", often, seldom, "", often});
  Scenario s = ending_with_first(platform, SmallFarm{20, 8});
  CHECK(compare_without_ties(s, 60) > 20);
  s.owners.assign(5, profile_of("STOCHASTIC LOOP\nEXP 0.5 UNIF 0.3 1\n"));
  CHECK(compare_without_ties(s, 60) > 20);
}

TEST_CASE("Random programs on machines that switch at random give the same on both engines", "[failures][property]") {
  const auto platform = switching({"STOCHASTIC LOOP\nEXP 0.05 DET 0\nEXP 0.5 DET 1\n",
                                   "STOCHASTIC LOOP\nEXP 0.1 DET 0\nEXP 0.3 DET 1\n", "",
                                   "STOCHASTIC LOOP\nUNIF 3 30 DET 0\nUNIF 0.5 4 DET 1\n"});
  Scenario s = scenario(platform, random_program);
  for (const std::uint64_t seed : {1, 2}) {
    s.seed = seed;
    CHECK(compare_without_ties(s, 60) > 10);
  }
}

TEST_CASE("A rank begins again when its machine is back, in every replication alike", "[state]") {
  Scenario s = computing(a_switching("PERIODICITY 100\n0 1\n30 0\n40 1\n"), 40, dedicated_owner());
  const auto results = run(s, 6);
  REQUIRE(results.size() == 6);
  for (const auto& r : results) {
    CHECK(r[Quantity::finish_s][0] == near(80));  // 30 s lost, off until 40, then 40 s
    CHECK(r[Quantity::finish_s][1] == near(40));
  }
}

TEST_CASE("A machine that is off at the start begins when it comes on", "[state]") {
  const auto results = run(computing(a_switching("0 0\n25 1\n"), 10, dedicated_owner()), 3);
  for (const auto& r : results) CHECK(r[Quantity::finish_s][0] == near(35));
}

TEST_CASE("A machine that stays off, or never stays on long enough, is an error and no endless run", "[state][error]") {
  CHECK_THROWS_WITH(run(computing(a_switching("0 1\n5 0\n"), 10, dedicated_owner())),
                    Catch::Contains("rank 0 on a is switched off for ever"));
  CHECK_THROWS_WITH(run(computing(a_switching("PERIODICITY 2\n0 1\n1 0\n"), 10, dedicated_owner())),
                    Catch::Contains("was switched off 10000 times"));
}

TEST_CASE("A deadlock is found although machines keep switching", "[state][error]") {
  const auto platform = a_switching("PERIODICITY 100\n0 1\n30 0\n40 1\n");
  const auto waits = [](Rank& self) -> Process { co_await self.receive(1 - self.index()); };
  CHECK_THROWS_WITH(run(scenario(platform, waits)), Catch::Contains("cannot end"));
}

TEST_CASE("A rendezvous with a machine that goes off fails for the one that is left", "[state]") {
  // b survives the failure and goes on; a never comes back, so the run as a whole cannot end.
  CHECK_THROWS_WITH(run(scenario(a_switching("0 1\n1 0\n"), message_to_b)),
                    Catch::Contains("failed with its network or its sender"));
}

TEST_CASE("Offers to a machine that was off are taken when it is back", "[state]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 1) {
      co_await self.sleep_until(2);  // a is off now
      co_await self.send(0, 1000);
    } else {
      co_await self.compute(0.5);
      co_await self.receive(1);
    }
  };
  const auto results = run(scenario(a_switching("0 1\n1 0\n10 1\n"), program), 3);
  for (const auto& r : results) CHECK(r.makespan_s == near(11.5));  // 10, computes 0.5, then 1 s of transfer
}

TEST_CASE("A flow follows its link's bandwidth down and up", "[link]") {
  // 1000 B in 2 s, 1000 B in the third, 1000 B at 250 B/s in four more.
  for (const auto& r : run(scenario(b_behind("bandwidth", "0 500\n2 1000\n3 250\n"), message_to_b), 4))
    CHECK(r.makespan_s == near(7));
}

TEST_CASE("A bandwidth of 0 stops a flow until it rises", "[link]") {
  for (const auto& r : run(scenario(b_behind("bandwidth", "PERIODICITY 10\n0 1000\n1 0\n5 1000\n"), message_to_b), 3))
    CHECK(r.makespan_s == near(7));  // 1 s, nothing until 5, 2 s more
}

TEST_CASE("Two flows share a varying link", "[link]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.isend(1, 1500);
      co_await self.isend(1, 1500);
    } else {
      co_await self.receive(0);
      co_await self.receive(0);
    }
  };
  // 2000 B of 3000 in 2 s, the rest at 500 B/s: both end at 4 s (la, 1000 B/s, never limits more than lb).
  for (const auto& r : run(scenario(b_behind("bandwidth", "0 1000\n2 500\n"), program), 2))
    CHECK(r.makespan_s == near(4));
}

TEST_CASE("Latency varies, and a link that is off fails the transfer", "[link]") {
  CHECK(run(scenario(b_behind("latency", "0 0.5\n"), message_to_b))[0].makespan_s == near(3.5));
  CHECK_THROWS_WITH(run(scenario(b_behind("state", "0 1\n2 0\n"), message_to_b)), Catch::Contains("failed"));
}

TEST_CASE("A deadlock is found although a link keeps varying", "[link][error]") {
  const auto platform = b_behind("bandwidth", "PERIODICITY 10\n0 1000\n1 500\n");
  const auto waits = [](Rank& self) -> Process { co_await self.receive(1 - self.index()); };
  CHECK_THROWS_WITH(run(scenario(platform, waits)), Catch::Contains("cannot end"));
}

TEST_CASE("Random profiles of machines and links are nowsim's: the same for a seed, different in each replication", "[link]") {
  Scenario s = scenario(b_behind("bandwidth", "STOCHASTIC LOOP\nEXP 2 UNIF 100 1000\n"), message_to_b);
  const auto a = run(s, 3), b = run(s, 3);
  for (std::size_t k = 0; k < 3; ++k) CHECK(a[k].makespan_s == b[k].makespan_s);
  CHECK(a[0].makespan_s != near(a[1].makespan_s));
}

TEST_CASE("A replication ends although its last message dies with a machine", "[state]") {
  for (const bool sender_dies : {true, false}) {
    const auto platform = a_switching("0 1\n5 0\n");  // a goes off
    const int sender = sender_dies ? 0 : 1;
    const auto program = [sender](Rank& self) -> Process {
      if (self.index() == sender) co_await self.isend(1 - sender, 50'000);  // 50 s
      co_await self.compute(2);
    };
    const auto results = run(scenario(platform, program), 5);
    REQUIRE(results.size() == 5);
    for (const auto& r : results) CHECK(r.makespan_s == near(2));
  }
}

TEST_CASE("A rank that is switched off while it waits for a time-out begins again without it", "[state]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.compute(0.5);
      co_await self.receive(1, 5.0);
      co_await self.compute(2);
    } else {
      co_await self.compute(20);
    }
  };
  for (const auto& r : run(scenario(a_switching("0 1\n1 0\n3 1\n"), program), 5))
    CHECK(r[Quantity::finish_s][0] == near(3 + 0.5 + 5 + 2));
}

TEST_CASE("What has arrived at a machine, or is on its way to it, is lost when it goes off", "[state]") {
  for (const double bytes : {3000.0, 7000.0}) {  // there at 3 s; on its way at 5 s
    const auto program = [bytes](Rank& self) -> Process {
      if (self.index() == 1) {
        co_await self.isend(0, bytes, 1);
        co_await self.compute(20);
        co_await self.isend(0, 1000, 2);
      } else {
        co_await self.compute(6);
        const Message m = co_await self.receive(1);
        if (std::any_cast<int>(m.content) != 2) throw std::runtime_error("the first was lost");
      }
    };
    for (const auto& r : run(scenario(a_switching("0 1\n5 0\n10 1\n"), program), 4))
      CHECK(r[Quantity::finish_s][0] == near(21));
  }
}

TEST_CASE("A program can survive a transfer that fails, on either side, and try again", "[state]") {
  for (const int sender : {0, 1}) {  // a, rank 0, goes off while it sends, or receives
    const auto program = [sender](Rank& self) -> Process {
      for (bool done = false; !done;) {
        try {
          if (self.index() == sender) co_await self.send(1 - sender, 3000);
          else co_await self.receive(sender);
          done = true;
        } catch (const CommunicationFailed&) {
          if (std::abs(self.now() - 1) > 1e-9) throw std::logic_error("it fails when a goes off");
        }
      }
    };
    for (const auto& r : run(scenario(a_switching("0 1\n1 0\n10 1\n"), program), 4)) {
      CHECK(r[Quantity::finish_s][0] == near(13));  // a is back at 10 and begins again
      CHECK(r[Quantity::finish_s][1] == near(13));
    }
  }
}

TEST_CASE("Work that ends at the moment when links change and the owner stays for ever is done", "[state][link]") {
  Scenario s = computing(b_behind("bandwidth", "PERIODICITY 5\n0 1000\n2.5 500\n"), 5, dedicated_owner());
  s.owners.assign(2, profile_of("5 0\n"));
  for (const auto& r : run(s, 4)) CHECK(r.makespan_s == near(5));
}

TEST_CASE("What was sent behind a lost message is taken, also by a receiver that waits already", "[link]") {
  // The buffered message dies with the link at 1 s; the rendezvous offered behind it at 0.5 s starts then... once the
  // link is on again at 2 s it is not retried: its transfer starts while the link is off and fails, so the sender of a
  // message after 2 s is the one that gets through.
  const auto platform = b_behind("state", "PERIODICITY 1000\n0 1\n1 0\n2 1\n");
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.isend(1, 3000);  // lost at 1 s
      co_await self.sleep_until(2.5);
      co_await self.isend(1, 500, 7);
    } else {
      Message m = co_await self.receive(0);
      if (std::any_cast<int>(m.content) != 7) throw std::runtime_error("the second message was wanted");
    }
  };
  for (const auto& r : run(scenario(platform, program), 3)) CHECK(r.makespan_s == near(3));
  const auto offered_behind = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.isend(1, 3000);
      co_await self.sleep_until(0.5);
      try {
        co_await self.send(1, 1);
      } catch (const CommunicationFailed&) {
        co_return;
      }
    } else {
      try {
        co_await self.receive(0);
      } catch (const CommunicationFailed&) {
        co_return;
      }
    }
  };
  // The offer is found at 1 s, when the message before it is lost; its transfer fails with the link. No endless wait.
  for (const auto& r : run(scenario(platform, offered_behind), 3)) CHECK(r.makespan_s == near(1));
}

TEST_CASE("A rank that begins again passes the barriers that are over, and only counted work is work done", "[state]") {
  const auto phases = [](Rank& self) -> Process {
    for (int phase = 0; phase < 2; ++phase) {
      co_await self.compute(10);
      co_await self.barrier();
    }
  };
  // a: 10 s, barrier, 5 s of the second phase, off until 20, 10 s again (its barrier is over), 10 s: 40 s. b waits.
  for (const auto& r : run(scenario(a_switching("0 1\n15 0\n20 1\n"), phases), 3)) {
    CHECK(r.makespan_s == near(40));
    CHECK(r[Quantity::work_flop] == std::vector<double>{20, 20});
    CHECK(r[Quantity::active_s][0] == near(20));
  }
}

TEST_CASE("Ranks that pay a barrier's cost are not taken for waiting for ever when a link changes", "[link]") {
  const auto program = [](Rank& self) -> Process { co_await self.barrier(10); };
  CHECK(run(scenario(b_behind("bandwidth", "0 1000\n3 500\n6 1000\n"), program))[0].makespan_s == near(10));
}

TEST_CASE("A rank that is switched off at a barrier is counted there once when it is back", "[state]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 1) co_await self.compute(10);
    co_await self.barrier();
    co_await self.compute(1);
  };
  for (const auto& r : run(scenario(a_switching("0 1\n1 0\n3 1\n"), program), 4)) {
    CHECK(r[Quantity::finish_s][0] == near(11));
    CHECK(r[Quantity::finish_s][1] == near(11));
  }
}

TEST_CASE("A message that dies on its way, with its sender or its link, does not hold up later ones", "[state][link]") {
  const auto program = [](double again_s) {
    return [again_s](Rank& self) -> Process {
      if (self.index() == 0) {
        co_await self.isend(1, 7000);
        co_await self.sleep_until(again_s);
        co_await self.isend(1, 1000);
      } else {
        const Message m = co_await self.receive(0);
        if (m.bytes != 1000 && self.now() < 10) throw std::runtime_error("the first was lost");
      }
    };
  };
  const std::string profile = "0 1\n5 0\n6 1\n";
  // The link is back at 6; the second message leaves at 8 and takes 1 s.
  for (const auto& r : run(scenario(b_behind("state", profile), program(8)), 4))
    CHECK(r[Quantity::finish_s][1] == near(9));
  // The machine begins again at 6: its first message then takes 7 s.
  for (const auto& r : run(scenario(a_switching(profile), program(20)), 4)) CHECK(r[Quantity::finish_s][1] == near(13));
}

TEST_CASE("An offer vanishes with the machine that made it", "[state]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.send(1, 1000);  // offered at 0, and again at 10
      co_return;
    }
    co_await self.compute(20);
    co_await self.receive(0);
    if (co_await self.receive(0, 5.0)) throw std::runtime_error("there was one offer left");
  };
  for (const auto& r : run(scenario(a_switching("0 1\n1 0\n10 1\n"), program), 4)) {
    CHECK(r[Quantity::finish_s][0] == near(21));
    CHECK(r[Quantity::finish_s][1] == near(26));
  }
}

TEST_CASE("Messages with tags are refused where machines switch off", "[state][requests][error]") {
  const Scenario s = scenario(a_switching("0 1\n30 0\n40 1\n"), [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.send_tagged(1, 3, 1, SendMode::eager);
    else co_await self.receive_tagged(0, 3);
  });
  CHECK_THROWS_WITH(run(s), Catch::Contains("which it cannot where machines switch off and on"));
}

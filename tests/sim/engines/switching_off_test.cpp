// Machines that switch off and on, and links whose bandwidth, latency or state varies, with times derived by hand.
#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "tests/sim/run_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

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

TEST_CASE("A rank begins again when its machine is back, in every replication alike", "[computes][reads][state]") {
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
  for (const auto& r : run(scenario(platform, offered_behind), 3))
    CHECK(r.makespan_s == near(1));
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
  for (const auto& r : run(scenario(a_switching(profile), program(20)), 4))
    CHECK(r[Quantity::finish_s][1] == near(13));
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

// `nowsim plan --elapsed` from a user's chair: answers known by hand.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::json;

std::string host(const std::string& name, const std::string& speed, const std::string& owner = "") {
  const std::string prop = owner.empty() ? "" : "<prop id=\"owner\" value=\"" + owner + "\"/>";
  return "    <host id=\"" + name + "\" speed=\"" + speed + "\">" + prop + "</host>\n";
}

/// `three` dedicated machines of 1, 2 and 3 flop/s; `owned`: four alike, whose owners come for long.
struct Lab : Folder {
  Lab() {
    platform("three", host("a", "1f") + host("b", "2f") + host("c", "3f"));
    std::string owned;
    for (const char* name : {"w1", "w2", "w3", "w4"})
      owned += host(name, "1f", "{model: intervals, value: two-point, mean: 50%, TH: 0.8, interval: 100s, length: exponential}");
    platform("owned", owned);
  }
  void platform(const std::string& name, const std::string& hosts) const {
    (void)file(name + ".xml",
               "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
               "<platform version=\"4.1\">\n  <zone id=\"z\" routing=\"None\">\n" +
                   hosts + "  </zone>\n</platform>\n");
  }
  [[nodiscard]] ProgramRun plan(Words words) const {
    words.insert(words.begin(), "plan");
    words.emplace_back("--quiet");
    return run_program(words, path());
  }
  [[nodiscard]] Json answer(Words words) const {
    words.insert(words.end(), {"--format", "json"});
    const ProgramRun r = plan(std::move(words));
    INFO(r.error);
    REQUIRE(r.status == 0);
    return Json::parse(r.out);
  }
};

/// The way of this name. Fails where there is none.
Json way(const Json& answer, const std::string& name) {
  for (const auto& one : answer["ways"])
    if (one["way"] == name) return one;
  FAIL("there is no way '" + name + "'");
  return {};
}

double tau(const Json& of) { return of["tau"]["value"]; }

const Words kTwelve{"three.xml", "--work", "12", "--policies", "proportional", "-r", "20"};

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("Dedicated machines that are behind: going on, moving, giving up and adding have times known by hand",
          "[computes][plan][under-way]") {
  const Lab lab;
  (void)lab.file("done.csv", "machine,done\na,0\nb,2f\nc,3f\n");  // after 1 s; planned 2, 4 and 6 flop
  Json r = lab.answer(with(kTwelve, {"--elapsed", "1s", "--done-file", "done.csv", "--deadline", "2.5s"}));
  CHECK(tau(r["planned"]) == Approx(2));
  CHECK(tau(way(r, "go on")) == Approx(3));                                   // a has 2 flop left
  CHECK(tau(way(r, "move work")) == Approx(1 + 7.0 / 6).epsilon(1e-3));
  CHECK(tau(way(r, "give up a")) == Approx(1 + 7.0 / 5).epsilon(1e-3));
  CHECK(tau(way(r, "give up c")) == Approx(1 + 7.0 / 3).epsilon(1e-3));
  CHECK(way(r, "go on")["RF"]["value"] == 1);
  CHECK(way(r, "move work")["RF"]["value"] == 0);
  CHECK(way(r, "move work")["RF_less"]["value"] == 1);
  CHECK(way(r, "move work")["tau_less"]["value"] == Approx(3 - 1 - 7.0 / 6).epsilon(1e-3));
  CHECK(r["advised"] == "move work");
  CHECK(r["done_share"] == Approx(5.0 / 12));
  CHECK(r["machines"][0]["expected_done"]["mean"] == Approx(0.5));
  // Moving takes half a second, in which nobody computes.
  r = lab.answer(with(kTwelve, {"--elapsed", "1s", "--done-file", "done.csv", "--deadline", "2.5s", "--moving", "500ms"}));
  CHECK(tau(way(r, "go on")) == Approx(3));
  CHECK(tau(way(r, "move work")) == Approx(1.5 + 7.0 / 6).epsilon(1e-3));
  CHECK(way(r, "move work")["RF"]["value"] == 1);
  // A machine without a part can be added.
  (void)lab.file("two.csv", "machine,part,done\na,4f,1f\nb,8f,2f\n");
  r = lab.answer(with(kTwelve, {"--elapsed", "1s", "--done-file", "two.csv"}));
  CHECK(tau(way(r, "go on")) == Approx(4));
  CHECK(tau(way(r, "add c")) == Approx(1 + 9.0 / 6).epsilon(1e-3));
  CHECK(r["advised"] == "add c");
}

TEST_CASE("A job that is as far as planned goes on, and its promise is what it was", "[plan][under-way]") {
  const Lab lab;
  const Json r = lab.answer(with(kTwelve, {"--elapsed", "1s", "--done", "50%", "--deadline", "2s"}));
  CHECK(tau(way(r, "go on")) == Approx(2));
  CHECK(r["advised"] == "go on");
}

TEST_CASE("What is seen of owners tells which machine to relieve", "[plan][under-way]") {
  const Lab lab;
  const Words job{"owned.xml", "--work", "400", "--policies", "equal", "--elapsed", "50s", "-r", "400"};
  (void)lab.file("blind.csv", "machine,done\nw1,25f\nw2,25f\nw3,25f\nw4,25f\n");
  (void)lab.file("seen.csv", "machine,done,seen\nw1,25f,0.1\nw2,25f,0.9\nw3,25f,0.9\nw4,25f,0.9\n");
  const Json blind = lab.answer(with(job, {"--done-file", "blind.csv"})), seen = lab.answer(with(job, {"--done-file", "seen.csv"}));
  const auto left = [](const Json& r, std::size_t machine) { return way(r, "move work")["split"][machine]["work_flop"].get<double>(); };
  CHECK(left(seen, 0) < 0.8 * left(seen, 1));
  CHECK(left(blind, 0) == Approx(left(blind, 1)).epsilon(0.25));  // tau is flat there
  CHECK(way(seen, "move work")["tau_less"]["low"].get<double>() > 0);
  CHECK(seen["advised"] == "move work");
  // The owner that is there is expected to stay for 100 s, with 0.1; those that are not, likewise with 0.9.
  CHECK(tau(way(seen, "move work")) < tau(way(blind, "move work")));
  // Alike machines are told once.
  CHECK(std::ranges::count_if(seen["ways"], [](const Json& w) { return w["kind"] == "give_up"; }) == 2);
}

TEST_CASE("Jobs in phases and with messages are asked as they are", "[plan][under-way]") {
  const Lab lab;
  const Json r = lab.answer(with(kTwelve, {"--elapsed", "1s", "--done", "50%", "--phases", "4"}));
  CHECK(tau(way(r, "go on")) == Approx(2));
  CHECK(r["expected_share"].is_null());
}

TEST_CASE("One machine goes on, one that is done waits, and time for moving that is beyond the deadline is late",
          "[plan][under-way]") {
  const Lab lab;
  lab.platform("one", host("a", "2f"));
  const Json alone = lab.answer({"one.xml", "--work", "12", "--elapsed", "1s", "--done", "10%", "-r", "20"});
  CHECK(alone["ways"].size() == 1);
  CHECK(tau(way(alone, "go on")) == Approx(1 + 10.8 / 2));
  CHECK(alone["advised"] == "go on");
  (void)lab.file("done.csv", "machine,done\na,100%\nb,2f\nc,3f\n");
  const Json r = lab.answer(with(kTwelve, {"--elapsed", "2s", "--done-file", "done.csv", "--deadline", "4s", "--moving", "3s"}));
  CHECK(tau(way(r, "go on")) == Approx(3));
  CHECK(way(r, "go on")["RF"]["value"] == 0);
  CHECK(way(r, "move work")["RF"]["value"] == 1);
  CHECK(std::ranges::none_of(r["ways"], [](const Json& w) { return w["way"] == "give up a"; }));  // it is done
  CHECK(r["advised"] == "go on");
}

TEST_CASE("What does better by tau alone is advised where RF does not tell", "[plan][under-way]") {
  const Lab lab;
  (void)lab.file("done.csv", "machine,done\na,0\nb,2f\nc,3f\n");
  const Json r = lab.answer(with(kTwelve, {"--elapsed", "1s", "--done-file", "done.csv", "--deadline", "9s"}));
  CHECK(way(r, "move work")["RF_less"]["value"] == 0);
  CHECK(r["advised"] == "move work");
}

TEST_CASE("A job under way that was cut to its time is not refused for replications that nobody asked for", "[plan][under-way]") {
  const Lab lab;
  const std::string owner = "{model: intervals, value: beta, mean: 0.5, TH: 0.4, interval: 50ms, length: exponential}";
  lab.platform("busy", host("a", "1f", owner) + host("b", "1f", owner) + host("c", "1f", owner));
  const Words job{"busy.xml", "--work", "9000", "--exact", "--policies", "equal", "--elapsed", "1000s", "--done", "20%",
                  "--at-most", "3s"};
  const ProgramRun cut = lab.plan(job);
  CHECK_THAT(cut.error, !Contains("there is time for"));
  // Fewer replications, or what the time was too short for on a slow machine.
  CHECK_THAT(cut.error, Contains("replications, not 1000") || Contains("--at-most"));
}

TEST_CASE("CSV has a row per way, and the picture is drawn", "[plan][under-way]") {
  const Lab lab;
  const ProgramRun r = lab.plan(with(kTwelve, {"--elapsed", "1s", "--done", "40%", "--deadline", "3s", "--format", "csv", "--picture", "p.svg"}));
  REQUIRE(r.status == 0);
  CHECK_THAT(r.out, Catch::StartsWith("way,kind,machine,work,deadline,risk,elapsed,done,tau,tau_low,tau_high,"));
  CHECK(std::ranges::count(r.out, '\n') == 6);  // head, go on, move, three machines
  CHECK_THAT(content_of(lab.path() + "/p.svg"), Contains("as planned") && Contains("go on"));
}

// Progress by a clock of the test's own: when its lines come, and what they say of the time that is left, of several
// experiments too.
#include "tools/terminal/progress_line.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <vector>

#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using namespace std::chrono_literals;
using Written = std::vector<std::string>;

namespace {

/// Somewhere to write to, at some time.
struct Shown {
  std::chrono::steady_clock::time_point time;
  Written lines;
  int wiped = 0;

  LineOutput output(bool renews) {
    return {renews, [this](const std::string& text) { lines.push_back(text); }, [this] { ++wiped; }};
  }
  LineClock clock() {
    return [this] { return time; };
  }
};

/// So many of 1000 replications, at the first of two points.
Progress done(std::uint64_t replications) {
  return {.points_done = 0, .points = 2, .replications_done = replications, .replications_expected = 1000};
}

}  // namespace

TEST_CASE("Progress is told every ten seconds where there is no terminal", "[computes][progress]") {
  Shown shown;
  ProgressLine line(nullptr, shown.output(false), shown.clock());
  shown.time += 9999ms;
  line.show(done(100));
  CHECK(shown.lines.empty());
  shown.time += 1ms;
  line.show(done(100));  // 10 a second: 90 s are left
  shown.time += 9999ms;
  line.show(done(190));
  CHECK(shown.lines == Written{"0/2 points, 10 replications/s, at most 2 min left"});
  shown.time += 1ms;
  line.show(done(900));  // 45 a second
  CHECK(shown.lines.size() == 2);
  CHECK(shown.lines.back() == "0/2 points, 45 replications/s, at most 10 s left");
  line.clear();
  CHECK(shown.wiped == 0);
}

TEST_CASE("On a terminal progress is told every second, and is wiped", "[progress]") {
  Shown shown;
  ProgressLine line(nullptr, shown.output(true), shown.clock());
  shown.time += 999ms;
  line.show(done(0));
  line.clear();
  CHECK(shown.wiped == 0);
  for (int second = 1; second <= 3; ++second) {
    shown.time += second == 1 ? 1ms : 1000ms;
    line.show(done(0));
    line.show(done(0));
  }
  CHECK(shown.lines == Written(3, "0/2 points"));
  line.clear();
  line.clear();
  CHECK(shown.wiped == 1);
}

TEST_CASE("The time that is left runs down while no batch is done", "[progress]") {
  Shown shown;
  ProgressLine line(nullptr, shown.output(true), shown.clock());
  for (const auto passed : {10s, 40s, 100s}) {
    shown.time += passed;
    line.show(done(100));
  }
  CHECK(shown.lines == Written{"0/2 points, 10 replications/s, at most 2 min left",
                             "0/2 points, 2 replications/s, at most 50 s left",
                             "0/2 points, 0.6667 replications/s, at most 10 s left"});
}

TEST_CASE("A search is timed from its own beginning", "[progress]") {
  Shown shown;
  ProgressLine line(nullptr, shown.output(true), shown.clock());
  shown.time += 10s;
  line.show(SplitProgress{.found = 1, .wanted = 4});
  shown.time += 100s;
  line.show(SizeProgress{.round = 1, .wanted = 2});
  shown.time += 20s;
  line.show(SizeProgress{.round = 2, .found = 1, .wanted = 2, .share = 0.5, .simulated = 0.5});
  CHECK(shown.lines == Written{"finding splits by simulation: 1/4, about 30 s left",
                             "finding sizes by simulation: 0/2, round 1",
                             "finding sizes by simulation: 1/2, round 2, about 20 s left"});
}

TEST_CASE("A stage is told as often as other progress, unless that is to be quiet", "[progress]") {
  Shown shown, elsewhere, quiet;
  StageLine line(false, shown.output(true), shown.clock()), other(false, elsewhere.output(false), elsewhere.clock()),
      silent(true, quiet.output(true), quiet.clock());
  const auto show_all = [&](std::chrono::milliseconds later, std::size_t part) {
    for (Shown* s : {&shown, &elsewhere, &quiet}) s->time += later;
    for (StageLine* l : {&line, &other, &silent}) l->show("fitting: trace", part, 4);
  };
  show_all(999ms, 0);
  CHECK(shown.lines.empty());
  show_all(9000ms, 1);  // 9.999 s
  CHECK(elsewhere.lines.empty());
  show_all(10001ms, 1);
  show_all(9999ms, 2);
  elsewhere.time += 1ms;
  other.go_on();
  other.go_on();
  for (StageLine* l : {&line, &other, &silent}) l->clear();
  CHECK(shown.lines == Written{"fitting: trace 2 of 4, about 30 s left", "fitting: trace 2 of 4, about 1 min left",
                               "fitting: trace 3 of 4, about 30 s left"});
  CHECK(elsewhere.lines ==
        Written{"fitting: trace 2 of 4, about 1 min left", "fitting: trace 3 of 4, about 30 s left"});
  CHECK(shown.wiped == 1);
  CHECK(elsewhere.wiped == 0);
  CHECK(quiet.lines.empty());
}

TEST_CASE("Lines go to the error stream, and stay there where it is no terminal", "[progress]") {
  const Folder folder;
  const std::string file = folder.file("error", "");
  const int error = dup(STDERR_FILENO), there = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  dup2(there, STDERR_FILENO);
  const LineOutput output = error_stream_output();
  output.write("half");
  output.write("all");
  dup2(error, STDERR_FILENO);
  close(error);
  close(there);
  CHECK_FALSE(output.renews);
  CHECK(content_of(file) == "half\nall\n");
}

TEST_CASE("Several experiments take what is estimated, times what those before took of their estimates", "[progress]") {
  OverallProgress whole({{"a", 100}, {"p/b", 300}}, 2);
  CHECK(whole.text(0, 0) == "experiment 1 of 2, about 3 min left: a, ");  // 400 s by two processes
  CHECK(whole.text(10, 0, 450) == "experiment 1 of 2, about 10 min left: a, ");
  whole.end(1095);  // with the 10 s that are trusted 1100 s instead of 110 s
  whole.begin(1);
  CHECK(whole.text(0, 0) == "experiment 2 of 2, about 50 min left: p/b, ");
  OverallProgress stored({{"a", 0}, {"b", 1200}}, 1);
  stored.end(0.4);  // which tells next to nothing of the other
  stored.begin(1);
  CHECK(stored.text(0, 0) == "experiment 2 of 2, about 21 min left: b, ");
}

TEST_CASE("A line of one of several experiments begins with how long all still take", "[progress]") {
  Shown shown;
  OverallProgress whole({{"a", 60}, {"p/b", 60}}, 1);
  ProgressLine line(&whole, shown.output(true), shown.clock());
  line.begin(0);
  shown.time += 10s;
  line.show(SplitProgress{.found = 1, .wanted = 11});  // at least 100 s and 60 s
  shown.time += 10s;
  line.show(SizeProgress{.round = 1, .wanted = 2});  // 40 s and 60 s are left
  shown.time += 10s;
  line.show(SizeProgress{.round = 2, .wanted = 2, .share = 0.1, .simulated = 0.1});  // 90 s and 60 s
  shown.time += 10s;
  line.show(done(400));  // 60 s and 60 s
  shown.time += 60s;
  line.end();  // 110 s instead of 70 s
  line.begin(1);
  shown.time += 10s;
  line.show(done(0));
  CHECK(shown.lines ==
        Written{"experiment 1 of 2, about 3 min left: a, finding splits by simulation: 1/11, about 2 min left",
                "experiment 1 of 2, about 2 min left: a, finding sizes by simulation: 0/2, round 1",
                "experiment 1 of 2, about 3 min left: a, finding sizes by simulation: 0/2, round 2, about 2 min left",
                "experiment 1 of 2, about 2 min left: a, 0/2 points, 10 replications/s, at most 1 min left",
                "experiment 2 of 2, about 1 min left: p/b, 0/2 points"});
}

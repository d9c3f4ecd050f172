// What the flags of a plan say about the clock, at a moment that the test gives: beginnings, deadlines, jobs under way.
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/thrown.hpp"
#include "tools/commands/plan_steps.hpp"
#include "tools/line/command_line.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

using Words = std::vector<std::string>;

/// A plan asked for on Monday, 2026-11-30, at 17:50 in Berlin.
struct Asked {
  explicit Asked(Words words) : line(std::move(words)) {
    line.insert(line.end(), {"--zone", "Europe/Berlin"});
    read();
  }
  void read() {
    Flags flags;
    add_clock_flags(flags);
    add_progress_flags(flags);
    arguments = Arguments::read(line, flags, {}, "");
  }
  [[nodiscard]] std::optional<WallClock> clock() const { return clock_of(arguments, session); }
  /// Both ways.
  [[nodiscard]] std::string deadline() const {
    PlanRequest request;
    request.clock = clock();
    const auto deadline_s = deadline_of(arguments, session, request.clock);
    return deadline_s ? when_text(request, *deadline_s) : "";
  }
  [[nodiscard]] double elapsed_s() const { return elapsed_of(arguments, session, clock()).value_or(-1); }

  Words line;
  Arguments arguments;
  std::ostringstream out;
  Registries known = registries_with({});
  Session session{known, out, out, {}, [] { return 1796057400.0; }};
};

std::string refusal(const Words& words) {
  return sentence_of<UsageError>([&] {
    const Asked asked(words);
    static_cast<void>(asked.deadline());
    static_cast<void>(asked.elapsed_s());
  });
}

}  // namespace

TEST_CASE("A beginning is the next such moment", "[computes][plan][clock]") {
  const auto start = [](const std::string& text) { return Asked({"--start", text}).clock()->full_text(); };
  CHECK(start("now") == "Mon 2026-11-30 17:50");
  CHECK(start("18:00") == "Mon 2026-11-30 18:00");
  CHECK(start("fri 20:00") == "Fri 2026-12-04 20:00");
  CHECK(start("2026-12-01 18:00") == "Tue 2026-12-01 18:00");
  CHECK(start("2026-12-01 18:00 UTC") == "Tue 2026-12-01 18:00");
  CHECK(Asked({"--start", "2026-12-01 18:00 UTC"}).clock()->iso() == "2026-12-01T18:00:00+00:00");
}

TEST_CASE("A deadline by the clock is the next such moment behind the beginning", "[plan][clock]") {
  const auto deadline = [](const std::string& start, const std::string& text) {
    return Asked({"--start", start, "--deadline", text}).deadline();
  };
  CHECK(deadline("18:48", "tomorrow 8:00") == "Tue 08:00 (13 h 12 min after the start)");
  CHECK(deadline("18:00", "18:00") == "Tue 18:00 (24 h after the start)");
  CHECK(deadline("fri 20:00", "8:00") == "Sat 08:00 (12 h after the start)");
  CHECK(deadline("fri 20:00", "2026-12-05T08:00:00+01:00") == "Sat 08:00 (12 h after the start)");
  CHECK(deadline("fri 20:00", "2h") == "Fri 22:00 (2 h after the start)");
  CHECK(deadline("2027-03-27 20:00", "8:00") == "Sun 08:00 (11 h after the start)");  // of a night of 23 hours a day
  CHECK(Asked({"--started", "16:00", "--done", "40%", "--deadline", "20:00"}).deadline() == "Mon 20:00 (4 h after the start)");
}

TEST_CASE("What has begun by the clock is under way since then", "[plan][clock]") {
  CHECK(Asked({"--started", "16:00", "--done", "40%"}).elapsed_s() == 110 * 60);
  CHECK(Asked({"--started", "yesterday 17:50", "--done", "40%"}).elapsed_s() == 86400);
  CHECK(Asked({"--elapsed", "50min", "--start", "17:00", "--done", "40%"}).elapsed_s() == 3000);
}

TEST_CASE("What cannot be of the clock is said of its flag", "[plan][clock][error]") {
  CHECK_THAT(refusal({"--start", "25:00"}), Contains("--start 25:00: '25:00' is no moment by the clock") && Contains("from 00:00 to 23:59"));
  CHECK_THAT(refusal({"--start", "18:00", "--deadline", "yesterday"}), Contains("--deadline yesterday: 'yesterday' leaves open at what time"));
  CHECK_THAT(refusal({"--start", "18:00", "--deadline", "yesterday 8:00"}),
             Contains("Sun 2026-11-29 08:00 is not after the job's beginning, Mon 2026-11-30 18:00"));
  CHECK_THAT(refusal({"--start", "18:00 Europe/Berln"}), Contains("there is no zone 'Europe/Berln'; did you mean 'Europe/Berlin'?"));
  CHECK_THAT(refusal({"--start", "18:00", "--started", "16:00"}), Contains("give one of them"));
  CHECK_THAT(refusal({"--started", "16:00", "--elapsed", "50min"}), Contains("give one of them"));
  CHECK_THAT(refusal({"--started", "tomorrow 16:00"}), Contains("is still to come"));
  CHECK_THAT(refusal({"--deadline", "8:00"}), Contains("nobody says when the job begins") || Contains("--zone says whose clock"));
  CHECK_THAT(refusal({"--start", "18:00", "--deadline", "soon"}), Contains("--deadline"));
}

// Recordings that lose nothing, of a machine that is told what to show; what is known of a job under way.
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <vector>

#include "experiments/driver/studies/machine_measurement.hpp"
#include "experiments/driver/studies/under_way.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"
#include "sim/owners/load_table.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// A machine of one core and a tick of 10 ms, busy by a rule of time; it may oversleep once, and stop.
class FakeMachine final : public RecordedMachine {
 public:
  double now = 1e9 + 0.3, stop_at = 1e300, sleeps_from = 1e300, sleeps_for = 0;
  double (*busy)(double) = [](double) { return 0.0; };  ///< of one core, in [0, 1]
  double waiting = 0;

  double now_s() const override { return now; }
  void sleep_until(double moment) override {
    const double end = moment >= sleeps_from ? moment + sleeps_for : moment;
    if (moment >= sleeps_from) sleeps_from = 1e300;
    for (; now < moment && !is_stopped(); now += 0.01) {
      used_ += 0.01 * busy(now - 1e9);
      awake_ += 0.01;
    }
    if (!is_stopped()) now = end;
  }
  ProcStat look() override {
    const auto ticks = [](double s) { return static_cast<std::uint64_t>(s * 1000 + 0.5); };
    return {ticks(used_), ticks(awake_ - used_), 1, 1 + busy(now - 1e9 - 0.005) + waiting};
  }
  bool is_stopped() const override { return now >= stop_at; }

 private:
  double used_ = 0, awake_ = 0;
};

std::vector<std::string> recorded(FakeMachine& machine, const RecordingPlan& plan) {
  std::vector<std::string> rows;
  const std::size_t count = record_trace(machine, plan, [&](const std::string& row) { rows.push_back(row); });
  CHECK(count == rows.size());
  return rows;
}

using Rows = std::vector<std::string>;

/// While it lives, no file grows beyond so many bytes; writing more is an error, as on a full disk.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit less{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
  }
  ~SmallFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

/// Machines of 1, 2 and 3 flop/s, whose parts of 12 flop are in proportion; the second has an owner for half of the time.
Scenario three() {
  Scenario s = scenario(machines({1, 2, 3}, NetworkKind::none), {});
  s.workload = std::make_shared<const LambdaWorkload>(compute_share, 12);
  s.owners[1] = duty_cycle_owner(1, 0.5, false);
  s.share_flop = {2, 4, 6};
  return s;
}

ProgressRequest said(double elapsed_s, const std::string& done_file) {
  ProgressRequest request;
  request.elapsed_s = elapsed_s;
  request.done_file = done_file;
  return request;
}

std::string refusal(const Folder& folder, const std::string& text) {
  return sentence_of([&] { job_progress(said(1, folder.file("done.csv", text)), three()); });
}

}  // namespace

TEST_CASE("A recording has a row per interval, from a whole second on, for as long as was asked",
          "[computes][trace][record]") {
  FakeMachine idle;
  CHECK(recorded(idle, {10, 35}) ==
        Rows{"2001-09-09T01:46:41Z,1,0,0", "2001-09-09T01:46:51Z,1,0,0", "2001-09-09T01:47:01Z,1,0,0"});
  FakeMachine short_steps;
  CHECK(recorded(short_steps, {0.5, 1}) == Rows{"2001-09-09T01:46:41Z,1,0,0", "2001-09-09T01:46:41.5Z,1,0,0"});
}

TEST_CASE("A busy core leaves a half, one that three tasks want a quarter", "[trace][record]") {
  FakeMachine machine;
  machine.busy = [](double) { return 1.0; };
  CHECK(recorded(machine, {10, 10}) == Rows{"2001-09-09T01:46:41Z,0.5,100,0"});
  machine.waiting = 2;
  CHECK(recorded(machine, {10, 10}) == Rows{"2001-09-09T01:46:51Z,0.25,100,2"});
}

TEST_CASE("Each interval has its own load", "[trace][record]") {
  FakeMachine machine;
  machine.busy = [](double t) { return t >= 11 && t < 16 ? 1.0 : 0.0; };  // half of the second interval
  const Rows rows = recorded(machine, {10, 30});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == "2001-09-09T01:46:41Z,1,0,0");
  CHECK(rows[1].substr(0, 26) == "2001-09-09T01:46:51Z,0.75,");
  CHECK(rows[2] == "2001-09-09T01:47:01Z,1,0,0");
}

TEST_CASE("A machine that was suspended leaves a gap between stamps", "[trace][record]") {
  FakeMachine machine;
  machine.sleeps_from = 1e9 + 14;
  machine.sleeps_for = 3600;
  const Rows rows = recorded(machine, {10, 3640});
  REQUIRE(rows.size() >= 3);
  CHECK(rows[1].substr(0, 20) == "2001-09-09T01:46:51Z");
  CHECK(rows[2].substr(0, 16) == "2001-09-09T02:46");
}

TEST_CASE("A recording that is stopped leaves out the interval that did not end", "[trace][record]") {
  FakeMachine machine;
  machine.stop_at = 1e9 + 27;
  CHECK(recorded(machine, {10, {}}).size() == 2);
}

TEST_CASE("A recorded file is a trace, in both of its columns", "[trace][record]") {
  const Folder folder;
  const std::string file = folder.path() + "/t.csv";
  FakeMachine machine;
  machine.busy = [](double t) { return t < 101 ? 1.0 : 0.0; };
  AppendedFile out(file, kRecordedColumns, false);
  record_trace(machine, {10, 200}, [&](const std::string& row) { out.add_line(row); });
  const std::string text = read_user_file(file, kMostDataBytes);
  const LoadSeries available =
      LoadTable(text, file, {.column = "availability", .measure = LoadMeasure::availability, .gaps = GapRule::fail})
          .series();
  const LoadSeries used = LoadTable(text, file, {.column = "utilisation_percent", .gaps = GapRule::fail}).series();
  CHECK(available.availability.size() == 20);
  CHECK(available.mean() == Approx(0.75));
  CHECK(used.mean() == Approx(0.5));
  CHECK(available.first.kind == StampKind::utc);
  CHECK(available.first.whole_s == 1'000'000'001);
}

TEST_CASE("A file that is there is kept, or goes on where it ended", "[trace][record]") {
  const Folder folder;
  const std::string file = folder.path() + "/t.csv";
  { AppendedFile(file, "a,b", false).add_line("1,2"); }
  {
    AppendedFile again(file, "a,b", true);
    CHECK(again.kept().empty());
    again.add_line("3,4");
  }
  CHECK(content_of(file) == "a,b\n1,2\n3,4\n");
  {
    AppendedFile anew(file, "a,b", false);
    CHECK(anew.kept() == file + ".~1~");
  }
  CHECK(content_of(file) == "a,b\n");
  CHECK(content_of(file + ".~1~") == "a,b\n1,2\n3,4\n");
}

TEST_CASE("A file that cannot go on is refused in a sentence, and left as it is", "[trace][record][error]") {
  const Folder folder;
  const auto message = [&](const std::string& content) {
    const std::string file = folder.file("t.csv", content);
    const std::string said = sentence_of([&] { AppendedFile(file, "a,b", true); });
    if (said.empty()) return said;
    CHECK(content_of(file) == content);
    return said.substr(file.size());
  };
  CHECK(message("x,y\n1,2\n") ==
        ":1: this file does not begin with the line 'a,b', so it cannot be continued; give another name.");
  CHECK(message("a,b\n1,2") == ": the last line is not complete; remove it, then the file can be continued.");
  CHECK(message("") == "");
  const std::string busy = folder.path() + "/busy.csv";
  const AppendedFile first(busy, "a,b", false);
  CHECK_THROWS_WITH(AppendedFile(busy, "a,b", true), busy + ": another process is writing this file.");
  CHECK_THROWS_WITH(AppendedFile(busy, "a,b", false), busy + ": another process is writing this file.");
  CHECK(content_of(busy) == "a,b\n");
  CHECK_FALSE(std::filesystem::exists(busy + ".~1~"));
}

TEST_CASE("A line for which there is no room is cut off, so that the file can go on", "[trace][record][error]") {
  const Folder folder;
  const std::string file = folder.path() + "/t.csv";
  {
    AppendedFile out(file, "a,b", false);
    const SmallFiles limit(10);  // room for a line, and for half of the next
    out.add_line("1,2");
    CHECK_THROWS_WITH(out.add_line("3,4"), Catch::StartsWith("cannot write " + file + ": "));
  }
  CHECK(content_of(file) == "a,b\n1,2\n");
  AppendedFile(file, "a,b", true).add_line("3,4");
  CHECK(content_of(file) == "a,b\n1,2\n3,4\n");
}

TEST_CASE("A share of the job is done by machines as they would have by the plan, none more than its part",
          "[under-way]") {
  ProgressRequest request;
  request.elapsed_s = 1;
  request.done = 0.25;  // 3 flop; in 1 s it would be 1, 1 and 3
  JobProgress p = job_progress(request, three());
  CHECK(p.machines[0].done_flop == Approx(0.6));
  CHECK(p.machines[1].done_flop == Approx(0.6));
  CHECK(p.machines[2].done_flop == Approx(1.8));
  CHECK(p.left_flop() == Approx(9));
  CHECK(p.remarks.empty());
  request.done = 0.75;  // 9 flop: 2, 2 and 6 come to 10
  p = job_progress(request, three());
  CHECK(p.done_flop() == Approx(9));
  CHECK(p.machines[0].done_flop == Approx(p.machines[1].done_flop));
  REQUIRE(p.remarks.size() == 1);
  CHECK_THAT(p.remarks[0], Contains("more is done than the speed allows of ws1, ws3"));
  request.done = 1;
  CHECK(job_progress(request, three()).left_flop() == 0);
}

TEST_CASE("Machines say what they have done, their part and what their owners leave", "[under-way]") {
  const Folder folder;
  // Spreadsheets begin with a mark.
  JobProgress p = job_progress(said(2, folder.file("a.csv", "\xEF\xBB\xBFmachine,done\nws2,1f\nws1,50%\nws3,0.5\n")), three());
  CHECK(p.machines[0].done_flop == 1);
  CHECK(p.machines[1].done_flop == 1);
  CHECK(p.machines[2].left_flop() == 3);
  CHECK_FALSE(p.machines[0].seen);
  p = job_progress(said(2, folder.file("b.csv", "machine,part,done,seen\nws3,75%,40%,\nws1,3f,1f,0.25\n")), three());
  CHECK(p.machines[2].part_flop == 9);
  CHECK(p.machines[2].done_flop == Approx(3.6));
  CHECK(p.machines[0].left_flop() == 2);
  CHECK(*p.machines[0].seen == 0.25);
  CHECK_FALSE(p.machines[1].takes_part());
  p = job_progress(said(2, folder.file("c.csv", "machine,part,done\nws1,33.3%,0\nws2,33.3%,0\nws3,33.3%,0\n")), three());
  CHECK(p.part_flop() == Approx(12).epsilon(1e-12));  // in few digits it is all of the job
}

TEST_CASE("The last row of a recording is what its machine's owner leaves", "[under-way]") {
  const Folder folder;
  ProgressRequest request;
  request.elapsed_s = 1;
  request.done = 0.1;
  const std::string old = "timestamp,availability\n2020-01-01T00:00:00Z,0.9\n2020-01-01T00:00:10Z,0.3\n";
  request.seen_files = {folder.file("ws2.csv", old)};
  const JobProgress p = job_progress(request, three());
  CHECK(*p.machines[1].seen == 0.3);
  CHECK_FALSE(p.machines[0].seen);
  REQUIRE(p.remarks.size() == 1);
  CHECK_THAT(p.remarks[0], Contains("ws2.csv was recorded until") && Contains("years ago"));
  request.seen_files.push_back(request.seen_files[0]);
  CHECK_THROWS_WITH(job_progress(request, three()), Contains("what the owner of ws2 leaves is said twice"));
  request.seen_files = {folder.file("ws9.csv", old)};
  CHECK_THROWS_WITH(job_progress(request, three()), Contains("the platform has no machine 'ws9'"));
}

TEST_CASE("What cannot be is refused with its place", "[under-way][error]") {
  const Folder folder;
  CHECK_THAT(refusal(folder, "machine,dome\nws1,1\n"), Contains("done.csv:1: there is no column 'dome'; did you mean 'done'?"));
  CHECK_THAT(refusal(folder, "machine,part\nws1,1\n"), Contains("the column 'done' is missing"));
  CHECK_THAT(refusal(folder, "machine,done\nws1,1\n"), Contains("nothing is said of ws2"));
  CHECK_THAT(refusal(folder, "machine,done\nws1,1\nws1,1\n"), Contains("done.csv:3: machine: ws1 is there twice"));
  CHECK_THAT(refusal(folder, "machine,done\nwsx,1\n"), Contains("done.csv:2: machine: the platform has no machine 'wsx'"));
  CHECK_THAT(refusal(folder, "machine,done\nws1,150%\nws2,1\nws3,1\n"), Contains("done.csv:2: done: '150%' is not between"));
  CHECK_THAT(refusal(folder, "machine,done\nws1,3f\nws2,1\nws3,1\n"), Contains("done: '3f' is not between"));
  CHECK_THAT(refusal(folder, "machine,done\nws1,half\nws2,1\nws3,1\n"), Contains("done: ") && Contains("amount of work"));
  CHECK_THAT(refusal(folder, "machine,done\nws1,\nws2,1\nws3,1\n"), Contains("how much ws1 has done is missing"));
  CHECK_THAT(refusal(folder, "machine,done,part\nws1,0,20%\n"), Contains("the parts come to 2.4 flop, the job's work is 12 flop"));
  CHECK_THAT(refusal(folder, "machine,done,seen\nws1,0,2\nws2,0,\nws3,0,\n"), Contains("seen: '2' is no availability"));
}

TEST_CASE("How far machines would be by the plan is what their owners leave, up to their parts", "[under-way]") {
  const Scenario planned = three();
  JobProgress p{2, {{2, 0}, {4, 0}, {6, 0}}, {}};
  const auto e = expected_progress(planned, p);
  REQUIRE(e);
  CHECK(e->machines[0]->mean == Approx(1));
  CHECK(e->machines[1]->mean == Approx(0.5));
  CHECK(e->whole->low == Approx(10.0 / 12));
  p.machines[1].part_flop = 0;
  CHECK_FALSE(expected_progress(planned, p)->machines[1]);
}

// Tests of what is known of a job under way: files by machine, shares of the whole, recordings, and what is refused.
#include "experiments/driver/studies/under_way.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

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
  try {
    job_progress(said(1, folder.file("done.csv", text)), three());
    return "accepted";
  } catch (const InputError& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("A share of the job is done by machines as they would have by the plan, none more than its part",
          "[computes][under-way]") {
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

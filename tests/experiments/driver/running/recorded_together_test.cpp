// Jobs on machines that were recorded together, against the law of T that follows by hand.
#include <catch2/catch.hpp>
#include <string>

#include "experiments/driver/running/result_table.hpp"
#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// A machine of which all is left for 100 s, and then nothing for 100 s, or first nothing and then all; for four hours.
std::string half_and_half(bool is_free_first, bool has_dates, int day = 26) {
  std::string text = "time,availability\n";
  for (int k = 0; k < 144; ++k) {
    const int at_s = 100 * k;
    char stamp[32];
    std::snprintf(stamp, sizeof stamp, "2026-11-%02dT%02d:%02d:%02dZ", day, 10 + at_s / 3600, at_s / 60 % 60, at_s % 60);
    text += (has_dates ? std::string(stamp) : std::to_string(at_s)) + ((k % 2 == 0) == is_free_first ? ",1\n" : ",0\n");
  }
  return text;
}

struct Found {
  double tau_s, late;
  std::string remarks;
};
/// 150 s of work for each of two machines; the deadline is 340 s.
Found found(const std::string& first, const std::string& second, const std::string& more = "") {
  const Folder folder;
  folder.file("ws1.csv", first);
  folder.file("ws2.csv", second);
  const Experiment e = loaded("nowsim: 1\nplatform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 300f}\n"
                              "split: {policy: equal}\nmetrics: [tau, RF]\nrun: {replications: 20000, deadline: 340}\n"
                              "owner: {model: trace, measures: availability, folder: " + folder.path() +
                              ", file: '{host}.csv'" + more + "}\n");
  const ResultTable s = summarise(e, run_experiment(e, {2}));
  std::string remarks;
  for (const auto& remark : e.remarks) remarks += remark + "\n";
  return {s.rows[0].estimates[0][0].value, s.rows[0].estimates[1][0].value, remarks};
}

// A machine that is free x s before the end of its 100 s needs 250 s where x >= 50, and else 350 s; one that is free after
// x s needs 250 + x. The two together, one being free where the other is not: T = 250 + x for x >= 50, and else 350 s. So
// T = 350 s in a half of cases, and else uniform from 300 to 350 s. Alone, P(T <= t) of each machine is 1/4 + (t - 250)/200
// from 250 to below 350 s, and of both its square.
constexpr double kTau_s = 337.5, kLate = 0.6;
constexpr double kTauAlone_s = 350 - 100 * (0.421875 - 0.015625) / 1.5, kLateAlone = 1 - 0.7 * 0.7;
constexpr double kSeTau = 18.0 / 141, kSeLate = 0.5 / 141;  // of 20000 replications

void check_together(const Found& f) {
  CHECK(f.tau_s == Approx(kTau_s).margin(4 * kSeTau));
  CHECK(f.late == Approx(kLate).margin(4 * kSeLate));
}
void check_alone(const Found& f) {
  CHECK(f.tau_s == Approx(kTauAlone_s).margin(8 * kSeTau));  // of a larger standard deviation
  CHECK(f.late == Approx(kLateAlone).margin(4 * kSeLate));
}

}  // namespace

TEST_CASE("Two machines that were recorded together are busy in turn", "[computes][reads][recorded_together]") {
  const Found dated = found(half_and_half(true, true), half_and_half(false, true));
  check_together(dated);
  CHECK(dated.remarks.empty());
  const Found asked = found(half_and_half(true, false), half_and_half(false, false), ", start: common");
  check_together(asked);
  CHECK(asked.remarks.empty());
}

TEST_CASE("Independence is asked for, or remarked on", "[recorded_together][remark]") {
  const Found asked = found(half_and_half(true, true), half_and_half(false, true), ", start: independent");
  check_alone(asked);
  CHECK(asked.remarks.empty());
  const Found undated = found(half_and_half(true, false), half_and_half(false, false));
  check_alone(undated);
  CHECK_THAT(undated.remarks, Contains("the recordings of ws1, ws2 are seconds from a beginning of their own"));
  const Found later = found(half_and_half(true, true), half_and_half(false, true, 27));
  check_alone(later);
  CHECK_THAT(later.remarks, Contains("share too little time"));
}

TEST_CASE("Two machines that replay one recording are independent", "[recorded_together]") {
  const Found copies = found(half_and_half(true, true), half_and_half(true, true));
  check_alone(copies);
  CHECK(copies.remarks.empty());
}

// `nowsim plan --start` in labs of which everything is known: how near to the true best the start is that is named, by one who
// has watched for two weeks, and by one who has for a hundred.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/sim/owners/lab_generator.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Words = std::vector<std::string>;

constexpr double kRisk = 0.1;
constexpr std::size_t kStepsOfQuarter = 3;
constexpr std::size_t kNoStart = static_cast<std::size_t>(-1);

/// Work on each machine, and from which quarter of an hour of a Tuesday until when it may begin; when it has to be done.
struct Question {
  double hours;
  std::size_t first, last, deadline;  ///< in quarters of an hour behind Tuesday's midnight
};
constexpr Question kQuestions[] = {{4, 48, 120, 128}, {3, 48, 124, 132}, {6, 40, 140, 148}};

/// A row where a machine's value changes.
std::string rows_of(const LabWeeks& weeks) {
  std::string rows = "time,host,availability\n";
  constexpr std::int64_t kMonday = 20759;  // 2 November 2026, days since 1970
  for (std::size_t m = 0; m < weeks.size(); ++m)
    for (std::size_t i = 0; i < weeks[m].size(); ++i) {
      const auto minute = static_cast<int>(i % kStepsOfDay) * 5;
      const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{kMonday + static_cast<std::int64_t>(i / kStepsOfDay)}}};
      char row[64];
      std::snprintf(row, sizeof row, "%04d-%02u-%02u %02d:%02d,pc%zu,%.4g\n", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                    static_cast<unsigned>(date.day()), minute / 60, minute % 60, m + 1, static_cast<double>(weeks[m][i]));
      rows += row;
    }
  return rows;
}

/// Of jobs that begin at each quarter of an hour, which share misses the deadline, over days from Tuesday to Thursday.
class Truth {
 public:
  Truth(const LabWeeks& weeks, const Question& q) {
    const std::vector<double> each(weeks.size(), q.hours);
    for (std::size_t quarter = q.first; quarter <= q.last; ++quarter) {
      std::size_t late = 0, days = 0;
      for (std::size_t day = 1; (day + 4) * kStepsOfDay < weeks.front().size(); ++day) {
        if (day % 7 < 1 || day % 7 > 2) continue;  // the day after is a working day too
        const std::size_t begin = day * kStepsOfDay + quarter * kStepsOfQuarter;
        late += lab_finish_h(weeks, begin, each) > static_cast<double>(q.deadline - quarter) / 4 + 1e-9 ? 1 : 0;
        ++days;
      }
      risk_.push_back(static_cast<double>(late) / static_cast<double>(days));
    }
    for (std::size_t k = 0; k < risk_.size() && risk_[k] <= kRisk; ++k) best_ = k;
  }
  [[nodiscard]] bool is_near(std::size_t named) const {
    if (named == kNoStart || best_ == kNoStart) return named == best_ || risk_[named == kNoStart ? 0 : named] <= kRisk + 0.02;
    const std::size_t between = named > best_ ? named - best_ : best_ - named;
    return between <= 2 || std::abs(risk_[named] - risk_[best_]) <= 0.02 + 1e-9;
  }
  [[nodiscard]] std::string text(std::size_t named) const {
    const auto of = [&](std::size_t k) {
      return k == kNoStart ? std::string("none") : std::to_string(k) + " (" + std::to_string(100 * risk_[k]) + " %)";
    };
    return "named " + of(named) + ", best " + of(best_);
  }

 private:
  std::vector<double> risk_;
  std::size_t best_ = kNoStart;
};

std::string moment(std::size_t quarter) {
  const std::size_t day = 17 + quarter / 96;
  char text[32];
  std::snprintf(text, sizeof text, "2026-11-%02zu %02zu:%02zu", day, quarter / 4 % 24, 15 * (quarter % 4));
  return text;
}

/// The quarter of an hour behind the question's first.
std::size_t named_start(const Question& q, const Words& asked, std::size_t machines, const std::string& folder) {
  Words words{"plan", "lab.xml", "--work", std::to_string(q.hours * static_cast<double>(machines)) + " machine-hours", "--zone", "UTC",
              "--policies", "equal", "--start", moment(q.first) + ".." + moment(q.last), "--deadline", moment(q.deadline), "--risk", "10%",
              "--format", "json", "--quiet"};
  words.insert(words.end(), asked.begin(), asked.end());
  const ProgramRun r = run_program(words, folder);
  INFO(r.error);
  REQUIRE(r.status == 0);
  const auto answer = nlohmann::json::parse(r.out);
  if (answer["chosen"].is_null()) return kNoStart;
  const std::string iso = answer["chosen"];
  const auto number = [&](std::size_t at) { return static_cast<std::size_t>(std::stoi(iso.substr(at, 2))); };
  return (number(8) - 17) * 96 + number(11) * 4 + number(14) / 15 - q.first;
}

}  // namespace

TEST_CASE("The start that is named in a lab is near to the true best", "[computes][plan][start][.long]") {
  std::size_t near_fitted = 0, near_watched = 0, asked = 0;
  std::string told;
  for (std::size_t k = 0; k < kLabKinds.size(); ++k)
    for (std::uint64_t number = 0; number < 5; ++number) {
      const Lab lab(kLabKinds[k], 10 * k + number);
      const LabWeeks truth = lab.weeks(210, 200 + 10 * k + number);
      const Folder folder;
      (void)folder.file("lab.csv", rows_of(lab.weeks(2, 100 + 10 * k + number)));
      const ProgramRun fit = run_program({"trace", "fit", "lab.csv", "--platform", "lab.xml", "--speed", "1f"}, folder.path());
      INFO(fit.error);
      REQUIRE(fit.status == 0);
      for (Question q : kQuestions) {
        if (kLabKinds[k] == LabKind::laptops) q.hours /= 5;
        const Truth best(truth, q);
        const std::size_t named = named_start(q, {}, lab.machines(), folder.path());
        ++asked;
        near_fitted += best.is_near(named) ? 1 : 0;
        told += "kind " + std::to_string(k) + " lab " + std::to_string(number) + " " + std::to_string(q.hours) + " h: " + best.text(named) + (best.is_near(named) ? "" : " FAR") + "\n";
      }
    }
  INFO(told);
  UNSCOPED_INFO(near_fitted << " of " << asked << ", " << near_watched);
  CHECK(near_fitted >= asked);
}

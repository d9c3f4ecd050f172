// Looking at the table of a short run.
#include "experiments/driver/labs/asked_unit.hpp"

#include <algorithm>

#include "experiments/driver/labs/answer_text.hpp"
#include "experiments/driver/labs/fact_parts.hpp"
#include "experiments/driver/labs/lab_experiments.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/estimate_text.hpp"

namespace nowsim {
namespace {

constexpr const char* kSecond = "s";
constexpr ColumnUnit kInS{kSecond, 1};

/// The unit of a metric's column; of no size where it is no time.
ColumnUnit unit_of_column(Facts& pilot, const EstimateFact& what) {
  const ResultTable& summary = pilot.summary(what.of);
  const std::size_t m = summary.metric_index(what.metric);
  if (m == summary.metrics.size() || summary.metrics[m]->unit != kSecond) return {"", 0};
  return metric_units(summary)[m];
}

}  // namespace

ColumnUnit table_unit(Facts& facts, const Question& question) {
  if (!question.is_tabled) return kInS;
  const bool is_trial = question.kind == Question::Kind::trial;
  ColumnUnit least{"", 0};
  for (const auto& name : is_trial ? std::vector{question.none, question.full} : question.right)
    for (const LabFact* fact : simulated_parts(facts.lab(), nullptr, name)) {
      const auto* what = std::get_if<EstimateFact>(&fact->what);
      if (what == nullptr || knows_answer(*facts.lab().experiment(what->of))) continue;
      const ColumnUnit unit = unit_of_column(facts.pilot(), *what);
      if (unit.seconds > 0 && (least.seconds == 0 || unit.seconds < least.seconds)) least = unit;
    }
  return least.seconds > 0 ? least : kInS;
}

ColumnUnit asked_unit(Facts& facts, const Question& question) {
  return question.unit == kSecond ? facts.time_unit(question) : ColumnUnit{question.unit.c_str(), 1};
}

ColumnUnit asked_score_unit(Facts& facts, const Question& question) {
  return question.score_unit == kSecond ? facts.time_unit(question) : ColumnUnit{question.score_unit.c_str(), 1};
}

std::string shown_in_unit(const Estimate& e, const ColumnUnit& unit) {
  return shown_number(in_unit(e, unit.seconds), unit.name);
}

}  // namespace nowsim

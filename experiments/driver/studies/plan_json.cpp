// A plan as JSON.
#include <limits>
#include <ostream>

#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/text/escapes.hpp"
#include "experiments/driver/text/estimate_formats.hpp"

namespace nowsim {
namespace {

std::string optional_number(const std::optional<double>& x) { return x ? json_number(*x) : "null"; }

std::string machine_json(const Scenario& s, std::size_t i) {
  const Workstation& w = s.platform->workstations[i];
  return "{\"name\": " + json_text(w.name) + ", \"speed_flops\": " + json_number(w.speed_flops) +
         ", \"availability\": " + json_number(s.owners[i]->mean()) +
         ", \"TH\": " + json_number(s.owners[i]->temporal_heterogeneity()) +
         ", \"owner\": " + json_text(s.owners[i]->describe()) + ", \"work_flop\": " + json_number(s.share_flop[i]) +
         "}";
}

void write_estimates(const PolicyPlan& p, std::ostream& out) {
  for (const auto& column : plan_columns())
    out << ",\n     " << json_text(column.name) << ": " << json_estimate(p.*column.estimate);
  if (p.safe_deadline) out << ",\n     \"safe_deadline\": " << json_estimate(*p.safe_deadline);
  if (p.most_work)
    out << ",\n     \"most_work\": {\"work_flop\": " << json_estimate(p.most_work->work_flop)
        << ", \"RF_at_low\": " << json_estimate(p.most_work->late) << "}";
}

void write_policy(const PolicyPlan& p, const SummaryRow& row, std::ostream& out) {
  out << "    {\"policy\": " << json_text(p.policy) << ", \"status\": " << json_text(row.status)
      << ", \"reason\": " << json_text(row.reason) << ", \"replications\": " << row.replications
      << ", \"seed\": " << row.seed << ", \"engine\": " << json_text(row.engine)
      << ", \"version\": " << json_text(row.version);
  if (p.is_complete()) write_estimates(p, out);
  out << ",\n     \"split\": [";
  for (std::size_t i = 0; p.scenario && i < p.scenario->size(); ++i)
    out << (i > 0 ? ",\n               " : "") << machine_json(*p.scenario, i);
  out << "]}";
}

void write_advice(const PlanReport& r, std::ostream& out) {
  const PlanAdvice& a = r.advice;
  out << "  \"recommended\": " << (a.best ? json_text(r.plans[*a.best].policy) : "null") << ",\n  \"rivals\": [";
  for (std::size_t i = 0; i < a.rivals.size(); ++i) {
    const Rival& rival = a.rivals[i];
    out << (i > 0 ? ",\n             " : "") << "{\"policy\": " << json_text(r.plans[rival.policy].policy)
        << ", \"RF_more\": " << json_estimate(rival.late_more) << ", \"tau_more\": " << json_estimate(rival.takes_more)
        << ", \"can_be_told\": " << (rival.can_be_told() ? "true" : "false") << "}";
  }
  out << "],\n  \"advice\": [";
  auto sentences = advice_sentences(r);
  for (const auto& more : {split_sentences(r), r.machines ? machine_sentences(r) : std::vector<std::string>{}})
    sentences.insert(sentences.end(), more.begin(), more.end());
  for (std::size_t i = 0; i < sentences.size(); ++i) out << (i > 0 ? ", " : "") << json_text(sentences[i]);
  out << "]";
}

void write_machines_as_json(const PlanReport& r, std::ostream& out) {
  const MachineChoice& m = *r.machines;
  const auto less = [](const Estimate& late, const Estimate& tau) {
    return "{\"RF\": " + json_estimate(late) + ", \"tau\": " + json_estimate(tau) + "}";
  };
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr Estimate kUnknown{kNaN, kNaN, kNaN};
  out << ",\n  \"subset\": {\"policy\": " << json_text(m.policy) << ", \"sets_tried\": " << m.sets_tried
      << ", \"all_sets\": " << (m.is_exhaustive ? "true" : "false") << ", \"search_seed\": " << m.search_seed
      << ", \"seed\": " << m.seed << ", \"machines\": " << m.by_size[m.chosen].machines.size()
      << ",\n    \"all_less_chosen\": " << (m.takes_all() ? less(kUnknown, kUnknown) : less(m.late_less, m.takes_less))
      << ",\n    \"rejected\": "
      << (m.rejected ? "{\"machines\": " + std::to_string(m.by_size[*m.rejected].machines.size()) +
                           ", \"all_less_these\": " + less(m.late_less, m.takes_less) + "}"
                     : "null")
      << ",\n    \"by_size\": [\n";
  for (std::size_t k = 0; k < m.by_size.size(); ++k) {
    const auto& [names, plan] = m.by_size[k];
    out << "      {\"machines\": [";
    for (std::size_t i = 0; i < names.size(); ++i) out << (i > 0 ? ", " : "") << json_text(names[i]);
    out << "], \"tau\": " << json_estimate(plan.tau) << ", \"RF\": " << json_estimate(plan.late);
    if (plan.safe_deadline) out << ", \"safe_deadline\": " << json_estimate(*plan.safe_deadline);
    out << "}" << (k + 1 < m.by_size.size() ? ",\n" : "\n");
  }
  out << "    ]}";
}

}  // namespace

void write_plan_json(const PlanReport& r, std::ostream& out) {
  out << "{\n  \"title\": " << json_text(r.summary.title) << ",\n  \"version\": " << json_text(version())
      << ",\n  \"platform\": " << json_text(r.request.platform_file)
      << ",\n  \"work_flop\": " << json_number(r.request.work_flop)
      << ",\n  \"deadline_s\": " << optional_number(r.request.deadline_s)
      << ",\n  \"risk\": " << optional_number(r.request.risk)
      << ",\n  \"confidence\": " << json_number(r.advice.confidence)
      << ",\n  \"confidence_of_limits\": " << json_number(promise_confidence(r.request, r.advice.confidence))
      << ",\n  \"confidence_of_rivals\": " << json_number(r.advice.of_each) << ",\n  \"policies\": [\n";
  for (std::size_t p = 0; p < r.plans.size(); ++p) {
    write_policy(r.plans[p], r.summary.rows[p], out);
    out << (p + 1 < r.plans.size() ? ",\n" : "\n");
  }
  out << "  ],\n";
  write_advice(r, out);
  if (r.machines) write_machines_as_json(r, out);
  out << "\n}\n";
}

}  // namespace nowsim

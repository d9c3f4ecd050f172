// A report's making, and its sentences.
#include <algorithm>
#include <filesystem>

#include "experiments/driver/studies/contrast.hpp"
#include "experiments/driver/mpi/mpi_provenance.hpp"
#include "experiments/driver/studies/placement_report.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostTold = 8;  // machines in a sentence

std::string where_ranks_are(const PlacementReport& r, const NamedPlacement& placement) {
  const auto ranks = ranks_by_machine(placement.machines, r.machines().size());
  Words words;
  for (std::size_t m = 0; m < ranks.size(); ++m)
    if (!ranks[m].empty()) words.push_back(ranks_text(ranks[m]) + " on " + r.machines()[m].name);
  if (words.size() > kMostTold) return "as the table has them";
  return joined(words);
}

std::string verdict(const PlacementReport& r, const NamedPlacement& placement, const PolicyPlan& best) {
  const std::string so = "Put the ranks so ('" + placement.name + "'): " + where_ranks_are(r, placement);
  if (!r.plan.request.deadline_s) return so + "; the program takes " + duration_text(best.tau.value) + " on average.";
  const Estimate holds{1 - best.late.value, 1 - best.late.high, 1 - best.late.low};
  const std::string deadline = "the deadline of " + duration_text(*r.plan.request.deadline_s);
  if (holds.value > 0) return so + "; " + deadline + " holds with probability " + percent_text(holds) + ".";
  return so + "; " + deadline + " does not hold even so: its probability is " + percent_text(holds) +
         ", and the program takes " + duration_text(best.tau.value) + " on average.";
}

/// The recommended placement by itself, with limits at the level of one of several: who puts ranks so is promised what
/// holds so.
PlanReport alone(const PlanReport& all) {
  PlanReport one;
  one.request = all.request;
  one.plans = {all.plans[*all.advice.best]};
  one.advice.best = 0;
  one.advice.confidence = all.advice.confidence;
  return one;
}

std::string how_searched(const PlacementReport& r) {
  static const Words objectives{"RF", "the quantile of T at the risk", "tau"};
  const std::string tried = r.found.tried == 1 && !r.found.was_ended
                                ? "1 placement tried: all others are like it"
                                : std::to_string(r.found.tried) + " placements tried";
  return tried + ", judged by " +
         objectives[static_cast<std::size_t>(r.found.objective)] + "; seed " + std::to_string(r.found.seed) +
         (r.found.was_ended ? ". --at-most ended the search: more time may find better ones" : "") +
         ". What is said of them is measured anew, seed " + std::to_string(r.plan.summary.rows.front().seed) + ".";
}

/// Of a measured recording how far its repetitions differ.
std::string how_recorded(const MpiProvenance& p) {
  std::string out = "Recorded from " + quoted(p.program) + " with " + std::to_string(p.ranks) + " ranks; its computing was ";
  if (p.is_explicit) return out + "stated by the program.";
  out += "measured, as on a machine of " + format_quantity(p.host_speed_flops, Dimension::speed);
  if (p.repetitions < 2) return out + ", once: how far it varies is not known.";
  return out + ", " + std::to_string(p.repetitions) + " times, which differ by " + percent_text(p.spread.total) + " in all.";
}

/// Whether a word of YAML means itself without quotes.
bool is_plain(const std::string& name) {
  static const Words others{"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_of_name = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, is_of_name) &&
         !contains(others, lower_case(name));
}

/// Whether the deadline cannot be kept at the risk, as far as the placements go: who comes nearest to it at any price is
/// not who should be taken then.
bool is_risk_exceeded(const PlanReport& plan) {
  return plan.request.risk && plan.request.deadline_s && plan.advice.best &&
         plan.plans[*plan.advice.best].late.low > *plan.request.risk;
}
/// The placement whose promise at the risk is the earliest.
std::optional<std::size_t> earliest(const PlanReport& plan) {
  std::optional<std::size_t> best = plan.advice.best;
  for (std::size_t k = 0; k < plan.plans.size(); ++k)
    if (const auto& safe = plan.plans[k].safe_deadline; safe && safe->value < plan.plans[*best].safe_deadline->value) best = k;
  return best;
}

}  // namespace

PlacementReport placement_report(const PlanRequest& request, const Experiment& measured,
                                 const std::vector<PointOutcome>& outcomes, PlacementField field,
                                 FoundPlacements found) {
  PlacementReport out;
  out.plan.request = request;
  for (const auto& placement : found.best) out.plan.request.policies.push_back(placement.name);
  out.plan.summary = summarise(measured, outcomes);
  out.plan.plans = policy_plans(measured, outcomes, out.plan.request);
  out.comparisons = compare_placements(out.plan.summary, request.deadline_s.has_value());
  out.plan.advice.best = best_row(out.comparisons);
  if (is_risk_exceeded(out.plan)) out.plan.advice.best = earliest(out.plan);
  out.plan.advice.confidence = measured.points.front().plan.confidence;
  out.remarks = measured.remarks;
  out.field = std::move(field);
  out.found = std::move(found);
  return out;
}

std::vector<std::string> recording_sentences(const MpiTrace& recorded, const std::string& trace) {
  std::vector<std::string> out{
      "Each of the " + std::to_string(recorded.ranks()) +
      " ranks computes and sends what it did when it was recorded: a program that deals out work while it runs would "
      "do that otherwise on these machines."};
  const auto provenance = std::filesystem::is_directory(trace) ? read_mpi_provenance(trace) : std::nullopt;
  if (provenance) out.push_back(how_recorded(*provenance));
  return out;
}

std::vector<std::string> placement_sentences(const PlacementReport& r) {
  const NamedPlacement* placement = r.recommended();
  if (placement == nullptr) return {"No placement could be simulated."};
  std::vector<std::string> out{verdict(r, *placement, r.plan.plans[*r.plan.advice.best])};
  const auto of_plan = advice_sentences(alone(r.plan));  // risk and promise, behind a verdict on a split
  out.insert(out.end(), of_plan.begin() + 1, of_plan.end());
  for (const auto& contrasts : r.comparisons.metrics) {
    if (r.found.best.size() < 2) break;
    const auto told = contrast_sentences(r.comparisons, contrasts);
    out.push_back("W" + question_of(r.comparisons, contrasts).substr(1) + " " + told.front());
    if (&contrasts == &r.comparisons.metrics.back() && told.size() > 1) out.push_back(told.back());
  }
  out.push_back(how_searched(r));
  return out;
}

PlacementKeys placement_keys(const Placement& placement, const std::vector<Workstation>& machines) {
  std::vector<std::pair<std::size_t, std::size_t>> rows;  // machines and how many ranks in a row
  for (const std::size_t machine : placement) {
    if (rows.empty() || rows.back().first != machine) rows.emplace_back(machine, 0);
    ++rows.back().second;
  }
  PlacementKeys out;
  out.ranks_per_machine = rows.front().second;
  if (std::ranges::any_of(rows, [&](const auto& row) { return row.second != out.ranks_per_machine; })) {
    out.ranks_per_machine = 1;
    rows.clear();
    for (const std::size_t machine : placement) rows.emplace_back(machine, 1);
  }
  for (const auto& [machine, ranks] : rows) {
    const std::string& name = machines[machine].name;
    out.machines += (out.machines.empty() ? "[" : ", ") + (is_plain(name) ? name : "\"" + name + "\"");
  }
  out.machines += "]";
  return out;
}

std::string ranks_text(const std::vector<std::size_t>& ranks) {
  std::string out;
  for (std::size_t k = 0; k < ranks.size();) {
    std::size_t end = k + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    out += (out.empty() ? "" : ", ") + std::to_string(ranks[k]);
    if (end - k > 1) out += (end - k > 2 ? "-" : ", ") + std::to_string(ranks[end - 1]);
    k = end;
  }
  return out;
}

}  // namespace nowsim

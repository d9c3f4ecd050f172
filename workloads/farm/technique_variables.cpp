// The table, a line for each variable; and the technique formula: chunks, and batches if wanted, by expressions.
#include "workloads/farm/technique_variables.hpp"

#include <algorithm>
#include <any>
#include <cmath>
#include <optional>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Learns = Technique::Learns;

/// Before there is anything measured, what is prescribed counts: means from the first task on, deviations from the
/// second.
double measured_mean_s(const WorkerRecord& record, double prescribed_s) {
  return record.tasks > 0 ? record.mean_s : prescribed_s;
}
double measured_deviation_s(const WorkerRecord& record, double prescribed_s) {
  return record.tasks > 1 ? std::sqrt(record.variance_s2()) : prescribed_s;
}

double own_mean(const LoopState& s, std::size_t i) { return s.parameters.mean_flop / s.speeds_flops[i]; }
double own_deviation(const LoopState& s, std::size_t i) { return s.parameters.cv * own_mean(s, i); }
double common_mean(const LoopState& s, std::size_t) { return s.parameters.mean_flop / s.mean_speed_flops; }
double common_deviation(const LoopState& s, std::size_t i) { return s.parameters.cv * common_mean(s, i); }

constexpr TechniqueVariable kVariables[] = {
    {"R", "tasks that remain", [](const LoopState& s, std::size_t) { return static_cast<double>(s.remaining); }},
    {"N", "tasks of the loop", [](const LoopState& s, std::size_t) { return static_cast<double>(s.tasks); }},
    {"P", "workers: the clients", [](const LoopState& s, std::size_t) { return static_cast<double>(s.workers()); }},
    {"c", "chunks handed out so far", [](const LoopState& s, std::size_t) { return static_cast<double>(s.chunks); }},
    {"i", "the worker that asks, 1 .. P", [](const LoopState&, std::size_t i) { return static_cast<double>(i + 1); }},
    {"w", "its share of `split:` as a weight, 1 in the mean",
     [](const LoopState& s, std::size_t i) { return s.weights[i]; }, Learns::nothing, true},
    {"speed", "its machine's nominal speed [flop/s]",
     [](const LoopState& s, std::size_t i) { return s.speeds_flops[i]; }},
    {"mu", "mean time of a task on its machine without owner [s]", own_mean},
    {"sigma", "its standard deviation there, mu times cv [s]", own_deviation},
    {"mu_all", "mu on a machine of the workers' mean speed [s]", common_mean},
    {"sigma_all", "sigma on such a machine [s]", common_deviation},
    {"mean", "mean time of the tasks that it has reported [s]; before the first, mu",
     [](const LoopState& s, std::size_t i) { return measured_mean_s(s.records[i], own_mean(s, i)); },
     Learns::chunk_times},
    {"sd", "standard deviation of their times [s]; before the second, sigma",
     [](const LoopState& s, std::size_t i) { return measured_deviation_s(s.records[i], own_deviation(s, i)); },
     Learns::task_times},
    {"mean_all", "mean of all tasks that anybody has reported [s]; before the first, mu_all",
     [](const LoopState& s, std::size_t i) { return measured_mean_s(s.records.all(), common_mean(s, i)); },
     Learns::chunk_times},
    {"sd_all", "standard deviation of their times [s]; before the second, sigma_all",
     [](const LoopState& s, std::size_t i) { return measured_deviation_s(s.records.all(), common_deviation(s, i)); },
     Learns::task_times},
    {"h", "the server's time per chunk, `overhead` [s]",
     [](const LoopState& s, std::size_t) { return s.parameters.overhead_s; }},
    {"t", "simulated time [s]", [](const LoopState& s, std::size_t) { return s.now_s; }},
    {"K", "tasks of the batch, as `batch` gave it", [](const LoopState& s, std::size_t) { return s.batch_tasks; },
     Learns::nothing, false, true},
    {"L", "tasks that are left of the batch",
     [](const LoopState& s, std::size_t) { return static_cast<double>(s.batch_left); }, Learns::nothing, false, true},
    {"j", "batches begun so far", [](const LoopState& s, std::size_t) { return static_cast<double>(s.batches); },
     Learns::nothing, false, true},
};

/// Those that count something.
constexpr std::string_view kCounts[] = {"R", "N", "P", "c", "i", "K", "L", "j"};

/// A formula that says how many tasks.
class TechniqueFormula {
 public:
  TechniqueFormula(const std::string& key, const WrittenFormula& written)
      : by_("the formula " + key + ": " + quoted(written.text)), formula_(written, kVariables) {}
  /// @throws RunError for a value that is no number of tasks, in a sentence.
  [[nodiscard]] std::int64_t tasks(const LoopState& state, std::size_t worker) const {
    return whole_tasks(formula_.value_at(state, worker), by_, formula_.variables(), state, worker);
  }

 private:
  std::string by_;  // how errors call it
  BoundFormula<TechniqueVariable> formula_;
};

/// What is kept of a loop whose chunks and batches formulas say.
struct FormulaRules {
  TechniqueFormula chunk;
  std::optional<TechniqueFormula> batch;
};

std::int64_t next_by_formula(LoopState& s, std::size_t worker) {
  if (!s.memory.has_value()) {
    FormulaRules rules{{"chunk", *s.parameters.formula("chunk")}, {}};
    if (const WrittenFormula* batch = s.parameters.formula("batch")) rules.batch.emplace("batch", *batch);
    s.memory = std::move(rules);
  }
  const auto& rules = *std::any_cast<FormulaRules>(&s.memory);
  return next_by_rules(rules.chunk, rules.batch ? &*rules.batch : nullptr, s, worker);
}

void check_batch(const TechniqueParameters& p) {
  const WrittenFormula* const chunk = p.formula("chunk");
  if (p.formula("batch") != nullptr || chunk == nullptr) return;
  for (const TechniqueVariable* variable : variables_of(*chunk))
    if (variable->is_of_batch)
      throw InputError(std::string("the formula chunk names ") + variable->name + ", " + variable->help +
                       ": without a formula at 'batch' there are no batches");
}

}  // namespace

bool TechniqueVariable::is_count() const { return std::ranges::count(kCounts, name) > 0; }

std::span<const TechniqueVariable> technique_variables() { return kVariables; }

TechniqueVariables variables_by_name(std::span<const std::string> names) {
  TechniqueVariables found;
  for (const std::string& name : names) {
    const auto* const variable = std::ranges::find(kVariables, name, [](const auto& v) { return std::string(v.name); });
    if (variable == std::end(kVariables)) {
      const std::string near = nearest_name(name, words_in(kVariables));
      throw InputError("techniques know of nothing named " + quoted(name) +
                       (near.empty() ? "" : "; did you mean " + quoted(near) + "?"));
    }
    if (std::ranges::count(found, variable) > 0) throw InputError(quoted(name) + " is named twice");
    found.push_back(variable);
  }
  return found;
}

TechniqueVariables variables_of(const WrittenFormula& formula) {
  return BoundFormula<TechniqueVariable>(formula, kVariables).variables();
}

void add_needs(const TechniqueVariables& variables, Technique& technique) {
  for (const TechniqueVariable* variable : variables) {
    technique.learns = std::max(technique.learns, variable->needed);
    technique.uses_shares |= variable->uses_shares;
    technique.weighs_speeds |= variable->uses_shares;
  }
}

std::string values_text(const TechniqueVariables& variables, const LoopState& state, std::size_t worker) {
  std::string text;
  for (const TechniqueVariable* variable : variables)
    text +=
        (text.empty() ? "" : ", ") + std::string(variable->name) + " = " + short_number(variable->value(state, worker));
  return text;
}

std::int64_t whole_tasks(double value, const std::string& by, const TechniqueVariables& variables,
                         const LoopState& state, std::size_t worker) {
  constexpr double kMost = 9007199254740992.0;
  if (value > 0 && std::isfinite(value)) return static_cast<std::int64_t>(std::ceil(std::min(value, kMost)));
  TechniqueVariables told = variables;  // and always these
  for (const TechniqueVariable* basic : variables_by_name(std::vector<std::string>{"R", "P", "c", "i"}))
    if (std::ranges::count(told, basic) == 0) told.push_back(basic);
  throw RunError(by + " gives " + (std::isnan(value) ? "no number of" : short_number(value)) + " tasks with " +
                 values_text(told, state, worker) + "; it must be more than 0 and finite");
}

std::vector<Technique> formula_technique() {
  return {{.name = "formula",
           .summary = "chunks by an expression, in batches by another one",
           .next = next_by_formula,
           .has_least = false,
           .keys = {{"chunk", KeyType::formula, kMustBeGiven, "tasks of the next chunk, rounded up"},
                    {"batch", KeyType::formula, "", "tasks of a batch, rounded up, which chunks use up"}},
           .check = check_batch}};
}

}  // namespace nowsim

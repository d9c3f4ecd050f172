// Objectives by name, what tells one task from another, and packing reports.
#include "sim/splitting/split_task.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "sim/base/memory_limit.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Of the answers of find_split(), and of those whose objective is a quantile.
constexpr int kVersion = 4, kVersionOfQuantiles = 5;

/// The fewest replications on which splits are compared: with fewer the search would fit the sample's noise.
constexpr std::uint64_t kLeastReplications = 100;

/// What a replication takes in memory [bytes] while splits are compared: makespans and who was last, of a few splits.
constexpr double kBytesPerReplication = 100;

}  // namespace

const std::vector<std::string>& objective_names() {
  static const std::vector<std::string> names{"tau", "RF", "quantile"};
  return names;
}

std::string objective_text(const SplitObjective& objective) {
  using Kind = SplitObjective::Kind;
  if (objective.kind == Kind::risk) return "RF at " + short_number(objective.deadline_s) + " s";
  return objective.kind == Kind::tau ? "tau" : short_number(100 * objective.level) + " % quantile of T";
}

Key replications_key() {
  return {"replications", KeyType::count, "1000", "of each split that is tried", {double{kLeastReplications}}};
}

std::uint64_t read_replications(KeyReader& read) {
  constexpr std::uint64_t kFew = 100'000;
  const auto count = static_cast<std::uint64_t>(read.whole("replications"));
  try {
    if (count > kFew)
      require_memory(kBytesPerReplication * static_cast<double>(count),
                     "a split found on " + std::to_string(count) + " replications");
  } catch (const InputError& e) {
    read.problem("replications", e.what());
    return kLeastReplications;
  }
  return count;
}

std::string SplitTask::identity() const {
  const bool is_quantile = policy->split == nullptr && objective.kind == SplitObjective::Kind::quantile;
  std::string text = "split " + std::to_string(is_quantile ? kVersionOfQuantiles : kVersion) + " " + policy->name;
  if (policy->split == nullptr) {
    text += " of " + objective_names()[static_cast<std::size_t>(objective.kind)] + " " +
            number_text(objective.deadline_s) + " " + number_text(objective.level) + ", gap " +
            std::to_string(gap_samples);
  }
  if (is_guarded) text += " guarded";
  if (policy->split == nullptr || is_guarded)
    text += ", " + std::to_string(replications) + " replications, confidence " + number_text(confidence);
  text += ", any engine, slope 0, formula ";  // as stored splits have it
  const auto add = [&text](const auto& numbers) {
    for (const auto& [name, value] : numbers) text += ", " + name + " " + number_text(value);
  };
  for (const auto& [name, written] : parameters.formulas) {
    text += (name == parameters.formulas.begin()->first ? "" : ", " + name + " ") + written.text;
    add(written.keys);
  }
  add(parameters.numbers);
  return text;
}

bool needs_simulation(const Policy& policy, const KeyValues& parameters, bool is_guarded,
                      const std::vector<MachineView>& machines) {
  if (machines.size() == 1) return false;  // it gets all the work
  const bool is_sigma_open = std::ranges::any_of(machines, [](const MachineView& c) { return std::isnan(c.sigma_s); });
  return policy.split == nullptr || is_guarded || (is_sigma_open && reads_sigma(policy, parameters));
}

namespace {

/// Of the bytes; to be raised with every change of them.
constexpr std::uint32_t kReportFormat = 3;

/// Of an enumeration whose values are 0 to `last`.
template <class All, class E>
void field(All& all, E& value, E last) {
  static_assert(sizeof(E) == sizeof(std::uint32_t));
  all(value);
  if (static_cast<std::uint32_t>(value) > static_cast<std::uint32_t>(last))
    throw std::runtime_error("a split's report with a value out of range");
}

// Field by field: between them are bytes of no meaning.

template <class All>
void fields(All& all, SplitObjective& objective) {
  field(all, objective.kind, SplitObjective::Kind::quantile);
  all(objective.deadline_s, objective.level);
}

template <class All>
void fields(All& all, Estimate& e) {
  all(e.value, e.low, e.high);
}

template <class All>
void fields(All& all, SecondStep& step) {
  all(step.share_flop);
  fields(all, step.slope_s);
  all(step.is_kept_out);
}

template <class All>
void fields(All& all, SplitBound& bound) {
  field(all, bound.by, SplitBound::By::levelled);
  all(bound.low, bound.gap_mean, bound.gap);
}

template <class All>
void fields(All& all, SearchRecord& search);

/// Whether it is there, and then it.
template <class All, class T>
void fields(All& all, std::optional<T>& part) {
  bool is_there = part.has_value();
  all(is_there);
  if (is_there) fields(all, part ? *part : part.emplace());
}

template <class All>
void fields(All& all, SearchRecord& search) {
  all(search.best_other);
  for (Estimate* e : {&search.other, &search.improvement}) fields(all, *e);
  all(search.found, search.other_found, search.is_bounded);
  fields(all, search.bound);
  all(search.evaluations);
  field(all, search.end, SearchEnd::given_up);
}

template <class All>
void fields(All& all, SplitReport& report) {
  std::uint32_t format = kReportFormat;
  all(format);
  if (format != kReportFormat) throw std::runtime_error("a split's report of another format");
  all(report.policy);
  fields(all, report.objective);
  all(report.share_flop, report.step1_flop, report.sigma_s, report.replications, report.confidence);
  field(all, report.engine, Engine::simgrid);
  for (Estimate* e : {&report.before, &report.after, &report.reduction}) fields(all, *e);
  fields(all, report.second_step);
  fields(all, report.search);
}

}  // namespace

const char* search_end_text(SearchEnd end) {
  constexpr std::array<const char*, 4> kTexts{"converged", "evaluations used up",
                                              "too many workstations for a local search",
                                              "given up, since rounding spoilt its model"};
  return kTexts[static_cast<std::size_t>(end)];
}

std::string pack(const SplitReport& report) {
  Serializer out;
  SplitReport copy = report;
  fields(out, copy);
  return out.take();
}

SplitReport unpack_split_report(const std::string& bytes) {
  Deserializer in(bytes);
  SplitReport report;
  fields(in, report);
  if (!in.at_end()) throw std::runtime_error("a split's report with more behind it");
  return report;
}

}  // namespace nowsim

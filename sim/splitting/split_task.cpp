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

/// Packs or reads a report field by field: between them are bytes of no meaning.
template <class All>
class ReportFields {
 public:
  explicit ReportFields(All& all) : all_(all) {}
  void all_of(SplitReport& r) {
    std::uint32_t format = kReportFormat;
    each(format);
    if (format != kReportFormat) throw std::runtime_error("a split's report of another format");
    each(r.policy, r.objective, r.share_flop, r.step1_flop, r.sigma_s, r.replications, r.confidence, r.engine, r.before,
         r.after, r.reduction, r.second_step, r.search);
  }

 private:
  template <class... Parts>
  void each(Parts&... parts) {
    (field(parts), ...);
  }
  template <class T>
  void field(T& plain) {
    all_(plain);
  }
  /// Of an enumeration whose values are 0 to `last`.
  template <class E>
  void up_to(E last, E& value) {
    static_assert(sizeof(E) == sizeof(std::uint32_t));
    all_(value);
    if (static_cast<std::uint32_t>(value) > static_cast<std::uint32_t>(last))
      throw std::runtime_error("a split's report with a value out of range");
  }
  void field(SplitObjective::Kind& kind) { up_to(SplitObjective::Kind::quantile, kind); }
  void field(Engine& engine) { up_to(Engine::simgrid, engine); }
  void field(SplitBound::By& by) { up_to(SplitBound::By::levelled, by); }
  void field(SearchEnd& end) { up_to(SearchEnd::given_up, end); }
  /// Whether it is there, and then it.
  template <class T>
  void field(std::optional<T>& part) {
    bool is_there = part.has_value();
    all_(is_there);
    if (is_there) field(part ? *part : part.emplace());
  }
  void field(SplitObjective& o) { each(o.kind, o.deadline_s, o.level); }
  void field(Estimate& e) { each(e.value, e.low, e.high); }
  void field(SecondStep& s) { each(s.share_flop, s.slope_s, s.is_kept_out); }
  void field(SplitBound& b) { each(b.by, b.low, b.gap_mean, b.gap); }
  void field(SearchRecord& s) {
    each(s.best_other, s.other, s.improvement, s.found, s.other_found, s.is_bounded, s.bound, s.evaluations, s.end);
  }

  All& all_;
};

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
  ReportFields(out).all_of(copy);
  return out.take();
}

SplitReport unpack_split_report(const std::string& bytes) {
  Deserializer in(bytes);
  SplitReport report;
  ReportFields(in).all_of(report);
  if (!in.at_end()) throw std::runtime_error("a split's report with more behind it");
  return report;
}

}  // namespace nowsim

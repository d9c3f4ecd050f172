// Packing reports.
#include "sim/splitting/split_report.hpp"

#include <array>
#include <stdexcept>

#include "sim/base/serialization.hpp"

namespace nowsim {
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

std::vector<double> SplitReport::moved_flop() const {
  std::vector<double> moved;
  for (std::size_t i = 0; i < share_flop.size(); ++i) moved.push_back(share_flop[i] - step1_flop[i]);
  return moved;
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

// Packing reports.
#include "sim/splitting/split_report.hpp"

#include <array>
#include <stdexcept>

#include "sim/base/serialization.hpp"

namespace nowsim {
namespace {

/// Of the bytes; to be raised with every change of them.
constexpr std::uint32_t kReportFormat = 3;

template <class E>
void put_enum(Serializer& out, E value) {
  out.put(static_cast<std::uint32_t>(value));
}

/// Of an enumeration whose values are 0 to `last`.
template <class E>
E get_enum(Deserializer& in, E last) {
  const auto number = in.get<std::uint32_t>();
  if (number > static_cast<std::uint32_t>(last)) throw std::runtime_error("a split's report with a value out of range");
  return static_cast<E>(number);
}

/// Field by field: between them are bytes of no meaning.
void put(Serializer& out, const SplitObjective& objective) {
  put_enum(out, objective.kind);
  out.put(objective.deadline_s);
  out.put(objective.level);
}

SplitObjective get_objective(Deserializer& in) {
  SplitObjective objective;
  objective.kind = get_enum(in, SplitObjective::Kind::quantile);
  objective.deadline_s = in.get<double>();
  objective.level = in.get<double>();
  return objective;
}

void put(Serializer& out, const Estimate& e) {
  for (const double value : {e.value, e.low, e.high}) out.put(value);
}

Estimate get_estimate(Deserializer& in) {
  Estimate e;
  for (double* value : {&e.value, &e.low, &e.high}) *value = in.get<double>();
  return e;
}

void put(Serializer& out, const SecondStep& step) {
  out.put(step.share_flop);
  put(out, step.slope_s);
  out.put(step.is_kept_out);
}

SecondStep get_second_step(Deserializer& in) {
  SecondStep step;
  step.share_flop = in.get_doubles();
  step.slope_s = get_estimate(in);
  step.is_kept_out = in.get<bool>();
  return step;
}

void put(Serializer& out, const SearchRecord& search) {
  out.put(search.best_other);
  for (const Estimate& e : {search.other, search.improvement}) put(out, e);
  for (const double value : {search.found, search.other_found}) out.put(value);
  out.put(search.is_bounded);
  out.put(search.bound.has_value());
  if (search.bound) {
    put_enum(out, search.bound->by);
    for (const double value : {search.bound->low, search.bound->gap_mean, search.bound->gap}) out.put(value);
  }
  out.put(search.evaluations);
  put_enum(out, search.end);
}

SearchRecord get_search(Deserializer& in) {
  SearchRecord search;
  search.best_other = in.get_text();
  for (Estimate* e : {&search.other, &search.improvement}) *e = get_estimate(in);
  search.found = in.get<double>();
  search.other_found = in.get<double>();
  search.is_bounded = in.get<bool>();
  if (in.get<bool>()) {
    SplitBound& bound = search.bound.emplace();
    bound.by = get_enum(in, SplitBound::By::levelled);
    for (double* value : {&bound.low, &bound.gap_mean, &bound.gap}) *value = in.get<double>();
  }
  search.evaluations = in.get<std::uint64_t>();
  search.end = get_enum(in, SearchEnd::given_up);
  return search;
}

SplitReport read_report(Deserializer& in) {
  SplitReport report;
  if (in.get<std::uint32_t>() != kReportFormat) throw std::runtime_error("a split's report of another format");
  report.policy = in.get_text();
  report.objective = get_objective(in);
  for (auto* values : {&report.share_flop, &report.step1_flop, &report.sigma_s}) *values = in.get_doubles();
  report.replications = in.get<std::uint64_t>();
  report.confidence = in.get<double>();
  report.engine = get_enum(in, Engine::simgrid);
  for (Estimate* e : {&report.before, &report.after, &report.reduction}) *e = get_estimate(in);
  if (in.get<bool>()) report.second_step = get_second_step(in);
  if (in.get<bool>()) report.search = get_search(in);
  if (!in.at_end()) throw std::runtime_error("a split's report with more behind it");
  return report;
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
  out.put(kReportFormat);
  out.put(report.policy);
  put(out, report.objective);
  for (const auto* values : {&report.share_flop, &report.step1_flop, &report.sigma_s}) out.put(*values);
  out.put(report.replications);
  out.put(report.confidence);
  put_enum(out, report.engine);
  for (const Estimate& e : {report.before, report.after, report.reduction}) put(out, e);
  out.put(report.second_step.has_value());
  if (report.second_step) put(out, *report.second_step);
  out.put(report.search.has_value());
  if (report.search) put(out, *report.search);
  return out.take();
}

SplitReport unpack_split_report(const std::string& bytes) {
  Deserializer in(bytes);
  return read_report(in);
}

}  // namespace nowsim

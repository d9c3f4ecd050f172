// Packing reports.
#include "sim/split_report.hpp"

#include <array>
#include <stdexcept>

#include "sim/wire.hpp"

namespace nowsim {
namespace {

/// Of the bytes; to be raised with every change of them.
constexpr std::uint32_t kFormat = 1;

void put(WireWriter& out, const SecondStep& step) {
  out.put(step.share_flop);
  out.put(step.slope_s);
  out.put(step.is_kept_out);
}

SecondStep get_second_step(WireReader& in) {
  SecondStep step;
  step.share_flop = in.get_doubles();
  step.slope_s = in.get<Estimate>();
  step.is_kept_out = in.get<bool>();
  return step;
}

void put(WireWriter& out, const SearchRecord& search) {
  out.put(search.best_other);
  for (const Estimate& e : {search.other, search.improvement}) out.put(e);
  for (const double value : {search.found, search.other_found, search.gap.value_or(0), search.gap_mean}) out.put(value);
  out.put(search.gap.has_value());
  out.put(search.evaluations);
  out.put(search.end);
}

SearchRecord get_search(WireReader& in) {
  SearchRecord search;
  search.best_other = in.get_text();
  for (Estimate* e : {&search.other, &search.improvement}) *e = in.get<Estimate>();
  search.found = in.get<double>();
  search.other_found = in.get<double>();
  const auto gap = in.get<double>();
  search.gap_mean = in.get<double>();
  if (in.get<bool>()) search.gap = gap;
  search.evaluations = in.get<std::uint64_t>();
  search.end = in.get<SearchEnd>();
  return search;
}

SplitReport read_report(WireReader& in) {
  SplitReport report;
  if (in.get<std::uint32_t>() != kFormat) throw std::runtime_error("a split's report of another format");
  report.policy = in.get_text();
  report.objective = in.get<SplitObjective>();
  for (auto* values : {&report.share_flop, &report.step1_flop, &report.sigma_s}) *values = in.get_doubles();
  report.replications = in.get<std::uint64_t>();
  report.confidence = in.get<double>();
  report.engine = in.get<Engine>();
  for (Estimate* e : {&report.before, &report.after, &report.reduction}) *e = in.get<Estimate>();
  if (in.get<bool>()) report.second_step = get_second_step(in);
  if (in.get<bool>()) report.search = get_search(in);
  if (!in.at_end()) throw std::runtime_error("a split's report with more behind it");
  return report;
}

}  // namespace

const char* search_end_text(SearchEnd end) {
  constexpr std::array<const char*, 3> kTexts{"converged", "evaluations used up",
                                              "too many workstations for a local search"};
  return kTexts[static_cast<std::size_t>(end)];
}

std::vector<double> SplitReport::moved_flop() const {
  std::vector<double> moved;
  for (std::size_t i = 0; i < share_flop.size(); ++i) moved.push_back(share_flop[i] - step1_flop[i]);
  return moved;
}

std::string pack(const SplitReport& report) {
  WireWriter out;
  out.put(kFormat);
  out.put(report.policy);
  out.put(report.objective);
  for (const auto* values : {&report.share_flop, &report.step1_flop, &report.sigma_s}) out.put(*values);
  out.put(report.replications);
  out.put(report.confidence);
  out.put(report.engine);
  for (const Estimate& e : {report.before, report.after, report.reduction}) out.put(e);
  out.put(report.second_step.has_value());
  if (report.second_step) put(out, *report.second_step);
  out.put(report.search.has_value());
  if (report.search) put(out, *report.search);
  return out.take();
}

SplitReport unpack_split_report(const std::string& bytes) {
  WireReader in(bytes);
  return read_report(in);
}

}  // namespace nowsim

// Writing how far results are apart.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "experiments/driver/running/result_comparison.hpp"
#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

std::string two_digits(double x) { return fmt::format("{:.2g}", x); }

std::string counted_of(std::size_t part, std::size_t all) {
  return std::to_string(part) + " of " + std::to_string(all);
}

/// Counts of all experiments together.
struct Together {
  std::size_t unmatched = 0, claims = 0;
  Words gaps, metrics_in_one, claims_in_one, other_verdicts;
};

Together together(const std::vector<ResultDifference>& all) {
  Together sum;
  const auto add = [](Words& to, const Words& more) { to.insert(to.end(), more.begin(), more.end()); };
  for (const auto& d : all) {
    sum.unmatched += d.unmatched;
    sum.claims += d.claims;
    if (!d.gap.empty()) sum.gaps.push_back(d.name + " " + d.gap);
    for (const auto& metric : d.metrics_in_one) sum.metrics_in_one.push_back(metric + " of " + d.name);
    add(sum.claims_in_one, d.claims_in_one);
    add(sum.other_verdicts, d.other_verdicts);
  }
  return sum;
}

/// "2", "1: HL-3-tau-flat".
std::string counted_names(const std::string& count, const Words& names) {
  return count + (names.empty() ? "" : ": " + joined(names));
}
std::string counted_names(const Words& names) { return counted_names(std::to_string(names.size()), names); }

using Part = LargestDifference ResultDifference::*;

/// The largest of all experiments, and where it is.
std::string largest_text(const std::vector<ResultDifference>& all, Part part) {
  const auto relative = [&](const ResultDifference& d) { return (d.*part).relative; };
  const ResultDifference& worst = *std::ranges::max_element(all, {}, relative);
  const LargestDifference& there = worst.*part;
  if (!there.relative) return "- (nothing was compared)";
  std::string text = two_digits(*there.relative);
  if (!there.metric.empty())
    text += " (" + there.metric + " of " + worst.name + (there.point.empty() ? "" : " at " + there.point) + ": " +
            number_text(there.a) + " and " + number_text(there.b) + ")";
  return text;
}

void write_largest(const std::vector<ResultDifference>& all, std::ostream& out) {
  const std::size_t numbers = compared_numbers(all);
  out << "\nlargest relative difference of " << numbers << (numbers == 1 ? " estimate: " : " estimates: ")
      << largest_text(all, &ResultDifference::estimates)
      << "\nlargest of their intervals' ends: " << largest_text(all, &ResultDifference::ends);
  const Together sum = together(all);
  out << "\npoints that have results or intervals in one only: " << sum.unmatched
      << "\nmetrics in one only: " << counted_names(sum.metrics_in_one)
      << "\nclaims in one only: " << counted_names(sum.claims_in_one) << "\nclaims whose verdicts differ: "
      << counted_names(counted_of(sum.other_verdicts.size(), sum.claims), sum.other_verdicts)
      << "\nexperiments in one only: " << counted_names(counted_of(sum.gaps.size(), all.size()), sum.gaps) << '\n';
}

/// "2 points, 1 metric".
std::string in_one_text(const ResultDifference& d) {
  Words parts;
  const auto add = [&](std::size_t n, const std::string& what) {
    if (n > 0) parts.push_back(std::to_string(n) + " " + what + (n == 1 ? "" : "s"));
  };
  add(d.unmatched, "point");
  add(d.metrics_in_one.size(), "metric");
  add(d.claims_in_one.size(), "claim");
  return parts.empty() ? "0" : joined(parts);
}

/// Numbers that belong to a largest difference.
void add_largest(Fields& fields, const LargestDifference& l, const std::string& name, const std::string& prefix) {
  fields.push_back({name, known(l.relative)});
  fields.push_back({prefix + "metric", l.metric});
  fields.push_back({prefix + "point", l.point});
  fields.push_back({prefix + "a", l.a});
  fields.push_back({prefix + "b", l.b});
}

Fields comparison_fields(const ResultDifference& d) {
  const auto digits = [](const LargestDifference& l) { return l.relative ? two_digits(*l.relative) : "-"; };
  const std::string of = !d.gap.empty() ? d.gap : d.estimates.relative ? d.estimates.metric : "nothing compared";
  Fields fields{{"experiment", d.name, kEverywhere},
                {"gap", d.gap},
                {"points", std::uint64_t{d.points}, kEverywhere},
                {"in one only", in_one_text(d), kInTable},
                {"unmatched", std::uint64_t{d.unmatched}},
                {"estimates", std::uint64_t{d.numbers}, kEverywhere},
                {"largest", digits(d.estimates), kInTable},
                {"of", of, kInTable},
                {"of ends", digits(d.ends), kInTable},
                {"other verdicts", counted_of(d.other_verdicts.size(), d.claims), kInTable}};
  add_largest(fields, d.estimates, "largest", "");
  add_largest(fields, d.ends, "largest_end", "end_");
  fields.push_back({"claims", std::uint64_t{d.claims}});
  fields.push_back({"other_verdicts", joined(d.other_verdicts)});
  fields.push_back({"metrics_in_one", joined(d.metrics_in_one)});
  fields.push_back({"claims_in_one", joined(d.claims_in_one)});
  return fields;
}

void write_table(const std::vector<ResultDifference>& all, std::ostream& out) {
  TextTable table(table_head(comparison_fields({})), TableLook::list);
  for (const auto& d : all) table.add(table_cells(comparison_fields(d)));
  table.write(out, 1);
  write_largest(all, out);
}

}  // namespace

void write_comparison(const std::vector<ResultDifference>& all, Format format, std::ostream& out) {
  const List rows = list_of(all, [](const auto& d) { return Object{comparison_fields(d)}; });
  write_document({[&](std::ostream& o) { write_table(all, o); }, comparison_fields({}), rows, rows}, format, out);
}

}  // namespace nowsim

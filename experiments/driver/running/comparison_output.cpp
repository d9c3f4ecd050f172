// Writing how far results are apart.
#include <algorithm>
#include <cstdio>
#include <ostream>

#include "experiments/driver/running/result_comparison.hpp"
#include "experiments/driver/text/escapes.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

std::string two_digits(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.2g", x);
  return buffer;
}

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

void write_table(const std::vector<ResultDifference>& all, std::ostream& out) {
  TextTable table({"experiment", "points", "in one only", "estimates", "largest", "of", "of ends", "other verdicts"},
                  TableLook::list);
  for (const auto& d : all) {
    const auto digits = [](const LargestDifference& l) { return l.relative ? two_digits(*l.relative) : "-"; };
    const std::string of = !d.gap.empty()         ? d.gap
                           : d.estimates.relative ? d.estimates.metric
                                                  : "nothing compared";
    table.add({d.name, std::to_string(d.points), in_one_text(d), std::to_string(d.numbers), digits(d.estimates), of,
               digits(d.ends), counted_of(d.other_verdicts.size(), d.claims)});
  }
  table.write(out, 1);
  write_largest(all, out);
}

std::string csv_of(const LargestDifference& l) {
  return "," + (l.relative ? number_text(*l.relative) : "") + "," + csv_field(l.metric) + "," + csv_field(l.point) +
         "," + number_text(l.a) + "," + number_text(l.b);
}

void write_csv(const std::vector<ResultDifference>& all, std::ostream& out) {
  out << "experiment,gap,points,unmatched,estimates,largest,metric,point,a,b,largest_end,end_metric,end_point,end_a,"
         "end_b,claims,other_verdicts,metrics_in_one,claims_in_one\n";
  for (const auto& d : all)
    out << csv_field(d.name) << ',' << csv_field(d.gap) << ',' << d.points << ',' << d.unmatched << ',' << d.numbers
        << csv_of(d.estimates) << csv_of(d.ends) << ',' << d.claims << ','
        << csv_field(joined(d.other_verdicts)) << ',' << csv_field(joined(d.metrics_in_one)) << ','
        << csv_field(joined(d.claims_in_one)) << '\n';
}

std::string json_of(const LargestDifference& l, const std::string& name, const std::string& prefix) {
  const auto key = [](const std::string& text) { return ", \"" + text + "\": "; };
  return key(name) + (l.relative ? number_text(*l.relative) : "null") + key(prefix + "metric") + json_text(l.metric) +
         key(prefix + "point") + json_text(l.point) + key(prefix + "a") + number_text(l.a) + key(prefix + "b") +
         number_text(l.b);
}

void write_json(const std::vector<ResultDifference>& all, std::ostream& out) {
  out << "[\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ResultDifference& d = all[i];
    out << "  {\"experiment\": " << json_text(d.name) << ", \"gap\": " << json_text(d.gap)
        << ", \"points\": " << d.points << ", \"unmatched\": " << d.unmatched << ", \"estimates\": " << d.numbers
        << json_of(d.estimates, "largest", "") << json_of(d.ends, "largest_end", "end_")
        << ", \"claims\": " << d.claims << ", \"other_verdicts\": " << json_text(joined(d.other_verdicts))
        << ", \"metrics_in_one\": " << json_text(joined(d.metrics_in_one))
        << ", \"claims_in_one\": " << json_text(joined(d.claims_in_one)) << '}'
        << (i + 1 < all.size() ? ",\n" : "\n");
  }
  out << "]\n";
}

}  // namespace

void write_comparison(const std::vector<ResultDifference>& all, Format format, std::ostream& out) {
  switch (format) {
    case Format::table:
      return write_table(all, out);
    case Format::csv:
      return write_csv(all, out);
    case Format::json:
      return write_json(all, out);
  }
}

}  // namespace nowsim

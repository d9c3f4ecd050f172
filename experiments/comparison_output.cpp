// Writing how far results are apart.
#include <algorithm>
#include <cstdio>
#include <ostream>

#include "experiments/escapes.hpp"
#include "experiments/result_comparison.hpp"
#include "experiments/text_table.hpp"
#include "experiments/words.hpp"
#include "sim/text.hpp"

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

void write_largest(const std::vector<ResultDifference>& all, std::ostream& out) {
  const auto worst = std::ranges::max_element(all, {}, &ResultDifference::largest);
  std::size_t numbers = 0, unmatched = 0, claims = 0;
  Words other;
  for (const auto& d : all) {
    numbers += d.numbers;
    unmatched += d.unmatched;
    claims += d.claims;
    other.insert(other.end(), d.other_verdicts.begin(), d.other_verdicts.end());
  }
  out << "\nlargest relative difference of " << numbers << " estimates: " << two_digits(worst->largest);
  if (!worst->metric.empty())
    out << " (" << worst->metric << " of " << worst->name << (worst->point.empty() ? "" : " at " + worst->point) << ": "
        << number_text(worst->a) << " and " << number_text(worst->b) << ")";
  out << "\npoints that have results in one only: " << unmatched
      << "\nclaims whose verdicts differ: " << counted_of(other.size(), claims)
      << (other.empty() ? "" : ": " + joined(other)) << '\n';
}

void write_table(const std::vector<ResultDifference>& all, std::ostream& out) {
  TextTable table({"experiment", "points", "in one only", "estimates", "largest", "of", "other verdicts"},
                  TableLook::list);
  for (const auto& d : all)
    table.add({d.name, std::to_string(d.points), std::to_string(d.unmatched), std::to_string(d.numbers),
               d.gap.empty() ? two_digits(d.largest) : "-", d.gap.empty() ? d.metric : d.gap,
               counted_of(d.other_verdicts.size(), d.claims)});
  table.write(out, 1);
  write_largest(all, out);
}

void write_csv(const std::vector<ResultDifference>& all, std::ostream& out) {
  out << "experiment,gap,points,unmatched,estimates,largest,metric,point,a,b,claims,other_verdicts\n";
  for (const auto& d : all)
    out << csv_field(d.name) << ',' << csv_field(d.gap) << ',' << d.points << ',' << d.unmatched << ',' << d.numbers
        << ',' << number_text(d.largest) << ',' << csv_field(d.metric) << ',' << csv_field(d.point) << ','
        << number_text(d.a) << ',' << number_text(d.b) << ',' << d.claims << ',' << csv_field(joined(d.other_verdicts))
        << '\n';
}

void write_json(const std::vector<ResultDifference>& all, std::ostream& out) {
  out << "[\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ResultDifference& d = all[i];
    out << "  {\"experiment\": " << json_text(d.name) << ", \"gap\": " << json_text(d.gap)
        << ", \"points\": " << d.points << ", \"unmatched\": " << d.unmatched << ", \"estimates\": " << d.numbers
        << ", \"largest\": " << number_text(d.largest) << ", \"metric\": " << json_text(d.metric)
        << ", \"point\": " << json_text(d.point) << ", \"a\": " << number_text(d.a) << ", \"b\": " << number_text(d.b)
        << ", \"claims\": " << d.claims << ", \"other_verdicts\": " << json_text(joined(d.other_verdicts)) << '}'
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

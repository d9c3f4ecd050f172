// Matching points by their axes' values and estimates by their columns, and telling how far they are apart.
#include "experiments/driver/running/result_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <ostream>
#include <ranges>
#include <set>

#include <fmt/format.h>

#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

const std::string kClaimsFileEnding = std::string(kClaimsEnding) + ".csv";

bool is_result(const std::string& name) {
  return name.ends_with(".csv") && std::ranges::none_of(kEndingsBesideResults, [&](const std::string& ending) {
           return name.ends_with(ending + ".csv");
         });
}

/// The experiments of a folder that have results, by their path below it.
std::set<std::string> names_in(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw InputError("there is no folder " + folder);
  std::set<std::string> names;
  fs::recursive_directory_iterator entry(folder, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().lexically_relative(folder).generic_string();
    std::error_code ignored;
    if (is_result(name) && entry->is_regular_file(ignored)) names.insert(name.substr(0, name.size() - 4));
  }
  if (error) throw InputError("the folder " + folder + " cannot be read: " + error.message());
  if (names.empty()) throw InputError("there are no results in " + folder + ": no CSV of an experiment");
  return names;
}

CsvRows read_csv(const std::string& folder, const std::string& name, const std::string& ending) {
  const std::string file = (fs::path(folder) / (name + ending)).string();
  return parse_csv(read_user_file(file, kMostDataBytes), file);
}

std::size_t column_of(const CsvRows& csv, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(csv.head, name) - csv.head.begin());
}

/// Whether a column is an estimate: one that has its half-width or its interval behind it.
bool is_estimate(const std::vector<std::string>& head, std::size_t c) {
  const auto has = [&](std::size_t behind, const char* ending) {
    return c + behind < head.size() && head[c + behind] == head[c] + ending;
  };
  return has(1, "_hw") || (has(1, "_low") && has(2, "_high"));
}

/// A CSV of results: its points by their axes' values, its estimates' columns by name.
struct Results {
  explicit Results(CsvRows of) : csv(std::move(of)) {
    std::vector<std::string> axes = csv.head;
    axes.resize(column_of(csv, "replications"));
    for (std::size_t c = 0; c < csv.head.size(); ++c) {
      if (!is_estimate(csv.head, c)) continue;
      estimates.emplace(csv.head[c], c);
      axes.resize(std::min(axes.size(), c));
    }
    for (std::size_t r = 0; r < csv.rows.size(); ++r) {
      std::string point = point_text(axes, csv.rows[r]);
      while (points.contains(point)) point += "'";  // an axis may have a value twice
      points.emplace(point, r);
    }
  }

  [[nodiscard]] bool has_column(const std::string& name) const { return column_of(csv, name) < csv.head.size(); }
  /// Nothing where the point has no such number.
  [[nodiscard]] std::optional<double> number(std::size_t row, std::size_t column) const {
    return to_number(csv.rows[row][column]);
  }
  /// @pre has_column()
  [[nodiscard]] std::optional<double> number(std::size_t row, const std::string& column) const {
    return number(row, column_of(csv, column));
  }

  CsvRows csv;
  std::map<std::string, std::size_t> points, estimates;
};

/// `size`: the difference is a share of it.
void compare_number(const std::string& metric, const std::string& point, double a, double b, double size,
                    LargestDifference& out) {
  const double relative = a == b ? 0 : std::abs(a - b) / size;
  if (!out.relative) out.relative = 0;
  if (relative > *out.relative) out = {relative, metric, point, a, b};
}

double size_of(double a, double b) { return std::max(std::abs(a), std::abs(b)); }

/// The keys of two maps that are in one only.
std::vector<std::string> keys_in_one(const auto& a, const auto& b) {
  std::vector<std::string> found;
  std::ranges::set_symmetric_difference(std::views::keys(a), std::views::keys(b), std::back_inserter(found));
  return found;
}

/// Columns of an estimate's interval that both have: its ends, or else its half-width.
std::vector<std::string> interval_columns(const Results& a, const Results& b, const std::string& metric) {
  const auto both_have = [&](const char* ending) {
    return a.has_column(metric + ending) && b.has_column(metric + ending);
  };
  if (both_have("_low") && both_have("_high")) return {metric + "_low", metric + "_high"};
  return both_have("_hw") ? std::vector{metric + "_hw"} : std::vector<std::string>{};
}

/// Returns whether one has numbers that the other lacks.
bool compare_point(const Results& a, const Results& b, const std::string& point, ResultDifference& out) {
  const std::size_t row_a = a.points.at(point), row_b = b.points.at(point);
  bool lacks = false;
  for (const auto& [metric, column] : a.estimates) {
    const auto other = b.estimates.find(metric);
    if (other == b.estimates.end()) continue;  // it is told of the whole experiment
    const auto x = a.number(row_a, column), y = b.number(row_b, other->second);
    lacks = lacks || x.has_value() != y.has_value();
    if (!x || !y) continue;
    ++out.numbers;
    compare_number(metric, point, *x, *y, size_of(*x, *y), out.estimates);
    for (const auto& name : interval_columns(a, b, metric)) {
      const auto end_x = a.number(row_a, name), end_y = b.number(row_b, name);
      lacks = lacks || end_x.has_value() != end_y.has_value();
      if (end_x && end_y)
        compare_number(metric, point, *end_x, *end_y, std::max(size_of(*x, *y), size_of(*end_x, *end_y)), out.ends);
    }
  }
  return lacks;
}

void compare_points(const Results& a, const Results& b, ResultDifference& out) {
  out.metrics_in_one = keys_in_one(a.estimates, b.estimates);
  out.unmatched = keys_in_one(a.points, b.points).size();
  for (const auto& [point, row] : a.points) {
    if (!b.points.contains(point)) continue;
    ++out.points;
    out.unmatched += compare_point(a, b, point, out) ? 1 : 0;
  }
}

using Verdicts = std::map<std::string, std::string>;  // by the claims' ids

Verdicts verdicts_of(const std::string& folder, const std::string& name) {
  std::error_code ignored;
  Verdicts verdicts;
  if (!fs::exists(fs::path(folder) / (name + kClaimsFileEnding), ignored)) return verdicts;
  const CsvRows csv = read_csv(folder, name, kClaimsFileEnding);
  const std::size_t id = column_of(csv, "id"), verdict = column_of(csv, "verdict");
  if (std::max(id, verdict) < csv.head.size())
    for (const auto& row : csv.rows) verdicts.emplace(row[id], row[verdict]);
  return verdicts;
}

void compare_claims(const Verdicts& a, const Verdicts& b, ResultDifference& out) {
  out.claims_in_one = keys_in_one(a, b);
  for (const auto& [id, verdict] : a) {
    const auto other = b.find(id);
    if (other == b.end()) continue;
    ++out.claims;
    if (other->second != verdict) out.other_verdicts.push_back(id);
  }
}

/// An experiment that one folder has alone.
void count_gap(const std::string& folder, ResultDifference& out) {
  out.gap = "only in " + folder;
  out.unmatched = Results(read_csv(folder, out.name, ".csv")).points.size();
  out.claims_in_one = keys_in_one(verdicts_of(folder, out.name), Verdicts());
}

// ---- what is said of them -------------------------------------------------------------------------------------------

std::string two_digits(double x) { return fmt::format("{:.2g}", x); }

std::string counted_of(std::size_t part, std::size_t all) {
  return std::to_string(part) + " of " + std::to_string(all);
}

/// "2", "1: HL-3-tau-flat".
std::string counted_names(const Words& names, const std::string& count) {
  return count + (names.empty() ? "" : ": " + joined(names));
}
std::string counted_names(const Words& names) { return counted_names(names, std::to_string(names.size())); }

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
  std::size_t unmatched = 0, claims = 0;
  Words gaps, metrics_in_one, claims_in_one, other_verdicts;
  for (const auto& d : all) {
    unmatched += d.unmatched;
    claims += d.claims;
    if (!d.gap.empty()) gaps.push_back(d.name + " " + d.gap);
    for (const auto& metric : d.metrics_in_one) metrics_in_one.push_back(metric + " of " + d.name);
    std::ranges::copy(d.claims_in_one, std::back_inserter(claims_in_one));
    std::ranges::copy(d.other_verdicts, std::back_inserter(other_verdicts));
  }
  out << "\npoints that have results or intervals in one only: " << unmatched
      << "\nmetrics in one only: " << counted_names(metrics_in_one)
      << "\nclaims in one only: " << counted_names(claims_in_one)
      << "\nclaims whose verdicts differ: " << counted_names(other_verdicts, counted_of(other_verdicts.size(), claims))
      << "\nexperiments in one only: " << counted_names(gaps, counted_of(gaps.size(), all.size())) << '\n';
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
Fields largest_fields(const LargestDifference& l, const std::string& name, const std::string& prefix) {
  return {{name, known(l.relative)},
          {prefix + "metric", l.metric},
          {prefix + "point", l.point},
          {prefix + "a", l.a},
          {prefix + "b", l.b}};
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
  append(fields, largest_fields(d.estimates, "largest", ""));
  append(fields, largest_fields(d.ends, "largest_end", "end_"));
  append(fields, {{"claims", std::uint64_t{d.claims}},
                  {"other_verdicts", joined(d.other_verdicts)},
                  {"metrics_in_one", joined(d.metrics_in_one)},
                  {"claims_in_one", joined(d.claims_in_one)}});
  return fields;
}

}  // namespace

std::vector<ResultDifference> compare_results(const std::string& a, const std::string& b) {
  const auto in_a = names_in(a), in_b = names_in(b);
  std::vector<std::string> names;
  std::ranges::set_union(in_a, in_b, std::back_inserter(names));
  std::vector<ResultDifference> all;
  for (const auto& name : names) {
    ResultDifference& d = all.emplace_back();
    d.name = name;
    if (!in_a.contains(name) || !in_b.contains(name)) {
      count_gap(in_a.contains(name) ? a : b, d);
      continue;
    }
    compare_points(Results(read_csv(a, name, ".csv")), Results(read_csv(b, name, ".csv")), d);
    compare_claims(verdicts_of(a, name), verdicts_of(b, name), d);
  }
  return all;
}

std::size_t compared_numbers(const std::vector<ResultDifference>& all) {
  return std::accumulate(all.begin(), all.end(), std::size_t{0},
                         [](std::size_t sum, const ResultDifference& d) { return sum + d.numbers; });
}

void write_comparison(const std::vector<ResultDifference>& all, Format format, std::ostream& out) {
  const List rows = list_of(all, [](const auto& d) { return Object{comparison_fields(d)}; });
  const auto write_text = [&](std::ostream& o) {
    table_of(all, comparison_fields, TableLook::list).write(o, 1);
    write_largest(all, o);
  };
  write_document({write_text, comparison_fields({}), rows, rows}, format, out);
}

}  // namespace nowsim

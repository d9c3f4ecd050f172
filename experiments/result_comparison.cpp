// Matching points by their axes' values, and estimates by their columns.
#include "experiments/result_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "experiments/csv_rows.hpp"
#include "experiments/words.hpp"
#include "sim/text.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kClaims = "-claims.csv";

/// The experiments of a folder that have results, by their path below it.
std::set<std::string> names_in(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw InputError("there is no folder " + folder);
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).generic_string();
    const bool is_result = name.ends_with(".csv") && !name.ends_with(kClaims) && !name.ends_with("-splits.csv");
    if (is_result && entry.is_regular_file(error)) names.insert(name.substr(0, name.size() - 4));
  }
  if (names.empty()) throw InputError("there are no results in " + folder + ": no CSV of an experiment");
  return names;
}

CsvRows read_csv(const std::string& folder, const std::string& name, const std::string& ending) {
  const std::string file = (fs::path(folder) / (name + ending)).string();
  return parse_csv(read_text(file), file);
}

std::size_t column_of(const CsvRows& csv, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(csv.head, name) - csv.head.begin());
}

/// A CSV of results: its points by their axes' values, its estimates' columns by name.
class Results {
 public:
  explicit Results(CsvRows csv) : csv_(std::move(csv)) {
    for (std::size_t c = 0; c + 1 < csv_.head.size(); ++c)
      if (csv_.head[c + 1] == csv_.head[c] + "_hw") estimates_.emplace(csv_.head[c], c);
    for (const auto& [name, column] : estimates_) axes_ = std::min(axes_, column);
    axes_ = std::min({axes_, column_of(csv_, "replications"), csv_.head.size()});
    for (std::size_t r = 0; r < csv_.rows.size(); ++r) {
      std::string point = text_of(csv_.rows[r]);
      while (rows_.contains(point)) point += "'";  // an axis may have a value twice
      rows_.emplace(point, r);
    }
  }

  [[nodiscard]] const std::map<std::string, std::size_t>& points() const { return rows_; }
  [[nodiscard]] const std::map<std::string, std::size_t>& estimates() const { return estimates_; }
  /// Nothing where the point has no such number.
  [[nodiscard]] std::optional<double> number(std::size_t row, std::size_t column) const {
    return to_number(csv_.rows[row][column]);
  }

 private:
  [[nodiscard]] std::string text_of(const std::vector<std::string>& row) const {
    std::string text;
    for (std::size_t a = 0; a < axes_; ++a) text += (a > 0 ? " " : "") + csv_.head[a] + "=" + row[a];
    return text;
  }

  CsvRows csv_;
  std::size_t axes_ = static_cast<std::size_t>(-1);
  std::map<std::string, std::size_t> rows_, estimates_;
};

void compare_number(const std::string& metric, const std::string& point, double a, double b, ResultDifference& out) {
  ++out.numbers;
  const double size = std::max(std::abs(a), std::abs(b)), relative = a == b ? 0 : std::abs(a - b) / size;
  if (!(relative > out.largest)) return;
  out.largest = relative;
  out.metric = metric;
  out.point = point;
  out.a = a;
  out.b = b;
}

/// Returns whether one has numbers that the other lacks.
bool compare_point(const Results& a, const Results& b, const std::string& point, ResultDifference& out) {
  const std::size_t row_a = a.points().at(point), row_b = b.points().at(point);
  bool lacks = false;
  for (const auto& [metric, column] : a.estimates()) {
    const auto other = b.estimates().find(metric);
    if (other == b.estimates().end()) continue;  // such as of more workstations
    const auto x = a.number(row_a, column), y = b.number(row_b, other->second);
    if (x && y) compare_number(metric, point, *x, *y, out);
    lacks = lacks || x.has_value() != y.has_value();
  }
  return lacks;
}

void compare_points(const Results& a, const Results& b, ResultDifference& out) {
  for (const auto& [point, row] : a.points()) {
    if (!b.points().contains(point)) {
      ++out.unmatched;
      continue;
    }
    ++out.points;
    out.unmatched += compare_point(a, b, point, out) ? 1 : 0;
  }
  for (const auto& [point, row] : b.points()) out.unmatched += a.points().contains(point) ? 0 : 1;
}

std::map<std::string, std::string> verdicts_of(const std::string& folder, const std::string& name) {
  std::error_code ignored;
  std::map<std::string, std::string> verdicts;
  if (!fs::exists(fs::path(folder) / (name + kClaims), ignored)) return verdicts;
  const CsvRows csv = read_csv(folder, name, kClaims);
  const std::size_t id = column_of(csv, "id"), verdict = column_of(csv, "verdict");
  if (std::max(id, verdict) < csv.head.size())
    for (const auto& row : csv.rows) verdicts.emplace(row[id], row[verdict]);
  return verdicts;
}

void compare_claims(const std::string& a, const std::string& b, ResultDifference& out) {
  const auto others = verdicts_of(b, out.name);
  for (const auto& [id, verdict] : verdicts_of(a, out.name)) {
    const auto other = others.find(id);
    if (other == others.end()) continue;
    ++out.claims;
    if (other->second != verdict) out.other_verdicts.push_back(id);
  }
}

}  // namespace

std::vector<ResultDifference> compare_results(const std::string& a, const std::string& b) {
  const auto in_a = names_in(a), in_b = names_in(b);
  std::set<std::string> names = in_a;
  names.insert(in_b.begin(), in_b.end());
  std::vector<ResultDifference> all;
  for (const auto& name : names) {
    ResultDifference& d = all.emplace_back();
    d.name = name;
    if (!in_a.contains(name) || !in_b.contains(name)) {
      d.gap = "only in " + (in_a.contains(name) ? a : b);
      continue;
    }
    compare_points(Results(read_csv(a, name, ".csv")), Results(read_csv(b, name, ".csv")), d);
    compare_claims(a, b, d);
  }
  return all;
}

}  // namespace nowsim

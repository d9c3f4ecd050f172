// Figures and summaries with chosen numbers, and gnuplot scripts that really run.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

namespace nowsim::test {

inline Figure figure_of(const std::string& yaml) {
  Problems problems;
  return read_figure(parse_yaml(yaml, "e.yaml"), "e.yaml", builtin_figures(), problems).value();
}

/// The problems of a figure block, one per line; there is a figure where there are none.
inline std::string read_problems(const std::string& yaml) {
  Problems problems;
  const auto figure = read_figure(parse_yaml(yaml, "e.yaml"), "e.yaml", builtin_figures(), problems);
  CHECK(figure.has_value() == problems.empty());
  std::string out;
  for (const auto& problem : problems.list()) out += problem.text() + "\n";
  return out;
}

inline ResultRow row_of(std::vector<std::string> values, const std::vector<Estimate>& estimates) {
  ResultRow row{std::move(values), {}, {"ws1"}, 100, 1, 0.95, "simgrid", PointStatus::ok, ""};
  for (const auto& estimate : estimates) row.estimates.push_back({estimate});
  return row;
}

inline ResultRow blank_row(std::vector<std::string> values, const std::string& reason) {
  return {std::move(values), {}, {}, 0, 1, 0.95, "", PointStatus::infeasible, reason};
}

/// tau over a time and TH; TH = 0.5 has no results at 1min.
inline ResultTable time_summary() {
  ResultTable s{"A title", "e.yaml", {"owner.TH", "owner.interval"}, {find_metric("tau")}, {}};
  s.rows = {row_of({"0.25", "10s"}, {{201.5, 200.5, 202.5}}), row_of({"0.25", "1min"}, {{207.25, 205, 209.5}}),
            row_of({"0.5", "10s"}, {{211.125, 210, 212.25}}), blank_row({"0.5", "1min"}, "it cannot be")};
  return s;
}

/// The same with theory: tau_HL everywhere, tau_renewal for 10s only.
inline ResultTable theory_summary() {
  ResultTable s = time_summary();
  s.metrics = {find_metric("tau"), find_metric("tau_HL"), find_metric("tau_renewal")};
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (auto& row : s.rows) {
    if (row.estimates.empty()) continue;
    row.estimates.push_back({{200.5, 200.5, 200.5}});
    if (row.values[1] == "10s") row.estimates.push_back({{200.75, 200.75, 200.75}});
    else row.estimates.push_back({{none, none, none}});
  }
  return s;
}

}  // namespace nowsim::test

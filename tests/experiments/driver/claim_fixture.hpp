// Claims from one line of YAML, and made-up summaries to check them on.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/running/result_table.hpp"

namespace nowsim::test {

inline Estimate around(double value, double half_width) { return {value, value - half_width, value + half_width}; }
inline Estimate without_interval(double value) { return {value, kNotKnown, kNotKnown}; }

/// A claim about tau, from the check's own keys such as "check: flat, along: x, tolerance: 2%".
inline Claim claim(const std::string& keys) {
  Problems problems;
  const auto claims = read_claims(parse_yaml("[{id: c, says: s, source: p, metric: tau, " + keys + "}]", "e.yaml"),
                                  "e.yaml", builtin_checks(), problems);
  for (const auto& problem : problems.list()) UNSCOPED_INFO(problem.text());
  REQUIRE(problems.empty());
  return claims.at(0);
}

/// A row with 1000 replications.
inline ResultRow row(const std::vector<std::string>& values, const Estimate& tau, double confidence = 0.95) {
  return {values, {{tau}}, {"ws1"}, 1000, 1, confidence, "simgrid", PointStatus::ok, ""};
}
inline ResultRow row_without(const std::vector<std::string>& values, PointStatus status) {
  return {values, {}, {}, 0, 1, 0.95, "", status, "a reason"};
}

inline ResultTable summary(const std::vector<std::string>& axes, const std::vector<ResultRow>& rows) {
  return {"a title", "e.yaml", axes, {find_metric("tau")}, rows};
}

/// A curve along x = 1, 2, ...
inline ResultTable curve(const std::vector<Estimate>& taus) {
  ResultTable s = summary({"x"}, {});
  for (std::size_t i = 0; i < taus.size(); ++i) s.rows.push_back(row({std::to_string(i + 1)}, taus[i]));
  return s;
}
/// The same, all with one half-width.
inline ResultTable curve(const std::vector<double>& taus, double half_width) {
  std::vector<Estimate> estimates;
  for (const double tau : taus) estimates.push_back(around(tau, half_width));
  return curve(estimates);
}

inline ClaimResult result(const std::string& keys, const ResultTable& s) { return check_claims({claim(keys)}, s).at(0); }
inline std::string verdict(const std::string& keys, const ResultTable& s) {
  const ClaimResult r = result(keys, s);
  UNSCOPED_INFO(keys << ": " << r.measured);
  return verdict_name(r.verdict);
}

inline const std::string kReproduced = "reproduced", kNot = "not reproduced", kUndecided = "undecided";

}  // namespace nowsim::test

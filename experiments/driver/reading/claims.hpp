// A paper's statements about an experiment's results, as the YAML's `claims:` section gives them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/driver/reading/check_kind.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "sim/base/keys.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim {

/// One statement and how it is checked. Which of the parameters it has, its kind says.
struct Claim {
  std::string id;      ///< such as HL-3-tau-flat
  std::string says;    ///< the statement, in our own words
  std::string source;  ///< such as "HL Fig. 4, 5.2.1"
  std::string paper;    ///< what the paper says it is, such as "13.8"; "" where it gives no number
  std::string differs;  ///< why the verdict may be other than reproduced, a sentence; "" where there is nothing to say
  bool calibrated = false;  ///< its number is an input of the experiment, or calibrates one: it is read back
  const CheckKind* kind = nullptr;
  std::string metric;
  std::string along;                                      ///< the axis of the curves
  std::string over;                                       ///< the metric that is x in its place; "": its values are
  std::string across;                                     ///< the axis that tells curves apart that are compared
  std::map<std::string, std::vector<std::string>> where;  ///< axis -> the values whose points count; not named: all
  double tolerance = 0;
  double confidence = 0.95;
  std::optional<double> least, most;  ///< bounds of an exponent, R², a ratio, a change, an extremum or where it lies
  std::optional<double> more_than, less_than;  ///< bounds of the metric, in its unit
  std::string other;                  ///< a second metric
  double within = 0;                  ///< how far two places may be apart, in the unit of `along`
  bool above_first = false;           ///< a power law of the rise over the first point
  std::string higher, lower;          ///< two values of `across`
  std::string file;
  std::map<std::string, int> lines;  ///< of its keys; "" is the claim's own; -1 from a flag

  /// The name of x: `over`, or else `along`.
  [[nodiscard]] const std::string& x_name() const { return over.empty() ? along : over; }
  /// Where one of its keys stands.
  [[nodiscard]] Place place(const std::string& key) const;
};

/// What claims may have, whatever their checks.
const KeyTable& claim_keys();

/// Reads the section `claims:`, a list of maps with id, says, source, check, metric and the keys of that kind of
/// check. Unknown keys, missing ones, unknown checks, an id given twice and values that cannot be are problems, each a
/// sentence with file, line and key; a claim with a problem is left out.
std::vector<Claim> read_claims(const YamlNode& node, const std::string& file, std::span<const CheckKind> checks,
                               std::vector<std::string>& problems);

/// Notes what claims name and the experiment does not have: axes, their values, metrics.
void validate_claims(const std::vector<Claim>& claims, const Sweep& sweep, const std::vector<const Metric*>& metrics,
                     std::vector<std::string>& problems);

/// The number an axis's value is, whatever its unit, in SI: 10s, 25Mf, 28%; nothing for words and formulas.
std::optional<double> axis_number(const std::string& text);
/// Whether two values of an axis are the same: as written, or as numbers (0.28 and 28%).
bool same_axis_value(const std::string& a, const std::string& b);

}  // namespace nowsim

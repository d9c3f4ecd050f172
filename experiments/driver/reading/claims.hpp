// A paper's statements about an experiment's results, as the YAML's `claims:` section gives them, and kinds of checks.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "sim/base/keys.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim {

struct Claim;
struct ClaimResult;
struct ResultTable;
class Reader;

/// A check with what one claim asks of it.
using BoundCheck = std::function<ClaimResult(const Claim&, const ResultTable&)>;
/// Reads what a claim asks, a type that the check alone knows. Problems are noted with the reader.
using CheckReader = std::function<BoundCheck(Reader&)>;

/// A line of a table of kinds, which outlives the claims that are read with it.
struct CheckKind {
  std::string name;
  std::string summary;
  std::vector<std::string> required;  ///< keys besides id, says, source, check and metric, rows of claim_keys()
  std::vector<std::string> optional;  ///< keys besides where and confidence, likewise
  bool needs_numbers;                 ///< x, the values of `along` or of `over`, is to be numbers
  CheckReader read;                   ///< by these keys, and those that every claim has
};

/// What stands between a sentence's braces, {tau job.size=8}: a metric, and the values of axes at which it is told.
struct ToldValue {
  std::string metric;
  std::map<std::string, std::string> where;  ///< axis -> value
};

/// A sentence with results in it, which are put there once they are known: its texts in turn with its values, one text
/// more than values.
struct ToldSentence {
  std::vector<std::string> texts{""};
  std::vector<ToldValue> values;
};

/// What a claim's key names in the experiment.
enum class Named { metric, axis, value };
struct ClaimName {
  Named what;
  std::string key, name;
  std::string axis;  ///< of a value: that which takes it
};

/// One statement and how it is checked. What its kind asks besides, the check alone knows.
struct Claim {
  std::string id;      ///< such as HL-3-tau-flat
  std::string says;    ///< the statement, in our own words
  std::string source;  ///< such as "HL Fig. 4, 5.2.1"
  std::string paper;    ///< what the paper says it is, such as "13.8"; "" where it gives no number
  std::string words;    ///< a few of the paper's own words, such as "almost linearly"; "" where none are given
  ToldSentence differs;  ///< why the verdict may be other than reproduced; empty where there is nothing to say
  bool calibrated = false;  ///< its number is an input of the experiment, or was fitted to: it is read back
  std::string chosen;      ///< what was fitted, or chosen after results had been seen, a sentence; "" where nothing was
  std::string variant_of;  ///< the id of the claim that it reads otherwise, of whatever experiment; "" of a claim itself
  const CheckKind* kind = nullptr;
  std::string metric;
  std::string along;                                      ///< the axis of the curves
  std::string over;                                       ///< the metric that is x in its place; "": its values are
  std::map<std::string, std::vector<std::string>> where;  ///< axis -> the values whose points count; not named: all
  double confidence = 0.95;
  std::vector<ClaimName> names;  ///< all that its keys name but for `where`
  BoundCheck check;
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
                               Problems& problems);

/// Notes what claims name and the experiment does not have: axes, their values, metrics.
void validate_claims(const std::vector<Claim>& claims, const Sweep& sweep, const std::vector<const Metric*>& metrics,
                     const Registry<Metric>& known, Problems& problems);

}  // namespace nowsim

// A sentence with results in it: "{tau job.size=8}" stands for an estimate, which is put there once it is known.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace nowsim {

/// What stands between braces: a metric, and the values of axes at which it is told.
struct ToldValue {
  std::string metric;
  std::map<std::string, std::string> where;  ///< axis -> value
};

/// Its texts in turn with its values: one text more than values.
struct ToldSentence {
  std::vector<std::string> texts{""};
  std::vector<ToldValue> values;
};

/// Reads "...{METRIC}...{METRIC AXIS=VALUE, AXIS=VALUE}...". @throws std::invalid_argument with a sentence on what is
/// wrong.
ToldSentence parse_told_sentence(const std::string& text);

}  // namespace nowsim

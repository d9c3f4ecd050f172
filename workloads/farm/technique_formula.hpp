// A formula that says how many tasks, in technique_variables().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/formula.hpp"
#include "workloads/farm/technique_variables.hpp"

namespace nowsim {

/// Bound to the variables it names, so that evaluating it looks nothing up. One thread at a time.
class TechniqueFormula {
 public:
  /// @param key where it stands. @throws InputError for a name that is neither a variable nor among written.keys.
  TechniqueFormula(const std::string& key, const WrittenFormula& written);
  /// @throws RunError for a value that is no number of tasks, in a sentence.
  [[nodiscard]] std::int64_t tasks(const LoopState& state, std::size_t worker) const;
  [[nodiscard]] const TechniqueVariables& variables() const { return variables_; }

 private:
  std::string by_;  // how errors call it
  std::shared_ptr<const Formula> formula_;
  TechniqueVariables variables_;
  std::vector<std::size_t> places_;     // of each variable among the formula's
  mutable std::vector<double> values_;  // of the formula's: keys' are there from the start
};

}  // namespace nowsim

// What becomes of claims: a verdict each, with the numbers that it rests on.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/running/summary.hpp"

namespace nowsim {

enum class Verdict { reproduced, not_reproduced, undecided };
/// "reproduced", "not reproduced" or "undecided".
const char* verdict_name(Verdict verdict);

/// What became of a claim.
struct ClaimResult {
  std::string id;
  std::string says;
  std::string source;
  std::string paper, differs;  ///< Claim's; `differs` only where it is not reproduced
  std::string check;
  double confidence = 0.95;
  Verdict verdict = Verdict::undecided;
  std::string measured;  ///< a sentence with the numbers and their uncertainty
  std::string figure;    ///< the number in short, with interval and unit: "7.297 ± 0.026 s", or the smallest and the
                         ///< largest of several; "" where the check yields none
  bool calibrated = false;  ///< Claim's
};

/// Checks every claim. One that names an axis, a value or a metric that the summary does not have (a flag has changed
/// the experiment) is undecided.
std::vector<ClaimResult> check_claims(const std::vector<Claim>& claims, const Summary& summary);

}  // namespace nowsim

// What a kind of check is: its name, the keys that a claim of it has, and the function that gives the verdict.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace nowsim {

struct Claim;
struct ClaimResult;
struct Summary;

/// A line of a table of kinds, which outlives the claims that are read with it.
struct CheckKind {
  std::string name;
  std::string summary;
  std::vector<std::string> required;  ///< keys besides id, says, source, check and metric
  std::vector<std::string> optional;  ///< keys besides where and confidence
  bool needs_numbers;                 ///< x, the values of `along` or of `over`, is to be numbers
  ClaimResult (*check)(const Claim&, const Summary&);
};

}  // namespace nowsim

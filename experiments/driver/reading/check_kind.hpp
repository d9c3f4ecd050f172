// What a kind of check is: its name, the keys that a claim of it has, and what reads them and checks by them.
#pragma once

#include <functional>
#include <string>
#include <vector>

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

}  // namespace nowsim

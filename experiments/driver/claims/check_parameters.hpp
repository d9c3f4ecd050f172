// What claims of several kinds ask, each read from its keys.
#pragma once

#include <optional>
#include <string>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/reading/reader.hpp"

namespace nowsim::checks {

/// The reader of a kind whose check is handed Parameters, which are made of a Reader.
template <class Parameters, class Check>
CheckReader asking(Check check) {
  return [check](Reader& read) -> BoundCheck {
    return [check, asked = Parameters(read)](const Claim& claim, const ResultTable& summary) {
      return check(claim, asked, summary);
    };
  };
}
/// That of a kind which asks nothing of its own.
CheckReader asking_nothing(ClaimResult (*check)(const Claim&, const ResultTable&));

/// A number that may be left out.
std::optional<double> number_if_given(Reader& read, const std::string& key);
/// Notes where neither of two keys is given.
void need_either(Reader& read, const std::string& a, const std::string& b);

struct Tolerance {
  explicit Tolerance(Reader& read) : tolerance(read.value("tolerance")) {}
  double tolerance;
};

/// Of an exponent, R², a ratio, a change, an extremum or where it lies: one at the least.
struct ClaimedBounds {
  explicit ClaimedBounds(Reader& read);
  std::optional<double> least, most;
};

/// Curves that differ in an axis are compared.
struct AcrossAxis {
  explicit AcrossAxis(Reader& read);
  std::string across;
};

/// Those at two values of it alone.
struct TwoCurves : AcrossAxis {
  explicit TwoCurves(Reader& read);
  std::string higher, lower;
};

}  // namespace nowsim::checks

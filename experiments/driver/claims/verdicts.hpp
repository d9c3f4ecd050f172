// What becomes of claims: a verdict each, with the numbers that it rests on; as table, CSV and JSON.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

enum class Verdict { reproduced, not_reproduced, undecided };
/// "reproduced", "not reproduced" or "undecided".
const char* verdict_name(Verdict verdict);

/// What a total counts apart: claims proper, those that read back what was put in or fitted to, and other readings.
enum class ClaimKind { plain, calibrated, variant };

/// What became of a claim: the verdict of its check, and what stands in the claim itself.
struct ClaimResult {
  Verdict verdict = Verdict::undecided;
  std::string measured = {};  ///< a sentence with the numbers and their uncertainty
  std::string figure = {};    ///< the number that decides, with its metric's name, interval and unit: "tau: from N = 10 to
                              ///< 15 it changes by -0.10 ± 0.03 s"; "" where the check yields none
  std::string id = {}, says = {}, source = {};
  std::string paper = {}, words = {};
  std::string differs = {};   ///< Claim's with the numbers that were measured; only where it is not reproduced
  std::string check = {};
  double confidence = 0.95;
  bool calibrated = false;
  std::string chosen = {}, variant_of = {};
  std::string changed = {};  ///< what the experiment asks for otherwise than that of which it is claimed: "owner.TH = 0.3"

  [[nodiscard]] ClaimKind kind() const;
  template <class All>
  void fields(All& all) {  // it may have been checked by another process
    all(verdict, measured, figure, id, says, source, paper, words, differs, check, confidence, calibrated, chosen,
        variant_of, changed);
  }
};

/// How many claims of a kind have each verdict.
struct VerdictCounts {
  std::array<std::size_t, 3> of{};  ///< by Verdict
  std::size_t chosen = 0;  ///< of the reproduced ones those of which something was chosen after results had been seen
  [[nodiscard]] std::size_t total() const { return of[0] + of[1] + of[2]; }
  void add(const ClaimResult& claim);
};
/// "27 reproduced (with 3 something was chosen after results had been seen), 7 not reproduced, 0 undecided"; with
/// `present` those alone that there are.
std::string counts_text(const VerdictCounts& counts, bool present = false);

/// Checks every claim. One that names an axis, a value or a metric that the summary does not have (a flag has changed
/// the experiment) is undecided.
std::vector<ClaimResult> check_claims(const std::vector<Claim>& claims, const ResultTable& summary);

/// Writes the verdicts. Table: per claim its id and verdict, the statement, what the paper says it is, what was
/// measured and why that differs, in lines of at most 100 columns (longer words stand alone), and at the end how many
/// claims have which verdict, calibrated ones and other readings apart. Of changed experiments it is said at the top and
/// beside each claim, and they are counted apart. CSV: id, verdict (with '_' for blanks), check,
/// confidence, source, says, paper, figure, measured, differs, calibrated, words, chosen, variant_of, changed; those of
/// which there is nothing to say are empty. JSON: a list of objects with these keys.
void write_claims(const std::vector<ClaimResult>& results, Format format, std::ostream& out);

}  // namespace nowsim

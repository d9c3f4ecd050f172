// nowsim's own kinds of checks, and what becomes of claims: a verdict each, with the numbers that it rests on; as table,
// CSV and JSON.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

/// In the files checks_*.cpp each says what it asks, y being the metric, x the axis `along`; every curve is the points
/// that differ in `along` only, and a claim holds if it does for all curves that `where` leaves.
///
/// With `over` x is another metric's value at the point, in place of that of `along`, whatever the words of `along`; it
/// is taken as it is, as if it had no error. A point without a value of it is missing.
///
/// A claim is a set of comparisons, most of them of a linear combination of estimates (running/linear_combination.hpp), with 0.
/// - reproduced: every comparison is shown by its own interval at the claim's confidence c. That all are shown at once
///   needs no correction: the claim is a conjunction (intersection-union test, Berger 1982).
/// - not reproduced: some comparison is contradicted by its interval at Bonferroni's confidence, 1 - (1 - c)/m for m
///   comparisons, so that a true claim is denied with a probability of at most 1 - c.
/// - undecided: neither, for want of replications. Also where points that count have failed or have no interval and the
///   others do not contradict, and where there is nothing to compare (too few points on a curve).
///
/// The bounds least and most belong to what they bound, whatever the check: a value without error that is exactly on
/// one is within.
///
/// Infeasible points are left out, but for those that `solve:` found no size for: they count, and have no value.
/// Intervals of combinations are made as if the points were independent, and at large samples. Points of a sweep share
/// their random numbers. Over 120 seeds the estimates of pairs of points of Figs. 4 to 6, 9 and 11 were correlated from
/// about 0 to 0.98, none clearly below 0; so intervals of differences are too wide rather than too narrow, and an
/// undecided claim may be one that paired replications would decide.
std::span<const CheckKind> builtin_checks();

enum class Verdict { reproduced, not_reproduced, undecided };
/// "reproduced", "not reproduced" or "undecided".
const char* verdict_name(Verdict verdict);

/// What a total counts apart: claims proper, those that read back what was put in or fitted to, and other readings.
enum class ClaimKind { plain, calibrated, variant };

/// What became of a claim: the verdict of its check.
struct ClaimResult {
  Verdict verdict = Verdict::undecided;
  std::string measured = {};  ///< a sentence with the numbers and their uncertainty
  std::string figure = {};    ///< the number that decides, with its metric's name, interval and unit: "tau: from N = 10 to
                              ///< 15 it changes by -0.10 ± 0.03 s"; "" where the check yields none
  Claim claim = {};
  std::string differs = {};  ///< the claim's with the numbers that were measured; only where it is not reproduced
  std::string changed = {};  ///< what the experiment asks for otherwise than that of which it is claimed: "owner.TH = 0.3"

  [[nodiscard]] ClaimKind kind() const;
  /// To the process that this one was forked from, which has the same table of checks: what is told of it.
  template <class All>
  void fields(All& all) {
    all(verdict, measured, figure, claim.id, claim.says, claim.source, claim.paper, claim.words, claim.calibrated,
        claim.chosen, claim.variant_of, claim.kind, claim.confidence, differs, changed);
  }
};

/// How many claims of a kind have each verdict.
struct VerdictCounts {
  std::array<std::size_t, 3> of{};  ///< by Verdict
  std::size_t chosen = 0;  ///< of the reproduced ones those of which something was chosen after results had been seen
  [[nodiscard]] std::size_t total() const { return of[0] + of[1] + of[2]; }
  void add(const ClaimResult& result);
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

// When a job should begin: what can be promised, or how likely a deadline by the clock is missed, by its beginning; the one
// to choose, and what waiting costs.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/studies/plan_request.hpp"

namespace nowsim {

/// Owners' habits are of a week: behind it beginnings come again.
inline constexpr double kLongestWait_s = 7 * 86400.0;
/// How near two beginnings are that are tried.
inline constexpr double kStartStep_s = 900;
/// A start whose promise is longer by so small a share is as good as the one of the shortest: nobody waits for less.
inline constexpr double kNearPromise = 0.01;
/// What is bearable where nobody says.
inline constexpr double kStartRisk = 0.1;

/// Beginnings to try first, behind the request's clock [s]: that, round moments of the day some quarters of an hour or hours
/// apart, at most some fifty, and the last one.
std::vector<double> coarse_starts(const WallClock& clock, double until_s);

/// The points of one experiment over the request's starts_s, and what came of them.
struct StartRun {
  std::vector<double> starts_s;
  Experiment experiment;
  std::vector<PointOutcome> outcomes;
};

/// A beginning that was tried.
struct TriedStart {
  double after_s = 0;               ///< behind the request's clock
  PlanRequest request;              ///< of a job that begins then
  std::vector<Alternative> plans;   ///< by policy
  std::optional<std::size_t> best;  ///< the least RF of a deadline by the clock, else the earliest promise; none where none is complete

  [[nodiscard]] const Alternative& plan() const { return plans[*best]; }
};

/// From which beginning to which, by their numbers.
struct StartRange {
  std::size_t first, last;
};

/// Which beginning, and how sure that is. Of durations it is the first whose promise is near to the shortest. Of a deadline by the clock it is the latest one that holds it: a job that
/// begins earlier, split alike, is never behind one that begins later, so that the risk does not fall with the beginning.
/// Therefore beginnings are gone through from that of the least risk on, each tested at the same level, up to the first
/// whose risk is not surely kept (a sequence fixed beforehand needs no correction for how many are tested: Maurer,
/// Hothorn & Lehmacher, 1995).
struct StartChoice {
  std::optional<std::size_t> chosen;  ///< none where nothing could be simulated, or no beginning holds the deadline
  bool is_sure = false;               ///< of a deadline by the clock: its risk is kept surely, and not by estimates alone
  std::optional<std::size_t> may_hold;  ///< the last one of which it cannot be told that it exceeds the risk; none: the chosen one
  std::optional<std::size_t> least;   ///< of the least risk, or the shortest promise
  std::vector<StartRange> alike;      ///< of durations: near to the shortest promise, or not surely longer
  double of_each = 0.95;              ///< the level of each of these comparisons, so that all hold together
};

struct StartReport {
  PlanRequest request;             ///< its clock is the first beginning
  bool is_risk_given = true;       ///< by the user
  ResultTable summary;             ///< a row per beginning and policy
  std::vector<TriedStart> starts;  ///< in the order of time
  bool is_by_clock = false;        ///< whether some owner goes by the clock
  double confidence = 0.95;
  StartChoice choice;
  /// With owners as they are, where the plans' are coarse, of the first and the chosen beginning; null where there is none.
  std::shared_ptr<const Scenario> first, then;

  [[nodiscard]] bool is_latest() const { return request.deadline_s && request.is_deadline_by_clock; }
  [[nodiscard]] const TriedStart& chosen() const { return starts[*choice.chosen]; }
};

/// Of all runs together, and the choice. @param request with a clock and a risk.
StartReport start_report(const PlanRequest& request, const std::vector<StartRun>& runs);

/// Beginnings that are worth trying between those that were, quarters of an hour apart [s]; none where they are as near.
std::vector<double> finer_starts(const StartReport& report);

/// Which beginning, what waiting for it costs or saves, which others are as good: a sentence each, for people.
std::vector<std::string> start_sentences(const StartReport& report);

/// For people a table of some beginnings, the split of the work, sentences. CSV: a row per beginning and policy, as a
/// plan's rows. JSON: all of it. Its picture: the promise and the median by the beginning, or the risk.
Answer start_answer(StartReport report);

}  // namespace nowsim

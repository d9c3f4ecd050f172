// `nowsim isoefficiency`: how a problem's size has to grow with the system to keep its efficiency. The question as an
// experiment that solves for sizes; curves of sizes of one efficiency each, and the laws that fit; the answer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/points/point.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "sim/metrics/growth_law.hpp"
#include "sim/metrics/paper_models.hpp"

namespace nowsim {

// ---- the question --------------------------------------------------------------------------------------------------

/// The question; what is not said here the experiment's own solve block says, or else a default.
struct IsoefficiencyRequest {
  std::string file;                      ///< the experiment whose sweep is the family of growing systems
  std::vector<std::string> targets;      ///< efficiencies, as written: "0.5", "70%"
  std::optional<std::string> metric;     ///< that is to have these values
  std::optional<std::string> key;        ///< the problem's size
  std::optional<std::string> from, to;   ///< where it is sought
  std::optional<std::string> tolerance;  ///< share of the efficiency
  std::vector<std::string> along;        ///< swept keys along which the system grows; none: found out
  LoadOptions options;
};

/// All of it as one text, which another question does not have.
std::string question_text(const IsoefficiencyRequest& request);

/// The experiment with `solve:` on top, an outermost axis over the efficiencies, and metrics of its own; without its
/// figure and claims. Only where the metric rises through its target a size counts.
/// @throws InputError naming the flag.
Experiment isoefficiency_experiment(const IsoefficiencyRequest& request, const Registries& registries);

/// "platform.workstations=2,4,8" as an override that sweeps the key. @throws InputError.
std::string sweep_override(const std::string& text);

/// The swept key that holds the efficiencies.
inline constexpr const char* kTargetKey = "solve.equals";

// ---- what it came to -----------------------------------------------------------------------------------------------

/// A system and the size at which it has the efficiency.
struct IsoefficiencyPoint {
  std::size_t row = 0;           ///< of the summary
  GrowthPoint system;            ///< its size is not known where there is none
  double work_flop = kNotKnown;  ///< W at that size
  Estimate tau_s = exactly(kNotKnown);
  double formula_size = kNotKnown;  ///< by the program's closed form (BO 2), where it has one
  bool has_size = false;
  std::string reason;  ///< why there is none
};

/// Systems of one family at one efficiency.
struct IsoefficiencyCurve {
  std::string target;                                        ///< as written: "0.5"
  std::vector<std::pair<std::string, std::string>> others;   ///< swept keys that tell curves apart, and their values
  std::vector<IsoefficiencyPoint> points;                    ///< in the order of the sweep
  std::vector<GrowthFit> fits;                               ///< in the order of growth_laws()

  /// The laws that sizes tell: several where they are the same function of these systems; none where sizes are too few,
  /// do not grow, do not tell one law from another, or whether it holds.
  [[nodiscard]] std::vector<const GrowthFit*> best() const;
};

/// Along which swept keys the system of an experiment grows, and which of its points make a curve.
struct IsoefficiencyFamily {
  std::vector<std::string> along;
  bosque::Power power = bosque::Power::dedicated;  ///< p_T, or where eps_a is to be kept p_T_a
  std::vector<IsoefficiencyCurve> curves;  ///< their points without results
};

/// Without a choice `along`: the axis of platform.workstations, or else the first one along which machines or their
/// speed change. @throws InputError where no system grows.
IsoefficiencyFamily family_of(const Experiment& experiment, const std::vector<std::string>& along);

struct IsoefficiencyReport {
  ResultTable summary;  ///< a row per point
  std::string key, metric;
  IsoefficiencyFamily family;
};

/// `described` with sizes still open, `solved` with those that were found.
IsoefficiencyReport isoefficiency_report(IsoefficiencyFamily family, const Experiment& described,
                                         const Experiment& solved, const ResultTable& summary);

// ---- in words ------------------------------------------------------------------------------------------------------

/// How sizes grow along a curve: "n grows linearly with p_T·log2 p: R² 0.99998, ..."; or why that is not told.
std::string law_sentence(const IsoefficiencyReport& report, const IsoefficiencyCurve& curve);
/// Tables, sentences and who ran it for people; CSV: a row for each point, and one for each curve and law; the picture:
/// sizes over the law that they tell. A folder has it where some size was found.
Answer isoefficiency_answer(IsoefficiencyReport report);
/// Sizes with their intervals and fitted lines, over p log p of powers and of processors alone, or over p^2 where all
/// curves grow so, or over p; logarithmic where curves are far apart. @throws RunError where no size was found.
std::string isoefficiency_script(const IsoefficiencyReport& report, PictureFormat format);

}  // namespace nowsim

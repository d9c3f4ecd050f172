// How a problem's size has to grow with the system: curves of sizes of one efficiency each, and the laws that fit.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/document.hpp"
#include "sim/metrics/growth_law.hpp"
#include "sim/metrics/paper_models.hpp"

namespace nowsim {

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

/// p and p_T of a point, its size not known; NaN where it has no scenario.
GrowthPoint system_of(const Point& point, bosque::Power power);

/// All that there is to say.
struct IsoefficiencyReport {
  ResultTable summary;  ///< a row per point
  std::string key, metric;
  IsoefficiencyFamily family;
};

/// `described` with sizes still open, `solved` with those that were found.
IsoefficiencyReport isoefficiency_report(IsoefficiencyFamily family, const Experiment& described,
                                         const Experiment& solved, const ResultTable& summary);

/// The table is for people. CSV: a row per point. JSON: all of it, nested.
void write_isoefficiency(const IsoefficiencyReport& report, Format format, std::ostream& out);
/// CSV: a row per curve and law.
void write_growth_fits_csv(const IsoefficiencyReport& report, std::ostream& out);

}  // namespace nowsim

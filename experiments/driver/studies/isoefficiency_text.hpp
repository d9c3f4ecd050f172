// What isoefficiency came to, in words.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/point.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"

namespace nowsim {

/// Why a point has no size: "eps = 0.7 cannot be reached with 2 workstations: it is at most 0.61 (at job.size = 4e7)".
/// `task` may be null: the reason as it is.
std::string reason_text(const std::string& reason, const std::string& target, const IsoefficiencyPoint& point,
                        const SizeTask* task);

/// "eps = 0.5, set slow-first".
std::string curve_text(const IsoefficiencyReport& report, const IsoefficiencyCurve& curve);
/// What is swept, without its block: "set" of platform.set.
std::string short_key(const std::string& key);
/// How sizes grow along a curve: "n grows linearly with p_T·log2 p: R² 0.99998, ..."; or why that is not told.
std::string law_sentence(const IsoefficiencyReport& report, const IsoefficiencyCurve& curve);
/// The name of the size: "n".
std::string size_name(const IsoefficiencyReport& report);
/// What stands for the power here: "p_T", or "p_T_a".
std::string power_name(const IsoefficiencyReport& report);
/// A law's name with that: "p_T_a_log_p".
std::string law_name(const IsoefficiencyReport& report, const GrowthLaw& law);
/// A law's formula with what stands for the power here.
std::string formula_text(const IsoefficiencyReport& report, const GrowthLaw& law);
/// R² with as many nines as there are, and its interval where that is not only rounding: "0.9923 [0.61, 1]".
std::string r_squared_text(const Estimate& r_squared);

}  // namespace nowsim

// Fitted owners as they are used: an owner block for an experiment, and profiles and a platform that SimGrid reads.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/owners/habits.hpp"
#include "sim/owners/load_fit.hpp"
#include "sim/owners/profile.hpp"

namespace nowsim {

/// What a machine does by the clock, by layer, and how far off its levels may be (habits_fit.hpp).
struct FittedHabits {
  std::vector<std::string> blocks;  ///< of an owner block, by layer; "" of what is left
  std::vector<HabitsLayer> layers;
  std::vector<std::vector<double>> level_se;
  double worth;  ///< days
};

/// One workstation's trace and its fit.
struct FittedHost {
  std::string name;
  std::string file;  ///< as the user gave it
  LoadSeries trace;
  LoadFit fit;
  std::optional<FittedHabits> habits = {};  ///< where it goes by the clock
};

/// An `owner:` block in YAML: of one trace for all machines, of several by name; with how sure the fit is. Where no law
/// is near a trace's values, they stand there themselves; a comment says so.
std::string owner_block(const std::vector<FittedHost>& hosts);

/// The same on one line, as a platform's property `owner`.
std::string owner_line(const FittedHost& host);

/// A STOCHASTIC profile that SimGrid reads too, with the fit's mean, TH, and E[L²]/E[L]. Uniform values on intervals of
/// the fitted law where uniform values hold that TH; else the machine switches between its full speed and a lower one,
/// with exponential times, from full speed on. `what` says which.
struct FittedProfile {
  Profile profile;
  std::string what;
};
FittedProfile fitted_profile(const LoadFit& fit);

/// Files of a platform: XML, and a profile for each host beside it. Names count from the XML's folder; the first is the
/// XML itself. Each host has both the profile and its owner block as a property, which nowsim prefers.
std::vector<std::pair<std::string, std::string>> fitted_platform(const std::vector<FittedHost>& hosts,
                                                                 const std::string& xml_file, double speed_flops);

}  // namespace nowsim

// The picture of isoefficiency: sizes over the law that they tell and over its classic counterpart, with fitted lines.
#pragma once

#include <string>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"

namespace nowsim {

/// A gnuplot script that draws into the file `output`, a gnuplot variable: a panel per law, a curve per efficiency and
/// what else tells curves apart. Needs gnuplot 5.4. @throws RunError where no size was found.
std::string isoefficiency_script(const IsoefficiencyReport& report, PictureFormat format);

}  // namespace nowsim

// The kinds of figures, and the keys that each has.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/reading/figure.hpp"
#include "sim/base/keys.hpp"

namespace nowsim {

/// A kind of figure: a line of `nowsim list figures`.
struct FigureKindInfo {
  FigureKind kind;
  std::string name;
  std::string summary;
  std::vector<std::string> keys, panel_keys;  ///< rows of figure_keys() and of panel_keys()
};
/// In the order of the enumeration.
const std::vector<FigureKindInfo>& figure_kinds();

/// What a figure of any kind may have, and each of its panels; Key::of names the kinds.
const KeyTable& figure_keys();
const KeyTable& panel_keys();

}  // namespace nowsim

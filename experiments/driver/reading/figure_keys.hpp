// The keys that figures and their panels may have.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/reading/figure_kind.hpp"

namespace nowsim {

/// The names of the keys that figures of a kind have, and their panels.
std::vector<std::string> keys_of(const FigureKind& kind);
std::vector<std::string> panel_keys_of(const FigureKind& kind);

/// In which units axes may tell times; the first leaves it to the times.
const std::vector<std::string>& time_axis_units();

/// What a figure of any of these kinds may have, and each of its panels; Key::of names the kinds. Those that every kind
/// has, those that are there for kinds to take, and kinds' own.
KeyTable figure_keys(FigureKinds kinds);
KeyTable panel_keys(FigureKinds kinds);

}  // namespace nowsim

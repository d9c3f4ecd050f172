// What Figure::own holds: what a figure's kind alone has, how it is printed, and what flags changed below it.
#pragma once

#include <any>
#include <string>
#include <vector>

#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/reading/figure_print.hpp"

namespace nowsim {

/// Beside axes and panels.
struct FigureOwn {
  std::any of_kind;  ///< what FigureKind::read made of the kind's own keys
  FigurePrint print;
  std::vector<std::string> changes;  ///< by flags, of the experiment: "owner.TH = 0.3"
};

inline FigureOwn& figure_own(Figure& figure) { return std::any_cast<FigureOwn&>(figure.own); }
inline const FigureOwn& figure_own(const Figure& figure) { return std::any_cast<const FigureOwn&>(figure.own); }

/// What the kind alone has.
template <class Own>
const Own& own_of_kind(const Figure& figure) {
  return std::any_cast<const Own&>(figure_own(figure).of_kind);
}

}  // namespace nowsim

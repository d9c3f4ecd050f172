// Minimising a function of some variables without derivatives (NLopt).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace nowsim {

/// Where to begin, and when to end.
struct MinimiseSettings {
  std::vector<double> start;
  std::vector<double> least;        ///< of each variable; -infinity: no bound
  double step = 1;                  ///< first changes, of every variable
  double smallest_step = 1e-3;      ///< converged when changes are smaller, or ...
  double relative_tolerance = 1e-8; ///< ... the function changes by less than this
  std::size_t evaluations = 1000;   ///< at most
};

/// Why a search ended: converged; evaluations used up; given up by the method, at the best point that was tried.
enum class MinimiseEnd { converged, evaluations, given_up };

/// Looks for a local minimum: BOBYQA (Powell 2009, DAMTP NA06) by models of second order; of one variable, for which
/// there is no BOBYQA, a simplex (Rowan's Subplex, as NLopt has it). Deterministic. The caller notes what it wants
/// of the points that are tried.
/// What `f` throws passes through. No variables: nothing to do.
MinimiseEnd minimise(const std::function<double(std::span<const double>)>& f, const MinimiseSettings& settings);

}  // namespace nowsim

// Minimising a function of some variables, with its gradient or without (NLopt).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace nowsim {

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

/// A function's value, whose gradient is written beside it.
using WithGradient = std::function<double(std::span<const double> x, std::span<double> gradient)>;

/// Looks for a local minimum by gradients: sequential quadratic programming (Kraft 1988, DFVLR-FB 88-28; NLopt's SLSQP).
/// Deterministic. No variable changes by more than `most_change`; the settings' `step` is not looked at. Returns the best
/// point that was tried.
/// What `f` throws passes through.
std::vector<double> minimise_by_gradient(const WithGradient& f, const MinimiseSettings& settings, double most_change);

}  // namespace nowsim

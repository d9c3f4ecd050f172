// The zero of a function between two points, and the end of a condition, found in the same steps everywhere; minimising
// a function of some variables, with its gradient or without (NLopt).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace nowsim {

/// The zero of a decreasing function on low..high, to 2^-bits of itself (high > low; either may be 0 or negative); the
/// nearer end where rounding hides the change of sign. Chandrupatla (Advances in Engineering Software 28(3), 1997):
/// inverse quadratic interpolation where it is safe, bisection elsewhere.
template <class F>
double falling_root(F f, double low, double high, int bits = 51) {
  double a = high, b = low, at_a = f(high), at_b = f(low);
  if (!(at_b > 0)) return low;
  if (!(at_a < 0)) return high;
  double part = 0.5;
  for (int i = 0; i < 200; ++i) {
    const double x = a + part * (b - a), at_x = f(x);
    const bool like_a = (at_x < 0) == (at_a < 0);
    const double c = like_a ? a : b, at_c = like_a ? at_a : at_b;  // what is replaced
    if (!like_a) b = a, at_b = at_a;
    a = x, at_a = at_x;
    const double nearest = std::abs(at_a) < std::abs(at_b) ? a : b;
    const double least = std::ldexp(std::abs(nearest), -bits) / std::abs(b - a);
    if (!(least < 0.5) || at_a == 0) return nearest;
    const double place = (a - b) / (c - b), height = (at_a - at_b) / (at_c - at_b);
    const bool is_safe = height * height < place && (1 - height) * (1 - height) < 1 - place;
    part = is_safe ? at_a / (at_b - at_a) * (at_c / (at_b - at_c)) +
                         (c - a) / (b - a) * (at_a / (at_c - at_a)) * (at_b / (at_c - at_b))
                   : 0.5;
    part = std::clamp(part, least, 1 - least);
  }
  return std::abs(at_a) < std::abs(at_b) ? a : b;
}

/// Where a condition that holds at `low` and not at `high` ceases to hold: halved until both are close enough, or no
/// number is between them.
template <class Condition, class Closeness>
double bisected(double low, double high, Condition holds, Closeness are_close) {
  double middle = 0.5 * (low + high);
  for (; !are_close(low, high) && middle > low && middle < high; middle = 0.5 * (low + high))
    (holds(middle) ? low : high) = middle;
  return middle;
}

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

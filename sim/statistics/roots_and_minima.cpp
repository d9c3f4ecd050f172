// NLopt, its stops as a result and the function's own errors kept apart from its errors.
#include "sim/statistics/roots_and_minima.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <nlopt.hpp>
#include <stdexcept>

#include "sim/base/infinity.hpp"

namespace nowsim {
namespace {

/// NLopt lets no exception through: it is kept here, and the search is stopped.
struct Guarded {
  const WithGradient& f;
  std::exception_ptr thrown;

  static double call(unsigned n, const double* x, double* gradient, void* self) {
    auto& guarded = *static_cast<Guarded*>(self);
    try {
      return guarded.f({x, n}, {gradient, gradient == nullptr ? 0 : n});
    } catch (...) {
      guarded.thrown = std::current_exception();
      throw nlopt::forced_stop();
    }
  }
};

void set_ends(nlopt::opt& opt, const MinimiseSettings& s) {
  opt.set_xtol_abs(s.smallest_step);
  opt.set_ftol_rel(s.relative_tolerance);
  opt.set_maxeval(static_cast<int>(s.evaluations));
}

MinimiseEnd optimise(nlopt::opt& opt, const WithGradient& f, std::vector<double> x) {
  Guarded guarded{f, nullptr};
  opt.set_min_objective(&Guarded::call, &guarded);
  double least = 0;
  try {
    const bool is_used_up = opt.optimize(x, least) == nlopt::MAXEVAL_REACHED;
    return is_used_up ? MinimiseEnd::evaluations : MinimiseEnd::converged;
  } catch (const nlopt::roundoff_limited&) {
    return MinimiseEnd::converged;  // no step is small enough to change anything: as far as it goes
  } catch (const nlopt::forced_stop&) {
    if (guarded.thrown) std::rethrow_exception(guarded.thrown);
    throw;
  } catch (const std::runtime_error&) {
    if (guarded.thrown) std::rethrow_exception(guarded.thrown);
    return MinimiseEnd::given_up;  // where rounding spoils the model; the best point tried is as good as it was
  }
}

}  // namespace

MinimiseEnd minimise(const std::function<double(std::span<const double>)>& f, const MinimiseSettings& settings) {
  if (settings.start.empty()) return MinimiseEnd::converged;
  if (settings.evaluations == 0) return MinimiseEnd::evaluations;
  const auto n = static_cast<unsigned>(settings.start.size());
  nlopt::opt opt(n > 1 ? nlopt::LN_BOBYQA : nlopt::LN_SBPLX, n);
  opt.set_lower_bounds(settings.least);
  opt.set_initial_step(settings.step);
  set_ends(opt, settings);
  return optimise(opt, [&](std::span<const double> x, std::span<double>) { return f(x); }, settings.start);
}

std::vector<double> minimise_by_gradient(const WithGradient& f, const MinimiseSettings& settings, double most_change) {
  std::vector<double> best = settings.start, low = best, high = best;
  if (best.empty() || settings.evaluations == 0) return best;
  for (std::size_t i = 0; i < best.size(); ++i) {
    low[i] = std::max(settings.least[i], best[i] - most_change);
    high[i] = best[i] + most_change;
  }
  nlopt::opt opt(nlopt::LD_SLSQP, static_cast<unsigned>(best.size()));
  opt.set_lower_bounds(low);
  opt.set_upper_bounds(high);
  set_ends(opt, settings);
  double least = kInfinity;
  const auto noted = [&](std::span<const double> x, std::span<double> gradient) {
    const double value = f(x, gradient);
    if (value < least) {
      least = value;
      best.assign(x.begin(), x.end());
    }
    return value;
  };
  optimise(opt, noted, settings.start);
  return best;
}

}  // namespace nowsim

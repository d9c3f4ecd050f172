// NLopt, its stops as a result and the function's own errors kept apart from its errors.
#include "sim/statistics/minimise.hpp"

#include <cmath>
#include <exception>
#include <nlopt.hpp>

namespace nowsim {
namespace {

using Function = std::function<double(std::span<const double>)>;

/// NLopt lets no exception through: it is kept here, and the search is stopped.
struct Guarded {
  const Function& f;
  std::exception_ptr thrown;

  static double call(unsigned n, const double* x, double* /*gradient*/, void* self) {
    auto& guarded = *static_cast<Guarded*>(self);
    try {
      return guarded.f({x, n});
    } catch (...) {
      guarded.thrown = std::current_exception();
      throw nlopt::forced_stop();
    }
  }
};

nlopt::opt optimiser(const MinimiseSettings& s) {
  const auto n = static_cast<unsigned>(s.start.size());
  nlopt::opt opt(n > 1 ? nlopt::LN_BOBYQA : nlopt::LN_SBPLX, n);
  opt.set_lower_bounds(s.least);
  opt.set_initial_step(s.step);
  opt.set_xtol_abs(s.smallest_step);
  opt.set_ftol_rel(s.relative_tolerance);
  opt.set_maxeval(static_cast<int>(s.evaluations));
  return opt;
}

}  // namespace

MinimiseEnd minimise(const Function& f, const MinimiseSettings& settings) {
  if (settings.start.empty()) return MinimiseEnd::converged;
  if (settings.evaluations == 0) return MinimiseEnd::evaluations;
  Guarded guarded{f, nullptr};
  nlopt::opt opt = optimiser(settings);
  opt.set_min_objective(&Guarded::call, &guarded);
  std::vector<double> x = settings.start;
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
    return MinimiseEnd::given_up;  // BOBYQA gives up where rounding spoils its model; the best point tried is as good as it was
  }
}

}  // namespace nowsim

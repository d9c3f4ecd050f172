// The formulas, as printed, and a bisection.
#include "sim/metrics/bosque_model.hpp"

#include <cmath>

namespace nowsim::bosque {
namespace {

constexpr double kLeastSize = 1e-12, kGreatestSize = 1e18;
constexpr double kRelativeError = 1e-12;

/// Both sides of W(n) = K p_T T_o(n) [flop].
struct Sides {
  double work_flop, overhead_flop;
  [[nodiscard]] bool has_reached() const { return work_flop > 0 && work_flop >= overhead_flop; }
  /// There is a program of that size, and it loses something: without either no side says anything of an efficiency.
  [[nodiscard]] bool are_meant() const { return work_flop > 0 && overhead_flop > 0; }
};

}  // namespace

double efficiency(double work_flop, double response_s, double power_flops) {
  return work_flop / (response_s * power_flops);
}

double efficiency_with_overhead(double work_flop, double overhead_s, double power_flops) {
  return work_flop / (work_flop + overhead_s * power_flops);
}

double constant_of(double efficiency) { return efficiency / (1 - efficiency); }

double isoefficient_work_flop(double constant, double overhead_s, double power_flops) {
  return constant * overhead_s * power_flops;
}

std::optional<double> isoefficient_size(const OverheadModel& model, double efficiency, const System& system) {
  if (!(efficiency > 0 && efficiency < 1)) return std::nullopt;
  const auto at = [&](double n) {
    const double overhead_s = model.overhead_s(n, system.ranks, system.network);
    return Sides{model.work_flop(n), isoefficient_work_flop(constant_of(efficiency), overhead_s, system.power_flops)};
  };
  double low = kLeastSize, high = 2 * kLeastSize;
  for (; high <= kGreatestSize && !at(high).has_reached(); high *= 2) low = high;
  if (high > kGreatestSize) return std::nullopt;
  while (high / low - 1 > kRelativeError) {
    const double middle = std::sqrt(low) * std::sqrt(high);
    if (!(middle > low && middle < high)) break;
    (at(middle).has_reached() ? high : low) = middle;
  }
  return at(low).are_meant() && !at(low).has_reached() ? std::optional(high) : std::nullopt;
}

}  // namespace nowsim::bosque

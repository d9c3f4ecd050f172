// The laws without a file of their own.
#include "sim/statistics/residual_life.hpp"

#include <cmath>
#include <stdexcept>

#include "sim/statistics/portable.hpp"

namespace nowsim {

ResidualLifePtr residual_life(const Distribution& length) {
  using Form = InverseTransform::Form;
  if (auto own = length.residual_life()) return own;
  const InverseTransform& law = length.transform();
  const double low = length.lower(), high = length.upper();
  if (law.form == Form::linear)
    return part_of([low, high](double u) { return std::sqrt(low * low + u * (high - low) * (high + low)); });
  if (law.form == Form::two_point) return part_of([low, high](double u) { return u * (low + high) < low ? low : high; });
  if (law.form == Form::exponential && low == 0)
    return residual_at([mean = length.mean()](double u) { return mean * -portable::log1p(-u); });
  throw std::logic_error("no law of lengths");
}

}  // namespace nowsim

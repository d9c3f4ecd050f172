// A law's inverse distribution function as plain data, which scalar code and SIMD registers evaluate to the same bits.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/statistics/portable.hpp"
#include "sim/statistics/quantile_table.hpp"

namespace nowsim {

/// What else can give a value for a uniform number u in [0, 1), exactly the same each time; called draw by draw.
class QuantileFunction {
 public:
  virtual ~QuantileFunction() = default;
  [[nodiscard]] virtual double at(double u) const = 0;
};

/// How a uniform draw becomes a draw of a law. The draws u of a stream lie on a grid of 2^-53.
struct InverseTransform {
  enum class Form : std::uint8_t {
    linear,       ///< low + other·u
    two_point,    ///< low for u < 1/2 and other beyond
    exponential,  ///< low + other·(-log(1 - u))
    table,        ///< low + other·T(u)
    called,       ///< the function's value at u
  };
  Form form = Form::linear;
  double low = 0;
  double other = 0;
  std::shared_ptr<const QuantileTable> table = nullptr;  ///< of Form::table
  /// Of the last three forms: taken at 1 - u - 2^-53 instead of at u.
  bool mirrored = false;
  std::shared_ptr<const QuantileFunction> function = nullptr;  ///< of Form::called

  [[nodiscard]] double quantile(double u) const {
    if (form == Form::table) return low + other * table->quantile(u, mirrored);
    const double at = mirrored ? 1 - 0x1.0p-53 - u : u;
    return form == Form::called ? function->at(at) : plain(form, low, other, at);
  }
  [[nodiscard]] static double plain(Form form, double low, double other, double u) {
    if (form == Form::linear) return low + other * u;
    if (form == Form::two_point) return u < 0.5 ? low : other;
    return low + other * -portable::log(1 - u);
  }

  /// The transform whose value at u is this one's at 1 - u - 2^-53 (linear: but for the last place).
  [[nodiscard]] InverseTransform reflected() const {
    if (form == Form::linear) return {form, low + other, -other};
    if (form == Form::two_point) return {form, other, low};
    InverseTransform out = *this;
    out.mirrored = !mirrored;
    return out;
  }
};

}  // namespace nowsim

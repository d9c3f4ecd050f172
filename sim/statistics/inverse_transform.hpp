// A law's inverse distribution function as plain data, which scalar code and SIMD registers evaluate to the same bits.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/statistics/portable.hpp"
#include "sim/statistics/quantile_table.hpp"

namespace nowsim {

/// How a uniform draw becomes a draw of a law. The draws u of a stream lie on a grid of 2^-53.
struct InverseTransform {
  enum class Form : std::uint8_t {
    linear,       ///< low + other·u
    two_point,    ///< low for u < 1/2 and other beyond
    exponential,  ///< low + other·(-log(1 - u))
    table,        ///< low + other·T(u)
  };
  Form form = Form::linear;
  double low = 0;
  double other = 0;
  std::shared_ptr<const QuantileTable> table = nullptr;  ///< of Form::table
  /// Of the last two forms: taken at 1 - u - 2^-53 instead of at u.
  bool mirrored = false;

  /// The value at u in [0, 1).
  [[nodiscard]] double quantile(double u) const {
    if (form == Form::table) return low + other * table->quantile(u, mirrored);
    return plain(form, low, other, mirrored ? 1 - 0x1.0p-53 - u : u);
  }
  /// The same of a form without a table, not mirrored.
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

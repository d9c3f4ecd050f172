// The exact quantile function of a law whose density is log-concave in some variable, from both tails.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/statistics/quantile_table.hpp"

namespace nowsim {

/// A density exp(log_density(y)) on low..high (either may be infinite), up to a factor. log_density is concave, smooth,
/// and 0 at its maximum, the mode; `width` is a distance over which it changes little there.
struct LogConcaveDensity {
  std::function<double(double y)> log_density;
  double low, high;
  double mode, width;
};

/// Its quantile function, to about 1e-12 of the probability in either tail, down to 2^-54: polynomials on panels
/// outward from the mode, integrated and cumulated from each tail, and solved within a panel.
class LogConcaveQuantile {
 public:
  explicit LogConcaveQuantile(const LogConcaveDensity& density);
  /// The y that p of the mass lies below; p in [2^-54, 1/2].
  [[nodiscard]] double below(double p) const { return below_.at(p); }
  /// The y that q of the mass lies above; q likewise.
  [[nodiscard]] double above(double q) const { return above_.at(q); }

  static constexpr int kNodes = 12;
  using Coefficients = double[kNodes];

 private:
  /// The density on a panel, in s = 0..2 from one of its edges: polynomials in s - 1.
  struct Panel {
    double before;        ///< the share of the mass from the tail to the edge
    double edge, half;    ///< y = edge + half·s
    double share;         ///< of the mass on the panel
    double first, last;   ///< ds/d(part of the panel's mass) at s = 0 and 2
    Coefficients density; ///< d(share)/ds
    Coefficients mean;    ///< the density's mean over 0..s
  };
  /// The panels from one tail on, between two exponential tails.
  struct Side {
    double rate = 0, far_rate = 0;  ///< d log(mass)/dy in the tail before them, and in the one behind
    double far = 0;                 ///< the share of the mass in the latter
    std::vector<Panel> panels;
    [[nodiscard]] double at(double p) const;
  };
  struct Piece {
    double low, width;
    double values[kNodes];  ///< of the density, at Chebyshev's nodes from the right to the left
  };
  struct Pieces {
    std::vector<Piece> outward;
    double rate = 0;  ///< beyond the last
    double tail = 0;  ///< the mass there
  };
  static Pieces pieces(const LogConcaveDensity& density, double direction);
  static Side side(const Pieces& near, const Pieces& far, double direction);
  Side below_, above_;
};

/// What a table is made of: value(y) at the density's quantiles; value rises.
template <class Value>
TailQuantiles log_concave_quantiles(const LogConcaveDensity& density, Value value) {
  const auto y = std::make_shared<const LogConcaveQuantile>(density);
  return {[y, value](double p) { return value(y->below(p)); }, [y, value](double q) { return value(y->above(q)); }};
}

}  // namespace nowsim

// Drawing by numerical inversion (Hörmann & Leydold, ACM TOMACS 13(4), 2003; Derflinger, Hörmann & Leydold, TOMACS
// 20(4), 2010): a law's quantile function as a table of cubics, which scalar code and SIMD registers evaluate to the
// same bits, and the exact one of a density that is log-concave in some variable, from both tails, which tables are
// made of.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace nowsim {

/// A quantile function from its two tails: the value with this probability, from 2^-54 to 1/2, below it, or above it
/// where `upper`. Rises from the first in the lower tail to the first in the upper one; at 1/2 both are the same.
using TailQuantiles = std::function<double(double probability, bool upper)>;

class QuantileTable;

/// A table as bare pointers, for engines: the octaves of the lower side, then of the upper, each (first cell << 8) |
/// bits. Octave o has the places v = j + 1/2 of the exponent o - 1, where j = k for a draw k below 2^52 and 2^53 - 1 -
/// k above. v is in row first cell + (mantissa >> (52 - bits)) of c0..c3; what is left of the mantissa makes t in
/// [-1/2, 1/2), and T = ((c3·t + c2)·t + c1)·t + c0, rounded at every step. Mostly the rows begin with those of the
/// kNearOctaves octaves nearest to the middle, of the lower side and then of the upper, and all of these have
/// near_bits: registers find them without the octaves' words. Then the other octaves are the table's own business.
struct TableCells {
  static constexpr int kOctaves = 53, kNearOctaves = 10;
  const std::uint64_t* octaves;
  const double* rows;          ///< aligned to 32 bytes
  std::uint64_t near_bits;     ///< 0: these octaves have as many as each needs, and there are all of them
  const QuantileTable* table;  ///< that has the octaves which are not near

  [[nodiscard]] double value(bool upper, double place) const {
    constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1;
    const auto word = std::bit_cast<std::uint64_t>(place), mantissa = word & kMantissa;
    const std::uint64_t number = (word >> 52) - 1022;
    if (near_bits != 0 && number < kOctaves - kNearOctaves) [[unlikely]] return far_value(upper, place);
    const std::uint64_t octave = octaves[(upper ? kOctaves : 0) + number], bits = octave & 0xff;
    const double t = std::bit_cast<double>(((mantissa << bits) & kMantissa) | (std::uint64_t{0x3ff} << 52)) - 1.5;
    const double* c = rows + 4 * ((octave >> 8) + (mantissa >> (52 - bits)));
    return ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
  }
  [[nodiscard]] double at_draw(std::uint64_t draw) const {
    const bool upper = draw >> 52 != 0;
    const std::uint64_t from_end = upper ? (std::uint64_t{1} << 53) - 1 - draw : draw;
    return value(upper, static_cast<double>(from_end) + 0.5);
  }

 private:
  [[nodiscard]] double far_value(bool upper, double place) const;
};

/// T(u), the quantile function of one law, for the draws u = k·2^-53 of a stream: at the middle of each draw's cell,
/// (k + 1/2)·2^-53. Both halves of 0..1 are cut into octaves towards their ends, an octave into 2^bits equal cells with
/// a cubic each through the exact values at its two ends and at two places within.
///
/// Error: kError of the probability in the nearer tail or of the value (counted as at most kNearSd sd), whichever is
/// more; beyond the octaves nearest to the middle, which one draw in 1000 leaves, kFarError (and kFarSd). Values below
/// kNegligible may be any below that. Flat parts stay flat, but for a cell's width at their ends. A jump becomes the
/// straight line through the cell that it is in, of 2^-12 of an octave (2^-6 where a law has many): T rises everywhere,
/// but for the last places of rounding.
///
/// The octaves beyond are most of a table's work and one draw in 1000 needs them: they are made when the first does.
class QuantileTable {
 public:
  static constexpr double kError = 1e-10, kFarError = 1e-9, kNegligible = 1e-12;
  static constexpr double kNearSd = 2, kFarSd = 8;
  static constexpr int kOctaves = TableCells::kOctaves, kNearOctaves = TableCells::kNearOctaves;

  /// @param exact gives the function when the table is first used.
  /// @param sd of the law, about.
  QuantileTable(std::function<TailQuantiles()> exact, double sd, double error_times = 1, bool has_cells = true)
      : exact_(std::move(exact)), sd_(sd), error_times_(error_times), has_cells_(has_cells) {}
  /// The same, but quantile() gives the function itself, for few draws: a table takes as long to make as some thousands
  /// of them. Only cells() makes one.
  [[nodiscard]] std::shared_ptr<const QuantileTable> without_cells() const;
  /// The same with so many times the errors: for laws that are drawn from some thousand times each, as those of measured
  /// parameters are, whose tables take longer to make than what is drawn from them.
  [[nodiscard]] std::shared_ptr<const QuantileTable> with_errors(double times) const;

  /// T at u in [0, 1), or where mirrored at 1 - u - 2^-53; between the grid's points too.
  [[nodiscard]] double quantile(double u, bool mirrored) const {
    const bool upper = u >= 0.5;
    const double place = upper ? (1 - u) * 0x1p53 - 0.5 : u * 0x1p53 + 0.5;
    const double within = std::clamp(place, 0.5, 0x1p52 - 0.5);
    return has_cells_ ? cells().value(upper != mirrored, within) : exactly(upper != mirrored, within);
  }

  [[nodiscard]] TableCells cells() const {
    if (!is_built_.load(std::memory_order_acquire)) build();
    return {tables_.octaves, tables_.cells.front().c, tables_.near_bits, this};
  }
  /// With the octaves that cells() leaves to the table, made now where they are not yet there; else the same as cells().
  [[nodiscard]] TableCells far_cells() const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct alignas(32) Cell {
    double c[4];
  };
  struct Tables {
    std::uint64_t octaves[2 * kOctaves];
    std::vector<Cell> cells;
    std::uint64_t near_bits = 0;
  };
  class Builder;

  void build() const;
  void build_far() const;
  [[nodiscard]] double exactly(bool upper, double place) const;

  std::function<TailQuantiles()> exact_;
  double sd_, error_times_;
  bool has_cells_;
  mutable TailQuantiles tails_;  ///< where there are no cells
  mutable std::once_flag tails_once_, once_, far_once_;
  mutable std::atomic<bool> is_built_{false};
  mutable Tables tables_;
  mutable std::unique_ptr<const Tables> far_;  ///< where they are not among the others
};

inline double TableCells::far_value(bool upper, double place) const { return table->far_cells().value(upper, place); }

/// A density exp(log_density(y)) on low..high (either may be infinite), up to a factor. log_density is concave, smooth,
/// and 0 at its maximum, the mode; `width` is a distance over which it changes little there.
struct LogConcaveDensity {
  std::function<double(double y)> log_density;
  double low, high;
  double mode, width;
};

/// The y of its quantiles, to about 1e-12 of the probability in either tail.
TailQuantiles log_concave_quantiles(const LogConcaveDensity& density);

/// value(y) at the quantiles y; value rises.
template <class Value>
TailQuantiles quantiles_of(Value value, TailQuantiles y) {
  return [value, y = std::move(y)](double probability, bool upper) { return value(y(probability, upper)); };
}

}  // namespace nowsim

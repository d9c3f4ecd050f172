// How a table is made: how many cells each octave needs, and the cubics.
#include "sim/statistics/numerical_inversion.hpp"

#include <cmath>

#include "sim/base/infinity.hpp"

namespace nowsim {
namespace {

/// Cubics go through the ends of a cell, t = ∓1/2, and through t = ∓kInner/2: so that the largest error is least.
constexpr double kInner = 0.41421356237309504880;  // sqrt(2) - 1

/// An octave has at most 2^12 cells, and few more where a side has many already: which bounds what a table takes.
constexpr int kMostBits = 12, kFewBits = 6;
constexpr std::size_t kManyCells = 8192;
constexpr int kMostNearBits = 8;
/// The error in the middle of a cell in terms of how much c3 changes from one cell to the next: 1/4 (1/4)(kInner/2)^2.
constexpr double kErrorOfChange = 0.25 * 0.25 * 0.25 * kInner * kInner;

double cubic(const double* c, double t) { return ((c[3] * t + c[2]) * t + c[1]) * t + c[0]; }

/// Through the values at t = -1/2, -kInner/2, kInner/2, 1/2.
void interpolate(const double y[4], double c[4]) {
  const double outer = 0.5 * (y[0] + y[3]), inner = 0.5 * (y[1] + y[2]), square = (outer - inner) / (2 * kInner);
  const double rise = 0.5 * (y[3] - y[0]), cube = (rise - 0.5 * (y[2] - y[1]) / kInner) / (2 * kInner);
  c[0] = outer - square;
  c[1] = 2 * (rise - cube);
  c[2] = 4 * square;
  c[3] = 8 * cube;
}

bool is_monotone(const double c[4]) {
  const double turn = -c[2] / (3 * c[3]), there = std::abs(turn) < 0.5 ? c[1] + c[2] * turn : c[1];
  const double before = c[1] + 0.75 * c[3] - c[2], after = c[1] + 0.75 * c[3] + c[2];
  return std::min({before, after, there}) >= 0 || std::max({before, after, there}) <= 0;
}

}  // namespace

class QuantileTable::Builder {
 public:
  Builder(Tables& tables, const TailQuantiles& exact, double sd, double error_times)
      : tables_(tables), exact_(exact), sd_(sd), error_times_(error_times), least_(exact(0x1p-54, false)),
        greatest_(exact(0x1p-54, true)) {}

  /// The near octaves of both sides with the same bits, as many as any of them needs; if these are not too many.
  bool add_near() {
    int bits = 1;
    for (const bool upper : {false, true})
      for (int k = kFirstNear; k < kOctaves; ++k) bits = std::max(bits, enough(octave(upper, k), bits, kMostBits));
    for (; bits <= kMostNearBits; ++bits) {
      tables_.cells.clear();
      tables_.near_bits = static_cast<std::uint64_t>(bits);
      if (add_near(false, bits) && add_near(true, bits)) return true;
    }
    tables_.cells.clear();
    tables_.near_bits = 0;
    return false;
  }

  /// The octaves below `end` of both sides with the bits that each needs.
  void add_all(int end) {
    for (const bool upper : {false, true}) add(upper, end);
  }

  static constexpr int kFirstNear = kOctaves - kNearOctaves;

 private:
  void add(bool upper, int end) {
    const std::size_t begin = tables_.cells.size();
    int bits = 5;
    for (int k = end - 1; k >= 0; --k) {
      const std::size_t first = tables_.cells.size();
      const Octave some = octave(upper, k);
      const int most = first - begin < kManyCells ? kMostBits : kFewBits;
      bits = enough(some, std::min(bits, most), most);
      while (!fill(some, bits) && bits < most) {
        tables_.cells.resize(first);
        ++bits;
      }
      set_octave(upper, k, first, bits);
    }
  }

  struct Octave {
    const TailQuantiles& exact;
    bool upper;
    double probability;  ///< at its beginning
    bool is_far;
    [[nodiscard]] double at(double place) const { return exact(probability * place, upper); }  ///< place: in 1..2
  };

  [[nodiscard]] Octave octave(bool upper, int k) const {
    return {exact_, upper, std::ldexp(1.0, k - 54), k < kFirstNear};
  }
  void set_octave(bool upper, int k, std::size_t first, int bits) {
    tables_.octaves[(upper ? kOctaves : 0) + k] = (first << 8) | static_cast<std::uint64_t>(bits);
  }

  bool add_near(bool upper, int bits) {
    for (int k = kFirstNear; k < kOctaves; ++k) {
      set_octave(upper, k, tables_.cells.size(), bits);
      if (!fill(octave(upper, k), bits)) return false;
    }
    return true;
  }

  /// The cubic of a cell whose first value is known; returns its last.
  static double make(const Octave& octave, double begin, double width, double first, Cell& cell) {
    const double last = octave.at(begin + width);
    const double y[4] = {first, octave.at(begin + width * (0.5 - 0.5 * kInner)),
                         octave.at(begin + width * (0.5 + 0.5 * kInner)), last};
    interpolate(y, cell.c);
    return last;
  }

  [[nodiscard]] double allowed(const Octave& octave, double begin, double width, const Cell& cell) const {
    const double x = std::abs(cell.c[0]), by_probability = std::abs(cell.c[1]) * (begin / width + 0.5);
    if (octave.is_far) return error_times_ * kFarError * std::max(by_probability, std::min(x, kFarSd * sd_));
    return error_times_ * kError * std::max(by_probability, std::min(x, kNearSd * sd_));
  }

  /// The bits that some cells of the octave need: the error, largest in a cell's middle, falls with the fourth power of
  /// its width.
  [[nodiscard]] int enough(const Octave& octave, int bits, int most) const {
    const int cells = 1 << bits;
    const double width = 1.0 / cells;
    double worst = 0;
    for (const int i : {0, cells / 2, cells - 1}) {
      Cell cell{};
      const double begin = 1 + i * width;
      const double first = octave.at(begin), last = make(octave, begin, width, first, cell);
      const double x = octave.at(begin + 0.5 * width);
      if (std::max(std::abs(first), std::abs(last)) > kNegligible)
        worst = std::max(worst, std::abs(cell.c[0] - x) / allowed(octave, begin, width, cell));
    }
    for (; worst > 1 && bits < most; ++bits) worst /= 16;
    const int least = std::max(0, bits - 3);  // so that fill() sees values which begin to count between these cells
    for (; worst < 1.0 / 20 && bits > least; --bits) worst *= 16;
    return bits;
  }

  /// Adds the octave's cells; false where one's error seems to be more than allowed.
  bool fill(const Octave& octave, int bits) {
    const int cells = 1 << bits;
    const double width = 1.0 / cells;
    bool is_good = true;
    double value = octave.at(1), cube = 0, allowed_before = 0;
    for (int i = 0; i < cells; ++i) {
      Cell cell{};
      const double begin = 1 + i * width, first = value;
      value = make(octave, begin, width, first, cell);
      const double error = i == 0 ? 0 : kErrorOfChange * std::abs(cell.c[3] - cube);
      const bool counts = std::max(std::abs(first), std::abs(value)) > kNegligible;
      const double allowed_here = counts ? allowed(octave, begin, width, cell) : 0;
      const double most = std::max(allowed_before, allowed_here);
      if (most > 0 && error > 1.5 * most) is_good = false;
      cube = cell.c[3], allowed_before = allowed_here;
      if (!is_monotone(cell.c)) cell = {{0.5 * (first + value), value - first, 0, 0}};
      keep_within(cell);
      tables_.cells.push_back(cell);
    }
    return is_good;
  }

  /// Rounding may have put its ends beyond the values there are.
  void keep_within(Cell& cell) const {
    while (std::min(cubic(cell.c, -0.5), cubic(cell.c, 0.5)) < least_) cell.c[0] = std::nextafter(cell.c[0], kInfinity);
    while (std::max(cubic(cell.c, -0.5), cubic(cell.c, 0.5)) > greatest_)
      cell.c[0] = std::nextafter(cell.c[0], -kInfinity);
  }

  Tables& tables_;
  const TailQuantiles& exact_;
  double sd_, error_times_, least_, greatest_;
};

std::shared_ptr<const QuantileTable> QuantileTable::without_cells() const {
  return std::make_shared<const QuantileTable>(exact_, sd_, 1, false);
}

std::shared_ptr<const QuantileTable> QuantileTable::with_errors(double times) const {
  return std::make_shared<const QuantileTable>(exact_, sd_, times);
}

double QuantileTable::exactly(bool upper, double place) const {
  std::call_once(tails_once_, [this] { tails_ = exact_(); });
  return tails_(place * 0x1p-53, upper);
}

void QuantileTable::build() const {
  std::call_once(once_, [this] {
    const TailQuantiles exact = exact_();
    Builder builder(tables_, exact, sd_, error_times_);
    if (!builder.add_near()) builder.add_all(kOctaves);
    tables_.cells.shrink_to_fit();
    is_built_.store(true, std::memory_order_release);
  });
}

/// The exact quantiles are made anew: keeping them would take more memory than the table.
void QuantileTable::build_far() const {
  std::call_once(far_once_, [this] {
    const TailQuantiles exact = exact_();
    auto far = std::make_unique<Tables>();
    Builder(*far, exact, sd_, error_times_).add_all(Builder::kFirstNear);
    far->cells.shrink_to_fit();
    far_ = std::move(far);
  });
}

TableCells QuantileTable::far_cells() const {
  const TableCells all = cells();
  if (all.near_bits == 0) return all;
  build_far();
  return {far_->octaves, far_->cells.front().c, 0, this};
}

std::size_t QuantileTable::bytes() const {
  static_cast<void>(far_cells());
  return sizeof(*this) + (tables_.cells.size() + (far_ ? far_->cells.size() : 0)) * sizeof(Cell);
}

}  // namespace nowsim

// Steps of measured parameters, and the squares of what they move.
#include "sim/statistics/parameter_steps.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sim/statistics/random.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {
namespace {

/// Fewer blocks tell too little.
constexpr std::size_t kLeastBlocks = 8;
/// Student's law of fewer degrees of freedom, cut as draws are, spreads as little as one of so many.
constexpr double kLeastForVariance = 5;
/// Student's law of so many is the normal one.
constexpr double kMostFreedom = 1e6;

bool moves_all_alike(std::uint64_t block) { return block / 8 % 2 == 0; }

MeasuredKind moved_kind(std::uint64_t block) {
  return block % 2 == 0 ? MeasuredKind::mean : block % 8 == 7 ? MeasuredKind::th : MeasuredKind::interval;
}

/// Blocks that move one kind of parameters: by how much each, in standard errors, and what came of it.
struct Moved {
  std::vector<const Measurement*> measurements;
  std::vector<std::vector<double>> steps;  ///< per block
  std::vector<double> slope, bend;
};

/// `alike`: also blocks in which all go the same way.
Moved moved(MeasuredKind kind, const std::vector<Measurement>& measurements, const std::vector<double>& slope,
            const std::vector<double>& bend, bool alike) {
  Moved out;
  for (const Measurement& m : measurements)
    if (m.kind == kind) out.measurements.push_back(&m);
  for (std::uint64_t block = 0; block < slope.size() && !out.measurements.empty(); ++block) {
    if (moved_kind(block) != kind || (!alike && moves_all_alike(block))) continue;
    std::vector<double>& steps = out.steps.emplace_back();
    for (const Measurement* m : out.measurements) steps.push_back(direction(*m, block) * m->step);
    out.slope.push_back(slope[block]);
    out.bend.push_back(bend[block]);
  }
  return out;
}

/// Squares of effects of one standard error each.
struct Squares {
  double sum = 0;
  double over_freedom = 0;  ///< sum of the fourth powers over the degrees of freedom
};

using SquareMatrix = std::vector<std::vector<double>>;

/// The inverse of a positive definite matrix, by Gauss-Jordan; nothing where it is singular.
std::optional<SquareMatrix> inverse_of(SquareMatrix a) {
  const std::size_t n = a.size();
  SquareMatrix inverse(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) inverse[i][i] = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const double pivot = a[i][i];
    if (!(pivot > 1e-9)) return std::nullopt;  // a step is one standard error or more: sums of squares are above 1
    for (std::size_t j = 0; j < n; ++j) a[i][j] /= pivot, inverse[i][j] /= pivot;
    for (std::size_t k = 0; k < n; ++k) {
      const double times = a[k][i];
      if (k == i || times == 0) continue;
      for (std::size_t j = 0; j < n; ++j) a[k][j] -= times * a[i][j], inverse[k][j] -= times * inverse[i][j];
    }
  }
  return inverse;
}

/// Least squares; nothing where the blocks do not tell the measurements apart. A single one needs no others.
std::optional<Squares> by_regression(const Moved& m) {
  const std::size_t p = m.measurements.size(), n = m.slope.size();
  if (n < 2 * p + 2 && (p > 1 || n == 0)) return std::nullopt;
  SquareMatrix products(p, std::vector<double>(p, 0.0));
  std::vector<double> sums(p, 0.0), effect(p, 0.0);
  for (std::size_t b = 0; b < n; ++b)
    for (std::size_t i = 0; i < p; ++i) {
      sums[i] += m.steps[b][i] * m.slope[b];
      for (std::size_t j = 0; j < p; ++j) products[i][j] += m.steps[b][i] * m.steps[b][j];
    }
  const auto inverse = inverse_of(std::move(products));
  if (!inverse) return std::nullopt;
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j < p; ++j) effect[i] += (*inverse)[i][j] * sums[j];
  double residual = 0;
  for (std::size_t b = 0; b < n; ++b) {
    double expected = 0;
    for (std::size_t i = 0; i < p; ++i) expected += m.steps[b][i] * effect[i];
    residual += (m.slope[b] - expected) * (m.slope[b] - expected) / static_cast<double>(std::max<std::size_t>(1, n - p));
  }
  Squares out;
  for (std::size_t i = 0; i < p; ++i) {
    const double square = effect[i] * effect[i];
    out.sum += square - residual * (*inverse)[i][i];
    out.over_freedom += square * square / m.measurements[i]->freedom;
  }
  return out;
}

/// Of more measurements than can be told apart: in blocks in which they go ways of their own, two blocks have in common
/// what they move alike (Haseman & Elston 1972).
Squares by_common_steps(const Moved& m) {
  double common = 0, all = 0, freedom = 0;
  for (const Measurement* one : m.measurements) freedom += one->freedom / static_cast<double>(m.measurements.size());
  for (std::size_t a = 0; a < m.slope.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double alike = 0;
      for (std::size_t i = 0; i < m.steps[a].size(); ++i) alike += m.steps[a][i] * m.steps[b][i];
      common += alike * m.slope[a] * m.slope[b];
      all += alike * alike;
    }
  const double p = static_cast<double>(m.measurements.size()), sum = all > 0 ? common / all * p : 0;
  return {sum, sum * sum / (p * freedom)};
}

/// Of too few blocks for either: what they moved, with what chance did; too much where all went the same way.
Squares by_squares(const Moved& m) {
  double sum = 0, freedom = 0, square = 0;
  for (const Measurement* one : m.measurements) freedom += one->freedom, square += one->step * one->step;
  for (const double slope : m.slope) sum += slope * slope / static_cast<double>(m.slope.size());
  const double p = static_cast<double>(m.measurements.size());
  sum *= p / square;
  return {sum, sum * sum / freedom};
}

/// By how much errors of means raise an estimate, and draws of them once more. Where measurements go ways of their own
/// what they have in common averages out.
double lean_of(const Moved& m) {
  double square = 0, times = 0;
  for (const Measurement* one : m.measurements) {
    const double p = static_cast<double>(m.measurements.size());
    square += one->step * one->step / p;
    times += (1 + one->freedom / std::max(one->freedom - 2, kLeastForVariance - 2)) / p;
  }
  return m.bend.size() < kLeastBlocks ? 0 : mean_of_values(m.bend) / square * times;
}

}  // namespace

int direction(const Measurement& of, std::uint64_t block) {
  if (of.kind != moved_kind(block)) return 0;
  if (moves_all_alike(block)) return 1;
  return SplitMix64::mix(SplitMix64::mix(of.number) + block) % 2 == 0 ? 1 : -1;
}

FitSteps::FitSteps(std::shared_ptr<const std::vector<Measurement>> measurements, std::span<const double> values,
                   std::span<const double> stepped, std::uint64_t span)
    : measurements_(std::move(measurements)) {
  const std::size_t half = kStepBlock / 2 / span, blocks = std::min(values.size(), stepped.size()) / (2 * half);
  for (std::size_t b = 0; b < blocks; ++b) {
    const double up = mean_of_values(stepped.subspan(2 * b * half, half)),
                 middle = mean_of_values(values.subspan(2 * b * half, half)),
                 down = mean_of_values(stepped.subspan((2 * b + 1) * half, half));
    slope_.push_back((up - down) / 2);
    bend_.push_back((up + down) / 2 - middle);
  }
}

FitSteps FitSteps::times(double factor) const {
  FitSteps out = *this;
  for (double& s : out.slope_) s *= factor;
  for (double& b : out.bend_) b *= factor;
  return out;
}

FitSteps FitSteps::plus(const FitSteps& other) const {
  FitSteps out = *this;
  const std::size_t blocks = std::min(slope_.size(), other.slope_.size());
  out.slope_.resize(blocks);
  out.bend_.resize(blocks);
  for (std::size_t b = 0; b < blocks; ++b) out.slope_[b] += other.slope_[b], out.bend_[b] += other.bend_[b];
  if (measurements_ != other.measurements_ && *measurements_ != *other.measurements_) {
    std::vector<Measurement> all;
    std::ranges::set_union(*measurements_, *other.measurements_, std::back_inserter(all));
    out.measurements_ = std::make_shared<const std::vector<Measurement>>(std::move(all));
  }
  return out;
}

std::optional<FitSteps::Pull> FitSteps::pull() const {
  if (slope_.size() < kLeastBlocks) return std::nullopt;
  Squares all;
  double least = kMostFreedom, lean = 0;
  for (const Measurement& m : *measurements_) least = std::min(least, m.freedom);
  for (const MeasuredKind kind : {MeasuredKind::mean, MeasuredKind::th, MeasuredKind::interval}) {
    const Moved m = moved(kind, *measurements_, slope_, bend_, true),
                apart = moved(kind, *measurements_, slope_, bend_, false);
    if (m.slope.empty()) continue;
    const auto told = by_regression(m);
    const Squares s = told ? *told : apart.slope.size() >= kLeastBlocks ? by_common_steps(apart) : by_squares(m);
    all.sum += s.sum;
    all.over_freedom += s.over_freedom;
    if (kind == MeasuredKind::mean) lean = lean_of(m.measurements.size() == 1 ? m : apart);
  }
  const double variance = std::max(0.0, all.sum);
  const double freedom = all.over_freedom > 0 ? variance * variance / all.over_freedom : kMostFreedom;
  return Pull{variance, std::clamp(freedom, least, kMostFreedom), lean};
}

}  // namespace nowsim

// Exact quantiles: polynomials on panels outward from the mode, integrated and cumulated from each tail, and solved
// within a panel.
#include "sim/statistics/numerical_inversion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

constexpr int kNodes = 12;
using Row = std::array<double, kNodes>;

/// A panel is narrow enough where the last of the density's Chebyshev coefficients are below this, relatively: what the
/// polynomial leaves out is some thirtieth of it.
constexpr double kLastCoefficients = 1e-11;
/// Tails of less than this share of the mass are left to an exponential: 2^-36 of what is asked for.
constexpr double kTailShare = 0x1p-90;
/// Beside which anything else is nothing.
constexpr double kLargestTail = 1e300;
/// So is a tail without end whose log-density has become straight but for this.
constexpr double kStraight = 1e-13;

struct Chebyshev {
  Row nodes;                        ///< on -1..1, falling
  std::array<Row, kNodes> series;   ///< values at the nodes to Chebyshev's coefficients
  std::array<Row, kNodes> powers;   ///< values at the nodes to the coefficients of powers
};

const Chebyshev& chebyshev() {
  static const Chebyshev made = [] {
    Chebyshev c{};
    std::array<Row, kNodes> polynomial{};  // of the k-th degree, in powers
    polynomial[0][0] = polynomial[1][1] = 1;
    for (int k = 2; k < kNodes; ++k)
      for (int i = 0; i < kNodes; ++i)
        polynomial[k][i] = (i > 0 ? 2 * polynomial[k - 1][i - 1] : 0) - polynomial[k - 2][i];
    for (int j = 0; j < kNodes; ++j) {
      const double turns = (j + 0.5) / (2 * kNodes);
      c.nodes[j] = portable::cos_of_turns(turns);
      for (int k = 0; k < kNodes; ++k) {
        c.series[k][j] = (k == 0 ? 1.0 : 2.0) / kNodes * portable::cos_of_turns(k * turns);
        for (int i = 0; i < kNodes; ++i) c.powers[i][j] += polynomial[k][i] * c.series[k][j];
      }
    }
    return c;
  }();
  return made;
}

double dot(const Row& a, const Row& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

double horner(const Row& c, double x) {
  double sum = c[kNodes - 1];
  for (int k = kNodes - 2; k >= 0; --k) sum = sum * x + c[k];
  return sum;
}

/// How far a panel's last coefficients are from negligible: below 1 they are.
double coarseness(const Row& values) {
  const double largest = std::ranges::max(values);
  const double last = std::abs(dot(chebyshev().series[kNodes - 1], values)) +
                      0.1 * std::abs(dot(chebyshev().series[kNodes - 2], values));
  return last / (largest * kLastCoefficients);
}

double panel_integral(const Row& values) {
  double sum = 0;
  for (int k = 0; k < kNodes; k += 2) sum += dot(chebyshev().series[k], values) * 2 / (1.0 - k * k);
  return sum;
}

struct Piece {
  double low, width;
  Row values;  ///< of the density, at Chebyshev's nodes from the right to the left
};
struct Pieces {
  std::vector<Piece> outward;
  double rate = 0;  ///< beyond the last
  double tail = 0;  ///< the mass there
};

Pieces pieces_of(const LogConcaveDensity& density, double direction) {
  const double end = direction > 0 ? density.high : density.low;
  Pieces out;
  double edge = density.mode, width = density.width, log_here = 0, mass = 0;
  while (edge != end) {
    Piece piece{};
    const double beyond = edge + direction * width, next = std::nextafter(edge, end);
    const double other = direction > 0 ? std::clamp(beyond, next, end) : std::clamp(beyond, end, next);
    piece.low = std::min(edge, other);
    piece.width = std::abs(other - edge);
    for (int j = 0; j < kNodes; ++j) {
      const double y = piece.low + piece.width * (0.5 + 0.5 * chebyshev().nodes[j]);
      piece.values[j] = portable::exp(density.log_density(y));
    }
    const double coarse = coarseness(piece.values);
    if (!(coarse < 1) && other != next) {
      width *= 0.5;
      continue;
    }
    out.outward.push_back(piece);
    mass += 0.5 * piece.width * panel_integral(piece.values);
    const double log_there = density.log_density(other), before = out.rate;
    out.rate = (log_there - log_here) / (other - edge);
    edge = other;
    log_here = log_there;
    out.tail = edge == end ? 0 : std::min(portable::exp(log_here) / std::abs(out.rate), kLargestTail);
    if (out.tail < kTailShare * mass) break;
    if (std::isinf(end) && std::abs(out.rate - before) <= kStraight * std::abs(out.rate)) break;
    if (coarse < 0x1p-9) width *= 2;  // which makes the last coefficients some 2^9 as large
  }
  return out;
}

/// The density on a panel, in s = 0..2 from one of its edges: polynomials in s - 1.
struct DensityPanel {
  double before;       ///< the share of the mass from the tail to the edge
  double edge, half;   ///< y = edge + half·s
  double share;        ///< of the mass on the panel
  double first, last;  ///< ds/d(part of the panel's mass) at s = 0 and 2
  Row density;         ///< d(share)/ds
  Row mean;            ///< the density's mean over 0..s
};
/// The panels from one tail on, between two exponential tails.
struct Side {
  double rate = 0, far_rate = 0;  ///< d log(mass)/dy in the tail before them, and in the one behind
  double far = 0;                 ///< the share of the mass in the latter
  std::vector<DensityPanel> panels;
  [[nodiscard]] double at(double p) const;
};

Side side_of(const Pieces& near, const Pieces& far, double direction) {
  Side out;
  out.rate = near.rate;
  out.far_rate = far.rate;
  std::vector<Piece> all(near.outward.rbegin(), near.outward.rend());
  all.insert(all.end(), far.outward.begin(), far.outward.end());
  double before = near.tail;
  for (const Piece& piece : all) {
    DensityPanel panel{};
    panel.half = 0.5 * direction * piece.width;
    panel.edge = direction > 0 ? piece.low : piece.low + piece.width;
    Row values = piece.values;
    if (direction < 0) std::reverse(values.begin(), values.end());
    for (int i = 0; i < kNodes; ++i) panel.density[i] = 0.5 * piece.width * dot(chebyshev().powers[i], values);
    // The antiderivative vanishes at s = 0: divided by s = x + 1, x the variable of the powers.
    double quotient = 0;
    for (int i = kNodes - 1; i >= 0; --i) panel.mean[i] = quotient = panel.density[i] / (i + 1) - quotient;
    panel.before = before;
    panel.share = 2 * horner(panel.mean, 1);
    before += panel.share;
    out.panels.push_back(panel);
  }
  const double total = before + far.tail;
  out.far = far.tail / total;
  for (DensityPanel& panel : out.panels) {
    panel.before /= total;
    panel.share /= total;
    for (auto* c : {&panel.density, &panel.mean})
      for (double& x : *c) x /= total;
    panel.first = panel.share / horner(panel.density, -1);
    panel.last = panel.share / horner(panel.density, 1);
  }
  return out;
}

double Side::at(double p) const {
  auto panel = std::ranges::upper_bound(panels, p, {}, &DensityPanel::before);
  if (panel == panels.begin()) return panel->edge + portable::log(p / panel->before) / rate;
  --panel;
  if (p > 1 - far) return panel->edge + 2 * panel->half + portable::log((1 - p) / far) / far_rate;
  const double wanted = p - panel->before, part = std::min(1.0, wanted / panel->share), rest = 1 - part;
  double s = 2 * part * part * (3 - 2 * part) + part * rest * (rest * panel->first - part * panel->last);
  for (int i = 0; i < 6; ++i) {  // Halley's method, whose error is some cube of the step
    const double x = s - 1;
    double mean = panel->mean[kNodes - 1], height = panel->density[kNodes - 1], slope = 0;
    for (int k = kNodes - 2; k >= 0; --k) {
      mean = mean * x + panel->mean[k];
      slope = slope * x + height;
      height = height * x + panel->density[k];
    }
    const double newton = (s * mean - wanted) / height, step = newton / (1 - 0.5 * newton * slope / height);
    s = std::clamp(s - step, 0.0, 2.0);
    if (std::abs(step) < 1e-5) break;
  }
  return panel->edge + panel->half * s;
}

}  // namespace

TailQuantiles log_concave_quantiles(const LogConcaveDensity& density) {
  const Pieces low = pieces_of(density, -1), high = pieces_of(density, 1);
  const auto below = std::make_shared<const Side>(side_of(low, high, 1)),
             above = std::make_shared<const Side>(side_of(high, low, -1));
  return [below, above](double probability, bool upper) { return (upper ? above : below)->at(probability); };
}

}  // namespace nowsim

// Co-moments in one pass, and regression on controls by successive elimination.
#include "sim/joint_moments.hpp"

#include <cassert>
#include <limits>

namespace nowsim {
namespace {

/// A control that keeps less than this of its variation beside the others says nothing that they do not.
constexpr double kLeastShare = 1e-10;

}  // namespace

void JointMoments::add(std::span<const double> values) {
  assert(values.size() == mean_.size());
  const std::size_t k = mean_.size();
  const double before = static_cast<double>(n_), share = 1 / (before + 1), weight = before * share;
  ++n_;
  for (std::size_t i = 0; i < k; ++i) {
    const double weighted = weight * (values[i] - mean_[i]);
    for (std::size_t j = 0; j <= i; ++j) products_[i * k + j] += weighted * (values[j] - mean_[j]);
  }
  for (std::size_t i = 0; i < k; ++i) mean_[i] += (values[i] - mean_[i]) * share;
}

double JointMoments::covariance(std::size_t i, std::size_t j) const {
  return n_ < 2 ? std::numeric_limits<double>::quiet_NaN() : products(i, j) / static_cast<double>(n_ - 1);
}

/// Gram and Schmidt on the sums of products: each control loses what those before it explain, and variable 0 what each
/// explains of it.
ControlledMean controlled_mean(const JointMoments& m, std::size_t first, std::size_t count) {
  struct Control {
    std::vector<double> weight;  ///< of the variables that it is made of
    double mean, square;         ///< of the sum of these
  };
  const std::size_t k = m.variables();
  const auto product = [&](const std::vector<double>& weight, std::size_t with) {
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) sum += weight[i] * m.products(i, with);
    return sum;
  };
  std::vector<Control> used;
  double value = m.mean(0), rest = m.products(0, 0), loss = m.count() > 0 ? 1 / static_cast<double>(m.count()) : 0;
  for (std::size_t c = first; c < first + count; ++c) {
    Control control{std::vector<double>(k, 0.0), m.mean(c), m.products(c, c)};
    control.weight[c] = 1;
    for (const Control& other : used) {
      const double slope = product(other.weight, c) / other.square;
      for (std::size_t i = 0; i < k; ++i) control.weight[i] -= slope * other.weight[i];
      control.mean -= slope * other.mean;
      control.square -= slope * slope * other.square;
    }
    if (!(control.square > kLeastShare * m.products(c, c))) continue;
    const double with_0 = product(control.weight, 0), slope = with_0 / control.square;
    value -= slope * control.mean;
    rest -= slope * with_0;
    loss += control.mean * control.mean / control.square;
    used.push_back(std::move(control));
  }
  const std::uint64_t parameters = used.size() + 1;
  if (m.count() <= parameters) return {value, 0, 0};
  const std::uint64_t freedom = m.count() - parameters;
  return {value, (rest > 0 ? rest : 0) / static_cast<double>(freedom) * loss, freedom};
}

}  // namespace nowsim

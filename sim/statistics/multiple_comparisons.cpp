// L·L^T of what estimates have in common, normal draws of their errors, and screening by the triangles of differences.
#include "sim/statistics/multiple_comparisons.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "sim/base/infinity.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kDraws = 50000, kMostDrawn = 300;
/// Against the best each of n draws by its differences from all others: fewer, and of fewer estimates.
constexpr std::size_t kDrawsOfBest = 10000, kMostDrawnOfBest = 50;

using Matrix = std::vector<std::vector<double>>;

Matrix joint_covariance(Contributions contributions) {
  Matrix out(contributions.size(), std::vector<double>(contributions.size()));
  for (std::size_t i = 0; i < contributions.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) out[i][j] = out[j][i] = common_products(contributions[i], contributions[j]);
  return out;
}

/// L with L·L^T = m, lower triangular; m may be singular.
Matrix cholesky(const Matrix& m) {
  constexpr double kRounding = 1e-12;
  Matrix l(m.size(), std::vector<double>(m.size(), 0.0));
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = m[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= l[i][k] * l[j][k];
      if (j == i)
        l[i][i] = rest > kRounding * m[i][i] ? std::sqrt(rest) : 0;
      else
        l[i][j] = l[j][j] > 0 ? rest / l[j][j] : 0;
    }
  return l;
}

/// Of normal draws, two by two (Box & Muller), the same everywhere.
template <class Use>
void draw_errors(const Matrix& covariance, std::size_t draws, Use use) {
  const Matrix l = cholesky(covariance);
  Stream stream(StreamKey{0, 0, 0, Purpose::resampling});
  std::vector<double> z(l.size()), errors(l.size());
  for (std::size_t draw = 0; draw < draws; ++draw) {
    for (std::size_t k = 0; k < z.size(); k += 2) {
      const double radius = std::sqrt(-2 * portable::log1p(-stream.uniform())), turns = stream.uniform();
      z[k] = radius * portable::cos_of_turns(turns);
      if (k + 1 < z.size()) z[k + 1] = radius * portable::cos_of_turns(turns - 0.25);
    }
    for (std::size_t i = 0; i < l.size(); ++i) {
      errors[i] = 0;
      for (std::size_t k = 0; k <= i; ++k) errors[i] += l[i][k] * z[k];
    }
    use(errors);
  }
}

/// The two-sided confidence of an interval of as many standard errors as the greatest of `confidence` of the draws.
double confidence_at(std::vector<double>& greatest, double confidence) {
  const auto place = static_cast<std::ptrdiff_t>(std::ceil(confidence * static_cast<double>(greatest.size()))) - 1;
  std::nth_element(greatest.begin(), greatest.begin() + place, greatest.end());
  return 1 - portable::erfc(greatest[static_cast<std::size_t>(place)] / std::numbers::sqrt2);
}

/// Per estimate the two-sided confidence with which its differences from all others have upper ends that hold together.
std::vector<double> confidence_against_others(const Matrix& covariance, double confidence) {
  const std::size_t n = covariance.size();
  const double beyond = 2 * (1 - confidence), joint = 1 - beyond / static_cast<double>(n - 1);
  if (n == 2 || n > kMostDrawnOfBest) return std::vector<double>(n, joint);
  Matrix inverse_error(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double variance = covariance[i][i] - 2 * covariance[i][j] + covariance[j][j];
      if (variance > 0) inverse_error[i][j] = 1 / std::sqrt(variance);
    }
  Matrix greatest(n);
  draw_errors(covariance, kDrawsOfBest, [&](const std::vector<double>& errors) {
    for (std::size_t i = 0; i < n; ++i) {
      double most = 0;
      for (std::size_t j = 0; j < n; ++j) most = std::max(most, (errors[i] - errors[j]) * inverse_error[i][j]);
      greatest[i].push_back(most);
    }
  });
  std::vector<double> out;
  for (auto& of_one : greatest) out.push_back(std::clamp(confidence_at(of_one, confidence), 1 - beyond, joint));
  return out;
}

std::vector<double> entrywise_difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(std::max(a.size(), b.size()), 0.0);
  std::ranges::copy(a, out.begin());
  for (std::size_t k = 0; k < b.size(); ++k) out[k] -= b[k];
  return out;
}

/// [i][j]: how much better i may be than j. Positive is better.
Matrix greatest_leads(std::span<const double> values, Contributions contributions, double freedom, double sign,
                      double confidence) {
  const std::size_t n = values.size();
  const std::vector<double> each = confidence_against_others(joint_covariance(contributions), confidence);
  Matrix lead(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const auto& [above, below] = sign > 0 ? std::pair(i, j) : std::pair(j, i);
      const std::vector<double> apart = entrywise_difference(contributions[above], contributions[below]);
      lead[i][j] = contrast_interval(values[above] - values[below], apart, freedom, each[i]).high;
    }
  return lead;
}

}  // namespace

double confidence_of_each(Contributions contributions, double confidence) {
  const std::size_t n = contributions.size();
  const double joint = bonferroni(n, confidence);
  if (n < 2 || n > kMostDrawn) return joint;
  const Matrix variance = joint_covariance(contributions);
  std::vector<double> greatest;
  draw_errors(variance, kDraws, [&](const std::vector<double>& errors) {
    double most = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (variance[i][i] > 0) most = std::max(most, errors[i] * errors[i] / variance[i][i]);
    greatest.push_back(std::sqrt(most));
  });
  return std::clamp(confidence_at(greatest, confidence), confidence, joint);
}

std::vector<Estimate> comparisons_with_best(std::span<const double> values, Contributions contributions, double freedom,
                                            Best best, double confidence) {
  const std::size_t n = values.size();
  if (!(freedom >= 1)) return std::vector<Estimate>(n, kUnknownEstimate);
  const double sign = best == Best::largest ? 1 : -1;
  const Matrix lead = greatest_leads(values, contributions, freedom, sign, confidence);
  std::vector<double> most(n, kInfinity);  // by which each may lead all others; who may lead or be level may be best
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (j != i) most[i] = std::min(most[i], lead[i][j]);
  std::vector<Estimate> out;
  for (std::size_t i = 0; i < n; ++i) {
    double others = -kInfinity, least = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      others = std::max(others, sign * values[j]);
      if (most[j] >= 0) least = std::min(least, -lead[j][i]);
    }
    const Estimate e{sign * values[i] - others, least, std::max(0.0, most[i])};
    out.push_back(sign > 0 ? e : Estimate{0 - e.value, 0 - e.high, 0 - e.low});
  }
  return out;
}

// ---- selection -----------------------------------------------------------------------------------------------------

namespace {

/// KN's h² = 2 c eta (n0 - 1), with eta for c = 1.
double triangle_factor(const SelectionRule& rule, std::size_t systems) {
  const double alpha = 1 - rule.confidence, others = static_cast<double>(systems) - 1,
               freedom = static_cast<double>(rule.first_stage) - 1;
  return systems > 1 ? freedom * (portable::pow(2 * alpha / others, -2 / freedom) - 1) : 0;
}

}  // namespace

SelectionOfBest::SelectionOfBest(std::size_t systems, const SelectionRule& rule)
    : rule_(rule), factor_(triangle_factor(rule, systems)), is_in_(systems, true), sums_(systems, 0),
      pairs_(systems * (systems - 1) / 2), sums_at_exit_(systems), count_at_exit_(systems, 0),
      delta_(rule.is_relative ? 0 : rule.indifference) {
  if (systems == 0 || rule.first_stage < 2) throw std::invalid_argument("a selection needs systems and a first stage");
}

void SelectionOfBest::add(std::span<const double> observations) {
  const double sign = rule_.least_is_best ? -1 : 1;
  ++count_;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    if (!is_in_[i]) continue;
    sums_[i] += sign * observations[i];
    for (std::size_t l = 0; l < i; ++l)
      if (is_in_[l]) pair(i, l).differences.add(observations[i] - observations[l]);
  }
  if (count_ >= rule_.first_stage && std::ranges::count(is_in_, true) > 0) screen();
}

/// KN's W of the sums: by how much more than i's l's has to be for i to be out.
double SelectionOfBest::lead_needed(std::size_t i, std::size_t l) {
  Pair& of = pair(i, l);
  of.variance = std::max({of.variance, of.differences.variance(), rule_.least_variance});
  if (of.variance == 0) return 0;
  return std::max(0.0, factor_ * of.variance / (2 * delta_) - delta_ / 2 * static_cast<double>(count_));
}

/// Where the triangle has ended, and of equals all but the first, i is out whatever the lead: so there is an end.
bool SelectionOfBest::is_beaten(std::size_t i) {
  for (std::size_t l = 0; l < sums_.size(); ++l) {
    if (l == i || !is_in_[l]) continue;
    const double lead = sums_[l] - sums_[i], needed = lead_needed(i, l);
    if (lead > needed || (needed == 0 && lead == 0 && l < i)) return true;
  }
  return false;
}

/// All at once: with who goes now the others are compared too.
void SelectionOfBest::screen() {
  if (rule_.is_relative && count_ == rule_.first_stage)
    delta_ = rule_.indifference * std::abs(sums_[leader()]) / static_cast<double>(count_);
  std::vector<std::size_t> beaten;
  for (std::size_t i = 0; i < sums_.size(); ++i)
    if (is_in_[i] && is_beaten(i)) beaten.push_back(i);
  for (const std::size_t i : beaten) withdraw(i);
}

void SelectionOfBest::withdraw(std::size_t system) {
  if (!is_in_[system]) return;
  is_in_[system] = false;
  sums_at_exit_[system] = sums_;
  count_at_exit_[system] = count_;
}

bool SelectionOfBest::is_decided() const {
  const auto left = std::ranges::count(is_in_, true);
  return left == 0 || (left == 1 && count_ >= rule_.first_stage);
}

std::uint64_t SelectionOfBest::observations_of(std::size_t system) const {
  return is_in_[system] ? count_ : count_at_exit_[system];
}

std::size_t SelectionOfBest::leader() const {
  std::size_t best = sums_.size();
  for (std::size_t i = 0; i < sums_.size(); ++i)
    if (is_in_[i] && (best == sums_.size() || sums_[i] > sums_[best])) best = i;
  if (best == sums_.size()) throw std::logic_error("no system is in");
  return best;
}

double SelectionOfBest::lead_over(std::size_t system) const {
  const std::vector<double>& sums = is_in_[system] ? sums_ : sums_at_exit_[system];
  const auto n = static_cast<double>(observations_of(system));
  return n > 0 ? (sums[leader()] - sums[system]) / n : 0;
}

}  // namespace nowsim

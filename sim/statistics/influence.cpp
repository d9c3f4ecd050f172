// Contributions brought to common entries, and what is linear in estimates.
#include "sim/statistics/influence.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include "sim/base/infinity.hpp"

namespace nowsim {
namespace {

/// Student's, for degrees of freedom that need not be whole.
double quantile_for(double freedom, const Confidence& confidence) {
  if (!(freedom >= 1)) return kNotKnown;
  return student_quantile(static_cast<std::uint64_t>(freedom) + 1, confidence);
}

std::size_t entries_of(std::uint64_t replications, std::uint64_t span) {
  return static_cast<std::size_t>((replications + span - 1) / span);
}

/// The estimate of a linear combination whose contributions these are.
Estimate around(double value, const std::vector<double>& contributions, std::uint64_t span, std::uint64_t replications,
                double freedom, const Confidence& confidence) {
  double squares = 0;
  for (const double d : contributions) squares += d * d;
  const double h = quantile_for(freedom, confidence) * std::sqrt(squares * (1 + 1 / freedom));
  return with_influence({value, value - h, value + h}, Influence(contributions, span, replications, freedom));
}

}  // namespace

Influence::Influence(const std::vector<double>& contributions, std::uint64_t span, std::uint64_t replications, double freedom)
    : span_(span), replications_(replications), centre_(0), factor_(1), of_(Of::linear), most_freedom_(freedom) {
  auto values = std::make_shared<std::vector<double>>(contributions);
  for (std::size_t k = 0; k < values->size(); ++k) {
    const std::uint64_t in_entry = std::min(span, replications - k * span);
    (*values)[k] *= static_cast<double>(replications) / static_cast<double>(in_entry);
  }
  values_ = std::move(values);
}

std::vector<double> Influence::contributions(std::uint64_t span) const {
  assert(is_linear() && span % span_ == 0);
  std::vector<double> out(entries_of(replications_, span), 0.0);
  const double n = static_cast<double>(replications_);
  const std::size_t entries = entries_of(replications_, span_), together = span / span_;
  for (std::size_t k = 0; k < entries; ++k) {
    const std::uint64_t in_entry = std::min(span_, replications_ - k * span_);
    out[k / together] += factor_ * ((*values_)[k] - centre_) * (static_cast<double>(in_entry) / n);
  }
  return out;
}

double Influence::freedom() const {
  const double most = static_cast<double>(entries_of(replications_, span_)) - 1;
  return most_freedom_ < 0 ? most : std::min(most, most_freedom_);
}

Influence Influence::times(double factor) const {
  assert(is_linear());
  Influence out = *this;
  out.factor_ *= factor;
  out.of_ = Of::linear;
  return out;
}

Influence Influence::with_freedom(double most) const {
  Influence out = *this;
  out.most_freedom_ = std::min(most, freedom());
  return out;
}

Estimate with_influence(Estimate e, Influence influence) {
  e.influence = std::make_shared<const Influence>(std::move(influence));
  return e;
}

double JointContributions::covariance(std::size_t i, std::size_t j) const {
  double sum = 0;
  for (std::size_t k = 0; k < std::min(of_each[i].size(), of_each[j].size()); ++k) sum += of_each[i][k] * of_each[j][k];
  return sum * (1 + 1 / freedom);
}

JointContributions joint_contributions(std::span<const Estimate* const> estimates) {
  JointContributions out;
  out.freedom = kInfinity;
  std::uint64_t fewest = 0;
  for (const Estimate* e : estimates) {
    if (!e->influence) continue;
    out.span = std::lcm(out.span, e->influence->span());
    out.freedom = std::min(out.freedom, e->influence->freedom());
    fewest = fewest == 0 ? e->influence->replications() : std::min(fewest, e->influence->replications());
  }
  if (fewest > 0) out.freedom = std::min(out.freedom, static_cast<double>(entries_of(fewest, out.span)) - 1);
  for (const Estimate* e : estimates)
    out.of_each.push_back(e->influence ? e->influence->contributions(out.span) : std::vector<double>{});
  return out;
}

Estimate linear_combination(std::span<const LinearTerm> terms, double constant, const Confidence& confidence) {
  std::vector<const Estimate*> estimates;
  std::uint64_t replications = 0;
  double value = constant;
  for (const auto& [coefficient, e] : terms) {
    estimates.push_back(e);
    value += coefficient * e->value;
    if (e->influence) replications = std::max(replications, e->influence->replications());
  }
  if (replications == 0) return exactly(value);
  const JointContributions joint = joint_contributions(estimates);
  std::vector<double> sum(entries_of(replications, joint.span), 0.0);
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t k = 0; k < joint.of_each[i].size(); ++k) sum[k] += terms[i].coefficient * joint.of_each[i][k];
  return around(value, sum, joint.span, replications, joint.freedom, confidence);
}

Estimate paired_difference(const Estimate& a, const Estimate& b, const Confidence& confidence) {
  return linear_combination(std::array{LinearTerm{1, &a}, LinearTerm{-1, &b}}, 0, confidence);
}

Estimate paired_ratio(const Estimate& a, const Estimate& b, const Confidence& confidence) {
  const double value = a.value / b.value;
  if (is_exact(a) && is_exact(b)) return exactly(value);
  Estimate out = linear_combination(std::array{LinearTerm{1 / b.value, &a}, LinearTerm{-value / b.value, &b}}, value, confidence);
  out.value = value;
  const JointContributions joint = joint_contributions(std::array{&a, &b});
  const double t = quantile_for(joint.freedom, confidence), t2 = t * t;
  // {r: (a - r·b)² <= t²(Var a - 2 r Cov + r² Var b)}, a quadratic in r.
  const double square = b.value * b.value - t2 * joint.covariance(1, 1);
  const double half = a.value * b.value - t2 * joint.covariance(0, 1);
  const double free = a.value * a.value - t2 * joint.covariance(0, 0);
  if (std::isnan(square)) return out.low = out.high = kNotKnown, out;
  if (square <= 0) return out.low = -kInfinity, out.high = kInfinity, out;
  const double root = std::sqrt(std::max(0.0, half * half - square * free));
  out.low = std::min(value, (half - root) / square);
  out.high = std::max(value, (half + root) / square);
  return out;
}

}  // namespace nowsim

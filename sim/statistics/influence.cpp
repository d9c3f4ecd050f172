// Contributions brought to common entries, and what is linear in estimates.
#include "sim/statistics/influence.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include "sim/base/infinity.hpp"
#include "sim/statistics/contrast_interval.hpp"

namespace nowsim {
namespace {

std::size_t entries_of(std::uint64_t replications, std::uint64_t span) {
  return static_cast<std::size_t>((replications + span - 1) / span);
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
  for (const Estimate* e : estimates)
    if (e->influence) out.span = std::lcm(out.span, e->influence->span());
  for (const Estimate* e : estimates) {
    const std::vector<double>& d =
        out.of_each.emplace_back(e->influence ? e->influence->contributions(out.span) : std::vector<double>{});
    const bool is_constant = d.size() > 1 && std::ranges::all_of(d, [](double x) { return x == 0; });
    if (e->influence && !is_constant)
      out.freedom = std::min({out.freedom, e->influence->freedom(), static_cast<double>(d.size()) - 1});
  }
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
  const JointContributions joint = joint_contributions(estimates);
  if (joint.freedom == kInfinity) return exactly(value);
  std::vector<double> sum(entries_of(replications, joint.span), 0.0);
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t k = 0; k < joint.of_each[i].size(); ++k) sum[k] += terms[i].coefficient * joint.of_each[i][k];
  return with_influence(contrast_interval(value, sum, joint.freedom, confidence),
                        Influence(sum, joint.span, replications, joint.freedom));
}

Estimate paired_difference(const Estimate& a, const Estimate& b, const Confidence& confidence) {
  return linear_combination(std::array{LinearTerm{1, &a}, LinearTerm{-1, &b}}, 0, confidence);
}

Estimate paired_ratio(const Estimate& a, const Estimate& b, const Confidence& confidence) {
  const double value = a.value / b.value;
  if (is_exact(a) && is_exact(b)) return exactly(value);
  const JointContributions joint = joint_contributions(std::array{&a, &b});
  if (joint.freedom == kInfinity) return exactly(value);
  const double t = joint.freedom >= 1
                       ? student_quantile(static_cast<std::uint64_t>(joint.freedom) + 1, confidence)
                       : kNotKnown;
  const double var_a = joint.covariance(0, 0), var_b = joint.covariance(1, 1);
  const Estimate linear =
      linear_combination(std::array{LinearTerm{1 / b.value, &a}, LinearTerm{-value / b.value, &b}}, value, confidence);
  const auto is_far_from_0 = [t](const Estimate& e, double variance) {
    return std::abs(e.value) > 2 * t * std::sqrt(variance);
  };
  const Estimate e =
      is_far_from_0(a, var_a) && is_far_from_0(b, var_b)
          ? ratio_interval(value, linear.influence->times(1 / value).contributions(joint.span), joint.freedom, confidence)
          : fieller_interval({a.value, b.value, var_a, var_b, joint.covariance(0, 1)}, t);
  return {value, e.low, e.high, linear.influence};
}

}  // namespace nowsim

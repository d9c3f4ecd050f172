// Screening sums of observations by the triangles of their differences.
#include "sim/statistics/selection.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/statistics/portable.hpp"

namespace nowsim {
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
  for (const std::size_t i : beaten) put_out(i);
}

void SelectionOfBest::put_out(std::size_t system) {
  is_in_[system] = false;
  sums_at_exit_[system] = sums_;
  count_at_exit_[system] = count_;
}

void SelectionOfBest::withdraw(std::size_t system) {
  if (is_in_[system]) put_out(system);
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

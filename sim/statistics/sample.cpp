// Filling entries one after the other; co-moments in one pass, and regression on controls by successive elimination;
// observations from units of replications, and the estimates that differ from those of plain samples.
#include "sim/statistics/sample.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "sim/statistics/influence.hpp"

namespace nowsim {

void Observations::add(std::span<const double> means, std::uint64_t replications) {
  assert(means.size() == columns_.size());
  if (replications_ == 0) span_ = (span_ + replications - 1) / replications * replications;
  if (replications_ == kMostEntries * span_) {  // all entries are full
    for (auto& column : columns_) {
      auto halved = std::make_shared<std::vector<double>>();
      for (std::size_t k = 0; k + 1 < column->size(); k += 2) halved->push_back(((*column)[k] + (*column)[k + 1]) / 2);
      column = std::move(halved);
    }
    span_ *= 2;
  }
  const std::uint64_t in_last = replications_ % span_;
  if (in_last + replications > span_) return void(*this = {});  // it fits into no entry: nothing is known any more
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    auto& column = columns_[i];
    if (column.use_count() > 1) column = std::make_shared<std::vector<double>>(*column);
    if (in_last == 0) column->push_back(means[i]);
    else column->back() += (means[i] - column->back()) * static_cast<double>(replications) / static_cast<double>(in_last + replications);
  }
  replications_ += replications;
}

std::shared_ptr<const FitSteps> Observations::steps(std::span<const double> factors) const {
  if (!stepped_ || !stepped_->stepped->is_kept() || stepped_->stepped->replications() == 0) return nullptr;
  const Observations &values = *stepped_->values, &stepped = *stepped_->stepped;
  if (values.span() != stepped.span() || kStepBlock / 2 % values.span() != 0) return nullptr;
  return std::make_shared<const FitSteps>(stepped_->measurements, *values.combined(factors), *stepped.combined(factors),
                                          values.span());
}

Observations::Column Observations::combined(std::span<const double> factors) const {
  auto out = std::make_shared<std::vector<double>>(columns_.empty() ? 0 : columns_.front()->size(), 0.0);
  for (std::size_t i = 0; i < factors.size(); ++i)
    for (std::size_t k = 0; factors[i] != 0 && k < out->size(); ++k) (*out)[k] += factors[i] * (*columns_[i])[k];
  return out;
}

// ---- joint moments -------------------------------------------------------------------------------------------------

JointMoments JointMoments::of_means(std::uint64_t count, std::span<const double> means) {
  JointMoments out(means.size());
  out.n_ = count;
  std::ranges::copy(means, out.mean_.begin());
  std::ranges::fill(out.products_, kNotKnown);
  return out;
}

void JointMoments::add(std::span<const double> values) {
  assert(values.size() == mean_.size());
  const std::size_t k = mean_.size();
  const double before = static_cast<double>(n_), share = 1 / (before + 1), weight = before * share;
  ++n_;
  if (observed_.is_kept()) observed_.add(values, unit_);
  for (std::size_t i = 0; i < k; ++i) {
    const double weighted = weight * (values[i] - mean_[i]);
    for (std::size_t j = 0; j <= i; ++j) products_[i * k + j] += weighted * (values[j] - mean_[j]);
  }
  for (std::size_t i = 0; i < k; ++i) mean_[i] += (values[i] - mean_[i]) * share;
}

void JointMoments::merge(const JointMoments& other) {
  assert(other.variables() == variables());
  if (other.n_ == 0) return;
  if (observed_.is_kept()) observed_.add(other.mean_, other.n_ * unit_);
  const std::size_t k = mean_.size();
  const double mine = static_cast<double>(n_), theirs = static_cast<double>(other.n_), share = theirs / (mine + theirs);
  for (std::size_t i = 0; i < k; ++i) {
    const double weighted = mine * share * (other.mean_[i] - mean_[i]);
    for (std::size_t j = 0; j <= i; ++j)
      products_[i * k + j] += other.products_[i * k + j] + weighted * (other.mean_[j] - mean_[j]);
  }
  for (std::size_t i = 0; i < k; ++i) mean_[i] += (other.mean_[i] - mean_[i]) * share;
  n_ += other.n_;
}

double JointMoments::covariance(std::size_t i, std::size_t j) const {
  return n_ < 2 ? kNotKnown : products(i, j) / static_cast<double>(n_ - 1);
}

// ---- regression on controls ----------------------------------------------------------------------------------------

namespace {

/// The mean of variable 0 corrected by others whose means are known to be 0.
struct ControlledMean {
  double value = 0;
  double variance = 0;  ///< of the value; NaN for fewer than two observations
  std::uint64_t degrees_of_freedom = 0;  ///< of Student's quantile that goes with it
  std::vector<std::vector<double>> residuals = {};  ///< per fold, variables' factors in x_0 - b·c; none: a plain mean
  double used = 0;                                  ///< q: so many controls have a part
};
/// With fewer observations than controls and this many a regression would cost more than it gains, or be nonsense.
constexpr std::uint64_t kLeastBesideControls = 12;

/// A control that keeps less than this of its variation beside the others says nothing that they do not.
constexpr double kLeastRemaining = 1e-10;

using Weights = std::vector<double>;  ///< of the variables, one each

double product(const JointMoments& m, const Weights& weight, std::size_t with) {
  double sum = 0;
  for (std::size_t i = 0; i < m.variables(); ++i) sum += weight[i] * m.products(i, with);
  return sum;
}

void subtract(Weights& from, double slope, const Weights& other) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= slope * other[i];
}

/// Of x_0 - b·c, b of least squares, the variables' weights, and how many controls have a part: Gram and Schmidt on the
/// sums of products, each control loses what those before it explain, and variable 0 what each explains of it.
std::pair<Weights, std::size_t> regression(const JointMoments& m, std::size_t first, std::size_t count) {
  struct Control {
    Weights weight;
    double square;  ///< of the weighted sum
  };
  std::vector<Control> used;
  Weights residual(m.variables(), 0.0);
  residual[0] = 1;
  for (std::size_t c = first; c < first + count; ++c) {
    Control control{Weights(m.variables(), 0.0), m.products(c, c)};
    control.weight[c] = 1;
    for (const Control& other : used) {
      const double slope = product(m, other.weight, c) / other.square;
      subtract(control.weight, slope, other.weight);
      control.square -= slope * slope * other.square;
    }
    if (!(control.square > kLeastRemaining * m.products(c, c))) continue;
    subtract(residual, product(m, control.weight, 0) / control.square, control.weight);
    used.push_back(std::move(control));
  }
  return {residual, used.size()};
}

std::vector<JointMoments> others(std::span<const JointMoments> folds) {
  std::vector<JointMoments> out;
  JointMoments passed(folds.front().variables());
  for (const JointMoments& fold : folds) {
    out.push_back(passed);
    passed.merge(fold);
  }
  JointMoments to_come(passed.variables());
  for (std::size_t k = folds.size(); k-- > 0; to_come.merge(folds[k])) out[k].merge(to_come);
  return out;
}

struct Residuals {
  double count, mean, squares;  ///< squares about their mean
};

Residuals residuals(const JointMoments& fold, const Weights& weight) {
  Residuals out{static_cast<double>(fold.count()), 0, 0};
  for (std::size_t i = 0; i < weight.size(); ++i) {
    out.mean += weight[i] * fold.mean(i);
    out.squares += weight[i] * product(fold, weight, i);
  }
  out.squares = std::max(0.0, out.squares);
  return out;
}

/// The mean of x_0 - b·c, c the controls, where each fold's b are the coefficients of least squares of all other folds'
/// observations. These are independent of the fold's, so the value is unbiased whatever the joint law is (splitting:
/// Nelson, Oper. Res. 38, 1990; Avramidis & Wilson, Oper. Res. 41, 1993); one regression for all is biased by
/// -Cov(b, mean c): at 100 replications of a task on two machines a sixth of its standard error, of pairs a quarter.
/// @param folds not empty, of the same variables; observations dealt out to them in turn.
/// @param first, count the controls among the variables. One that does not vary, or varies with those before it alone,
/// has no part.
/// variance is SS/((n - 1)(n - 2q)), q the number of controls with a part, SS the sum of squares of x_0 - b·c about the
/// value: since b never saw the observation, SS holds the loss by estimating b also where residuals are unequally
/// spread; n - 2q in place of n stands for what the b of the folds have in common. Degrees of freedom are
/// Satterthwaite's, from how much the folds' sums of squares differ, at most n - q - 1: residuals have long tails. Both
/// were chosen by their coverage (variance-reduction.md). The plain mean, with its plain variance, below
/// count + kLeastBesideControls observations.
ControlledMean controlled_mean(std::span<const JointMoments> folds, std::size_t first, std::size_t count) {
  const std::vector<JointMoments> of_others = others(folds);
  JointMoments all = of_others.front();
  all.merge(folds.front());
  const double n = static_cast<double>(all.count()), fold_count = static_cast<double>(folds.size());
  if (count == 0 || folds.size() < 2 || all.count() < count + kLeastBesideControls)
    return {all.mean(0), all.covariance(0, 0) * (1 / n), all.count() > 1 ? all.count() - 1 : 0};
  std::vector<Residuals> parts;
  std::vector<Weights> weights;
  double value = 0, q = 0;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    const auto& [residual, used] = regression(of_others[k], first, count);
    q = std::max(q, static_cast<double>(used));
    parts.push_back(residuals(folds[k], residual));
    weights.push_back(residual);
    value += parts.back().mean * (parts.back().count / n);
  }
  double squares = 0;
  for (Residuals& part : parts) {
    part.squares += part.count * (part.mean - value) * (part.mean - value);
    squares += part.squares;
  }
  double spread = 0;
  for (const Residuals& part : parts) {
    const double off = part.squares - squares * part.count / n;
    spread += off * off;
  }
  // Satterthwaite's: 2 SS²/Var SS, the variance from the folds' parts of SS.
  const double most = n - q - 1, matched = 2 * squares * squares / (spread * fold_count / (fold_count - 1));
  const double degrees = matched < most ? std::max(1.0, matched) : most;  // NaN, of residuals that are all 0: most
  return {value, squares / ((n - 1) * (n - 2 * q)), static_cast<std::uint64_t>(degrees), std::move(weights), q};
}

// ---- samples -------------------------------------------------------------------------------------------------------

const Moments& moments(const Sample& s) { return s; }

double number_of_units(const Sample& s) { return static_cast<double>(s.number_of_units()); }

/// The spread of a replication, or it over the mean, of units: the delta method with their variances and covariance.
Estimate spread_of_units(const Sample& s, bool is_over_mean, const Confidence& confidence) {
  const JointMoments units = s.units();
  const double n = number_of_units(s), m = is_over_mean ? s.mean() : 1;
  const double shift = 2 * (units.mean(0) - s.origin());  // d, (x - mean)², is the square from the origin less shift·x
  const double of_x = units.covariance(0, 0), of_square = units.covariance(1, 1), both = units.covariance(0, 1);
  const double of_d = of_square - 2 * shift * both + shift * shift * of_x, of_x_and_d = both - shift * of_x;
  const double variance = s.central(2) + of_x / n;  // of a replication: that within the sample, and that of its mean
  double of_log = of_d / (4 * variance * variance);
  if (is_over_mean) of_log = of_log - of_x_and_d / (variance * m) + of_x / (m * m);
  const double h = student_quantile(s.number_of_units(), confidence) * std::sqrt(std::max(0.0, of_log) / n);
  // How many independent replications would tell the mean squared deviation as well.
  const double alone = s.central(4) - s.central(2) * s.central(2);
  const double worth = of_d > 0 ? std::clamp(alone / of_d * n, n, static_cast<double>(s.count())) : n;
  return spread_interval((s.has_units() ? std::sqrt(variance) : s.sd()) / m, s.has_units() ? h : kNotKnown, s, worth,
                         confidence.level);
}

Influence influence_of(const Sample& s, Observations::Column values, double centre,
                       Influence::Of of = Influence::Of::linear) {
  return {std::move(values), s.observed().span(), s.observed().replications(), centre, 1, of};
}

Estimate with_mean_influence(const Sample& s, Estimate e) {
  if (!s.has_all_observed()) return e;
  Influence influence = influence_of(s, s.observed().column(0), s.mean());
  influence.steps = s.observed().steps(std::array{1.0});
  return with_influence(std::move(e), std::move(influence));
}

/// Of a standard deviation, or one over the mean: by what entries' means of (x - mean)² and of x - mean contribute.
Estimate with_spread_influence(const Sample& s, Estimate e, bool is_over_mean) {
  if (!(is_over_mean ? e.value != 0 : e.value > 0) || !s.has_all_observed()) return e;
  const double by_variance = is_over_mean ? e.value / (2 * s.variance()) : 1 / (2 * e.value);
  const double by_mean = is_over_mean ? -e.value / s.mean() : 0;
  const Observations& o = s.observed();
  const double variance = s.central(2), shift = s.mean() - s.origin();
  auto values = std::make_shared<std::vector<double>>(*o.column(0));
  for (std::size_t k = 0; k < values->size(); ++k) {
    const double d = (*values)[k] - s.mean();
    const double square =
        o.columns() == 1 ? d * d : (*o.column(1))[k] - 2 * shift * (d + s.mean() - s.origin()) + shift * shift;
    (*values)[k] = by_variance * (square - variance) + by_mean * d;
  }
  return with_influence(std::move(e), influence_of(s, std::move(values), 0));
}

/// Of the regression estimate: the residuals that each entry has by the coefficients of its fold, where entries are
/// observations; of longer ones by the folds' mean coefficients, which then are nearly the same.
Estimate with_controlled_influence(const Sample& s, Estimate e, const ControlledMean& m) {
  if (!s.has_all_observed()) return e;
  if (m.residuals.empty()) return with_mean_influence(s, std::move(e));
  const Observations& observed = s.observed();
  const std::size_t folds = m.residuals.size();
  const bool are_units = observed.span() == s.sampling().unit;
  const auto factor = [&](std::size_t k, std::size_t variable) {
    if (are_units) return m.residuals[k % folds][variable];
    double sum = 0;
    for (const auto& fold : m.residuals) sum += fold[variable];
    return sum / static_cast<double>(folds);
  };
  auto values = std::make_shared<std::vector<double>>(*observed.column(0));
  for (std::size_t c = 0; c < s.sampling().controls; ++c)
    for (std::size_t k = 0; k < values->size(); ++k)
      (*values)[k] += factor(k, 2 + c) * (*observed.column(2 + c))[k];
  const double n = number_of_units(s), widened = std::sqrt(n / (n - 2 * m.used));  // as in m.variance
  const Influence influence = influence_of(s, std::move(values), e.value).times(widened);
  return with_influence(std::move(e), influence.with_freedom(static_cast<double>(m.degrees_of_freedom)));
}

}  // namespace

void Sample::add_batch(const Moments& batch, std::span<const double> values) {
  assert(sampling_.is_plain());
  if (count() == 0 && !values.empty()) origin_ = values.front();
  merge(batch);
  for (std::size_t k = 0; observed_.is_kept() && k < values.size(); ++k) {
    const std::array both{values[k], (values[k] - origin_) * (values[k] - origin_)};
    observed_.add(std::span(both).first(observed_.columns()));
  }
}

void Sample::add_batch(const Moments& batch) {
  if (batch.count() == 0) return;
  if (count() == 0) origin_ = batch.mean();
  merge(batch);
  const double shift = batch.mean() - origin_;
  const std::array both{batch.mean(), batch.central(2) + shift * shift};
  if (observed_.is_kept()) observed_.add(std::span(both).first(observed_.columns()), batch.count());
}

void Sample::add_batch(std::span<const double> values, std::span<const std::vector<double>> controls) {
  const Moments batch = Moments::of(values);
  if (count() == 0 && !values.empty()) origin_ = values.front();
  if (sampling_.is_plain()) return add_batch(batch, values);
  merge(batch);
  assert(values.size() % sampling_.unit == 0 && controls.size() >= sampling_.controls);
  const auto unit = static_cast<double>(sampling_.unit);
  std::vector<double> sums(folds_.front().variables());
  for (std::size_t first = 0; first < values.size(); first += sampling_.unit) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t k = first; k < first + sampling_.unit; ++k) {
      sums[0] += values[k] / unit;
      sums[1] += (values[k] - origin_) * (values[k] - origin_) / unit;
      for (std::size_t c = 0; c < sampling_.controls; ++c) sums[2 + c] += controls[c][k] / unit;
    }
    folds_[number_of_units_++ % folds_.size()].add(sums);
    if (observed_.is_kept()) observed_.add(sums, sampling_.unit);
  }
}

JointMoments Sample::units() const {
  JointMoments all(folds_.empty() ? 0 : folds_.front().variables());
  for (const JointMoments& fold : folds_) all.merge(fold);
  return all;
}

double Sample::variance_of_mean() const {
  return number_of_units_ > 1 ? units().covariance(0, 0) / static_cast<double>(number_of_units_) : 0;
}

Estimate mean_estimate(const Sample& s, const Confidence& confidence) {
  if (s.sampling().is_plain()) return with_mean_influence(s, mean_estimate(moments(s), confidence));
  if (!s.has_units() || s.count() == 0) return {s.count() == 0 ? kNotKnown : s.mean(), kNotKnown, kNotKnown};
  const ControlledMean m = controlled_mean(s.folds(), 2, s.sampling().controls);
  const double h = student_quantile(m.degrees_of_freedom + 1, confidence) * std::sqrt(m.variance);
  return with_controlled_influence(s, {m.value, m.value - h, m.value + h}, m);
}

Estimate sd_estimate(const Sample& s, const Confidence& confidence) {
  if (s.sampling().unit == 1) return with_spread_influence(s, sd_estimate(moments(s), confidence), false);
  return s.sd() > 0 ? with_spread_influence(s, spread_of_units(s, false, confidence), false) : exactly(s.sd());
}

Estimate cv_estimate(const Sample& s, const Confidence& confidence) {
  const bool is_plain = s.sampling().unit == 1 || !(s.sd() > 0) || s.mean() == 0;
  return with_spread_influence(
      s, is_plain ? cv_estimate(moments(s), confidence) : spread_of_units(s, true, confidence), true);
}

Estimate proportion_estimate(const Sample& s, const Confidence& confidence) {
  if (s.count() == 0) return exactly(kNotKnown);
  const double p = s.mean(), n = static_cast<double>(s.count()), of_mean = s.variance_of_mean();
  const Estimate e = proportion_interval(p, of_mean > 0 ? std::min(n, p * (1 - p) / of_mean) : n, confidence.level);
  if (!s.has_all_observed()) return e;
  return with_influence(e, influence_of(s, s.observed().column(0), p, Influence::Of::proportion));
}

}  // namespace nowsim

// Filling entries one after the other; co-moments in one pass, and regression on controls by successive elimination.
#include "sim/statistics/observations.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace nowsim {

void Observations::add(std::span<const double> means, std::uint64_t replications) {
  assert(means.size() == columns_.size());
  if (replications_ == 0) span_ = (span_ + replications - 1) / replications * replications;
  if (replications_ == kMostEntries * span_) double_span();
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

/// All entries are full.
void Observations::double_span() {
  for (auto& column : columns_) {
    auto halved = std::make_shared<std::vector<double>>();
    for (std::size_t k = 0; k + 1 < column->size(); k += 2) halved->push_back(((*column)[k] + (*column)[k + 1]) / 2);
    column = std::move(halved);
  }
  span_ *= 2;
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

namespace {

/// A control that keeps less than this of its variation beside the others says nothing that they do not.
constexpr double kLeastShare = 1e-10;

using Weights = std::vector<double>;  ///< of the variables, one each

double product(const JointMoments& m, const Weights& weight, std::size_t with) {
  double sum = 0;
  for (std::size_t i = 0; i < m.variables(); ++i) sum += weight[i] * m.products(i, with);
  return sum;
}

void subtract(Weights& from, double slope, const Weights& other) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= slope * other[i];
}

/// x_0 - b·c, b of least squares.
struct Regression {
  Weights residual;      ///< of the variables in it
  std::size_t used = 0;  ///< how many controls have a part
};

/// Gram and Schmidt on the sums of products: each control loses what those before it explain, and variable 0 what each
/// explains of it.
Regression regression(const JointMoments& m, std::size_t first, std::size_t count) {
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
    if (!(control.square > kLeastShare * m.products(c, c))) continue;
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

ControlledMean plain_mean(const JointMoments& m) {
  const std::uint64_t n = m.count();
  return {m.mean(0), m.covariance(0, 0) * (1 / static_cast<double>(n)), n > 1 ? n - 1 : 0};
}

/// Satterthwaite's: 2 SS²/Var SS, the variance from the folds' parts of SS.
double freedom(const std::vector<Residuals>& parts, double n, double squares) {
  double spread = 0;
  for (const Residuals& part : parts) {
    const double off = part.squares - squares * part.count / n;
    spread += off * off;
  }
  const double folds = static_cast<double>(parts.size());
  return 2 * squares * squares / (spread * folds / (folds - 1));
}

}  // namespace

JointMoments JointMoments::of_means(std::uint64_t count, std::span<const double> means) {
  JointMoments out(means.size());
  out.n_ = count;
  std::ranges::copy(means, out.mean_.begin());
  std::ranges::fill(out.products_, std::numeric_limits<double>::quiet_NaN());
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
  return n_ < 2 ? std::numeric_limits<double>::quiet_NaN() : products(i, j) / static_cast<double>(n_ - 1);
}

ControlledMean controlled_mean(std::span<const JointMoments> folds, std::size_t first, std::size_t count) {
  const std::vector<JointMoments> of_others = others(folds);
  JointMoments all = of_others.front();
  all.merge(folds.front());
  if (count == 0 || folds.size() < 2 || all.count() < count + kLeastBesideControls) return plain_mean(all);
  const double n = static_cast<double>(all.count());
  std::vector<Residuals> parts;
  std::vector<Weights> weights;
  double value = 0, q = 0;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    const Regression line = regression(of_others[k], first, count);
    q = std::max(q, static_cast<double>(line.used));
    parts.push_back(residuals(folds[k], line.residual));
    weights.push_back(line.residual);
    value += parts.back().mean * (parts.back().count / n);
  }
  double squares = 0;
  for (Residuals& part : parts) {
    part.squares += part.count * (part.mean - value) * (part.mean - value);
    squares += part.squares;
  }
  const double most = n - q - 1, matched = freedom(parts, n, squares);
  const double degrees = matched < most ? std::max(1.0, matched) : most;  // NaN, of residuals that are all 0: most
  return {value, squares / ((n - 1) * (n - 2 * q)), static_cast<std::uint64_t>(degrees), std::move(weights), q};
}

}  // namespace nowsim

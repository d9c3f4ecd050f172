// Filling entries one after the other.
#include "sim/statistics/observations.hpp"

#include <cassert>
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

}  // namespace nowsim

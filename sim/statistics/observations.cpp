// Filling entries one after the other.
#include "sim/statistics/observations.hpp"

#include <cassert>

namespace nowsim {

void Observations::add(std::span<const double> means, std::uint64_t replications) {
  assert(means.size() == columns_.size());
  if (replications_ == 0 && replications > span_) span_ = (span_ + replications - 1) / replications * replications;
  const std::uint64_t in_last = replications_ % span_;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    auto& column = columns_[i];
    if (column.use_count() > 1) column = std::make_shared<std::vector<double>>(*column);
    if (in_last == 0) column->push_back(means[i]);
    else column->back() += (means[i] - column->back()) * static_cast<double>(replications) / static_cast<double>(in_last + replications);
  }
  replications_ += replications;
}

Observations::Column Observations::combined(std::span<const double> factors) const {
  auto out = std::make_shared<std::vector<double>>(columns_.empty() ? 0 : columns_.front()->size(), 0.0);
  for (std::size_t i = 0; i < factors.size(); ++i)
    for (std::size_t k = 0; factors[i] != 0 && k < out->size(); ++k) (*out)[k] += factors[i] * (*columns_[i])[k];
  return out;
}

}  // namespace nowsim

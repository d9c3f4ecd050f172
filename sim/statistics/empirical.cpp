// A histogram's bins with a guide to where each draw's is, as in Chen & Asau (J. Amer. Inst. Ind. Eng. 6, 1974).
#include "sim/statistics/empirical.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/law_requirements.hpp"
#include "sim/statistics/portable_scalar.hpp"

namespace nowsim {
namespace {

class HistogramQuantile final : public QuantileFunction {
 public:
  /// @param bins in order, of positive weights.
  explicit HistogramQuantile(const std::vector<HistogramBin>& bins) {
    using portable::scalar::Pair;
    Pair all{0, 0}, sum{0, 0};
    for (const auto& bin : bins) all = portable::scalar::sum(all, Pair{bin.weight, 0});
    double from = 0;
    for (const auto& bin : bins) {
      sum = portable::scalar::sum(sum, Pair{bin.weight, 0});
      const double upto = std::min(sum.high / all.high, 1.0);
      if (!(upto > from)) continue;  // less than a draw
      rows_.push_back({upto, from, bin.low, (bin.high - bin.low) / (upto - from), bin.high});
      from = upto;
    }
    rows_.back().upto = 1;
    guide_.resize(rows_.size());
    const auto n = static_cast<double>(rows_.size());
    std::uint32_t row = 0;
    for (std::size_t k = 0; k < guide_.size(); ++k) {
      while (static_cast<double>(k) >= rows_[row].upto * n) ++row;
      guide_[k] = row;
    }
  }

  double at(double u) const override {
    const auto place = static_cast<std::size_t>(u * static_cast<double>(guide_.size()));
    std::size_t row = guide_[std::min(place, guide_.size() - 1)];
    while (row > 0 && u < rows_[row].from) --row;  // where rounding has put it into the next place
    while (u >= rows_[row].upto) ++row;
    const Row& r = rows_[row];
    return std::min(r.low + (u - r.from) * r.slope, r.high);
  }

 private:
  /// Of u from `from` to below `upto`.
  struct Row {
    double upto, from, low, slope, high;
  };
  std::vector<Row> rows_;
  std::vector<std::uint32_t> guide_;  ///< the row at each of as many places in [0, 1)
};

std::string text_of(const HistogramBin& bin) {
  return "from " + number_text(bin.low) + " to " + number_text(bin.high);
}

void check(const std::vector<HistogramBin>& bins) {
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const auto& [low, high, weight] = bins[i];
    if (!(std::isfinite(low) && std::isfinite(high) && std::isfinite(weight) && low <= high && weight >= 0))
      throw InputError("a bin " + text_of(bins[i]) + " of weight " + number_text(weight) +
                       " is not possible: its ends must be in order, and its weight 0 or more");
    if (i > 0 && bins[i - 1].high > low)
      throw InputError("the bins " + text_of(bins[i - 1]) + " and " + text_of(bins[i]) + " overlap");
  }
}

}  // namespace

DistributionPtr histogram(std::vector<HistogramBin> bins) {
  std::ranges::stable_sort(bins, {}, [](const HistogramBin& bin) { return std::pair(bin.low, bin.high); });
  check(bins);
  std::erase_if(bins, [](const HistogramBin& bin) { return bin.weight == 0; });
  require(!bins.empty(), "a histogram needs a bin whose weight is more than 0");
  double all = 0, sum = 0, squares = 0;
  for (const auto& bin : bins) all += bin.weight;
  require(std::isfinite(all), "the sum of a histogram's weights is more than doubles hold");
  for (const auto& [low, high, weight] : bins) sum += weight * (0.5 * low + 0.5 * high);
  const double mean = sum / all;
  for (const auto& [low, high, weight] : bins) {
    const double middle = 0.5 * low + 0.5 * high - mean, width = high - low;
    squares += weight * (middle * middle + width * width / 12);
  }
  const LawFacts facts{mean, squares / all, bins.front().low, bins.back().high};
  if (facts.lower == facts.upper) return constant(facts.lower);
  return law_with(facts, {InverseTransform::Form::called, 0, 1, nullptr, false,
                          std::make_shared<const HistogramQuantile>(bins)});
}

DistributionPtr empirical(const std::vector<double>& values) {
  require(!values.empty(), "a law of given values needs at least one");
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  std::vector<HistogramBin> bins;
  for (const double value : sorted) {
    if (bins.empty() || bins.back().high != value) bins.push_back({value, value, 0});
    bins.back().weight += 1;
  }
  return histogram(std::move(bins));
}

DistributionPtr brought_to(const Distribution& law, double mean, double th) {
  constexpr std::size_t kParts = 200;
  std::vector<double> values;
  for (std::size_t k = 0; k < kParts; ++k)
    values.push_back(std::clamp(law.quantile((static_cast<double>(k) + 0.5) / kParts), 0.0, 1.0));
  const auto mean_of = [&] { return std::accumulate(values.begin(), values.end(), 0.0) / kParts; };
  const double before = mean_of();
  for (double& x : values) x = mean <= before ? x * mean / before : 1 - (1 - x) * (1 - mean) / (1 - before);
  double squares = 0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  const double sd = std::sqrt(squares / kParts);
  if (!(sd > 0)) return constant(mean);
  double spread = th * mean / sd;
  if (mean > values.front()) spread = std::min(spread, mean / (mean - values.front()));
  if (values.back() > mean) spread = std::min(spread, (1 - mean) / (values.back() - mean));
  for (double& x : values) x = std::clamp(mean + spread * (x - mean), 0.0, 1.0);
  return empirical(values);
}

}  // namespace nowsim

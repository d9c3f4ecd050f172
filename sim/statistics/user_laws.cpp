// A histogram's bins with a guide to where each draw's is, as in Chen & Asau (J. Amer. Inst. Ind. Eng. 6, 1974); a
// formula of the uniform number, its values checked, and its moments by integration.
#include "sim/statistics/user_laws.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <compare>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/portable_scalar.hpp"
#include "sim/statistics/roots_and_minima.hpp"

namespace nowsim {
namespace {

/// bisected() by 40 halvings.
template <class Condition>
double end_of(Condition holds, double low, double high) {
  const double enough = 0x1.8p-40 * (high - low);
  return bisected(low, high, holds, [enough](double a, double b) { return b - a < enough; });
}

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

/// Where the share u of a sum lies, by the sums up to each term: in which term, how far in it, and how much that is.
struct PlaceInSum {
  std::size_t term;
  double beyond, width;
};
PlaceInSum place_in_sum(const std::vector<double>& upto, double u) {
  const double place = u * upto.back();
  const auto above = static_cast<std::size_t>(std::ranges::upper_bound(upto, place) - upto.begin());
  const std::size_t k = std::min(above, upto.size() - 1);
  const double from = k == 0 ? 0 : upto[k - 1];
  return {k, place - from, upto[k] - from};
}

/// A value as likely as it is large, of a histogram of none below 0: a bin by what it has of the mean, and a place in it.
auto size_biased(const std::vector<HistogramBin>& bins) {
  std::vector<double> upto;
  double sum = 0;
  for (const auto& bin : bins) upto.push_back(sum += bin.weight * (0.5 * bin.low + 0.5 * bin.high));
  return [bins, upto](double u) {
    const PlaceInSum place = place_in_sum(upto, u);
    const double low = bins[place.term].low, high = bins[place.term].high;
    const double share = std::clamp(place.beyond / place.width, 0.0, 1.0);
    return std::sqrt(low * low + share * (high - low) * (high + low));
  };
}

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
  const auto residual = [bins] { return part_of(size_biased(bins)); };
  return law_with(facts, {InverseTransform::Form::function, 0, 1, nullptr, false,
                          std::make_shared<const HistogramQuantile>(bins)}, residual);
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
  for (std::size_t k = 0; k < kParts; ++k) values.push_back(law.quantile((static_cast<double>(k) + 0.5) / kParts));
  const double middle = std::accumulate(values.begin(), values.end(), 0.0) / kParts;
  if (!(th > 0) || !(mean < 1) || values.front() == values.back()) return constant(mean);
  std::vector<double> moved(kParts);
  // Spread about their mean, and shifted until what lies within [0, 1] has the mean that is wanted: it rises with the
  // shift, and the spread of what comes out with the factor.
  const auto sd_at = [&](double factor) {
    const auto mean_at = [&](double shift) {
      for (std::size_t k = 0; k < kParts; ++k) moved[k] = std::clamp(shift + factor * (values[k] - middle), 0.0, 1.0);
      return std::accumulate(moved.begin(), moved.end(), 0.0) / kParts;
    };
    const double reach = factor * (values.back() - values.front());
    const double shift = end_of([&](double at) { return mean_at(at) < mean; }, -reach, 1 + reach);
    mean_at(shift);
    double squares = 0;
    for (const double x : moved) squares += (x - mean) * (x - mean);
    return std::sqrt(squares / kParts);
  };
  constexpr double kMostFactor = 1000;  // all but two-valued
  sd_at(end_of([&](double factor) { return sd_at(factor) < th * mean; }, 0, kMostFactor));
  return empirical(moved);
}

// ---- formulas ------------------------------------------------------------------------------------------------------

namespace {

class FormulaQuantile final : public QuantileFunction {
 public:
  FormulaQuantile(const WrittenFormula& written, FormulaRange range)
      : written_(written), range_(std::move(range)), variables_(written.keys) {}

  double at(double u) const override {
    variables_["u"] = u;
    const double value = written_.formula->evaluate(variables_);
    if (value >= range_.least && value <= range_.most) return value;
    throw InputError("the formula " + quoted(written_.text) + " gives " + number_text(value) + " at u = " +
                     number_text(u) + ": " + range_.what + " must be " +
                     (std::isfinite(range_.most) ? "from " + number_text(range_.least) + " to " + number_text(range_.most)
                                                 : "at least " + number_text(range_.least)));
  }

 private:
  WrittenFormula written_;
  FormulaRange range_;
  mutable std::map<std::string, double> variables_;
};

constexpr double kLastDraw = 1 - 0x1.0p-53;

/// A part of 0..1, what the rule makes of its halves, and how far from that it is on the whole.
struct HalvedPanel {
  double error, integral, low, high;
  auto operator<=>(const HalvedPanel&) const = default;
};

/// As QUADPACK's QAG does (Piessens et al., 1983): the panel of the largest error is halved, until the sum of all errors
/// is small enough: beside this scale, or beside the integral. It begins with many, so that what oscillates is not taken
/// for what is smooth. Gives the integral and the panels.
using PanelRule = boost::math::quadrature::gauss<double, 15>;
template <class F>
std::pair<double, std::vector<HalvedPanel>> integrated(const F& f, double scale, const std::string& text) {
  constexpr std::size_t kFirst = 32, kMost = 4096;
  std::vector<HalvedPanel> panels;
  const auto at = [&f](double u) { return f(std::min(u, kLastDraw)); };
  double error = 0, sum = 0;
  const auto add = [&](double low, double high) {
    const double middle = 0.5 * (low + high), whole = PanelRule::integrate(at, low, high);
    const double halves = PanelRule::integrate(at, low, middle) + PanelRule::integrate(at, middle, high);
    panels.push_back({std::abs(whole - halves), halves, low, high});
    error += panels.back().error;
    sum += halves;
    std::ranges::push_heap(panels);
  };
  const auto is_good = [&] { return error <= 0.01 * kFormulaError * std::max(scale, sum); };  // jumps can look small
  for (std::size_t i = 0; i < kFirst; ++i) add(static_cast<double>(i) / kFirst, static_cast<double>(i + 1) / kFirst);
  while (!is_good() && panels.size() < kMost) {
    std::ranges::pop_heap(panels);
    const HalvedPanel worst = panels.back();
    panels.pop_back();
    error -= worst.error;
    sum -= worst.integral;
    add(worst.low, 0.5 * (worst.low + worst.high));
    add(0.5 * (worst.low + worst.high), worst.high);
  }
  if (is_good()) return {sum, std::move(panels)};
  throw InputError("the moments of the formula " + quoted(text) + " cannot be integrated to " +
                   number_text(kFormulaError) + ": it varies too fast with u, or has too heavy a tail");
}

/// A value as likely as it is large, whether the formula rises or not: at the place in 0..1 up to which it has the share u
/// of its integral.
auto size_biased(std::shared_ptr<const QuantileFunction> f, std::vector<HalvedPanel> panels) {
  std::ranges::sort(panels, {}, &HalvedPanel::low);
  std::vector<double> upto;
  double sum = 0;
  for (const HalvedPanel& panel : panels) upto.push_back(sum += panel.integral);
  return [f, panels, upto](double u) {
    const PlaceInSum place = place_in_sum(upto, u);
    const double low = panels[place.term].low, high = panels[place.term].high;
    const auto at = [&f](double v) { return f->at(std::min(v, kLastDraw)); };
    const auto left = [&](double v) { return place.beyond - (v > low ? PanelRule::integrate(at, low, v) : 0); };
    return at(falling_root(left, low, high, 40));
  };
}

/// E|X|^k is finite for k below this, by how X grows over the last draws to either end: as u^-(1/k), (1-u)^-(1/k).
double moment_limit(const QuantileFunction& f) {
  const auto growth = [](double far, double near) {
    return far > 0 && near > 0 ? std::log2(near / far) / 10 : 0;
  };
  const double most = std::max(growth(f.at(0x1p-40), f.at(0x1p-50)), growth(f.at(1 - 0x1p-40), f.at(1 - 0x1p-50)));
  return most > 1e-6 ? 1 / most : kInfinity;
}

}  // namespace

DistributionPtr formula_law(const WrittenFormula& written, const FormulaRange& range) {
  const auto f = std::make_shared<const FormulaQuantile>(written, range);
  constexpr int kGrid = 4096;
  for (int i = 0; i < kGrid; ++i) static_cast<void>(f->at(static_cast<double>(i) / kGrid));
  static_cast<void>(f->at(kLastDraw));
  const auto [mean, panels] = integrated([&](double u) { return f->at(u); }, 0, written.text);
  if (!(mean > 0)) throw InputError("the formula " + quoted(written.text) + " is 0 for every u: its mean must be above 0");
  const double limit = moment_limit(*f);
  if (limit <= 2)
    throw InputError("the formula " + quoted(written.text) +
                     " grows too fast towards an end of 0..1: its variance is infinite");
  const double variance =
      integrated([&, a = mean](double u) { return (f->at(u) - a) * (f->at(u) - a); }, mean * mean, written.text).first;
  return law_with({mean, variance, range.least, range.most, limit},
                  {InverseTransform::Form::function, 0, 1, nullptr, false, f},
                  [f, all = panels] { return part_of(size_biased(f, all)); });
}

}  // namespace nowsim

// A formula of the uniform number as a law: its values, checked, and its moments by integration.
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <compare>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/bracketed_root.hpp"
#include "sim/statistics/empirical.hpp"
#include "sim/statistics/residual_life.hpp"

namespace nowsim {
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

constexpr int kGrid = 4096;
constexpr double kLastDraw = 1 - 0x1.0p-53;

void check_on_grid(const QuantileFunction& f) {
  for (int i = 0; i < kGrid; ++i) static_cast<void>(f.at(static_cast<double>(i) / kGrid));
  static_cast<void>(f.at(kLastDraw));
}

/// A part of 0..1, what the rule makes of its halves, and how far from that it is on the whole.
struct HalvedPanel {
  double error, integral, low, high;
  auto operator<=>(const HalvedPanel&) const = default;
};

/// As QUADPACK's QAG does (Piessens et al., 1983): the panel of the largest error is halved, until the sum of all errors
/// is small enough: beside this scale, or beside the integral. It begins with many, so that what oscillates is not taken
/// for what is smooth.
struct Integral {
  double sum;
  std::vector<HalvedPanel> panels;
};
using PanelRule = boost::math::quadrature::gauss<double, 15>;
template <class F>
Integral integrated(const F& f, double scale, const std::string& text) {
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
class SizeBiasedFormula {
 public:
  SizeBiasedFormula(std::shared_ptr<const QuantileFunction> f, std::vector<HalvedPanel> panels)
      : f_(std::move(f)), panels_(std::move(panels)) {
    std::ranges::sort(panels_, {}, &HalvedPanel::low);
    double sum = 0;
    for (const HalvedPanel& panel : panels_) upto_.push_back(sum += panel.integral);
  }
  double operator()(double u) const {
    const double place = u * upto_.back();
    const auto above = static_cast<std::size_t>(std::ranges::upper_bound(upto_, place) - upto_.begin());
    const std::size_t k = std::min(above, panels_.size() - 1);
    const auto& [error, integral, low, high] = panels_[k];
    const auto at = [this](double v) { return f_->at(std::min(v, kLastDraw)); };
    const double wanted = place - (k == 0 ? 0 : upto_[k - 1]), from = low;
    return at(falling_root([&](double v) { return wanted - (v > from ? PanelRule::integrate(at, from, v) : 0); }, low, high, 40));
  }

 private:
  std::shared_ptr<const QuantileFunction> f_;
  std::vector<HalvedPanel> panels_;
  std::vector<double> upto_;
};

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
  check_on_grid(*f);
  const auto [mean, panels] = integrated([&](double u) { return f->at(u); }, 0, written.text);
  if (!(mean > 0)) throw InputError("the formula " + quoted(written.text) + " is 0 for every u: its mean must be above 0");
  const double limit = moment_limit(*f);
  if (limit <= 2)
    throw InputError("the formula " + quoted(written.text) +
                     " grows too fast towards an end of 0..1: its variance is infinite");
  const double variance =
      integrated([&, a = mean](double u) { return (f->at(u) - a) * (f->at(u) - a); }, mean * mean, written.text).sum;
  return law_with({mean, variance, range.least, range.most, limit}, {InverseTransform::Form::called, 0, 1, nullptr, false, f},
                  [f, all = panels] { return part_of(SizeBiasedFormula(f, all)); });
}

}  // namespace nowsim

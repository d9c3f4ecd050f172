// The owner model `intervals`: availability constant on random intervals (HL 5.1).
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/owners/correlated_owner.hpp"
#include "sim/owners/owner_models.hpp"

namespace nowsim {
namespace {

class Intervals final : public OwnerModel {
 public:
  Intervals(DistributionPtr value, DistributionPtr length, std::string label)
      : value_(std::move(value)), length_(std::move(length)), label_(std::move(label)) {}

  std::unique_ptr<Path> path(const StreamKey& key) const override {
    if (value_->upper() <= 0) return constant_path(0);
    return drawn_path([value = value_.get(), length = length_.get(), stream = Stream(key)]() mutable {
      const double duration = length->quantile(stream.uniform());  // length first, then value: part of the results
      return Step{duration, value->quantile(stream.uniform())};
    });
  }
  double mean() const override { return value_->mean(); }
  double sd() const override { return std::sqrt(value_->variance()); }
  std::optional<IntervalModel> intervals() const override {
    const double m = length_->mean();
    return IntervalModel{mean(), temporal_heterogeneity(), m, length_->variance() + m * m, length_->moment_limit()};
  }
  std::optional<SimpleIntervals> simple_intervals() const override {
    if (value_->upper() <= 0) return std::nullopt;
    return SimpleIntervals{length_->transform(), value_->transform()};
  }
  OwnerPtr reflected() const override {
    return std::make_shared<Intervals>(nowsim::reflected(value_), length_, label_ + " reflected");
  }
  std::string describe() const override { return label_; }

 private:
  DistributionPtr value_, length_;
  std::string label_;
};

/// What the keys say of a workstation.
struct IntervalKeys {
  std::string value, length;
  double mean, th, interval_s, shape, correlation;
  /// Exactly, so that it is the model's identity.
  [[nodiscard]] std::string label() const {
    std::string text = "intervals " + value + " mean=" + number_text(mean) + " TH=" + number_text(th) +
                       " length=" + length + " interval=" + number_text(interval_s) + "s";
    if (length == "pareto") text += " shape=" + number_text(shape);
    if (correlation > 0) text += " correlation=" + number_text(correlation);
    return text;
  }
};

/// TH of the workstation, where SH spreads it over all.
double spread_th(KeyReader& read, const OwnerContext& context, double th, double sh) {
  if (!(sh > 0)) return th;
  const std::string name = number_text(th) + " " + number_text(sh) + " " + std::to_string(context.count);
  const auto spread = context.shared.get<std::vector<double>>(name, [&] {
    return std::make_shared<const std::vector<double>>(
        read.feasible("SH", [&] { return spread_temporal_heterogeneity(th, sh, context.count); }));
  });
  return (*spread)[context.index];
}

OwnerPtr make_intervals(KeyReader& read, const OwnerContext& context) {
  IntervalKeys k;
  k.value = value_laws()[read.word("value")].name;
  k.length = length_laws()[read.word("length")].name;
  k.mean = read.value("mean");
  k.th = read.value("TH");
  const double sh = context.spread ? read.value("SH") : 0.0;
  k.interval_s = read.value("interval");
  k.shape = k.length == "pareto" ? read.value("shape") : 3;
  k.correlation = read.value("correlation");
  k.th = spread_th(read, context, k.th, sh);
  const std::string label = k.label();
  return context.shared.get<OwnerModel>(label, [&] {
    auto value_law = read.feasible("TH", [&] { return make_value_law(k.value, k.mean, k.th); });
    const std::string length_label = k.length + " " + number_text(k.interval_s) + " " + number_text(k.shape);
    const auto length_law = context.shared.get<Distribution>(
        length_label, [&] { return make_length_law(k.length, k.interval_s, k.shape); });
    return correlated_owner(std::move(value_law), length_law, k.correlation, label);
  });
}

}  // namespace

OwnerPtr intervals_owner(DistributionPtr value, DistributionPtr length_s, std::string label) {
  return std::make_shared<Intervals>(std::move(value), std::move(length_s), std::move(label));
}

std::vector<double> spread_temporal_heterogeneity(double th, double sh, std::size_t workstations) {
  if (!(th >= 0) || !std::isfinite(th)) throw InputError("TH = " + short_number(th) + " must not be negative");
  if (!(sh >= 0) || !std::isfinite(sh)) throw InputError("SH = " + short_number(sh) + " must not be negative");
  if (sh > 0 && workstations < 2)
    throw InfeasibleError("SH = " + short_number(sh) + " needs at least two workstations; one has SH = 0");
  if (sh > th * (1 + 1e-12))
    throw InfeasibleError("SH = " + short_number(sh) + " is more than TH = " + short_number(th) +
                          ": the steadiest workstation's TH_1 = TH - SH would be negative");
  std::vector<double> out(workstations, th);
  if (sh == 0) return out;
  const double last = static_cast<double>(workstations) - 1;
  for (std::size_t i = 0; i < workstations; ++i)
    out[i] = std::max(0.0, th + 2 * (static_cast<double>(i) / last - 0.5) * sh);
  return out;
}

OwnerModelInfo intervals_model() {
  return {"intervals",
          "A constant on successive random intervals (HL 5.1)",
          {{"value", KeyType::word, "uniform", "law of the availabilities", {}, words_in(value_laws())},
           {"mean", KeyType::share, "0.5", "mean availability, a", {0, 1, true}},
           {"TH", KeyType::share, kMustBeGiven, "temporal heterogeneity, standard deviation / mean"},
           {"SH", KeyType::share, "0", "spatial heterogeneity: workstation i of N gets TH + 2((i-1)/(N-1) - 1/2) SH"},
           {"length", KeyType::word, "uniform", "law of the intervals' lengths (uniform: on [0, 2 interval])", {},
            words_in(length_laws())},
           {"interval", KeyType::time, "10s", "mean length of an interval", kPositive},
           shape_key("length"),
           correlation_key()},
          make_intervals};
}

}  // namespace nowsim

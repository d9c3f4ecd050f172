// The owner model `intervals`: availability constant on random intervals (HL 5.1), independent ones, or with a
// piecewise constant normal process that is common to all beside one of each workstation; and its keys.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner_keys.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/user_laws.hpp"

namespace nowsim {

namespace {

Stream stream_of_first(const StreamKey& key) {
  return Stream({key.seed, key.replication, key.workstation, first_of(key.purpose)});
}

/// A standard normal on successive intervals: per interval a draw for its length, then one for its value.
class NormalIntervals {
 public:
  /// @param found_s what is left of the first interval, where it is under way; null where it begins.
  NormalIntervals(DistributionPtr length_s, const StreamKey& key, const ResidualLifePtr& found_s)
      : length_(std::move(length_s)), stream_(key) {
    if (!found_s) return;
    Stream first = stream_of_first(key);
    const double u = first.uniform();
    left_s_ = found_s->at(u, first.uniform());
    value_ = CommonFactor::normal(first.uniform());
  }
  /// What is left of the interval [s]; above 0.
  double left_s() {
    while (!(left_s_ > 0)) {
      left_s_ = length_->quantile(stream_.uniform());
      value_ = CommonFactor::normal(stream_.uniform());
    }
    return left_s_;
  }
  [[nodiscard]] double value() const { return value_; }
  void pass(double seconds) { left_s_ -= seconds; }

 private:
  DistributionPtr length_;
  Stream stream_;
  double left_s_ = 0, value_ = 0;
};

std::unique_ptr<Path> correlated_path(const RenewalOwner& owner, const StreamKey& key) {
  const Purpose purpose = key.purpose == Purpose::owner ? Purpose::common_factor : Purpose::common_bandwidth;
  const StreamKey of_all{key.seed, key.replication, kAllWorkstations, purpose};
  return drawn_path([value = owner.value, factor = owner.factor,
                     common = NormalIntervals(owner.length_s, of_all, owner.found_s),
                     own = NormalIntervals(owner.length_s, key, owner.found_s)]() mutable {
    const bool has_own = factor.weight() < 1;
    const double common_s = common.left_s();
    const double duration = has_own ? std::min(common_s, own.left_s()) : common_s;
    const double level = value->quantile(factor.uniform(common.value(), own.value()));
    common.pass(duration);
    if (has_own) own.pass(duration);
    return Step{duration, level};
  });
}

}  // namespace

Step RenewalDraws::found(Stream stream, const InverseTransform& law) const {
  const double u = stream.uniform(), left_s = found_s->at(u, stream.uniform());
  return {left_s, law.quantile(stream.uniform())};
}

std::unique_ptr<Path> RenewalOwner::path(const StreamKey& key) const {
  if (value->upper() <= 0) return constant_path(0);
  std::unique_ptr<Path> path;
  if (has_factor()) {
    path = correlated_path(*this, key);
  } else {
    path = drawn_path([value = value, length = length_s, stream = Stream(key)]() mutable {
      const double duration = length->quantile(stream.uniform());  // length first, then value: part of the results
      return Step{duration, value->quantile(stream.uniform())};
    });
    if (found_s)
      path = path_behind(draws().found(stream_of_first(key), value->transform()), std::move(path));
  }
  if (!seen) return path;
  Stream stream({key.seed, key.replication, key.workstation, Purpose::seen});
  const double u = stream.uniform();
  const Step first{seen->excess_s->at(u, stream.uniform()), seen->availability};
  return path_behind(first, has_factor() ? later_path(std::move(path), first.duration_s) : std::move(path));
}

LaneForm RenewalOwner::lane_form(const StreamKey&) const {
  if (value->upper() <= 0 || has_factor() || seen) return ByPath{};
  return draws();
}

RenewalDraws RenewalOwner::draws() const { return {length_s->transform(), value->transform(), std::nullopt, found_s}; }

std::optional<IntervalModel> RenewalOwner::renewal() const {
  if (has_factor() || seen) return std::nullopt;
  const auto [mean, sd, are_exact] = moments();
  const double m = length_s->mean();
  return IntervalModel{mean, mean > 0 ? sd / mean : 0, m, length_s->variance() + m * m, length_s->moment_limit()};
}

Dependence RenewalOwner::dependence() const {
  if (!has_factor()) return {};
  return {Dependence::Kind::intervals, {length_s->mean(), length_s->variance(), length_s->upper()}};
}

std::optional<RenewalOwner> RenewalOwner::under_way(const OwnerSight& sight) const {
  if (seen || !sight.availability || value->upper() <= 0) return std::nullopt;
  RenewalOwner later = *this;
  later.seen = Seen{residual_life(*length_s), *sight.availability};
  if (!has_factor()) later.found_s = nullptr;
  return later;
}

std::optional<double> RenewalOwner::expected_left_s(double seconds) const {
  if (!seen) return std::nullopt;
  return sampled_left_s([this](const StreamKey& key) { return path(key); }, seconds);
}

std::string RenewalOwner::seen_text() const { return seen ? ", at first " + number_text(seen->availability) : ""; }

OwnerPtr intervals_owner(DistributionPtr value, DistributionPtr length_s, std::string label, std::string identity,
                         OwnerStart start) {
  return correlated_owner(std::move(value), std::move(length_s), 0, std::move(label), std::move(identity), start);
}

OwnerPtr correlated_owner(DistributionPtr value, DistributionPtr length_s, double weight, std::string label,
                          std::string identity, OwnerStart start) {
  const CommonFactor factor(weight);
  if (identity.empty()) identity = label;
  auto found_s = start == OwnerStart::stationary ? residual_life(*length_s) : nullptr;
  return std::make_shared<const Owner>(Owner{RenewalOwner{
      {}, std::move(value), std::move(length_s), factor, std::move(label), std::move(identity), std::move(found_s)}});
}

namespace {

/// "workstation ws12: TH 0.3 + SH 0.1: " where SH spreads TH; else "".
std::string spread_text(const OwnerContext& context, double th, double sh, double spread) {
  if (!(sh > 0)) return "";
  constexpr double kRounding = 1e-12;
  const double part = (spread - th) / sh, size = std::abs(part);
  const std::string factor = std::abs(size - 1) < kRounding ? "" : short_number(size) + " ";
  const std::string change = size < kRounding ? "" : (part < 0 ? " - " : " + ") + factor + "SH " + short_number(sh);
  return "workstation " + context.host + ": TH " + short_number(th) + change + ": ";
}

DistributionPtr value_law_of(const std::string& name, double mean, double th, const std::string& whose) {
  try {
    return make_value_law(name, mean, th);
  } catch (const InfeasibleError& e) {
    throw InfeasibleError(whose + e.what());
  }
}

constexpr TimeLawKeys kLengthKeys{"length", "shape", "length_cv", "length_file", "length_formula"};

/// A law of availabilities as data say it, or as a formula: mean and TH follow.
SaidLaw said_values(KeyReader& read, const OwnerContext& context, const std::string& word) {
  refuse_keys(read, {"mean", "TH", "SH"}, "with value: " + word + " mean and TH follow from " +
                                              (word == "formula" ? "the formula" : "the data") +
                                              ", the same on all workstations that have these: this key is not wanted");
  return read_said_values(read, context, word);
}

/// What is said of a measurement: all 0 where nothing is, or where worth is 0.
FitErrors fit_errors(KeyReader& read, double mean, bool can_be_measured, bool has_interval) {
  if (!can_be_measured) refuse_keys(read, {"worth", "mean_se", "TH_se", "interval_se"},
                                    "a formula is not measured: this key is not wanted");
  else if (!has_interval) refuse_keys(read, {"interval_se"},
                                      "with lengths of one's own their mean follows from them: this key is not wanted");
  const FitErrors errors{read.value("worth"), read.value("mean_se"), read.value("TH_se"), read.value("interval_se")};
  if (errors.worth > 0) {
    if (!(mean > 0)) read.problem("worth", "the values leave nothing at any time, whatever they are worth");
    if (const double most = std::sqrt(mean * (1 - mean)); errors.mean_se > most)
      read.problem("mean_se", "a mean of " + short_number(mean) + " cannot be off by that: no series within 0 and 1 has a "
                              "larger standard deviation than " + short_number(most));
    return errors;
  }
  if (!read.has("worth"))
    refuse_keys(read, {"mean_se", "TH_se", "interval_se"},
                "a standard error needs to know how many independent observations it is of: 'worth' is missing");
  return {};
}

/// A law of values that holds as much of TH as it can.
DistributionPtr nearest_value_law(const std::string& name, double mean, double th) {
  constexpr double kBelowLimit = 1 - 1e-9;
  const auto law = std::ranges::find(value_laws(), name, &ValueLaw::name);
  return drawn_coarsely(make_value_law(name, mean, std::min(th, law->th_limit(mean) * kBelowLimit)));
}

OwnerPtr make_intervals(KeyReader& read, const OwnerContext& context) {
  const std::size_t word = read.word("value");
  const bool is_said = word >= value_laws().size();
  const std::string value = is_said ? said_value_words()[word - value_laws().size()]
                                    : std::string(value_laws()[word].name);
  SaidLaw said;
  double mean = 1, th = 0;
  std::string whose;  // TH it is, where SH spreads it
  ToldKeys told{"intervals ", "intervals "};
  if (is_said) {
    said = said_values(read, context, value);
    told += said.told;
    if (said.law) mean = said.law->mean();
    if (said.law && mean > 0) th = std::sqrt(said.law->variance()) / mean;
  } else {
    mean = read.value("mean");
    th = read.value("TH");
    const double sh = context.spread ? read.value("SH") : 0.0, common = th;
    if (sh > 0)
      th = read.feasible("SH", [&] { return spread_temporal_heterogeneity(common, sh, context.count, context.index); });
    whose = spread_text(context, common, sh, th);
    told += value + " mean=" + number_text(mean) + " TH=" + number_text(th);
  }
  const TimeLaw length = read_time_law(read, context, kLengthKeys);
  told += length.told("length");
  double interval_s = 0;
  if (length.has_own_mean()) refuse_keys(read, {"interval"}, "with length: " + length.name +
                                         " the mean length follows: this key is not wanted");
  else told += " interval=" + number_text(interval_s = read.value("interval")) + "s";
  told += length.spread_text;
  const double correlation = read.value("correlation");
  if (correlation > 0) told += " correlation=" + number_text(correlation);
  const auto start = read.word("start") == 0 ? OwnerStart::fresh : OwnerStart::stationary;
  if (start == OwnerStart::stationary) told += " start=stationary";
  const FitErrors errors = fit_errors(read, mean, value != "formula", !length.has_own_mean());
  if (is_said && !said.law) return dedicated_owner();
  const OwnerPtr fitted = context.shared.get<Owner>(told.exactly, [&] {
    const auto value_law =
        is_said ? said.law : read.feasible("TH", [&] { return value_law_of(value, mean, th, whose); });
    const auto length_law = context.shared.get<Distribution>(
        length.told("length").exactly + " " + number_text(interval_s) + length.spread_text,
        [&] { return length.with_mean(interval_s); });
    return correlated_owner(value_law, length_law, correlation, told.label, told.exactly, start);
  });
  if (!(errors.worth > 0)) return fitted;
  const std::string identity = told.exactly + " worth=" + number_text(errors.worth) + " mean_se=" +
                               number_text(errors.mean_se) + " TH_se=" + number_text(errors.th_share) +
                               " interval_se=" + number_text(errors.interval_share);
  const auto make = [value, own = said.law, length, correlation, start](const FittedParameters& p) {
    const std::string label = "intervals of a draw, mean=" + number_text(p.mean) + " TH=" + number_text(p.th) +
                              " interval=" + number_text(p.interval_s) + "s";
    return correlated_owner(own ? brought_to(*own, p.mean, p.th) : nearest_value_law(value, p.mean, p.th),
                            drawn_coarsely(length.with_mean(p.interval_s)), correlation, label, {}, start);
  };
  return context.shared.get<Owner>(
      identity, [&] { return measured_owner(fitted, {mean, th, interval_s}, errors, make, identity); });
}

}  // namespace

double spread_temporal_heterogeneity(double th, double sh, std::size_t workstations, std::size_t index) {
  if (!(th >= 0) || !std::isfinite(th)) throw InputError("TH = " + short_number(th) + " must not be negative");
  if (!(sh >= 0) || !std::isfinite(sh)) throw InputError("SH = " + short_number(sh) + " must not be negative");
  if (sh > 0 && workstations < 2)
    throw InfeasibleError("SH = " + short_number(sh) + " needs at least two workstations; one has SH = 0");
  if (sh > th * (1 + 1e-12))
    throw InfeasibleError("SH = " + short_number(sh) + " is more than TH = " + short_number(th) +
                          ": the steadiest workstation's TH_1 = TH - SH would be negative");
  if (sh == 0) return th;
  const double last = static_cast<double>(workstations) - 1;
  return std::max(0.0, th + 2 * (static_cast<double>(index) / last - 0.5) * sh);
}

OwnerModelInfo intervals_model() {
  auto values = words_in(value_laws());
  values.insert(values.end(), said_value_words().begin(), said_value_words().end());
  KeyTable keys{
      {"value", KeyType::word, "uniform", "law of the availabilities", {}, values},
      {"mean", KeyType::share, "0.5", "mean availability, a", {0, 1, true}},
      {"TH", KeyType::share, kMustBeGiven, "temporal heterogeneity, standard deviation / mean"},
      {"SH", KeyType::share, "0", "spatial heterogeneity: workstation i of N gets TH + 2((i-1)/(N-1) - 1/2) SH"}};
  std::ranges::move(said_value_rows(), std::back_inserter(keys));
  keys.push_back({"length", KeyType::word, "uniform", "law of the intervals' lengths (uniform: on [0, 2 interval])", {},
                  time_law_words()});
  keys.push_back({"interval", KeyType::time, "10s", "mean length of an interval", kPositive});
  std::ranges::move(time_law_rows(kLengthKeys), std::back_inserter(keys));
  keys.push_back(correlation_key());
  // Random and independent say it too, so that a block whose model is swept can say it of a recorded one as well.
  keys.push_back({"start", KeyType::word, "stationary",
                  "where a replication begins: with an interval, or at a random moment of what has run for ever", {},
                  {"fresh", "stationary", "random", "independent"}});
  keys.push_back({"worth", KeyType::number, "0",
                  "independent observations by which mean, TH and interval were measured; 0: they are known",
                  {0, kInfinity}});
  keys.push_back({"mean_se", KeyType::share, "0", "with worth: the mean's standard error", {0, 1}});
  keys.push_back({"TH_se", KeyType::share, "0", "with worth: that of TH, over TH", {0, 3}});
  keys.push_back({"interval_se", KeyType::share, "0", "with worth: that of the interval, over it", {0, 3}});
  return {"intervals", "A constant on successive random intervals (HL 5.1)", keys, make_intervals};
}

}  // namespace nowsim

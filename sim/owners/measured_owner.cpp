// Drawing parameters, and the owners that have them.
#include "sim/owners/measured_owner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/owners/owner.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {
namespace {

/// Student's law at u, cut on both sides.
double student(double freedom, double u) {
  constexpr double kCut = 0.0005;
  const double within = std::clamp(u, kCut, 1 - kCut);
  return within < 0.5 ? -student_quantile_above(freedom, within) : student_quantile_above(freedom, 1 - within);
}

/// A mean is not drawn below this share of the fitted one: a job would hardly end.
constexpr double kLeastShare = 1e-3;
/// Intervals that are shorter still average out, and longer ones do not end; of a greater spread laws leave next to
/// nothing for most of the time, whatever their mean.
constexpr double kMostOfInterval = 20, kMostOfTh = 3;

double factor(double error, double most) { return std::clamp(portable::exp(error), 1 / most, most); }

/// How far a step leads at least, on the logarithmic scales of odds, TH and a length; so that what it changes is more
/// than how the last interval happens to end. And a step is so many standard errors, at most.
constexpr double kLeastSteps[] = {0.4, 0, 0.7}, kMostErrors = 8;

double freedom_of(double worth) { return std::max(kLeastFitFreedom, worth - 1); }

Measurement measurement_of(const MeasuredParameter& p, double worth) {
  const double least = kLeastSteps[static_cast<std::size_t>(p.kind)];
  return {fnv1a(p.words), p.kind, freedom_of(worth), std::clamp(least / (p.se / p.scale), 1.0, kMostErrors)};
}

std::vector<Measurement> measurements_of(const std::vector<MeasuredParameter>& parameters, double worth) {
  std::vector<Measurement> out;
  for (const MeasuredParameter& p : parameters)
    if (p.se > 0) out.push_back(measurement_of(p, worth));
  return out;
}

/// By how much each is off in a draw, on its scale.
std::vector<double> drawn_errors(const std::vector<MeasuredParameter>& parameters, double worth, std::uint64_t seed,
                                 const FitDraw& draw) {
  std::vector<double> off;
  for (const MeasuredParameter& p : parameters) {
    off.push_back(0);
    if (!(p.se > 0)) continue;
    const double u = Stream({seed, draw.number, fnv1a(p.words), Purpose::measured}).uniform();
    double in_errors = student(freedom_of(worth), u);
    if (draw.step != 0) {
      const Measurement measurement = measurement_of(p, worth);
      in_errors += draw.step * direction(measurement, draw.block) * measurement.step;
    }
    off.back() = in_errors * p.se / p.scale;
  }
  return off;
}

/// The mean's odds, TH and the interval, in this order. The measurement's words name the stream.
std::vector<MeasuredParameter> parameters_of(const FittedParameters& at, const FitErrors& errors) {
  const auto of = [&](MeasuredKind kind, const std::string& what, double se, double scale) {
    return MeasuredParameter{kind, se, scale,
                             what + " se=" + number_text(se) + " worth=" + number_text(errors.worth)};
  };
  return {
      of(MeasuredKind::mean, "mean=" + number_text(at.mean), at.mean < 1 ? errors.mean_se : 0, at.mean * (1 - at.mean)),
      of(MeasuredKind::th, "TH", errors.th_share, 1), of(MeasuredKind::interval, "interval", errors.interval_share, 1)};
}

FittedParameters moved(const FittedParameters& at, bool is_mean_off, const std::vector<double>& off) {
  FittedParameters out = at;
  if (is_mean_off) {
    const double odds = at.mean / (1 - at.mean) * portable::exp(off[0]);
    out.mean = std::isinf(odds) ? 1 : std::max(kLeastShare * at.mean, odds / (1 + odds));
  }
  out.th *= factor(off[1], kMostOfTh);
  out.interval_s *= factor(off[2], kMostOfInterval);
  return out;
}

bool is_mean_off(const FittedParameters& at, const FitErrors& errors) { return at.mean < 1 && errors.mean_se > 0; }

}  // namespace

std::vector<Measurement> measurements(const OwnerFit& fit) { return measurements_of(fit.parameters, fit.worth); }

std::vector<Measurement> measurements(const FittedParameters& at, const FitErrors& errors) {
  return measurements_of(parameters_of(at, errors), errors.worth);
}

FittedParameters drawn_parameters(const FittedParameters& at, const FitErrors& errors, std::uint64_t seed,
                                  const FitDraw& draw) {
  return moved(at, is_mean_off(at, errors), drawn_errors(parameters_of(at, errors), errors.worth, seed, draw));
}

OwnerPtr measured_owner(const OwnerPtr& fitted, OwnerFit fit) {
  Owner measured = *fitted;
  measured.fit = std::make_shared<const OwnerFit>(std::move(fit));
  return std::make_shared<const Owner>(std::move(measured));
}

OwnerPtr measured_owner(const OwnerPtr& fitted, const FittedParameters& at, const FitErrors& errors,
                        OwnerOfParameters make, std::string identity) {
  const auto made = [at, is_off = is_mean_off(at, errors), make = std::move(make)](const std::vector<double>& off) {
    return make(moved(at, is_off, off));
  };
  return measured_owner(fitted, OwnerFit{parameters_of(at, errors), errors.worth, made, std::move(identity)});
}

OwnerPtr drawn(const Owner& measured, std::uint64_t seed, const FitDraw& draw) {
  Owner out = measured;
  out.fit = nullptr;
  out.odd = nullptr;
  const OwnerFit& fit = *measured.fit;
  out.kind = fit.make(drawn_errors(fit.parameters, fit.worth, seed, draw))->kind;
  if (const auto* on_intervals = std::get_if<RenewalOwner>(&measured.kind); on_intervals != nullptr && on_intervals->seen)
    if (auto found = std::get<RenewalOwner>(out.kind).under_way({0, on_intervals->seen->availability})) out.kind = std::move(*found);
  if (auto* by_clock = std::get_if<HabitsOwner>(&out.kind))  // a draw is of levels alone; the job may be under way
    by_clock->habits = std::get<HabitsOwner>(measured.kind).habits;
  if (measured.odd) out.odd = mirrored(out);
  return std::make_shared<const Owner>(std::move(out));
}

const Owner& OwnerDraws::of(std::uint64_t seed, std::uint64_t replication) {
  if (!owner_.fit) return owner_;
  const std::uint64_t number = replication / kReplicationsPerDraw;
  if (!drawn_ || number != number_) drawn_ = drawn(owner_, seed, number_ = number);
  return *drawn_;
}

}  // namespace nowsim

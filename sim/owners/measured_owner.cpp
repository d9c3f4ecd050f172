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

/// A parameter, its standard error, that over the error on the scale on which it is drawn (the odds' logarithm), and
/// the measurement's words.
struct Measured {
  MeasuredKind kind;
  double se, scale;
  std::string words;

  [[nodiscard]] Measurement measurement(double freedom) const {
    const double least = kLeastSteps[static_cast<std::size_t>(kind)];
    return {fnv1a(words), kind, freedom, std::clamp(least / (se / scale), 1.0, kMostErrors)};
  }
};

double freedom_of(const FitErrors& errors) { return std::max(kLeastFitFreedom, errors.worth - 1); }

/// The mean's odds, TH and the interval, in this order. The measurement's words name the stream.
std::array<Measured, 3> measured_of(const FittedParameters& at, const FitErrors& errors) {
  const auto of = [&](MeasuredKind kind, const std::string& what, double se, double scale) {
    return Measured{kind, se, scale, what + " se=" + number_text(se) + " worth=" + number_text(errors.worth)};
  };
  return {
      of(MeasuredKind::mean, "mean=" + number_text(at.mean), at.mean < 1 ? errors.mean_se : 0, at.mean * (1 - at.mean)),
      of(MeasuredKind::th, "TH", errors.th_share, 1), of(MeasuredKind::interval, "interval", errors.interval_share, 1)};
}

}  // namespace

std::vector<Measurement> measurements(const FittedParameters& at, const FitErrors& errors) {
  std::vector<Measurement> out;
  for (const Measured& m : measured_of(at, errors))
    if (m.se > 0) out.push_back(m.measurement(freedom_of(errors)));
  return out;
}

FittedParameters drawn_parameters(const FittedParameters& at, const FitErrors& errors, std::uint64_t seed,
                                  const FitDraw& draw) {
  const double freedom = freedom_of(errors);
  const auto off = [&](const Measured& m) {
    if (!(m.se > 0)) return 0.0;
    double in_errors = student(freedom, Stream({seed, draw.number, fnv1a(m.words), Purpose::measured}).uniform());
    if (draw.step != 0) {
      const Measurement measurement = m.measurement(freedom);
      in_errors += draw.step * direction(measurement, draw.block) * measurement.step;
    }
    return in_errors * m.se / m.scale;
  };
  const auto [mean, th, interval] = measured_of(at, errors);
  FittedParameters out = at;
  if (mean.se > 0) {
    const double odds = at.mean / (1 - at.mean) * portable::exp(off(mean));
    out.mean = std::isinf(odds) ? 1 : std::max(kLeastShare * at.mean, odds / (1 + odds));
  }
  out.th *= factor(off(th), kMostOfTh);
  out.interval_s *= factor(off(interval), kMostOfInterval);
  return out;
}

OwnerPtr measured_owner(const OwnerPtr& fitted, const FittedParameters& at, const FitErrors& errors,
                        OwnerOfParameters make, std::string identity) {
  Owner measured = *fitted;
  measured.fit = std::make_shared<const OwnerFit>(OwnerFit{at, errors, std::move(make), std::move(identity)});
  return std::make_shared<const Owner>(std::move(measured));
}

OwnerPtr drawn(const Owner& measured, std::uint64_t seed, const FitDraw& draw) {
  Owner out = measured;
  out.fit = nullptr;
  out.odd = nullptr;
  out.kind = measured.fit->make(drawn_parameters(measured.fit->at, measured.fit->errors, seed, draw))->kind;
  if (const auto& seen = std::get<RenewalOwner>(measured.kind).seen)
    if (auto found = std::get<RenewalOwner>(out.kind).under_way({0, seen->availability})) out.kind = std::move(*found);
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

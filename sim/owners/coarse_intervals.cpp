// Fewer, longer intervals that do for a long job what many short ones do: the bound, and the laws.
#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/text.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/statistics/laws.hpp"

namespace nowsim {
namespace {

constexpr double kLeastIntervals = 2000, kIntervalsThen = 500;

struct CoarseIntervals {
  DistributionPtr value, length_s;
};

/// E[f(X)] by quantiles in the middles of equal parts.
template <class F>
double expected(const Distribution& law, int parts, F f) {
  double sum = 0;
  for (int k = 0; k < parts; ++k) sum += f(law.quantile((k + 0.5) / parts));
  return sum / parts;
}

/// E[L³]; of laws with a tail that such quantiles miss, nothing.
std::optional<double> third_moment(const Distribution& law, double square) {
  constexpr int kParts = 200;
  constexpr double kMissed = 0.02, kTail = 1.1;
  if (expected(law, kParts, [](double x) { return x * x; }) < (1 - kMissed) * square) return std::nullopt;
  return kTail * expected(law, kParts, [](double x) { return x * x * x; });
}

/// |E[(A-a)³]|/sd³: at most the distance of the law's farther end over sd; where that is too much, more exactly.
double value_skewness(const Distribution& value, double sd, double most) {
  const double mean = value.mean(), farther = std::max(value.upper() - mean, mean - value.lower()) / sd;
  if (farther <= most) return farther;
  constexpr int kParts = 200;
  return std::abs(expected(value, kParts, [&](double x) { return std::pow((x - mean) / sd, 3); }));
}

/// Of a job that computes for time_s and will have 500 intervals: uniform values on uniform lengths with the same mean and
/// variance in the long run. Nothing where uniform values cannot hold what is left of TH.
std::optional<CoarseIntervals> coarse_intervals(const IntervalModel& model, double time_s) {
  constexpr double kMemoryOfUniform = 4.0 / 3;  // E[L²]/E[L] over the mean
  const double a = model.mean_availability, memory_s = model.mean_square_length / model.mean_length_s;
  const double coarse_s = time_s / kIntervalsThen;
  const double half = std::sqrt(3 * memory_s / (kMemoryOfUniform * coarse_s)) * a * model.th;
  if (half > std::min(a, 1 - a)) return std::nullopt;
  return CoarseIntervals{uniform(a - half, a + half), uniform(0, 2 * coarse_s)};
}

/// The same where it does no harm, of a job that has some thousand intervals of these laws.
///
/// What is left by a time t is a renewal-reward sum: its mean is a·t, its variance t·(a·TH)²·E[L²]/E[L] (Cox, Renewal
/// Theory, 1962, ch. 8), and T's mean has the term TH²·E[L²]/(2 E[L]) beside t: all of them functions of a and of
/// TH²·E[L²]/E[L], which uniform values on uniform lengths have as well. What differs is the third cumulant. By the first
/// term of Cornish & Fisher's expansion a skewness g moves the quantile at z normal standard deviations by (z² - 1)/6·g
/// standard deviations of T, which are t·TH·sqrt(E[L²]/(E[L]·t)). With n intervals g is |E[(A-a)³]|/sd³ ·
/// E[L³]/E[L²]^1.5 / sqrt(n). Nothing where that is more than kCoarseningError of t at z = 3.72, where one of a hundred
/// machines has to be for the last of them to be at its 99 %; where the moments of lengths are not told by some hundred of
/// their quantiles; or there are too few intervals for it to save anything.
std::optional<CoarseIntervals> harmless_coarse_intervals(const DistributionPtr& value, const Distribution& length_s,
                                                         double time_s) {
  const double mean = value->mean(), sd = std::sqrt(value->variance()), length = length_s.mean();
  if (!(sd > 0) || !(length > 0) || time_s < kLeastIntervals * length || !(length_s.moment_limit() > 4))
    return std::nullopt;
  const double square = length_s.variance() + length * length;
  const auto cube = third_moment(length_s, square);
  if (!cube) return std::nullopt;
  constexpr double kNormal = 3.72;
  const double sd_of_time = sd / mean * std::sqrt(square / length / time_s);
  const double per_skewness =
      (kNormal * kNormal - 1) / 6 * sd_of_time * *cube / std::pow(square, 1.5) / std::sqrt(time_s / length);
  const double most = kCoarseningError / per_skewness;
  if (value_skewness(*drawn_rarely(value), sd, most) > most) return std::nullopt;
  return coarse_intervals({mean, sd / mean, length, square}, time_s);
}

RenewalOwner in_intervals(RenewalOwner owner, const CoarseIntervals& coarse, const std::string& text) {
  owner.value = coarse.value;
  owner.length_s = coarse.length_s;
  owner.label += text;
  owner.exactly += text;
  if (owner.found_s) owner.found_s = residual_life(*coarse.length_s);
  return owner;
}

}  // namespace

OwnerPtr coarsened(const Owner& owner, double time_s) {
  const auto* own = std::get_if<RenewalOwner>(&owner.kind);
  if (own == nullptr || own->dependence().kind != Dependence::Kind::none || owner.hours || owner.odd) return nullptr;
  const auto coarse = harmless_coarse_intervals(own->value, *own->length_s, time_s);
  if (!coarse) return nullptr;
  Owner fewer = owner;
  fewer.kind = in_intervals(*own, *coarse, ", in intervals of " + number_text(coarse->length_s->mean()) + "s");
  if (owner.fit && !own->seen) {
    auto fit = std::make_shared<OwnerFit>(*owner.fit);
    fit->make = [make = fit->make, time_s](const std::vector<double>& off) {  // as harmless as the fitted owner
      const OwnerPtr drawn = make(off);
      const auto model = drawn->renewal();
      const auto few = model ? coarse_intervals(*model, time_s) : std::nullopt;
      if (!few) return drawn;
      return std::make_shared<const Owner>(Owner{in_intervals(std::get<RenewalOwner>(drawn->kind), *few, " in fewer")});
    };
    fewer.fit = std::move(fit);
  }
  return std::make_shared<const Owner>(std::move(fewer));
}

}  // namespace nowsim

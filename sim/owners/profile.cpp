// SimGrid's availability profiles: reading with errors that name the line, writing, unrolling and long-run moments.
// The grammar and the dates follow SimGrid 3.32, src/kernel/resource/profile/ProfileBuilder.cpp and Profile.cpp.
#include "sim/owners/profile.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/uniform.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

using Kind = ProfileLaw::Kind;

struct LawName {
  std::string_view name;
  Kind kind;
  int parameters;
};
/// The first name of each kind is the one that is written.
constexpr LawName kLawNames[] = {
    {"DET", Kind::fixed, 1},       {"NORM", Kind::normal, 2},     {"NORMAL", Kind::normal, 2},
    {"GAUSS", Kind::normal, 2},    {"GAUSSIAN", Kind::normal, 2}, {"UNIF", Kind::uniform, 2},
    {"UNIFORM", Kind::uniform, 2}, {"EXP", Kind::exponential, 1}, {"EXPONENTIAL", Kind::exponential, 1},
};

/// What values a quantity allows.
struct Range {
  double low, high;
  const char* name;
  const char* wanted;
};
/// In order of ProfileQuantity.
constexpr Range kQuantityRanges[] = {{0, 1, "a fraction", "from 0 to 1"},
                                     {0, kInfinity, "a bandwidth", "at least 0 byte/s"},
                                     {0, kInfinity, "a latency", "at least 0 s"},
                                     {0, 1, "a state", "0 (off) or 1 (on)"}};
constexpr Range kDelays{0, kInfinity, "a delay", "at least 0 s"};

const Range& range_of(ProfileQuantity quantity) { return kQuantityRanges[static_cast<std::size_t>(quantity)]; }

/// The pause that a new round adds to its first event's own delay: LegacyUpdateCb's loop_delay. With PERIODICITY P it
/// is P minus the last date, so that the first event comes again at its date + P.
double loop_delay(const Profile& profile) {
  if (profile.periodicity) return *profile.periodicity - profile.events.back().date.a;
  return profile.loop_after.value_or(0);
}

/// The law of the time from the event before (or the start of the round) to event i, without the pause between rounds.
ProfileLaw delay_law(const Profile& profile, std::size_t i) {
  ProfileLaw law = profile.events[i].date;
  if (!profile.stochastic && i > 0) law.a -= profile.events[i - 1].date.a;
  return law;
}

bool surely_zero(const ProfileLaw& delay) {
  if (delay.kind == Kind::uniform) return delay.b <= 0;
  return delay.kind != Kind::exponential && delay.a <= 0 && delay.b == 0;
}

/// Builds a profile line by line; all its errors stand at the line in hand unless they concern an earlier keyword.
class Parser {
 public:
  Parser(const std::string& file, ProfileQuantity quantity) : place_{file, 0, ""}, quantity_(quantity) {}

  void read(int line, std::string_view text) {
    place_.line = line;
    rest_ = text;
    word_ = next();
    if (word_ == "STOCHASTIC") stochastic();
    else if (word_ == "PERIODICITY") loop_time(profile_.periodicity);
    else if (word_ == "LOOPAFTER") loop_time(profile_.loop_after);
    else if (!word_.empty()) event();
    if (!word_.empty())
      fail(quoted(word_) +
           " stands after the end of what the line can hold; remove it, or put '#' before a comment.");
  }

  Profile finish() {
    place_.line = 0;
    if (profile_.events.empty())
      fail("this profile holds no event; a line such as '10.0 0.5' (date and value) is needed.");
    if (profile_.periodicity) check_periodicity(*profile_.periodicity);
    profile_.loop = loop_line_ > 0;
    if (profile_.loop && loop_delay(profile_) <= 0 &&
        std::ranges::all_of(profile_.events, surely_zero, &ProfileEvent::date)) {
      place_.line = loop_line_;
      fail("a round of this loop takes no time at all; some delay, LOOPAFTER or PERIODICITY has to be above 0 s.");
    }
    return std::move(profile_);
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const { throw InputError(place_, sentence); }

  /// SimGrid knows comments as lines of their own but ignores what follows an event, so comments there work as well.
  std::string_view next() {
    const std::string_view word = next_word(rest_);
    if (!word.starts_with('#') && !word.starts_with('%')) return word;
    return rest_ = {};
  }

  std::string_view take(const std::string& what) {
    if (word_.empty()) fail("the " + what + " is missing at the end of the line.");
    return std::exchange(word_, next());
  }

  double number(const std::string& what) {
    const std::string_view word = take(what);
    const auto x = to_number(word);
    if (!x)
      fail("the " + what + " " + quoted(word) + " is not a finite number; write one such as 0.5 or 1e-3" +
           foreign_character_hint(word) + ".");
    return *x;
  }

  void event() {
    const ProfileLaw date = law("date");
    check_date(date);
    const ProfileLaw value = law("value");
    check_value(value);
    profile_.events.push_back({date, value});
  }

  void stochastic() {
    if (profile_.stochastic) fail("STOCHASTIC stands here for the second time; once is enough.");
    if (!profile_.events.empty()) fail("STOCHASTIC comes after an event; it has to stand before the first one.");
    profile_.stochastic = true;
    word_ = next();
    if (word_ != "LOOP") return;
    word_ = next();
    loop_line_ = place_.line;
  }

  /// PERIODICITY or LOOPAFTER. SimGrid loops without a pause for PERIODICITY 0, which nobody can mean.
  void loop_time(std::optional<double>& slot) {
    const std::string name(take("keyword"));
    if (slot) fail(name + " stands here for the second time; once is enough.");
    slot = number("time of " + name);
    const bool positive = name == "PERIODICITY";
    if (*slot < 0 || (positive && *slot == 0))
      fail(name + " is " + number_text(*slot) + " s; it has to be " + (positive ? "above" : "at least") + " 0 s.");
    if (positive) periodicity_line_ = place_.line;
    loop_line_ = place_.line;
  }

  ProfileLaw law(const std::string& role) {
    const std::string word(take(role));
    const auto* found = std::ranges::find(kLawNames, word, &LawName::name);
    if (found == std::end(kLawNames)) return plain_number(word, role);
    ProfileLaw result{found->kind, number("first parameter of the " + role + "'s law " + word), 0};
    if (found->parameters == 2) result.b = number("second parameter of the " + role + "'s law " + word);
    check_law(result, word);
    return result;
  }

  ProfileLaw plain_number(const std::string& word, const std::string& role) const {
    const auto x = to_number(word);
    if (!x)
      fail("the " + role + " " + quoted(word) +
           " is neither a finite number nor DET, NORM, UNIF or EXP (PERIODICITY, LOOPAFTER and STOCHASTIC start lines "
           "of their own)" + foreign_character_hint(word) + ".");
    if (profile_.stochastic)
      fail("the " + role + " " + quoted(word) + " has no law, and a STOCHASTIC profile needs one; write DET " + word +
           " for a fixed number.");
    return {Kind::fixed, *x, 0};
  }

  void check_law(const ProfileLaw& l, const std::string& name) const {
    if (l.kind == Kind::normal && l.b < 0)
      fail(name + " has the standard deviation " + number_text(l.b) + "; it has to be at least 0.");
    if (l.kind == Kind::uniform && l.a > l.b)
      fail(name + " goes from " + number_text(l.a) + " down to " + number_text(l.b) +
           "; the smaller bound comes first.");
    if (l.kind == Kind::exponential && l.a <= 0)
      fail(name + " has the rate " + number_text(l.a) + "; it has to be above 0 (the mean is 1/rate).");
  }

  void check_date(const ProfileLaw& date) const {
    if (profile_.stochastic) return check_range(date, kDelays);
    if (date.kind != Kind::fixed)
      fail("a date is drawn from a law, which needs delays; put STOCHASTIC before the first event, or write a number.");
    if (date.a < 0) fail("the date " + number_text(date.a) + " is negative; dates start at 0 s.");
    if (profile_.events.empty()) return;
    const double before = profile_.events.back().date.a;
    // Of values at one date the last counts, as in SimGrid; but there a machine that goes off and on again fails.
    if (date.a < before || (date.a == before && quantity_ == ProfileQuantity::state))
      fail("the date " + number_text(date.a) + " does not come after the date before, " + number_text(before) +
           "; dates have to increase from line to line.");
  }

  void check_value(const ProfileLaw& value) const {
    const Range& range = range_of(quantity_);
    if (quantity_ != ProfileQuantity::state) return check_range(value, range);
    // A drawn state is on where the draw is above 0, so negative bounds have a meaning there.
    if (value.kind == Kind::fixed) require(value.a == 0 || value.a == 1, "the value", value.a, range);
  }

  /// Bounds and means that the user wrote have to be allowed themselves; only the tails of a law are clamped.
  void check_range(const ProfileLaw& l, const Range& range) const {
    const bool uniform = l.kind == Kind::uniform;
    if (l.kind == Kind::exponential) return;
    const char* const what = uniform ? "the bound" : l.kind == Kind::normal ? "the mean" : "the number";
    require(l.a >= range.low && l.a <= range.high, what, l.a, range);
    if (uniform) require(l.b <= range.high, what, l.b, range);
  }

  void require(bool is_allowed, const std::string& what, double x, const Range& range) const {
    if (!is_allowed)
      fail(what + " " + number_text(x) + " is not allowed; " + range.name + " has to be " + range.wanted + ".");
  }

  void check_periodicity(double period_s) {
    place_.line = periodicity_line_;
    if (profile_.stochastic) fail("PERIODICITY cannot be used with STOCHASTIC; use LOOPAFTER there.");
    if (profile_.loop_after) fail("PERIODICITY and LOOPAFTER cannot stand in one profile; choose one.");
    if (const double last = profile_.events.back().date.a; period_s < last)
      fail("PERIODICITY is " + number_text(period_s) + " s, shorter than the last date, " + number_text(last) +
           " s; it has to be at least that.");
  }

  Place place_;
  ProfileQuantity quantity_;
  Profile profile_;
  std::string_view word_, rest_;  ///< of the line in hand: the first word not yet used, and what is behind it
  int periodicity_line_ = 0, loop_line_ = 0;     ///< 0: there is none
};

std::string law_text(const ProfileLaw& law) {
  const auto* name = std::ranges::find(kLawNames, law.kind, &LawName::kind);
  return std::string(name->name) + " " + number_text(law.a) + (name->parameters == 2 ? " " + number_text(law.b) : "");
}

double clamp_to(ProfileQuantity quantity, double x) {
  if (quantity == ProfileQuantity::state) return x > 0 ? 1 : 0;  // CpuCas01::apply_event: value > 0 is on
  const Range range = range_of(quantity);
  return std::clamp(x, range.low, range.high);
}

struct ClampedMoments {
  double mean, variance;
};

/// Mean and variance of location + scale·Z clamped to the range, Z of one of Boost.Math's standard laws with all its
/// mass (but 1e-16) in [from, to]. Integrating over Z and around the mean keeps a small spread on a large mean.
template <class Standard>
ClampedMoments clamped(const Standard& z, double location, double scale, const Range& range, double from, double to) {
  const double low = std::clamp((range.low - location) / scale, from, to);
  const double high = std::clamp((range.high - location) / scale, from, to);
  const auto expected = [&](auto f) {
    const double tails = f(low) * cdf(z, low) + f(high) * cdf(complement(z, high));
    using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
    return tails + Rule::integrate([&](double x) { return f(x) * pdf(z, x); }, low, high, 12, 1e-12);
  };
  // The rule's tolerance is relative, so every integrand keeps one sign.
  const double mean = low + expected([low](double x) { return x - low; });
  const double variance = expected([mean](double x) { return (x - mean) * (x - mean); });
  return {std::clamp(location + scale * mean, range.low, range.high), scale * scale * variance};
}

/// A law that gives one number alone: Boost.Math refuses it, and NORM's inverse has no use for it.
bool is_fixed(const ProfileLaw& law) {
  return law.kind == Kind::fixed || (law.kind == Kind::normal && law.b == 0) ||
         (law.kind == Kind::uniform && law.a == law.b);
}

/// Mean and variance of a law clamped to the range; closed forms where nothing is clamped.
ClampedMoments moments(const ProfileLaw& law, const Range& range) {
  constexpr double kWide = 9;  // P[|Z| > 9] = 2e-19 for a normal Z
  constexpr double kFar = 45;  // P[Z > 45] = 3e-20 for an exponential one
  if (is_fixed(law)) return {std::clamp(law.a, range.low, range.high), 0};
  if (law.kind == Kind::normal) return clamped(boost::math::normal(), law.a, law.b, range, -kWide, kWide);
  if (law.kind == Kind::exponential) {
    if (!std::isfinite(range.high)) return {1 / law.a, 1 / law.a / law.a};
    return clamped(boost::math::exponential(), 0, 1 / law.a, range, 0, kFar);
  }
  const double width = law.b - law.a;
  if (law.a >= range.low && law.b <= range.high) return {law.a + width / 2, width * width / 12};
  return clamped(boost::math::uniform(), law.a, width, range, 0, 1);
}

/// P[X > 0].
double probability_on(const ProfileLaw& law) {
  if (law.kind == Kind::exponential) return 1;
  if (law.kind == Kind::normal) return cdf(complement(boost::math::normal(law.a, law.b), 0));
  return std::clamp(law.b / (law.b - law.a), 0.0, 1.0);
}

ClampedMoments value_moments(const ProfileLaw& law, ProfileQuantity quantity) {
  if (quantity != ProfileQuantity::state) return moments(law, range_of(quantity));
  const double p = is_fixed(law) ? clamp_to(quantity, law.a) : probability_on(law);
  return {p, p * (1 - p)};
}

/// How long event i's value lasts on average: until the next event, the last one's until the next round's first. Of a
/// profile that does not loop its last value alone counts.
double mean_duration(const Profile& profile, std::size_t i) {
  const bool last = i + 1 == profile.events.size();
  if (!profile.loop) return last ? 1 : 0;
  const double delay = moments(delay_law(profile, last ? 0 : i + 1), kDelays).mean;
  return last ? delay + loop_delay(profile) : delay;
}

class ProfilePath final : public Path {
 public:
  ProfilePath(std::shared_ptr<const Profile> profile, ProfileQuantity quantity, double initial, double least,
              const StreamKey& key)
      : Path(least), profile_(std::move(profile)), quantity_(quantity), current_(initial),
        ended_(profile_->events.empty()), stream_(key) {}

 private:
  Step draw() override {
    constexpr int kMostEmptySteps = 1'000'000;
    for (int empty = 0; empty < kMostEmptySteps; ++empty) {
      if (ended_) return {kInfinity, current_};
      const Step step{next_delay(), current_};
      use_event();
      if (step.duration_s > 0) return step;
    }
    throw InputError("A profile went through " + std::to_string(kMostEmptySteps) +
                     " events without any time passing; its delays have to be above 0 s now and then.");
  }

  double number_of(const ProfileLaw& law) {
    static const DistributionPtr standard_normal = normal(0, 1);
    static const DistributionPtr standard_exponential = exponential(1);
    if (is_fixed(law)) return law.a;
    const double u = stream_.uniform();
    if (law.kind == Kind::uniform) return law.a + (law.b - law.a) * u;
    if (law.kind == Kind::exponential) return standard_exponential->quantile(u) / law.a;
    // Half a step of the stream in place of 0, whose quantile is -infinity.
    return law.a + law.b * standard_normal->quantile(std::max(u, 0x1p-54));
  }

  /// The time to the event at index_, whose delay SimGrid computes as it reads (dates turn into differences) or draws.
  double next_delay() {
    const double delay = std::max(number_of(delay_law(*profile_, index_)), 0.0);
    return index_ == 0 && !first_round_ ? delay + loop_delay(*profile_) : delay;
  }

  void use_event() {
    current_ = clamp_to(quantity_, number_of(profile_->events[index_].value));
    if (++index_ < profile_->events.size()) return;
    index_ = 0;
    first_round_ = false;
    ended_ = !profile_->loop;
  }

  std::shared_ptr<const Profile> profile_;
  ProfileQuantity quantity_;
  double current_;
  std::size_t index_ = 0;
  bool first_round_ = true, ended_;
  Stream stream_;
};

}  // namespace

Profile parse_profile(const std::string& text, const std::string& file, ProfileQuantity quantity) {
  Parser parser(file, quantity);
  int line = 0;
  for (const std::string_view content : TextLines(text, file)) parser.read(++line, content);
  return parser.finish();
}

Profile read_profile(const std::string& file, ProfileQuantity quantity) {
  return parse_profile(read_user_file(file, kMostDataBytes), file, quantity);
}

std::string write_profile(const Profile& profile) {
  std::string out;
  // A STOCHASTIC profile with LOOPAFTER loops with or without LOOP, so one way of writing it serves both.
  if (profile.stochastic) out += profile.loop ? "STOCHASTIC LOOP\n" : "STOCHASTIC\n";
  if (profile.periodicity) out += "PERIODICITY " + number_text(*profile.periodicity) + "\n";
  if (profile.loop_after) out += "LOOPAFTER " + number_text(*profile.loop_after) + "\n";
  for (const auto& [date, value] : profile.events) {
    out += profile.stochastic ? law_text(date) : number_text(date.a);
    out += " " + (profile.stochastic || value.kind != Kind::fixed ? law_text(value) : number_text(value.a)) + "\n";
  }
  return out;
}

std::unique_ptr<Path> profile_path(std::shared_ptr<const Profile> profile, ProfileQuantity quantity, double initial,
                                   double least, const StreamKey& key) {
  return std::make_unique<ProfilePath>(std::move(profile), quantity, initial, least, key);
}

OwnerMoments profile_moments(const Profile& profile, ProfileQuantity quantity, double initial) {
  if (profile.events.empty()) return {initial, 0};
  const std::size_t n = profile.events.size();
  std::vector<ClampedMoments> values;
  std::vector<double> durations;
  double total = 0, mean = 0, variance = 0;
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(value_moments(profile.events[i].value, quantity));
    durations.push_back(mean_duration(profile, i));
    total += durations.back();
  }
  if (!(total > 0)) throw InputError("A round of this profile takes no time at all, so it has no mean over time.");
  for (std::size_t i = 0; i < n; ++i) mean += durations[i] / total * values[i].mean;
  for (std::size_t i = 0; i < n; ++i) {
    const double off = values[i].mean - mean;
    variance += durations[i] / total * (values[i].variance + off * off);
  }
  return {mean, std::sqrt(variance)};
}

}  // namespace nowsim

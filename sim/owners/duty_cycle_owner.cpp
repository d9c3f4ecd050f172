// The owner model `duty-cycle`: the owner takes part of every period (ZY 4.3, 5.1).
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/owner_keys.hpp"

namespace nowsim {

std::unique_ptr<Path> CycleOwner::path(const StreamKey& key) const {
  const TwoStep all = steps(key);
  return drawn_path([all, next = all.first]() mutable {
    const Step step = next;
    next = all.turns[step.value == all.turns[0].value ? 1 : 0];
    return step;
  });
}

TwoStep CycleOwner::steps(const StreamKey& key) const {
  const double free = (1 - busy) * period_s;
  const std::array<Step, 2> turns{{{free, 1.0}, {period_s - free, 0.0}}};
  if (busy == 0 || busy == 1) return {{kInfinity, 1 - busy}, turns};
  double offset = later_s;
  if (is_random) {
    const double u = moment.draw(key);
    offset = !seen_free ? period_s * u : *seen_free ? u * free : free + u * (period_s - free);
  }
  // The first step is what remains of the part that the offset falls into.
  const bool starts_free = offset < free;
  return {{starts_free ? free - offset : period_s - offset, starts_free ? 1.0 : 0.0}, turns};
}

/// Where nothing is ever left a path says it to the rank that waits.
LaneForm CycleOwner::lane_form(const StreamKey& key) const {
  if (busy == 1) return ByPath{};
  return steps(key);
}

/// Seen free or busy, an owner is at a random moment of that part; by the clock, further in its period.
std::optional<CycleOwner> CycleOwner::under_way(const OwnerSight& sight) const {
  if (is_random && !sight.availability) return std::nullopt;
  CycleOwner later = *this;
  if (is_random) later.seen_free = *sight.availability >= 0.5;
  else later.later_s = std::fmod(later_s + sight.elapsed_s, period_s);
  return later;
}

std::optional<double> CycleOwner::expected_left_s(double seconds) const {
  if ((is_random && !seen_free) || busy == 0 || busy == 1) return std::nullopt;
  const double rounds = std::floor(seconds / period_s);
  return rounds * (1 - busy) * period_s +
         sampled_left_s([this](const StreamKey& key) { return path(key); }, seconds - rounds * period_s, !is_random);
}

std::string CycleOwner::describe() const {
  return "duty-cycle period=" + short_number(period_s) + "s u=" + short_number(busy) + moment.text() + beginning_text();
}

std::string CycleOwner::identity() const {
  return "duty-cycle period=" + number_text(period_s) + " u=" + number_text(busy) + (is_random ? " random" : " aligned") +
         moment.text() + beginning_text();
}

std::string CycleOwner::beginning_text() const {
  if (seen_free) return *seen_free ? ", at first free" : ", at first busy";
  return later_s > 0 ? ", " + number_text(later_s) + "s later" : "";
}

OwnerPtr duty_cycle_owner(double period_s, double busy, bool random_phase, double correlation) {
  if (!(period_s > 0) || !std::isfinite(period_s))
    throw InputError("a duty cycle's period must be a positive time, not " + short_number(period_s));
  if (!(busy >= 0 && busy <= 1))
    throw InputError("a duty cycle's busy fraction u must be in [0, 1], not " + short_number(busy));
  return std::make_shared<const Owner>(Owner{CycleOwner{{}, period_s, busy, random_phase, {correlation, random_phase}}});
}

OwnerModelInfo duty_cycle_model() {
  return {"duty-cycle",
          "the owner holds the CPU for the fraction u of every period (ZY 5.1)",
          {{"period", KeyType::time, "10s", "from one beginning to the next", kPositive},
           {"u", KeyType::share, kMustBeGiven, "the owner's part of every period", {0, 1}},
           {"phase", KeyType::word, "random", "where a replication begins (aligned: with the free part)", {},
            {"random", "aligned"}},
           correlation_key()},
          [](KeyReader& read, const OwnerContext&) {
            const double period = read.value("period"), busy = read.value("u");
            const bool random = read.word("phase") == 0;
            return duty_cycle_owner(period, busy, random, read_correlation_of_start(read, "phase", random));
          }};
}

}  // namespace nowsim

// The owner model `duty-cycle`: the owner takes part of every period (ZY 4.3, 5.1).
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/owners/random_moment.hpp"
#include "sim/owners/sampled_moments.hpp"

namespace nowsim {
namespace {

class DutyCycle final : public OwnerModel {
 public:
  DutyCycle(double period, double busy, bool random_phase, double correlation)
      : period_(period), busy_(busy), random_(random_phase), moment_(correlation, random_phase) {}

  std::unique_ptr<Path> path(const StreamKey& key) const override {
    const Alternation steps = *alternation(key);
    return drawn_path([steps, next = steps.first]() mutable {
      const Step step = next;
      next = steps.turns[step.value == steps.turns[0].value ? 1 : 0];
      return step;
    });
  }
  std::optional<Alternation> alternation(const StreamKey& key) const override {
    const double free = (1 - busy_) * period_;
    const std::array<Step, 2> turns{{{free, 1.0}, {period_ - free, 0.0}}};
    if (busy_ == 0 || busy_ == 1) return Alternation{{kInfinity, 1 - busy_}, turns};
    const double offset = random_ ? drawn_offset_s(moment_.draw(key)) : later_s_;
    // The first step is what remains of the part that the offset falls into.
    const bool starts_free = offset < free;
    return Alternation{{starts_free ? free - offset : period_ - offset, starts_free ? 1.0 : 0.0}, turns};
  }
  /// Seen free or busy, an owner is at a random moment of that part; by the clock, further in its period.
  OwnerPtr under_way(const OwnerSight& sight) const override {
    if (random_ && !sight.availability) return nullptr;
    auto later = std::make_shared<DutyCycle>(*this);
    if (random_) later->seen_free_ = *sight.availability >= 0.5;
    else later->later_s_ = std::fmod(later_s_ + sight.elapsed_s, period_);
    return later;
  }
  double mean() const override { return 1 - busy_; }
  std::optional<double> expected_left_s(double seconds) const override {
    if ((random_ && !seen_free_) || busy_ == 0 || busy_ == 1) return std::nullopt;
    const double rounds = std::floor(seconds / period_);
    return rounds * (1 - busy_) * period_ + sampled_left_s(*this, seconds - rounds * period_, !random_);
  }
  double sd() const override { return std::sqrt(busy_ * (1 - busy_)); }
  std::string describe() const override {
    return "duty-cycle period=" + short_number(period_) + "s u=" + short_number(busy_) + moment_.text() + beginning_text();
  }
  std::string identity() const override {
    return "duty-cycle period=" + number_text(period_) + " u=" + number_text(busy_) + (random_ ? " random" : " aligned") +
           moment_.text() + beginning_text();
  }
  std::string in_common() const override { return moment_.is_correlated() ? "start" : ""; }

 private:
  [[nodiscard]] double drawn_offset_s(double u) const {
    const double free_s = (1 - busy_) * period_;
    if (!seen_free_) return period_ * u;
    return *seen_free_ ? u * free_s : free_s + u * (period_ - free_s);
  }
  [[nodiscard]] std::string beginning_text() const {
    if (seen_free_) return *seen_free_ ? ", at first free" : ", at first busy";
    return later_s_ > 0 ? ", " + number_text(later_s_) + "s later" : "";
  }

  double period_, busy_;
  bool random_;
  RandomMoment moment_;
  std::optional<bool> seen_free_;
  double later_s_ = 0;
};

OwnerPtr make_duty_cycle(KeyReader& read, const OwnerContext&) {
  const double period = read.value("period");
  const double busy = read.value("u");
  const bool random = read.word("phase") == 0;
  return duty_cycle_owner(period, busy, random, read_correlation_of_start(read, "phase", random));
}

}  // namespace

OwnerPtr duty_cycle_owner(double period_s, double busy, bool random_phase, double correlation) {
  if (!(period_s > 0) || !std::isfinite(period_s))
    throw InputError("a duty cycle's period must be a positive time, not " + short_number(period_s));
  if (!(busy >= 0 && busy <= 1))
    throw InputError("a duty cycle's busy fraction u must be in [0, 1], not " + short_number(busy));
  return std::make_shared<DutyCycle>(period_s, busy, random_phase, correlation);
}

OwnerModelInfo duty_cycle_model() {
  return {"duty-cycle",
          "the owner holds the CPU for the fraction u of every period (ZY 5.1)",
          {{"period", KeyType::time, "10s", "from one beginning to the next", kPositive},
           {"u", KeyType::share, kMustBeGiven, "the owner's part of every period", {0, 1}},
           {"phase", KeyType::word, "random", "where a replication begins (aligned: with the free part)", {},
            {"random", "aligned"}},
           correlation_key()},
          make_duty_cycle};
}

}  // namespace nowsim

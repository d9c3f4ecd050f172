// The loops themselves. Highway compiles this file once per instruction set (foreach_target) and offers what it compiled.
#include "sim/engines/direct/lane_kernels.hpp"

#include <algorithm>

// The first two give no other width; the others' vectors cannot be members of classes.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/engines/direct/lane_kernels.cpp"
#include <hwy/foreach_target.h>
// Behind that line everything is compiled several times.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nowsim::lane_kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Numbers = hn::ScalableTag<double>;
using Words = hn::RebindToUnsigned<Numbers>;
using Indices = hn::RebindToSigned<Numbers>;
using NumberVec = hn::Vec<Numbers>;
using WordVec = hn::Vec<Words>;
using IndexVec = hn::Vec<Indices>;
using NumberMask = hn::Mask<Numbers>;

/// first, first + 1, ... (Highway's Iota makes these one by one unless they are constants.)
HWY_INLINE WordVec count_from(std::size_t first) {
  return hn::Add(hn::Iota(Words(), 0), hn::Set(Words(), first));
}

/// Where a register's lanes stand in the columns: side by side, or anywhere.
class Places {
 public:
  HWY_INLINE explicit Places(const std::uint32_t* lanes) : first_(lanes[0]) {
    const WordVec places = hn::PromoteTo(Words(), hn::LoadU(hn::Rebind<std::uint32_t, Numbers>(), lanes));
    side_by_side_ = hn::AllTrue(Words(), hn::Eq(places, count_from(first_)));
    indices_ = hn::BitCast(Indices(), places);
  }
  NumberVec load(const double* column) const {
    if (side_by_side_) return hn::LoadU(Numbers(), column + first_);
    return hn::GatherIndex(Numbers(), column, indices_);
  }
  WordVec load(const std::uint64_t* column) const {
    if (side_by_side_) return hn::LoadU(Words(), column + first_);
    return hn::GatherIndex(Words(), column, indices_);
  }
  void store(NumberVec v, double* column) const {
    if (side_by_side_) return hn::StoreU(v, Numbers(), column + first_);
    hn::ScatterIndex(v, Numbers(), column, indices_);
  }
  void store(WordVec v, std::uint64_t* column) const {
    if (side_by_side_) return hn::StoreU(v, Words(), column + first_);
    hn::ScatterIndex(v, Words(), column, indices_);
  }
  NumberVec load_law(const double* column, bool one_for_all) const {
    return one_for_all ? hn::Set(Numbers(), *column) : load(column);
  }

 private:
  std::size_t first_;
  bool side_by_side_;
  IndexVec indices_;
};

/// xoshiro256+ in lanes.
struct Streams {
  WordVec s0, s1, s2, s3;
  /// Stream::uniform() · 2^53, a whole number.
  NumberVec draw() {
    const WordVec result = hn::ShiftRight<11>(hn::Add(s0, s3)), t = hn::ShiftLeft<17>(s1);
    s2 = hn::Xor(s2, s0);
    s3 = hn::Xor(s3, s1);
    s1 = hn::Xor(s1, s2);
    s0 = hn::Xor(s0, s3);
    s2 = hn::Xor(s2, t);
    s3 = hn::RotateRight<64 - 45>(s3);
    return hn::ConvertTo(Numbers(), hn::BitCast(Indices(), result));
  }
  void keep(NumberMask mask, const Streams& old) {
    const auto words = hn::RebindMask(Words(), mask);
    s0 = hn::IfThenElse(words, s0, old.s0);
    s1 = hn::IfThenElse(words, s1, old.s1);
    s2 = hn::IfThenElse(words, s2, old.s2);
    s3 = hn::IfThenElse(words, s3, old.s3);
  }
};

/// InverseTransform::quantile() of draws. To the bit, as scaling the range by a power of two instead of the draw rounds
/// nothing.
template <InverseTransform::Form form>
class Law {
 public:
  Law(NumberVec low, NumberVec other)
      : low_(low),
        other_(form == InverseTransform::Form::linear ? hn::Mul(other, hn::Set(Numbers(), 0x1.0p-53)) : other) {}
  NumberVec quantile(NumberVec draw) const {
    if constexpr (form == InverseTransform::Form::linear) return hn::Add(low_, hn::Mul(other_, draw));
    else return hn::IfThenElse(hn::Lt(draw, hn::Set(Numbers(), 0x1.0p52)), low_, other_);
  }

 private:
  NumberVec low_, other_;
};

/// One register of lanes on their paths.
template <InverseTransform::Form length_form, InverseTransform::Form value_form>
class Register {
 public:
  HWY_INLINE Register(const LaneView& c, const std::uint32_t* lanes)
      : places_(lanes),
        length_{places_.load_law(c.length_low, c.one_law_for_all), places_.load_law(c.length_other, c.one_law_for_all)},
        value_law_{places_.load_law(c.value_low, c.one_law_for_all), places_.load_law(c.value_other, c.one_law_for_all)},
        streams_{places_.load(c.stream[0]), places_.load(c.stream[1]), places_.load(c.stream[2]), places_.load(c.stream[3])},
        position_(places_.load(c.position_s)), end_(places_.load(c.end_s)), value_(places_.load(c.value)) {}

  /// Waits until `begin`; returns `integral` with what is added to it meanwhile.
  NumberVec wait(NumberVec begin, NumberVec integral, std::uint64_t& steps) {
    NumberMask behind = hn::Lt(end_, begin);
    while (!hn::AllFalse(Numbers(), behind)) {
      integral = hn::IfThenElse(behind, hn::Add(integral, hn::Mul(value_, hn::Sub(end_, position_))), integral);
      position_ = hn::IfThenElse(behind, end_, position_);
      next_step(behind, steps);
      behind = hn::Lt(end_, begin);
    }
    const NumberMask waits = hn::Gt(begin, position_);
    integral = hn::IfThenElse(waits, hn::Add(integral, hn::Mul(value_, hn::Sub(begin, position_))), integral);
    position_ = hn::IfThenElse(waits, begin, position_);
    return integral;
  }

  /// Computes `work` from the position on: begin_work, then go_on while it says that some lane does, then end_work.
  struct Work {
    NumberVec left, room;  ///< what is left, and what the step at hand has room for
    NumberMask goes_on;    ///< the lanes that need another step
    [[nodiscard]] bool any() const { return !hn::AllFalse(Numbers(), goes_on); }
    [[nodiscard]] bool all() const { return hn::AllTrue(Numbers(), goes_on); }
  };
  Work begin_work(NumberVec work) const {
    const NumberVec room = hn::Mul(value_, hn::Sub(end_, position_));
    return {work, room, hn::Gt(work, room)};
  }
  /// While all lanes go on, which is cheaper.
  HWY_INLINE void go_on_all(Work& work) {
    work.left = hn::Sub(work.left, work.room);
    position_ = end_;
    const NumberVec duration = length_.quantile(streams_.draw());
    value_ = hn::Max(value_law_.quantile(streams_.draw()), hn::Set(Numbers(), kLeastAvailability));
    end_ = hn::Add(end_, duration);
    work.room = hn::Mul(duration, value_);
    work.goes_on = hn::Gt(work.left, work.room);
  }
  HWY_INLINE void go_on(Work& work, std::uint64_t& steps) {
    work.left = hn::IfThenElse(work.goes_on, hn::Sub(work.left, work.room), work.left);
    position_ = hn::IfThenElse(work.goes_on, end_, position_);
    const NumberVec duration = next_step(work.goes_on, steps);
    work.room = hn::Mul(duration, value_);
    work.goes_on = hn::And(work.goes_on, hn::Gt(work.left, work.room));
  }
  void end_work(const Work& work) { position_ = hn::Add(position_, hn::Div(work.left, value_)); }

  HWY_INLINE void store(const LaneView& c) const {
    places_.store(streams_.s0, c.stream[0]);
    places_.store(streams_.s1, c.stream[1]);
    places_.store(streams_.s2, c.stream[2]);
    places_.store(streams_.s3, c.stream[3]);
    places_.store(position_, c.position_s);
    places_.store(end_, c.end_s);
    places_.store(value_, c.value);
  }
  [[nodiscard]] const Places& places() const { return places_; }

 private:
  /// Goes into the next step in some lanes; returns what was drawn for its length.
  NumberVec next_step(NumberMask which, std::uint64_t& steps) {
    const Streams old = streams_;
    const NumberVec duration = length_.quantile(streams_.draw());
    const NumberVec value = hn::Max(value_law_.quantile(streams_.draw()), hn::Set(Numbers(), kLeastAvailability));
    streams_.keep(which, old);
    end_ = hn::IfThenElse(which, hn::Add(end_, duration), end_);
    value_ = hn::IfThenElse(which, value, value_);
    steps += hn::CountTrue(Numbers(), which);
    return duration;
  }

  Places places_;
  Law<length_form> length_;
  Law<value_form> value_law_;
  Streams streams_;
  NumberVec position_, end_, value_;
};

/// Waits until what is asked for begins; returns the integral of A up to there.
template <class SomeRegister>
HWY_INLINE NumberVec wait_to_begin(const LaneView& c, SomeRegister& some, std::uint64_t& steps) {
  const Places& at = some.places();
  return some.wait(at.load(c.begin_s), at.load(c.integral_s), steps);
}

/// Computes what the lanes of one register ask for.
struct Serve {
  static constexpr bool kMoves = true;
  template <class SomeRegister>
  static void one(const LaneView& c, SomeRegister& a, std::uint64_t& steps) {
    const NumberVec asked = a.places().load(c.work_s), integral = wait_to_begin(c, a, steps);
    auto work = a.begin_work(asked);
    while (work.any()) a.go_on(work, steps);
    a.end_work(work);
    a.places().store(hn::Add(integral, asked), c.integral_s);
  }
  /// Two registers in turn: what one waits for, the other computes.
  template <class SomeRegister>
  static void two(const LaneView& c, SomeRegister& a, SomeRegister& b, std::uint64_t& steps) {
    const NumberVec asked_a = a.places().load(c.work_s), asked_b = b.places().load(c.work_s);
    const NumberVec integral_a = wait_to_begin(c, a, steps), integral_b = wait_to_begin(c, b, steps);
    auto work_a = a.begin_work(asked_a), work_b = b.begin_work(asked_b);
    std::size_t all = 0;
    for (; work_a.all() && work_b.all(); ++all) {
      a.go_on_all(work_a);
      b.go_on_all(work_b);
    }
    steps += all * 2 * hn::Lanes(Numbers());
    while (work_a.any() || work_b.any()) {
      a.go_on(work_a, steps);
      b.go_on(work_b, steps);
    }
    a.end_work(work_a);
    b.end_work(work_b);
    a.places().store(hn::Add(integral_a, asked_a), c.integral_s);
    b.places().store(hn::Add(integral_b, asked_b), c.integral_s);
  }
};

/// Integrates, without moving the lanes.
struct Integrate {
  static constexpr bool kMoves = false;
  template <class SomeRegister>
  static HWY_INLINE void one(const LaneView& c, SomeRegister& a, std::uint64_t& steps) {
    a.places().store(wait_to_begin(c, a, steps), c.integral_s);
  }
  template <class SomeRegister>
  static HWY_INLINE void two(const LaneView& c, SomeRegister& a, SomeRegister& b, std::uint64_t& steps) {
    one(c, a, steps);
    one(c, b, steps);
  }
};

/// Does the action for every whole register of lanes, two at a time; returns how many lanes those are.
template <InverseTransform::Form length_form, InverseTransform::Form value_form, class Action>
std::size_t for_registers(const LaneView& c, LaneList list, std::uint64_t& steps) {
  using Some = Register<length_form, value_form>;
  const std::size_t width = hn::Lanes(Numbers());
  std::size_t done = 0;
  for (; done + 2 * width <= list.count; done += 2 * width) {
    Some a(c, list.lanes + done), b(c, list.lanes + done + width);
    Action::two(c, a, b, steps);
    if constexpr (Action::kMoves) a.store(c), b.store(c);
  }
  for (; done + width <= list.count; done += width) {
    Some a(c, list.lanes + done);
    Action::one(c, a, steps);
    if constexpr (Action::kMoves) a.store(c);
  }
  return done;
}

template <class Action>
std::size_t by_form(const LaneView& c, LaneList list, std::uint64_t& steps) {
  constexpr auto kLinear = InverseTransform::Form::linear, kTwo = InverseTransform::Form::two_point;
  const bool linear_length = c.length_form == kLinear, linear_value = c.value_form == kLinear;
  if (linear_length && linear_value) return for_registers<kLinear, kLinear, Action>(c, list, steps);
  if (linear_length) return for_registers<kLinear, kTwo, Action>(c, list, steps);
  if (linear_value) return for_registers<kTwo, kLinear, Action>(c, list, steps);
  return for_registers<kTwo, kTwo, Action>(c, list, steps);
}

WordVec mix(WordVec z) {
  z = hn::Xor(z, hn::ShiftRight<30>(z)) * hn::Set(Words(), SplitMix64::kFirst);
  z = hn::Xor(z, hn::ShiftRight<27>(z)) * hn::Set(Words(), SplitMix64::kSecond);
  return hn::Xor(z, hn::ShiftRight<31>(z));
}

/// Stream's seeding to the bit. In two passes of short rounds, so that the processor can overlap these: a multiplication
/// of 64 bits takes it long.
std::size_t open(const LaneView& c, SeedList list, std::size_t workstations) {
  const std::size_t width = hn::Lanes(Numbers()), whole = workstations / width * width;
  const WordVec golden = hn::Set(Words(), SplitMix64::kGolden), purpose = hn::Set(Words(), list.purpose);
  for (std::size_t k = 0; k < list.count; ++k)
    for (std::size_t i = 0; i < whole; i += width) {
      const WordVec family = hn::Set(Words(), list.seeds[k].family.hash());
      const WordVec h = mix(hn::Add(hn::Add(family, golden), count_from(i)));
      hn::StoreU(mix(hn::Add(hn::Add(h, golden), purpose)), Words(), c.stream[0] + list.seeds[k].first_lane + i);
    }
  for (std::size_t k = 0; k < list.count; ++k)
    for (std::size_t i = 0; i < whole; i += width) {
      const std::size_t lane = list.seeds[k].first_lane + i;
      WordVec h = hn::LoadU(Words(), c.stream[0] + lane);
      for (auto* word : c.stream) {
        h = hn::Add(h, golden);
        hn::StoreU(mix(h), Words(), word + lane);
      }
      for (auto* number : {c.position_s, c.end_s, c.integral_s})
        hn::StoreU(hn::Zero(Numbers()), Numbers(), number + lane);
      hn::StoreU(hn::Set(Numbers(), 1), Numbers(), c.value + lane);
    }
  return whole;
}

Kernels kernels() { return {hn::Lanes(Numbers()) * sizeof(double), open, by_form<Serve>, by_form<Integrate>}; }

}  // namespace
}  // namespace nowsim::lane_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nowsim::lane_kernels {
namespace {
HWY_EXPORT(kernels);
}  // namespace

const std::vector<Kernels>& kernels_here() {
  static const std::vector<Kernels> found = [] {
    std::vector<Kernels> all;
    for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {  // the best is first
      hwy::GetChosenTarget().Update(left & -left);
      const Kernels some = HWY_DYNAMIC_DISPATCH(kernels)();
      if (all.empty() || all.back().register_bytes != some.register_bytes) all.push_back(some);
    }
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    std::reverse(all.begin(), all.end());
    return all;
  }();
  return found;
}
}  // namespace nowsim::lane_kernels
#endif  // HWY_ONCE

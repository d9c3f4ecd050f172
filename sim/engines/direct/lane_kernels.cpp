// The loops themselves. Highway compiles this file once per instruction set (foreach_target) and offers what it compiled.
#include "sim/engines/direct/lane_kernels.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>

#include "sim/base/infinity.hpp"

// One target of each width, since each takes its time to compile: SSSE3 and SSE4 have the baseline's, AVX3_DL has AVX3's.
// The others' vectors cannot be members of classes.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
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
using Form = InverseTransform::Form;

/// first, first + 1, ... (Highway's Iota makes these one by one unless they are constants.)
HWY_INLINE WordVec count_from(std::size_t first) {
  return hn::Add(hn::Iota(Words(), 0), hn::Set(Words(), first));
}

/// Where a register's lanes stand in the columns: side by side.
class SideBySide {
 public:
  HWY_INLINE explicit SideBySide(const std::uint32_t* lanes) : first_(lanes[0]) {}
  HWY_INLINE NumberVec load(const double* column) const { return hn::LoadU(Numbers(), column + first_); }
  HWY_INLINE WordVec load(const std::uint64_t* column) const { return hn::LoadU(Words(), column + first_); }
  HWY_INLINE void store(NumberVec v, double* column) const { hn::StoreU(v, Numbers(), column + first_); }
  HWY_INLINE void store(WordVec v, std::uint64_t* column) const { hn::StoreU(v, Words(), column + first_); }
  [[nodiscard]] HWY_INLINE std::size_t lane(std::size_t k) const { return first_ + k; }

 private:
  std::size_t first_;
};

/// The same, anywhere.
class Scattered {
 public:
  HWY_INLINE explicit Scattered(const std::uint32_t* lanes) : lanes_(lanes), indices_(indices(lanes)) {}
  HWY_INLINE NumberVec load(const double* column) const { return hn::GatherIndex(Numbers(), column, indices_); }
  HWY_INLINE WordVec load(const std::uint64_t* column) const { return hn::GatherIndex(Words(), column, indices_); }
  HWY_INLINE void store(NumberVec v, double* column) const { hn::ScatterIndex(v, Numbers(), column, indices_); }
  HWY_INLINE void store(WordVec v, std::uint64_t* column) const { hn::ScatterIndex(v, Words(), column, indices_); }
  [[nodiscard]] HWY_INLINE std::size_t lane(std::size_t k) const { return lanes_[k]; }

 private:
  static HWY_INLINE IndexVec indices(const std::uint32_t* lanes) {
    return hn::BitCast(Indices(), hn::PromoteTo(Words(), hn::LoadU(hn::Rebind<std::uint32_t, Numbers>(), lanes)));
  }
  const std::uint32_t* lanes_;
  IndexVec indices_;
};

template <class Places, class Number>
HWY_INLINE hn::Vec<hn::ScalableTag<Number>> load_law(const Places& at, const Number* column, bool one_for_all) {
  return one_for_all ? hn::Set(hn::ScalableTag<Number>(), *column) : at.load(column);
}

/// xoshiro256+ in lanes.
struct Streams {
  WordVec s0, s1, s2, s3;
  /// Stream::uniform() · 2^53, a whole number.
  HWY_INLINE WordVec draw() {
    const WordVec result = hn::ShiftRight<11>(hn::Add(s0, s3)), t = hn::ShiftLeft<17>(s1);
#if HWY_TARGET <= HWY_AVX3  // which has an instruction for three: the new words from the old
    const WordVec old_s0 = s0, old_s1 = s1;
    s1 = hn::Xor3(s1, s2, s0);
    s2 = hn::Xor3(s2, old_s0, t);
    s0 = hn::Xor3(s0, s3, old_s1);
    s3 = hn::Xor(s3, old_s1);
#else
    s2 = hn::Xor(s2, s0);
    s3 = hn::Xor(s3, s1);
    s1 = hn::Xor(s1, s2);
    s0 = hn::Xor(s0, s3);
    s2 = hn::Xor(s2, t);
#endif
    s3 = hn::RotateRight<64 - 45>(s3);
    return result;
  }
  HWY_INLINE void keep(NumberMask mask, const Streams& old) {
    const auto words = hn::RebindMask(Words(), mask);
    s0 = hn::IfThenElse(words, s0, old.s0);
    s1 = hn::IfThenElse(words, s1, old.s1);
    s2 = hn::IfThenElse(words, s2, old.s2);
    s3 = hn::IfThenElse(words, s3, old.s3);
  }
};

HWY_INLINE NumberVec number_of_draw(WordVec draw) { return hn::ConvertTo(Numbers(), hn::BitCast(Indices(), draw)); }

/// InverseTransform::quantile() of draws, to the bit: scaling the range by a power of two instead of the draw rounds
/// nothing.
class LinearLaw {
 public:
  static constexpr bool kIsCheap = true;
  template <class Places>
  HWY_INLINE LinearLaw(const LawView& law, const Places& at)
      : LinearLaw(load_law(at, law.low, law.one_for_all), load_law(at, law.other, law.one_for_all)) {}
  HWY_INLINE LinearLaw(NumberVec low, NumberVec other)
      : low_(low), other_(hn::Mul(other, hn::Set(Numbers(), 0x1.0p-53))) {}
  HWY_INLINE NumberVec quantile(WordVec draw) const { return hn::Add(low_, hn::Mul(other_, number_of_draw(draw))); }

 private:
  NumberVec low_, other_;
};

namespace portable {
using Number = NumberVec;
using Word = WordVec;
HWY_INLINE Number number(double x) { return hn::Set(Numbers(), x); }
HWY_INLINE Word word(unsigned long long w) { return hn::Set(Words(), w); }
HWY_INLINE Word bits_of(Number x) { return hn::BitCast(Words(), x); }
HWY_INLINE Number number_of(Word w) { return hn::BitCast(Numbers(), w); }
template <int n>
HWY_INLINE Word shift_left(Word w) {
  return hn::ShiftLeft<n>(w);
}
template <int n>
HWY_INLINE Word shift_right(Word w) {
  return hn::ShiftRight<n>(w);
}
HWY_INLINE Number select_if_less(Number a, Number b, Number x, Number y) { return hn::IfThenElse(hn::Lt(a, b), x, y); }
#include "sim/statistics/portable-inl.hpp"
}  // namespace portable

class ExponentialLaw {
 public:
  static constexpr bool kIsCheap = false;
  template <class Places>
  HWY_INLINE ExponentialLaw(const LawView& law, const Places& at)
      : ExponentialLaw(load_law(at, law.low, law.one_for_all), load_law(at, law.other, law.one_for_all)) {}
  HWY_INLINE ExponentialLaw(NumberVec low, NumberVec other) : low_(low), other_(other) {}
  HWY_INLINE NumberVec quantile(WordVec draw) const {
    const NumberVec left = number_of_draw(hn::Sub(hn::Set(Words(), std::uint64_t{1} << 53), draw));
    const NumberVec minus_log = hn::Neg(portable::natural_log(hn::Mul(left, hn::Set(Numbers(), 0x1.0p-53))));
    return hn::Add(low_, hn::Mul(other_, minus_log));
  }

 private:
  NumberVec low_, other_;
};

constexpr std::size_t kMostLanes = HWY_MAX_BYTES / sizeof(double);

/// Rows of four numbers as four columns. Gathering each column by itself would take three times as long.
HWY_INLINE void load_rows(const std::uint64_t* addresses, NumberVec (&columns)[4]) {
  const auto row = [&](std::size_t lane) { return reinterpret_cast<const double*>(addresses[lane]); };
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t k = 0; k < 4; ++k) columns[k] = hn::Set(Numbers(), row(0)[k]);
#elif HWY_MAX_BYTES == 16
  const hn::Full128<double> pair;
  for (std::size_t half = 0; half < 2; ++half) {
    const auto first = hn::LoadU(pair, row(0) + 2 * half), second = hn::LoadU(pair, row(1) + 2 * half);
    columns[2 * half] = hn::InterleaveLower(pair, first, second);
    columns[2 * half + 1] = hn::InterleaveUpper(pair, first, second);
  }
#else
  const auto load = [&](std::size_t lane) {
#if HWY_MAX_BYTES == 32
    return hn::LoadU(Numbers(), row(lane));
#else
    const hn::Half<Numbers> half;
    return hn::Combine(Numbers(), hn::LoadU(half, row(lane + 4)), hn::LoadU(half, row(lane)));
#endif
  };
  const NumberVec a = load(0), b = load(1), c = load(2), d = load(3);
  const auto mix = [](NumberVec ab, NumberVec cd, NumberVec& first, NumberVec& third) {
    first = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(cd), ab);
    third = hn::OddEvenBlocks(cd, hn::SwapAdjacentBlocks(ab));
  };
  mix(hn::InterleaveLower(Numbers(), a, b), hn::InterleaveLower(Numbers(), c, d), columns[0], columns[2]);
  mix(hn::InterleaveUpper(Numbers(), a, b), hn::InterleaveUpper(Numbers(), c, d), columns[1], columns[3]);
#endif
}

/// The form table: QuantileTable::quantile() to the bit.
class TableLaw {
 public:
  static constexpr bool kIsCheap = false;
  template <class Places>
  HWY_INLINE TableLaw(const LawView& law, const Places& at)
      : low_(load_law(at, law.low, law.one_for_all)), other_(load_law(at, law.other, law.one_for_all)),
        near_from_(hn::Zero(Numbers())), bits_(hn::Zero(Words())), base_(bits_), to_upper_(bits_) {
    if (law.form != Form::table) return;
    HWY_ALIGN std::uint64_t bits[kMostLanes], rows[kMostLanes];
    for (std::size_t k = 0; k < hn::Lanes(Numbers()); ++k) {
      cells_[k] = law.cells + (law.one_for_all ? 0 : at.lane(k));
      bits[k] = cells_[k]->near_bits;
      rows[k] = reinterpret_cast<std::uint64_t>(cells_[k]->rows);
    }
    constexpr std::uint64_t kFirstNear = TableCells::kOctaves - TableCells::kNearOctaves;
    bits_ = hn::Load(Words(), bits);
    const auto has_near = hn::Ne(bits_, hn::Zero(Words()));
    near_from_ =
        hn::IfThenElse(hn::RebindMask(Numbers(), has_near), hn::Set(Numbers(), 0x1p42), hn::Set(Numbers(), 0x1p52));
    // Without near octaves all cells stand for the first, which is not used.
    const WordVec first = hn::IfThenElse(has_near, hn::Set(Words(), 1022 + kFirstNear), hn::Set(Words(), 1023 + 52));
    base_ = hn::Sub(hn::Load(Words(), rows), hn::ShiftLeft<5>(hn::Shl(first, bits_)));
    to_upper_ = hn::IfThenElseZero(has_near, hn::Shl(hn::Set(Words(), 32 * TableCells::kNearOctaves), bits_));
  }
  HWY_INLINE NumberVec quantile(WordVec draw) const {
    const WordVec flip = hn::And(hn::Sub(hn::Zero(Words()), hn::ShiftRight<52>(draw)),
                                 hn::Set(Words(), (std::uint64_t{1} << 53) - 1));  // of the upper side
    const NumberVec place = hn::Add(number_of_draw(hn::Xor(draw, flip)), hn::Set(Numbers(), 0.5));
    const WordVec v = hn::BitCast(Words(), hn::Max(place, near_from_));
    const WordVec cell = hn::Shr(v, hn::Sub(hn::Set(Words(), 52), bits_));
    HWY_ALIGN std::uint64_t addresses[kMostLanes];
    hn::Store(hn::Add(hn::Add(base_, hn::ShiftLeft<5>(cell)), hn::And(flip, to_upper_)), Words(), addresses);
    NumberVec c[4];
    load_rows(addresses, c);
    const WordVec within = hn::Or(hn::And(hn::Shl(v, bits_), hn::Set(Words(), (std::uint64_t{1} << 52) - 1)),
                                  hn::Set(Words(), 0x3ff0000000000000));
    const NumberVec t = hn::Sub(hn::BitCast(Numbers(), within), hn::Set(Numbers(), 1.5));
    NumberVec sum = hn::Add(hn::Mul(c[3], t), c[2]);
    sum = hn::Add(hn::Mul(sum, t), c[1]);
    sum = hn::Add(hn::Mul(sum, t), c[0]);
    if (!hn::AllFalse(Numbers(), hn::Lt(place, near_from_))) [[unlikely]] sum = one_by_one(draw);
    return hn::Add(low_, hn::Mul(other_, sum));
  }

 private:
  /// Where a lane's draw is not in the near octaves.
  HWY_NOINLINE NumberVec one_by_one(WordVec draw) const {
    HWY_ALIGN std::uint64_t draws[kMostLanes];
    HWY_ALIGN double values[kMostLanes];
    hn::Store(draw, Words(), draws);
    for (std::size_t k = 0; k < hn::Lanes(Numbers()); ++k) values[k] = cells_[k]->at_draw(draws[k]);
    return hn::Load(Numbers(), values);
  }

  NumberVec low_, other_;
  NumberVec near_from_;  ///< the first place in near octaves
  WordVec bits_;
  WordVec base_, to_upper_;  ///< the address where cells would begin; from a cell to its counterpart above [bytes]
  const TableCells* cells_[kMostLanes];
};

/// The form called, lane by lane.
class CalledLaw {
 public:
  template <class Places>
  HWY_INLINE CalledLaw(const LawView& law, const Places& at) {
    if (law.form != Form::function) return;
    for (std::size_t k = 0; k < hn::Lanes(Numbers()); ++k)
      functions_[k] = law.functions[law.one_for_all ? 0 : at.lane(k)];
  }
  HWY_NOINLINE NumberVec quantile(WordVec draw) const {
    HWY_ALIGN double numbers[kMostLanes];
    hn::Store(hn::Mul(number_of_draw(draw), hn::Set(Numbers(), 0x1.0p-53)), Numbers(), numbers);
    for (std::size_t k = 0; k < hn::Lanes(Numbers()); ++k) numbers[k] = functions_[k]->at(numbers[k]);
    return hn::Load(Numbers(), numbers);
  }

 private:
  const QuantileFunction* functions_[kMostLanes];
};

/// The law of any form, which is the same in all lanes.
class AnyLaw {
 public:
  static constexpr bool kIsCheap = false;
  template <class Places>
  HWY_INLINE AnyLaw(const LawView& law, const Places& at)
      : form_(law.form), low_(load_law(at, law.low, law.one_for_all)),
        other_(load_law(at, law.other, law.one_for_all)), table_(law, at),
        called_(law, at),
        mirror_(law.mirror == nullptr ? hn::Zero(Words()) : load_law(at, law.mirror, law.one_for_all)) {}
  HWY_INLINE NumberVec quantile(WordVec drawn) const {
    const WordVec draw = hn::Xor(drawn, mirror_);
    switch (form_) {
      case Form::linear: return LinearLaw(low_, other_).quantile(draw);
      case Form::two_point:
        return hn::IfThenElse(hn::Lt(number_of_draw(draw), hn::Set(Numbers(), 0x1.0p52)), low_, other_);
      case Form::exponential: return ExponentialLaw(low_, other_).quantile(draw);
      case Form::function: return called_.quantile(draw);
      default: return table_.quantile(draw);
    }
  }

 private:
  Form form_;
  NumberVec low_, other_;
  TableLaw table_;
  CalledLaw called_;
  WordVec mirror_;
};

/// One half of two steps in turn: their times, or their values.
class InTurn {
 public:
  static constexpr bool kIsCheap = true;
  template <class Places>
  HWY_INLINE InTurn(const LawView& law, const Places& at)
      : first_(load_law(at, law.low, law.one_for_all)), second_(load_law(at, law.other, law.one_for_all)) {}
  [[nodiscard]] HWY_INLINE NumberMask is_first(NumberVec v) const { return hn::Eq(v, first_); }
  [[nodiscard]] HWY_INLINE WordVec behind(NumberMask first) const {
    return hn::BitCast(Words(), hn::IfThenElse(first, second_, first_));
  }

 private:
  NumberVec first_, second_;
};

/// How long the next step lasts, and its value.
struct NextStep {
  NumberVec duration, value;
};

template <class LengthLaw, class ValueLaw>
HWY_INLINE NextStep take_step(const LengthLaw& length, const ValueLaw& value, Streams& streams) {
  const NumberVec duration = length.quantile(streams.draw());
  return {duration, hn::Max(value.quantile(streams.draw()), hn::Set(Numbers(), kLeastAvailability))};
}

HWY_INLINE NextStep take_step(const InTurn& length, const InTurn& value, Streams& streams) {
  const NextStep step{hn::BitCast(Numbers(), streams.s0), hn::BitCast(Numbers(), streams.s1)};
  const NumberMask is_first = value.is_first(step.value);
  streams.s0 = length.behind(is_first);
  streams.s1 = value.behind(is_first);
  return step;
}

/// Where lanes are on their way along their paths.
struct State {
  Streams streams;
  NumberVec end, value;  ///< of the step
  NumberVec sum;         ///< what steps add up to

  HWY_INLINE void keep(NumberMask mask, const State& other) {
    streams.keep(mask, other.streams);
    end = hn::IfThenElse(mask, end, other.end);
    value = hn::IfThenElse(mask, value, other.value);
    sum = hn::IfThenElse(mask, sum, other.sum);
  }
};

/// One register of lanes. Those that have arrived run on with the others, since a step that waited to know who goes on
/// took 2.1 times as long; where each was when it arrived is kept.
template <class Places, class LengthLaw, class ValueLaw>
class Register {
 public:
  HWY_INLINE Register(const LaneView& c, const std::uint32_t* lanes)
      : places_(lanes), length_(c.length, places_), value_law_(c.value_law, places_),
        now_{{places_.load(c.stream[0]), places_.load(c.stream[1]), places_.load(c.stream[2]),
              places_.load(c.stream[3])},
             places_.load(c.end_s), places_.load(c.value), hn::Zero(Numbers())},
        arrived_(now_), position_(places_.load(c.position_s)), begin_(places_.load(c.begin_s)),
        integral_(places_.load(c.integral_s)) {}

  [[nodiscard]] HWY_INLINE bool any() const { return !hn::AllFalse(Numbers(), goes_on_); }
  [[nodiscard]] HWY_INLINE bool all() const { return hn::AllTrue(Numbers(), goes_on_); }

  /// Waits until what is asked for begins: begin_wait, wait_on while any() goes on, then end_wait. The sum is the
  /// integral of A up to the end of the step.
  HWY_INLINE void begin_wait() {
    now_.sum = hn::Add(integral_, hn::Mul(now_.value, hn::Sub(now_.end, position_)));
    has_begun_ = goes_on_ = hn::Lt(now_.end, begin_);
    arrived_ = now_;
  }
  HWY_INLINE void wait_on(std::uint64_t& steps) {
    steps += hn::CountTrue(Numbers(), goes_on_);
    now_.sum = hn::Add(now_.sum, next_step());
    arrive();
    goes_on_ = hn::Lt(now_.end, begin_);
  }
  HWY_INLINE void end_wait() {
    const NumberMask waits = hn::Gt(begin_, position_);
    const NumberVec value = arrived_.value;
    const NumberVec within =
        hn::IfThenElse(waits, hn::Add(integral_, hn::Mul(value, hn::Sub(begin_, position_))), integral_);
    const NumberVec beyond = hn::Sub(arrived_.sum, hn::Mul(value, hn::Sub(arrived_.end, begin_)));
    integral_ = hn::IfThenElse(has_begun_, beyond, within);
    position_ = hn::IfThenElse(waits, begin_, position_);
    now_ = arrived_;
  }
  HWY_INLINE void wait(std::uint64_t& steps) {
    if (hn::AllTrue(Numbers(), hn::Eq(position_, begin_))) return;
    begin_wait();
    while (any()) wait_on(steps);
    end_wait();
  }

  /// Computes what is asked for from the position on: begin_work, work_all while all() go on, begin_arriving, work_on
  /// while any() does, then end_work. The sum is the work left behind the step, which is not above 0 where a lane
  /// arrives.
  HWY_INLINE void begin_work(const LaneView& c) {
    now_.sum = hn::Sub(places_.load(c.work_s), hn::Mul(now_.value, hn::Sub(now_.end, position_)));
    has_begun_ = goes_on_ = hn::Gt(now_.sum, hn::Zero(Numbers()));
  }
  HWY_INLINE void work_all() {
    now_.sum = hn::Sub(now_.sum, next_step());
    goes_on_ = hn::Gt(now_.sum, hn::Zero(Numbers()));
  }
  HWY_INLINE void begin_arriving() { arrived_ = now_; }
  HWY_INLINE void work_on(std::uint64_t& steps) {
    steps += hn::CountTrue(Numbers(), goes_on_);
    now_.sum = hn::Sub(now_.sum, next_step());
    arrive();
    goes_on_ = hn::Gt(now_.sum, hn::Zero(Numbers()));
  }
  HWY_INLINE void end_work(const LaneView& c) {
    const NumberVec work = places_.load(c.work_s);
    now_ = arrived_;
    position_ = hn::Add(hn::IfThenElse(has_begun_, now_.end, position_),
                        hn::Div(hn::IfThenElse(has_begun_, now_.sum, work), now_.value));
    integral_ = hn::Add(integral_, work);
  }

  HWY_INLINE void store_integral(const LaneView& c) const { places_.store(integral_, c.integral_s); }
  HWY_INLINE void store(const LaneView& c) const {
    places_.store(now_.streams.s0, c.stream[0]);
    places_.store(now_.streams.s1, c.stream[1]);
    places_.store(now_.streams.s2, c.stream[2]);
    places_.store(now_.streams.s3, c.stream[3]);
    places_.store(position_, c.position_s);
    places_.store(now_.end, c.end_s);
    places_.store(now_.value, c.value);
    store_integral(c);
  }

 private:
  /// Goes into the next step; returns what it has room for.
  HWY_INLINE NumberVec next_step() {
    const NextStep step = take_step(length_, value_law_, now_.streams);
    now_.value = step.value;
    now_.end = hn::Add(now_.end, step.duration);
    return hn::Mul(step.duration, step.value);
  }
  /// Keeps where the lanes are that were on their way until now.
  HWY_INLINE void arrive() {
    State now = now_;
    now.keep(goes_on_, arrived_);
    arrived_ = now;
  }

  Places places_;
  LengthLaw length_;
  ValueLaw value_law_;
  State now_, arrived_;
  NumberVec position_, begin_, integral_;
  NumberMask has_begun_, goes_on_;
};

/// Computes what lanes ask for, of several registers in turn: what one waits for, the others compute. They are
/// parameters, as what is in an array does not stay in registers.
struct Serve {
  template <class... Some>
  static HWY_INLINE void run(const LaneView& c, std::uint64_t& steps, Some... some) {
    std::uint64_t rounds = 0, single = 0;
    (some.wait(single), ...);
    (some.begin_work(c), ...);
    for (; (some.all() && ...); ++rounds) (some.work_all(), ...);
    (some.begin_arriving(), ...);
    while ((some.any() || ...)) (some.work_on(single), ...);
    (some.end_work(c), ...);
    (some.store(c), ...);
    steps += rounds * sizeof...(some) * hn::Lanes(Numbers()) + single;
  }
};

/// Integrates, without moving the lanes.
struct Integrate {
  template <class... Some>
  static HWY_INLINE void run(const LaneView& c, std::uint64_t& steps, Some... some) {
    std::uint64_t single = 0;
    (some.begin_wait(), ...);
    while ((some.any() || ...)) (some.wait_on(single), ...);
    (some.end_wait(), ...);
    (some.store_integral(c), ...);
    steps += single;
  }
};

/// Actions on lanes of certain laws, several registers in turn.
template <class Places, class LengthLaw, class ValueLaw>
struct Turns {
  /// For the registers of these numbers.
  template <class Action, std::size_t... k>
  static HWY_NOINLINE void some(const LaneView& c, const std::uint32_t* lanes, std::uint64_t& steps) {
    Action::run(c, steps, Register<Places, LengthLaw, ValueLaw>(c, lanes + k * hn::Lanes(Numbers()))...);
  }
  /// For all whole registers of so many lanes; returns how many these are. Where draws are cheap more registers are
  /// needed to fill the time in which one waits for another's results.
  template <class Action>
  static std::size_t all(const LaneView& c, const std::uint32_t* lanes, std::size_t count, std::uint64_t& steps) {
    const std::size_t width = hn::Lanes(Numbers());
    std::size_t done = 0;
    if constexpr (LengthLaw::kIsCheap && ValueLaw::kIsCheap)
      for (; done + 3 * width <= count; done += 3 * width) some<Action, 0, 1, 2>(c, lanes + done, steps);
    for (; done + 2 * width <= count; done += 2 * width) some<Action, 0, 1>(c, lanes + done, steps);
    for (; done + width <= count; done += width) some<Action, 0>(c, lanes + done, steps);
    return done;
  }
};

/// How many lanes, from the first on, are in order and side by side.
std::size_t side_by_side(const std::uint32_t* lanes, std::size_t count) {
  const std::size_t width = hn::Lanes(Numbers());
  std::size_t k = 0;
  for (; k + width <= count; k += width) {
    const auto some = hn::LoadU(hn::Rebind<std::uint32_t, Numbers>(), lanes + k);
    if (!hn::AllTrue(Words(), hn::Eq(hn::PromoteTo(Words(), some), count_from(lanes[0] + k)))) break;
  }
  return k;
}

template <class LengthLaw, class ValueLaw, class Action>
std::size_t for_laws(const LaneView& c, const std::uint32_t* lanes, std::size_t count, std::uint64_t& steps) {
  const std::size_t near = side_by_side(lanes, count), rest = count - near;
  const std::size_t done = Turns<SideBySide, LengthLaw, ValueLaw>::template all<Action>(c, lanes, near, steps);
  const std::uint32_t* far = lanes + near;
  if constexpr (LengthLaw::kIsCheap && ValueLaw::kIsCheap)
    return done + Turns<Scattered, LengthLaw, ValueLaw>::template all<Action>(c, far, rest, steps);
  else
    return done + Turns<Scattered, AnyLaw, AnyLaw>::template all<Action>(c, far, rest, steps);
}

template <class Action>
std::size_t for_lanes(const LaneView& c, const std::uint32_t* lanes, std::size_t count, std::uint64_t& steps) {
  if (c.takes_turns) return for_laws<InTurn, InTurn, Action>(c, lanes, count, steps);
  const auto is = [](const LawView& law, Form form) { return law.form == form && law.mirror == nullptr; };
  const bool linear_value = is(c.value_law, Form::linear), table_value = is(c.value_law, Form::table);
  if (linear_value && is(c.length, Form::linear)) return for_laws<LinearLaw, LinearLaw, Action>(c, lanes, count, steps);
  if (linear_value && is(c.length, Form::exponential))
    return for_laws<ExponentialLaw, LinearLaw, Action>(c, lanes, count, steps);
  if (linear_value && is(c.length, Form::table)) return for_laws<TableLaw, LinearLaw, Action>(c, lanes, count, steps);
  if (table_value && is(c.length, Form::linear)) return for_laws<LinearLaw, TableLaw, Action>(c, lanes, count, steps);
  if (table_value && is(c.length, Form::exponential))
    return for_laws<ExponentialLaw, TableLaw, Action>(c, lanes, count, steps);
  return for_laws<AnyLaw, AnyLaw, Action>(c, lanes, count, steps);
}

WordVec mix(WordVec z) {
  z = hn::Xor(z, hn::ShiftRight<30>(z)) * hn::Set(Words(), SplitMix64::kFirst);
  z = hn::Xor(z, hn::ShiftRight<27>(z)) * hn::Set(Words(), SplitMix64::kSecond);
  return hn::Xor(z, hn::ShiftRight<31>(z));
}

/// Stream's seeding to the bit. In two passes of short rounds, so that the processor can overlap these: a
/// multiplication of 64 bits takes it long.
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

Kernels kernels() { return {hn::Lanes(Numbers()) * sizeof(double), open, for_lanes<Serve>, for_lanes<Integrate>}; }

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

namespace {

/// How long a width's loops take for some tasks like HL's base task: the least time of several [s].
double least_time_s(const Kernels& some) {
  constexpr std::size_t kCount = 96;
  constexpr int kTimes = 8;
  std::array<std::vector<std::uint64_t>, 4> stream;
  for (auto& word : stream) word.resize(kCount);
  std::vector<double> position(kCount), end(kCount), value(kCount), integral(kCount);
  const std::vector<double> begin(kCount, 0.0), work(kCount, 100.0);
  const double length_low = 0, length_other = 20, value_low = 0.25, value_other = 0.5;
  const auto uniform = [](const double& low, const double& other) {
    return LawView{InverseTransform::Form::linear, true, &low, &other, nullptr, nullptr, nullptr};
  };
  const LaneView view{{stream[0].data(), stream[1].data(), stream[2].data(), stream[3].data()},
                      position.data(), end.data(), value.data(), integral.data(), begin.data(), work.data(),
                      uniform(length_low, length_other), uniform(value_low, value_other)};
  std::vector<std::uint32_t> lanes(kCount);
  std::iota(lanes.begin(), lanes.end(), 0U);
  const LaneSeeds seeds{Stream::Family(1, 0), 0};
  std::uint64_t steps = 0;
  double least_s = kInfinity;
  for (int k = 0; k < kTimes; ++k) {
    some.open(view, {&seeds, 1, 1}, kCount);
    const auto before = std::chrono::steady_clock::now();
    some.serve(view, lanes.data(), kCount, steps);
    least_s = std::min(least_s, std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
  }
  return least_s;
}

}  // namespace

const Kernels* fastest_here() {
  static const Kernels* const fastest = [] {
    const auto& all = kernels_here();
    const Kernels* best = nullptr;
    double least_s = kInfinity;
    for (std::size_t k = all.size() - std::min<std::size_t>(all.size(), 2); k < all.size(); ++k)  // others are slower
      if (const double time_s = least_time_s(all[k]); time_s <= least_s) {
        best = &all[k];
        least_s = time_s;
      }
    return best;
  }();
  return fastest;
}
}  // namespace nowsim::lane_kernels
#endif  // HWY_ONCE

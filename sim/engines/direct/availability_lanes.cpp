// Lanes one by one, and the choice of the loops that serve many.
#include "sim/engines/direct/availability_lanes.hpp"

#include <algorithm>
#include <bit>

#include "sim/engines/direct/lane_kernels.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
namespace {

using Form = InverseTransform::Form;

constexpr std::uint64_t kMirror = (std::uint64_t{1} << 53) - 1;  // k becomes 2^53 - 1 - k
constexpr std::uint8_t kAlone = 0xff;                            // in no group

bool is_same(const InverseTransform& a, const InverseTransform& b) {
  return a.form == b.form && a.offset == b.offset && a.scale == b.scale && a.table == b.table &&
         a.mirrored == b.mirrored && a.function == b.function;
}

double at_least(double value) { return std::max(value, kLeastAvailability); }

/// The value of a law of that form at a draw.
double value_at(const LawColumns& law, Form form, std::size_t at, std::uint64_t draw) {
  if (!law.mirror.empty()) draw ^= law.mirror[at];
  if (form == Form::table) return law.low[at] + law.other[at] * law.cells[at].at_draw(draw);
  const double u = static_cast<double>(draw) * 0x1.0p-53;
  return form == Form::function ? law.functions[at]->at(u)
                                : InverseTransform::plain(form, law.low[at], law.other[at], u);
}

}  // namespace

AvailabilityLanes::AvailabilityLanes(const std::vector<OwnerPtr>& owners, std::uint64_t seed, std::size_t slots,
                                     Purpose purpose)
    : owners_(&owners), seed_(seed), purpose_(purpose) {
  const std::size_t lanes = owners.size() * slots;
  for (auto& word : columns_.stream) word.resize(lanes);
  for (auto* numbers : {&columns_.position_s, &columns_.end_s, &columns_.value, &columns_.integral_s, &columns_.begin_s,
                        &columns_.work_s})
    numbers->resize(lanes);
  for (std::size_t i = 0, next = 0; i < owners.size(); i = next) {
    while (next < owners.size() && owners[next] == owners[i]) ++next;
    rows_.push_back({lane_form(*owners[i], {seed, 0, i, purpose}), i, next});
  }
  form_groups(slots);
  kernels_ = lane_kernels::fastest_here();
}

/// Whether all have one law, which is then in one column.
bool AvailabilityLanes::have_one_law() const {
  const auto* first = std::get_if<RenewalDraws>(&rows_.front().form);
  return first != nullptr && std::ranges::all_of(rows_, [&](const Row& row) {
    const auto* laws = std::get_if<RenewalDraws>(&row.form);
    return laws != nullptr && !laws->odd_value && is_same(first->length_s, laws->length_s) &&
           is_same(first->value, laws->value);
  });
}

/// Lanes that never draw go with those of the first group, with whose laws registers run on in vain. Of two steps in
/// turn the columns' low is the first one's, other the second one's.
void AvailabilityLanes::form_groups(std::size_t slots) {
  one_law_ = have_one_law();
  const std::size_t n = one_law_ ? 1 : owners_->size();
  if (one_law_) slots = 1;
  for (auto* numbers : {&length_.low, &length_.other, &value_.low, &value_.other}) numbers->resize(n * slots);
  group_of_.assign(n, 0);
  const auto draws_any = [](const Row& row) { return std::holds_alternative<RenewalDraws>(row.form); };
  const auto drawing = std::ranges::find_if(rows_, draws_any);
  for (const auto& [form, first, end] : rows_)
    for (std::size_t i = first; i < std::min(end, n); ++i) {
      if (const auto* laws = std::get_if<RenewalDraws>(&form)) {
        group_of_[i] = group_number({laws->length_s.form, laws->value.form});
        set_laws(i, laws->length_s, laws->value, slots);
        has_pairs_ |= laws->odd_value.has_value();
      } else if (const auto* steps = std::get_if<TwoStep>(&form)) {
        const auto& [one, two] = steps->turns;
        group_of_[i] = group_number({Form::linear, Form::linear, true});
        set_laws(i, {.offset = one.duration_s, .scale = two.duration_s},
                 {.offset = at_least(one.value), .scale = at_least(two.value)}, slots);
      } else if (std::holds_alternative<ByPath>(form)) {
        group_of_[i] = kAlone;
      } else if (drawing != rows_.end()) {
        const auto& in_vain = std::get<RenewalDraws>(drawing->form);
        set_laws(i, in_vain.length_s, in_vain.value, slots);
      }
    }
  if (groups_.empty()) groups_.push_back({Form::linear, Form::linear});
  if (std::ranges::count(group_of_, kAlone) > 0) paths_.resize(n * slots);
  lists_.resize(groups_.size());
}

std::uint8_t AvailabilityLanes::group_number(const LaneGroup& group) {
  const auto known = std::ranges::find(groups_, group);
  const auto number = static_cast<std::uint8_t>(known - groups_.begin());
  if (known == groups_.end()) groups_.push_back(group);
  return number;
}

void AvailabilityLanes::set_laws(std::size_t i, const InverseTransform& length_s, const InverseTransform& value,
                                 std::size_t slots) {
  for (std::size_t lane = i; lane < slots * owners_->size(); lane += owners_->size()) {
    length_.set(lane, length_s);
    value_.set(lane, value);
  }
}

/// Of each lane that begins within an interval, that one.
void AvailabilityLanes::find_intervals(std::span<const Opening> openings) {
  const Purpose purpose = first_of(purpose_);
  for (const auto& [form, first, end] : rows_) {
    const auto* laws = std::get_if<RenewalDraws>(&form);
    if (laws == nullptr || !laws->found_s) continue;
    for (std::size_t k = 0; k < openings.size(); ++k) {
      const bool is_odd = laws->odd_value && openings[k].replication % 2 == 1;
      const InverseTransform& value = is_odd ? *laws->odd_value : laws->value;
      for (std::size_t i = first; i < end; ++i) {
        const Step step = laws->found(seeds_[k].family.stream(i, purpose), value);
        columns_.end_s[seeds_[k].first_lane + i] = step.duration_s;
        columns_.value[seeds_[k].first_lane + i] = at_least(step.value);
        ++steps_;
      }
    }
  }
}

void LawColumns::set(std::size_t at, const InverseTransform& law) {
  low[at] = law.offset;
  other[at] = law.scale;
  if (law.form == Form::table) {
    cells.resize(low.size());
    cells[at] = law.table->cells();
  }
  if (law.form == Form::function) {
    functions.resize(low.size());
    functions[at] = law.function.get();
  }
  if (law.mirrored) mirror.resize(low.size());
  if (!mirror.empty()) mirror[at] = law.mirrored && law.form >= Form::exponential ? kMirror : 0;
}

std::vector<std::size_t> AvailabilityLanes::widths_here() {
  std::vector<std::size_t> widths{0};
  for (const auto& kernels : lane_kernels::kernels_here()) widths.push_back(kernels.register_bytes);
  return widths;
}

/// Gives a slot's lanes the laws of this replication; returns the one whose streams it draws from.
std::uint64_t AvailabilityLanes::choose_side(const Opening& opening) {
  if (!has_pairs_) return opening.replication;
  const bool odd = opening.replication % 2 == 1;
  for (const auto& [form, first, end] : rows_)
    if (const auto* laws = std::get_if<RenewalDraws>(&form); laws != nullptr && laws->odd_value)
      for (std::size_t i = first; i < end; ++i)
        value_.set(opening.slot * owners_->size() + i, odd ? *laws->odd_value : laws->value);
  return odd ? opening.replication - 1 : opening.replication;
}

void AvailabilityLanes::open(std::span<const Opening> openings) {
  const std::size_t n = owners_->size();
  seeds_.clear();
  for (const auto& o : openings) seeds_.push_back({Stream::Family(seed_, choose_side(o)), o.slot * n});
  const lane_kernels::SeedList list{seeds_.data(), seeds_.size(), static_cast<std::uint64_t>(purpose_)};
  const std::size_t done = kernels_ != nullptr ? kernels_->open(view(groups_.front()), list, n) : 0;
  for (const auto& seed : seeds_)
    for (std::size_t i = done; i < n; ++i) open_one(seed.first_lane + i, seed.family.stream(i, purpose_));
  for (const auto& [form, first, end] : rows_)
    for (std::size_t i = first; i < end && !std::holds_alternative<RenewalDraws>(form); ++i)
      for (const auto& opening : openings) open_apart(i, opening);
  find_intervals(openings);
}

void AvailabilityLanes::open_apart(std::size_t i, const Opening& opening) {
  const std::size_t lane = opening.slot * owners_->size() + i;
  const Owner& owner = *(*owners_)[i];
  const StreamKey key{seed_, opening.replication, i, purpose_};
  const LaneForm form = lane_form(owner, key);
  const auto* steps = std::get_if<TwoStep>(&form);
  if (std::holds_alternative<ByPath>(form)) {
    paths_[lane] = owner.path(key);
  } else if (steps == nullptr) {
    columns_.end_s[lane] = kInfinity;
  } else if (steps->first.duration_s == kInfinity) {
    columns_.end_s[lane] = kInfinity;
    columns_.value[lane] = steps->first.value;
  } else {
    columns_.stream[0][lane] = std::bit_cast<std::uint64_t>(steps->first.duration_s);
    columns_.stream[1][lane] = std::bit_cast<std::uint64_t>(at_least(steps->first.value));
  }
}

/// Before the first step, as if in one of length 0 in which all is available.
void AvailabilityLanes::open_one(std::size_t lane, const Stream& stream) {
  LaneColumns& c = columns_;
  c.position_s[lane] = c.end_s[lane] = c.integral_s[lane] = 0;
  c.value[lane] = 1;
  for (std::size_t w = 0; w < 4; ++w) c.stream[w][lane] = stream.state()[w];
}

Step AvailabilityLanes::draw_step(std::size_t lane) {
  LaneColumns& c = columns_;
  if (is_on_path(lane)) return paths_[lane]->next();
  const LaneGroup& group = group_of(lane);
  if (group.takes_turns) return take_turn(lane);
  Stream stream(Stream::State{c.stream[0][lane], c.stream[1][lane], c.stream[2][lane], c.stream[3][lane]});
  const std::size_t at = one_law_ ? 0 : lane;
  const double duration_s = value_at(length_, group.length_form, at, stream.word());
  const double value = value_at(value_, group.value_form, at, stream.word());
  for (std::size_t w = 0; w < 4; ++w) c.stream[w][lane] = stream.state()[w];
  return {duration_s, at_least(value)};
}

Step AvailabilityLanes::take_turn(std::size_t lane) {
  std::uint64_t &duration = columns_.stream[0][lane], &value = columns_.stream[1][lane];
  const Step step{std::bit_cast<double>(duration), std::bit_cast<double>(value)};
  const bool is_first = step.value == value_.low[lane];
  duration = std::bit_cast<std::uint64_t>(is_first ? length_.other[lane] : length_.low[lane]);
  value = std::bit_cast<std::uint64_t>(is_first ? value_.other[lane] : value_.low[lane]);
  return step;
}

/// Goes from the end of a step into the step behind it; returns how long that lasts [s].
double AvailabilityLanes::next_step(std::size_t lane) {
  ++steps_;
  const Step step = draw_step(lane);
  columns_.end_s[lane] += step.duration_s;
  columns_.value[lane] = step.value;
  return step.duration_s;
}

void AvailabilityLanes::wait_one(std::size_t lane) {
  LaneColumns& c = columns_;
  const double begin_s = c.begin_s[lane];
  if (!(c.end_s[lane] < begin_s)) {
    if (begin_s > c.position_s[lane]) wait_within(lane, begin_s);
    return;
  }
  double sum_s = c.integral_s[lane] + c.value[lane] * (c.end_s[lane] - c.position_s[lane]);  // up to the step's end
  for (;;) {
    const double step_begins_s = c.end_s[lane], length_s = next_step(lane);
    if (length_s == kInfinity) {
      sum_s += c.value[lane] * (begin_s - step_begins_s);
      break;
    }
    sum_s += length_s * c.value[lane];
    if (c.end_s[lane] < begin_s) continue;
    sum_s -= c.value[lane] * (c.end_s[lane] - begin_s);
    break;
  }
  c.integral_s[lane] = sum_s;
  c.position_s[lane] = begin_s;
}

/// From the end of a step, with so much work left, into the one in which none is left; returns what is left behind it.
double AvailabilityLanes::go_steps(std::size_t lane, double left_s) {
  if (!is_on_path(lane) && group_of(lane).takes_turns) return go_turns(lane, left_s);
  LaneColumns& c = columns_;
  do {
    c.position_s[lane] = c.end_s[lane];
    const double length_s = next_step(lane);
    if (length_s == kInfinity) break;
    left_s -= length_s * c.value[lane];
    c.position_s[lane] = c.end_s[lane];
  } while (left_s > 0);
  return left_s;
}

/// The same, without a look at the columns for each of many short turns.
double AvailabilityLanes::go_turns(std::size_t lane, double left_s) {
  LaneColumns& c = columns_;
  const std::array<Step, 2> turns{{{length_.low[lane], value_.low[lane]}, {length_.other[lane], value_.other[lane]}}};
  double end_s = c.end_s[lane];
  Step step = take_turn(lane);
  for (std::size_t next = step.value == turns[0].value ? 1 : 0;; next = 1 - next) {
    ++steps_;
    end_s += step.duration_s;
    left_s -= step.duration_s * step.value;
    if (!(left_s > 0)) {
      c.stream[0][lane] = std::bit_cast<std::uint64_t>(turns[next].duration_s);
      c.stream[1][lane] = std::bit_cast<std::uint64_t>(turns[next].value);
      break;
    }
    step = turns[next];
  }
  c.end_s[lane] = c.position_s[lane] = end_s;
  c.value[lane] = step.value;
  return left_s;
}

void AvailabilityLanes::serve_one(std::size_t lane) {
  LaneColumns& c = columns_;
  wait_one(lane);
  double left_s = c.work_s[lane];  // of the work, behind the step
  const double room_s = c.value[lane] * (c.end_s[lane] - c.position_s[lane]);
  if (left_s > room_s) left_s = go_steps(lane, left_s - room_s);
  c.position_s[lane] = is_stuck(lane) ? kInfinity : c.position_s[lane] + left_s / c.value[lane];
  c.integral_s[lane] += c.work_s[lane];
}

void AvailabilityLanes::write_controls(const ControlVariates& controls, std::size_t first_lane,
                                       std::vector<double>& sums) const {
  std::ranges::fill(sums, 0.0);
  const LaneColumns& c = columns_;
  for (std::size_t i = 0; i < owners_->size(); ++i) {
    const std::size_t lane = first_lane + i;
    const double left_s = c.end_s[lane] - c.position_s[lane];
    if (c.end_s[lane] < kInfinity)  // of a dedicated machine it is infinite
      controls.add(i, c.integral_s[lane] + c.value[lane] * left_s, c.end_s[lane], sums);
  }
}

lane_kernels::LaneView AvailabilityLanes::view(const LaneGroup& group) {
  LaneColumns& c = columns_;
  const auto law = [this](Form form, const LawColumns& columns) {
    return lane_kernels::LawView{form, one_law_, columns.low.data(), columns.other.data(), columns.cells.data(),
                                 columns.functions.data(),
                                 columns.mirror.empty() ? nullptr : columns.mirror.data()};
  };
  return {{c.stream[0].data(), c.stream[1].data(), c.stream[2].data(), c.stream[3].data()},
          c.position_s.data(), c.end_s.data(), c.value.data(), c.integral_s.data(), c.begin_s.data(), c.work_s.data(),
          law(group.length_form, length_), law(group.value_form, value_), group.takes_turns};
}

/// Those that fill registers by a kernels' loop, and all others one by one.
template <auto kLoop, auto kOneByOne>
void AvailabilityLanes::for_groups(std::span<const std::uint32_t> lanes) {
  const auto serve_list = [&](const LaneGroup& group, std::span<const std::uint32_t> list) {
    const std::size_t done =
        kernels_ == nullptr ? 0 : (kernels_->*kLoop)(view(group), list.data(), list.size(), steps_);
    for (const std::uint32_t lane : list.subspan(done)) (this->*kOneByOne)(lane);
  };
  if (kernels_ == nullptr || (groups_.size() == 1 && paths_.empty())) return serve_list(groups_[0], lanes);
  for (auto& list : lists_) list.clear();
  for (const std::uint32_t lane : lanes) {
    const std::uint8_t group = group_of_[lane % owners_->size()];
    if (group == kAlone) (this->*kOneByOne)(lane);
    else lists_[group].push_back(lane);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) serve_list(groups_[g], lists_[g]);
}

void AvailabilityLanes::serve(std::span<const std::uint32_t> lanes) {
  for_groups<&lane_kernels::Kernels::serve, &AvailabilityLanes::serve_one>(lanes);
}

void AvailabilityLanes::integrate(std::span<const std::uint32_t> lanes) {
  for_groups<&lane_kernels::Kernels::integrate, &AvailabilityLanes::wait_one>(lanes);
}

void AvailabilityLanes::use_width(std::size_t register_bytes) {
  kernels_ = nullptr;
  for (const auto& some : lane_kernels::kernels_here())
    if (some.register_bytes == register_bytes) kernels_ = &some;
}

}  // namespace nowsim

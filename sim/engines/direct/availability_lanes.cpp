// Lanes one by one, and the choice of the loops that serve many.
#include "sim/engines/direct/availability_lanes.hpp"

#include <algorithm>

#include "sim/engines/direct/lane_kernels.hpp"
#include "sim/program/control_variates.hpp"

namespace nowsim {
namespace {

bool same_numbers(const InverseTransform& a, const InverseTransform& b) { return a.low == b.low && a.other == b.other; }

/// Of the forms that the kernels draw.
bool in_registers(const InverseTransform& law) {
  return law.form == InverseTransform::Form::linear || law.form == InverseTransform::Form::two_point;
}

bool in_registers(const SimpleIntervals& laws) { return in_registers(laws.length_s) && in_registers(laws.value); }

bool same_form(const SimpleIntervals& a, const SimpleIntervals& b) {
  return a.length_s.form == b.length_s.form && a.value.form == b.value.form &&
         a.odd_value.has_value() == b.odd_value.has_value();
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
  choose_laws(slots);
  if (!vectorised_) paths_.resize(lanes);
  use_width(widths_here().back());
}

/// All simple, with lengths of one form and values of one form: then they can share registers.
void AvailabilityLanes::choose_laws(std::size_t slots) {
  std::vector<SimpleIntervals> all;
  for (const auto& owner : *owners_) {
    const auto simple = owner->simple_intervals();
    if (!simple || !in_registers(*simple) || (!all.empty() && !same_form(*simple, all.front()))) return;
    all.push_back(*simple);
  }
  vectorised_ = true;
  laws_.length_form = all.front().length_s.form;
  laws_.value_form = all.front().value.form;
  const bool antithetic = all.front().odd_value.has_value();
  if (antithetic) antithetic_ = all;
  const bool alike = !antithetic && std::all_of(all.begin(), all.end(), [&](const auto& one) {
    return same_numbers(one.length_s, all.front().length_s) && same_numbers(one.value, all.front().value);
  });
  if (alike) all.resize(1);
  for (std::size_t s = 0; s < (alike ? 1 : slots); ++s)
    for (const auto& one : all) {
      laws_.length_low.push_back(one.length_s.low);
      laws_.length_other.push_back(one.length_s.other);
      laws_.value_low.push_back(one.value.low);
      laws_.value_other.push_back(one.value.other);
    }
}

std::vector<std::size_t> AvailabilityLanes::widths_here() {
  std::vector<std::size_t> widths{0};
  for (const auto& kernels : lane_kernels::kernels_here()) widths.push_back(kernels.register_bytes);
  return widths;
}

/// Gives a slot's lanes the laws of this replication; returns the one whose streams it draws from.
std::uint64_t AvailabilityLanes::choose_side(const Opening& opening) {
  if (antithetic_.empty()) return opening.replication;
  const bool odd = opening.replication % 2 == 1;
  for (std::size_t i = 0; i < antithetic_.size(); ++i) {
    const InverseTransform& value = odd ? *antithetic_[i].odd_value : antithetic_[i].value;
    laws_.value_low[opening.slot * antithetic_.size() + i] = value.low;
    laws_.value_other[opening.slot * antithetic_.size() + i] = value.other;
  }
  return odd ? opening.replication - 1 : opening.replication;
}

void AvailabilityLanes::open(std::span<const Opening> openings) {
  if (!vectorised_) {
    for (const auto& opening : openings) open_paths(opening);
    return;
  }
  const std::size_t n = owners_->size();
  seeds_.clear();
  for (const auto& o : openings) seeds_.push_back({Stream::Family(seed_, choose_side(o)), o.slot * n});
  const lane_kernels::SeedList list{seeds_.data(), seeds_.size(), static_cast<std::uint64_t>(purpose_)};
  const std::size_t done = kernels_ != nullptr ? kernels_->open(view(), list, n) : 0;
  for (const auto& seed : seeds_)
    for (std::size_t i = done; i < n; ++i) open_one(seed.first_lane + i, seed.family.stream(i, purpose_));
}

/// The same, of lanes that are served one by one.
void AvailabilityLanes::open_paths(const Opening& opening) {
  for (std::size_t i = 0; i < owners_->size(); ++i) {
    const OwnerModel& owner = *(*owners_)[i];
    const std::size_t lane = opening.slot * owners_->size() + i;
    reset(lane);
    if (owner.is_dedicated() || owner.jobs() != nullptr) {  // the latter are not asked
      columns_.end_s[lane] = kForEver;
    } else {
      paths_[lane] = owner.path({seed_, opening.replication, i, purpose_});
    }
  }
}

/// Before the first step, as if in one of length 0 in which all is available.
void AvailabilityLanes::reset(std::size_t lane) {
  LaneColumns& c = columns_;
  c.position_s[lane] = c.end_s[lane] = c.integral_s[lane] = 0;
  c.value[lane] = 1;
}

void AvailabilityLanes::open_one(std::size_t lane, const Stream& stream) {
  reset(lane);
  for (std::size_t w = 0; w < 4; ++w) columns_.stream[w][lane] = stream.state()[w];
}

/// Goes from the end of a step into the step behind it; returns how long that lasts [s].
double AvailabilityLanes::next_step(std::size_t lane) {
  LaneColumns& c = columns_;
  ++steps_;
  Step step{};
  if (vectorised_) {
    Stream stream(Stream::State{c.stream[0][lane], c.stream[1][lane], c.stream[2][lane], c.stream[3][lane]});
    const std::size_t k = laws_.one_for_all() ? 0 : lane;
    const InverseTransform length{laws_.length_form, laws_.length_low[k], laws_.length_other[k]};
    const InverseTransform value{laws_.value_form, laws_.value_low[k], laws_.value_other[k]};
    step.duration_s = length.quantile(stream.uniform());
    step.value = value.quantile(stream.uniform());
    if (step.value < kLeastAvailability) step.value = kLeastAvailability;
    for (std::size_t w = 0; w < 4; ++w) c.stream[w][lane] = stream.state()[w];
  } else {
    step = paths_[lane]->next();
  }
  c.end_s[lane] += step.duration_s;
  c.value[lane] = step.value;
  return step.duration_s;
}

void AvailabilityLanes::wait_one(std::size_t lane) {
  LaneColumns& c = columns_;
  while (c.end_s[lane] < c.begin_s[lane]) {
    wait_within(lane, c.end_s[lane]);
    next_step(lane);
  }
  if (c.begin_s[lane] > c.position_s[lane]) wait_within(lane, c.begin_s[lane]);
}

void AvailabilityLanes::serve_one(std::size_t lane) {
  LaneColumns& c = columns_;
  wait_one(lane);
  double left = c.work_s[lane], room = c.value[lane] * (c.end_s[lane] - c.position_s[lane]);
  while (left > room) {
    left -= room;
    c.position_s[lane] = c.end_s[lane];
    room = next_step(lane);
    room *= c.value[lane];
  }
  c.position_s[lane] = is_stuck(lane) ? kForEver : c.position_s[lane] + left / c.value[lane];
  c.integral_s[lane] += c.work_s[lane];
}

void AvailabilityLanes::ask(std::size_t first_lane, std::span<const double> begin_s, std::span<const double> work_s) {
  std::ranges::copy(begin_s, columns_.begin_s.begin() + static_cast<std::ptrdiff_t>(first_lane));
  std::ranges::copy(work_s, columns_.work_s.begin() + static_cast<std::ptrdiff_t>(first_lane));
}

void AvailabilityLanes::write_controls(const ControlVariates& controls, std::size_t first_lane,
                                       std::vector<double>& sums) const {
  std::ranges::fill(sums, 0.0);
  const LaneColumns& c = columns_;
  for (std::size_t i = 0; i < owners_->size(); ++i) {
    const std::size_t lane = first_lane + i;
    const double left_s = c.end_s[lane] - c.position_s[lane];
    if (c.end_s[lane] < kForEver)  // of a dedicated machine it is infinite
      controls.add(i, c.integral_s[lane] + c.value[lane] * left_s, c.end_s[lane], sums);
  }
}

lane_kernels::LaneView AvailabilityLanes::view() {
  LaneColumns& c = columns_;
  return {{c.stream[0].data(), c.stream[1].data(), c.stream[2].data(), c.stream[3].data()},
          c.position_s.data(), c.end_s.data(), c.value.data(), c.integral_s.data(), c.begin_s.data(), c.work_s.data(),
          laws_.length_form, laws_.value_form, laws_.one_for_all(),
          laws_.length_low.data(), laws_.length_other.data(), laws_.value_low.data(), laws_.value_other.data()};
}

void AvailabilityLanes::serve(std::span<const std::uint32_t> lanes) {
  if (kernels_ != nullptr) lanes = lanes.subspan(kernels_->serve(view(), {lanes.data(), lanes.size()}, steps_));
  for (const auto lane : lanes) serve_one(lane);
}

void AvailabilityLanes::integrate(std::span<const std::uint32_t> lanes) {
  if (kernels_ != nullptr) lanes = lanes.subspan(kernels_->integrate(view(), {lanes.data(), lanes.size()}, steps_));
  for (const auto lane : lanes) wait_one(lane);
}

void AvailabilityLanes::use_width(std::size_t register_bytes) {
  kernels_ = nullptr;
  for (const auto& some : lane_kernels::kernels_here())
    if (vectorised_ && some.register_bytes == register_bytes) kernels_ = &some;
}

}  // namespace nowsim

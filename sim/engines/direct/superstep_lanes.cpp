// Each step in passes over all lanes of a block: when ranks begin, what they ask for, when they end, where they meet.
// Messages add up by roots; steps that cannot be are refused.
#include "sim/engines/direct/superstep_lanes.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "sim/base/infinity.hpp"
#include "sim/engines/ranks/diagnostics.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
void check_step(const Superstep& step, std::size_t ranks, bool broadcasts) {
  const bool has_root = step.root != Superstep::kNobody;
  if (step.work_flop.size() != ranks)
    throw std::logic_error("a superstep of " + std::to_string(step.work_flop.size()) + " ranks in a program of " +
                           std::to_string(ranks));
  if (ranks > 1 && (has_root != broadcasts || (broadcasts && !step.meets)))
    throw std::logic_error("supersteps have a root each, and a barrier, where the program broadcasts, else no root");
  if (has_root && (step.root < 0 || index_of(step.root) >= ranks))
    throw std::invalid_argument("a superstep names " + rank_text(step.root) + " as its root: there are ranks 0 to " +
                                std::to_string(ranks - 1));
  check_bytes(step.root, step.bytes, "send");
  for (std::size_t i = 0; i < ranks; ++i) check_amount(static_cast<int>(i), step.work_of(i), "compute");
  check_bytes(0, step.own_bytes, "transfer");
}

std::vector<double> speeds_flops(const Scenario& scenario) {
  std::vector<double> speeds;
  for (const auto& workstation : scenario.platform->workstations) speeds.push_back(workstation.speed_flops);
  return speeds;
}

void Posted::add(const Superstep& step) {
  steps_[static_cast<std::size_t>(step.root)] += 1;
  bytes_[static_cast<std::size_t>(step.root)] += whole_bytes(step.bytes);
}

void Posted::clear() {
  steps_.assign(parts_.size(), 0.0);
  bytes_.assign(parts_.size(), 0.0);
}

void Posted::write(std::vector<double>& messages, std::vector<double>& sent_bytes) const {
  const std::size_t n = parts_.size();
  messages.assign(n, 0.0);
  sent_bytes.assign(n, 0.0);
  for (std::size_t root = 0; root < n; ++root)
    for (std::size_t r = 0; steps_[root] > 0 && r < n; ++r) {
      const auto sends = static_cast<double>(parts_[r].sends);
      messages[(root + r) % n] += sends * steps_[root];
      sent_bytes[(root + r) % n] += sends * bytes_[root];
    }
}

void StepMessages::begin(double begin_s, double bytes) {
  const double on_way_s = whole_bytes(bytes) / network.bandwidth_Bps;
  dates_s[0] = begin_s;
  for (std::size_t k = 1; k < dates_s.size(); ++k) dates_s[k] = (dates_s[k - 1] + network.latency_s) + on_way_s;
}

SuperstepLanes::SuperstepLanes(const Scenario& scenario, std::span<const OwnPath> own_paths, std::size_t most_slots,
                               std::optional<std::size_t> register_bytes)
    : scenario_(&scenario), own_paths_(own_paths), n_(scenario.size()),
      machines_(scenario.owners, scenario.seed, most_slots), speed_flops_(speeds_flops(scenario)), step_flop_(n_),
      work_s_(n_) {
  for (const OwnerPtr& owner : scenario.owners) has_owner_.push_back(!owner->is_dedicated());
  if (!own_paths.empty() && !std::ranges::all_of(scenario.bandwidth, &Owner::is_dedicated))
    links_.emplace(scenario.bandwidth, scenario.seed, most_slots, Purpose::bandwidth);
  if (register_bytes) machines_.use_width(*register_bytes);
  if (register_bytes && links_) links_->use_width(*register_bytes);
  if (const auto tree = program().broadcast_tree(); tree && n_ > 1)
    messages_.emplace(*scenario.network, broadcast_parts(*tree, static_cast<int>(n_)));
}

const Supersteps& SuperstepLanes::program() const { return *scenario_->workload->program().supersteps; }

bool SuperstepLanes::run(std::uint64_t first, std::size_t count) {
  open(first, count);
  const std::uint64_t before = machines_.steps();
  const bool has_ended = run_steps();
  task_steps_ += machines_.steps() - before;
  return has_ended && conclude();
}

void SuperstepLanes::open(std::uint64_t first, std::size_t count) {
  if (count != count_) {
    count_ = count;
    all_.resize(lanes());
    std::iota(all_.begin(), all_.end(), 0U);
  }
  openings_.clear();
  for (std::size_t slot = 0; slot < count; ++slot) openings_.push_back({slot, first + slot});
  machines_.open(openings_);
  if (links_) links_->open(openings_);
  now_s_.assign(lanes(), 0.0);
  active_s_.assign(lanes(), 0.0);
  met_s_.assign(count, 0.0);
  work_flop_.assign(n_, 0.0);
  if (messages_) messages_->posted.clear();
}

bool SuperstepLanes::run_steps() {
  const auto sequence = program().begin(scenario_->share_flop);
  while (const Superstep* step = sequence->next()) {
    if (!step->repeats) take_up(*step);
    if (messages_) broadcast(*step);
    compute();
    if (is_stuck_on(machines_)) return false;
    if (step->meets_before_moving) meet(step->barrier_cost_s);
    if (step->own_bytes > 0) move(whole_bytes(step->own_bytes));
    if (links_ && is_stuck_on(*links_)) return false;
    if (step->meets) meet(step->barrier_cost_s);
  }
  return true;
}

/// Whether some rank is left nothing for ever.
bool SuperstepLanes::is_stuck_on(const AvailabilityLanes& paths) const {
  return paths.has_paths() && latest_s(0, lanes()) == kInfinity;
}

/// What a step asks of the ranks, and of which of them anything. Work so small that its time underflows takes none.
void SuperstepLanes::take_up(const Superstep& step) {
  check_step(step, n_, messages_.has_value());
  std::size_t idle = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    step_flop_[i] = step.work_of(i);
    work_s_[i] = step_flop_[i] / speed_flops_[i];
    idle += work_s_[i] > 0 ? 0 : 1;
  }
  for (std::size_t first = 0; first < lanes(); first += n_)
    for (std::size_t i = 0; i < n_; ++i) machines_.works_s()[first + i] = work_s_[i];
  asked_ = all_;
  if (idle == 0) return;
  some_.clear();
  for (const std::uint32_t lane : all_)
    if (work_s_[lane % n_] > 0) some_.push_back(lane);
  asked_ = some_;
}

void SuperstepLanes::broadcast(const Superstep& step) {
  messages_->posted.add(step);
  const std::uint32_t* waits = messages_->waits.from(step.root);
  for (std::size_t slot = 0; slot < count_; ++slot) {
    messages_->begin(met_s_[slot], step.bytes);
    for (std::size_t i = 0; i < n_; ++i) now_s_[slot * n_ + i] = messages_->dates_s[waits[i]];
  }
}

void SuperstepLanes::compute() {
  for (std::size_t i = 0; i < n_; ++i) work_flop_[i] += step_flop_[i];
  std::copy_n(now_s_.begin(), lanes(), machines_.begins_s().begin());
  machines_.serve(asked_);
  const double* ends_s = machines_.positions_s();
  const auto end = [&](std::size_t lane) {
    active_s_[lane] += ends_s[lane] - now_s_[lane];
    now_s_[lane] = ends_s[lane];
  };
  if (asked_.size() == lanes())
    for (std::size_t lane = 0; lane < lanes(); ++lane) end(lane);
  else
    for (const std::uint32_t lane : asked_) end(lane);
}

/// Over ranks' own paths: the latency, then the bytes, at what others leave of the link.
void SuperstepLanes::move(double bytes) {
  for (std::size_t lane = 0; lane < lanes(); ++lane) {
    const OwnPath& path = own_paths_[lane % n_];
    const double begin_s = now_s_[lane] + path.latency_s, on_way_s = bytes / path.bandwidth_Bps;
    if (links_) links_->ask(lane, begin_s, on_way_s);
    now_s_[lane] = begin_s + on_way_s;
  }
  if (!links_ || !(bytes > 0)) return;
  links_->serve(all_);
  std::copy_n(links_->positions_s(), lanes(), now_s_.begin());
}

void SuperstepLanes::meet(double cost_s) {
  for (std::size_t slot = 0; slot < count_; ++slot) {
    met_s_[slot] = latest_s(slot * n_, n_) + cost_s;
    std::fill_n(now_s_.begin() + static_cast<std::ptrdiff_t>(slot * n_), n_, met_s_[slot]);
  }
}

/// Lets the lanes wait until their replications' makespans, for the owners' times; false where one is beyond all
/// numbers.
bool SuperstepLanes::conclude() {
  const std::span<double> until_s = machines_.begins_s();
  for (std::size_t slot = 0; slot < count_; ++slot) {
    met_s_[slot] = latest_s(slot * n_, n_);
    if (met_s_[slot] == kInfinity) return false;
    for (std::size_t i = 0; i < n_; ++i) until_s[slot * n_ + i] = met_s_[slot];
  }
  if (!scenario_->controls) {
    machines_.integrate(all_);
  } else {
    std::ranges::fill(machines_.works_s(), 0.0);  // they only go there, and the steps stay
    machines_.serve(all_);
  }
  return true;
}

void SuperstepLanes::write(std::size_t slot, RunResult& result) {
  const std::size_t first = slot * n_;
  result.makespan_s = met_s_[slot];
  double* finish_s = result[Quantity::finish_s].data();
  double* active_s = result[Quantity::active_s].data();
  double* owner_s = result[Quantity::owner_s].data();
  const double* integrals_s = machines_.integrals_s() + first;
  for (std::size_t i = 0; i < n_; ++i) {
    finish_s[i] = now_s_[first + i];
    active_s[i] = active_s_[first + i];
    const double left_s = met_s_[slot] - integrals_s[i];
    owner_s[i] = left_s > 0 && has_owner_[i] ? left_s : 0;
  }
  if (scenario_->controls) machines_.write_controls(*scenario_->controls, first, result.controls);
}

void SuperstepLanes::write_common(RunResult& result) const {
  result[Quantity::work_flop] = work_flop_;
  if (messages_) messages_->posted.write(result[Quantity::messages], result[Quantity::sent_bytes]);
}

}  // namespace nowsim

// Supplying a selection with observations, and ending what it has put out.
#include "experiments/driver/running/cell_progress.hpp"

#include <algorithm>
#include <span>

namespace nowsim {

CellProgress::CellProgress(const ExecutionPlan& execution, const Cell& cell, std::vector<SeriesProgress>& runs)
    : execution_(&execution), cell_(&cell), runs_(&runs), metric_(deciding_metric(cell.plan.decide_by->name)),
      selection_(cell.series.size(), selection_rule(cell.plan)) {
  for (std::size_t i = 0; i < cell.series.size(); ++i) run(i).hold();
}

void CellProgress::advance() {
  while (!over_ && supply()) {
    observe();
    end_those_out();
  }
}

/// Whether its next observation needs replications that are not reduced yet.
bool CellProgress::lacks_observation(std::size_t system) const {
  return run(system).statistics()->makespans_s.size() < (selection_.observations() + 1) * kReplicationsPerMean;
}

/// Reduces what the next observation needs. False where something is still to come, or where there is no next one since
/// replications have come to their end.
bool CellProgress::supply() {
  for (;;) {
    std::vector<std::size_t> lacking;
    for (std::size_t i = 0; i < cell_->series.size(); ++i) {
      if (!selection_.is_in(i)) continue;
      if (!run(i).failure().empty()) selection_.withdraw(i);
      else if (lacks_observation(i)) lacking.push_back(i);
    }
    if (selection_.is_decided() || std::ranges::any_of(lacking, [&](std::size_t i) { return run(i).over(); })) {
      over_ = true;
      end_those_out();
      return false;
    }
    if (lacking.empty()) return true;
    if (!std::ranges::all_of(lacking, [&](std::size_t i) { return run(i).has_arrived(); })) return false;
    for (const std::size_t i : lacking) run(i).reduce_next();
  }
}

double CellProgress::next_observation(std::size_t system) const {
  const auto& all = run(system).statistics()->makespans_s;
  const std::span values(all.data() + selection_.observations() * kReplicationsPerMean, kReplicationsPerMean);
  const double deadline_s = execution_->series[cell_->series[system]].plan.deadline_s;
  double sum = 0;
  for (const double makespan_s : values) sum += metric_->of(makespan_s, deadline_s);
  return sum / static_cast<double>(kReplicationsPerMean);
}

void CellProgress::observe() {
  std::vector<double> observations(cell_->series.size(), 0);
  for (std::size_t i = 0; i < observations.size(); ++i)
    if (selection_.is_in(i)) observations[i] = next_observation(i);
  selection_.add(observations);
  over_ = selection_.is_decided();
}

void CellProgress::end_those_out() {
  for (std::size_t i = 0; i < cell_->series.size(); ++i)
    if (over_ || !selection_.is_in(i)) run(i).end();
}

/// All of the first stage is needed; then at least one batch, and of few systems more, or processes would have nothing
/// to do.
std::uint64_t CellProgress::most_ahead(std::size_t series, std::size_t jobs) const {
  const std::uint64_t size = batch_size(*execution_->series[series].scenario),
                      first = (kFirstReplications + size - 1) / size,
                      done = (*runs_)[series].statistics()->makespans_s.size() / size;
  std::size_t in = 0;
  for (std::size_t i = 0; i < cell_->series.size(); ++i) in += selection_.is_in(i) ? 1 : 0;
  const std::uint64_t shared = (jobs + in - 1) / std::max<std::size_t>(in, 1);
  return std::max(first - std::min(first, done), std::max<std::uint64_t>(shared, 1));
}

std::size_t CellProgress::system_of(std::size_t point) const {
  const std::size_t series = *execution_->points[point].series;
  return static_cast<std::size_t>(std::ranges::find(cell_->series, series) - cell_->series.begin());
}

Decided CellProgress::decided(std::size_t point, const Experiment& experiment) const {
  Decided decided{experiment.decided, metric_->name, cell_->plan.indifference, selection_.indifference()};
  decided.cell = *experiment.points[point].cell;
  const std::size_t system = system_of(point);
  const auto is_left = [&](std::size_t i) { return selection_.is_in(i); };
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < cell_->series.size(); ++i)
    if (is_left(i)) left.push_back(i);
  if (left.empty() || !run(system).failure().empty()) return decided;
  const bool is_first = std::ranges::find_if(cell_->points, [&](std::size_t p) {
                          return system_of(p) == system;
                        }) == std::ranges::find(cell_->points, point);
  if (is_left(system) && left.size() > 1) decided.standing = Standing::open;
  else if (system == selection_.leader() && is_first) decided.standing = Standing::best;
  else decided.standing = selection_.lead_over(system) <= decided.indifference ? Standing::equal : Standing::worse;
  return decided;
}

}  // namespace nowsim

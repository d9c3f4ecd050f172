// Queues of batches, and what workers answer.
#include "experiments/driver/running/batch_workers.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/batch_record.hpp"

namespace nowsim {
namespace {

/// A surplus batch that ends so soon [s] costs less than a new worker.
constexpr double kSurplus_s = 0.002;
/// The longest that answers wait for others [s].
constexpr double kLongestNap_s = 0.001;
/// A worker with fewer batches before it may run out of them during a nap.
constexpr std::size_t kQueueForNap = 4;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// In the worker.
std::string computed(BatchRunner& batches, const Series& series, const Batch& batch, bool with_packed) {
  const auto start = std::chrono::steady_clock::now();
  const BatchRecord& record =
      batches.run(series.engine, *series.scenario, batch, with_packed ? kGatherAll : series.gathering);
  const BatchStatistics statistics = statistics_of(record, *series.scenario, series.plan.deadline_s, series.gathering);
  Serializer out;
  out(seconds_since(start), statistics);
  if (with_packed || needs_record(*series.scenario, series.gathering)) pack(record, out);
  return out.take();
}

BatchAnswer answer_of(const ExecutionPlan& execution, const BatchTask& task, const WorkerAnswer& said) {
  BatchAnswer answer;
  answer.task = task;
  if (said.kind != ChildOutcome::Kind::done) {
    answer.failure = said.text;
    answer.is_input = said.kind == ChildOutcome::Kind::input_error;
    return answer;
  }
  const Series& series = execution.series[task.series];
  BatchStatistics& statistics = answer.statistics.emplace();
  Deserializer in(said.text);
  in(answer.seconds, statistics);
  answer.packed = in.get_rest();
  if (needs_record(*series.scenario, series.gathering))
    statistics.record = unpack_record(std::string(answer.packed), task.batch, series.scenario->size());
  return answer;
}

}  // namespace

std::size_t queue_length(double batch_s, std::uint64_t left, std::size_t jobs) {
  if (batch_s <= 0) return 1;
  const double in_time = kQueue_s / batch_s;
  const double in_turn = static_cast<double>(left) / static_cast<double>(2 * jobs);
  return static_cast<std::size_t>(std::clamp(std::min(in_time, in_turn), 1.0, static_cast<double>(kLongestQueue)));
}

bool BatchWorkers::has_room(std::uint64_t left) const {
  return workers_.size() < jobs_ || std::ranges::any_of(workers_, [&](const Worker& w) {
           return w.tasks.size() < queue_length(w.batch_s, left, jobs_);
         });
}

/// A worker without a process is no better than none: its process is made when there is no other without a batch.
void BatchWorkers::give(const BatchTask& task) {
  const auto rank = [](const Worker& w) { return std::pair(w.tasks.size(), !w.process); };
  auto least = std::ranges::min_element(workers_, {}, rank);
  if (workers_.size() < jobs_ && (least == workers_.end() || !least->tasks.empty()))
    least = workers_.emplace(workers_.end());
  Worker& worker = *least;
  if (worker.tasks.empty()) worker.start = Clock::now();
  worker.tasks.push_back(task);
  ++worker.unsent;
}

void BatchWorkers::send() {
  if (here_ != nullptr) return;
  for (auto& worker : workers_) {
    if (worker.unsent == 0) continue;
    if (!worker.process) worker.process = new_process();
    std::vector<WorkerTask> tasks;
    for (auto it = worker.tasks.end() - static_cast<std::ptrdiff_t>(worker.unsent); it != worker.tasks.end(); ++it)
      tasks.push_back({it->series, it->batch.first, it->batch.count});
    worker.process->give(tasks);
    worker.unsent = 0;
  }
}

std::unique_ptr<WorkerProcess> BatchWorkers::new_process() const {
  return std::make_unique<WorkerProcess>(
      [execution = execution_, with_packed = with_packed_, left = left_,
       batches = std::make_shared<BatchRunner>()](const WorkerTask& task) {
        return computed(*batches, execution->series[task.number], {task.first, task.count},
                        with_packed && !left.contains(task.number));
      });
}

bool BatchWorkers::is_idle() const {
  return std::ranges::all_of(workers_, [](const Worker& w) { return w.tasks.empty(); });
}

double BatchWorkers::left_s(const Worker& worker, const std::function<bool(std::size_t)>& is_surplus) const {
  const std::size_t series = worker.tasks.front().series;
  const double limit = execution_->series[series].plan.timeout_s;
  const double allowed = std::min(limit > 0 ? limit : kInfinity, is_surplus(series) ? kSurplus_s : kInfinity);
  return allowed < kInfinity ? std::max(0.0, allowed - seconds_since(worker.start)) : kInfinity;
}

/// Where all workers have batches enough, answers may gather, to be taken together.
double BatchWorkers::nap_s() const {
  double least = kLongestNap_s;
  for (const auto& w : workers_) {
    if (w.tasks.empty()) continue;
    if (w.tasks.size() < kQueueForNap) return 0;
    least = std::min(least, w.batch_s * static_cast<double>(w.tasks.size()) / 2);
  }
  return least;
}

std::vector<bool> BatchWorkers::wait(double patience_s, const std::function<bool(std::size_t)>& is_surplus) const {
  std::vector<const WorkerProcess*> busy;
  for (const auto& w : workers_) {
    if (w.tasks.empty()) continue;
    busy.push_back(w.process.get());
    patience_s = std::min(patience_s, left_s(w, is_surplus));
  }
  return wait_for_news(busy, nap_s(), patience_s);
}

void BatchWorkers::collect(double patience_s, const std::function<bool(std::size_t)>& is_surplus,
                           const std::function<void(BatchAnswer)>& handle) {
  if (here_ != nullptr) return compute_here(handle);
  send();
  const auto has_news = wait(patience_s, is_surplus);
  auto news = has_news.begin();
  for (auto& worker : workers_) {
    if (worker.tasks.empty()) continue;
    if (*news++) take_answers(worker, handle);
    if (worker.tasks.empty() || left_s(worker, is_surplus) > 0) continue;
    BatchAnswer late{pop(worker), {}, {}, 0, {}, {}};
    end_process(worker);
    late.failure = "a batch of " + std::to_string(late.task.batch.count) + " replications took longer than " +
                   short_number(execution_->series[late.task.series].plan.timeout_s) + " s (run.timeout)";
    handle(std::move(late));
  }
}

void BatchWorkers::compute_here(const std::function<void(BatchAnswer)>& handle) {
  while (!is_idle()) {
    const BatchTask task = pop(workers_.front());
    const ChildOutcome outcome = outcome_of([&] {
      return computed(*here_, execution_->series[task.series], task.batch, with_packed_ && !left_.contains(task.series));
    });
    handle(answer_of(*execution_, task, {outcome.kind, outcome.text}));
  }
}

void BatchWorkers::take_answers(Worker& worker, const std::function<void(BatchAnswer)>& handle) {
  while (!worker.tasks.empty()) {
    const auto said = worker.process->take();
    if (!said) return;
    BatchAnswer answer = answer_of(*execution_, pop(worker), *said);
    worker.start = Clock::now();
    worker.batch_s = answer.statistics ? std::max(answer.seconds, (worker.batch_s + answer.seconds) / 2) : 0;
    if (worker.process->is_dead()) end_process(worker);
    handle(std::move(answer));
  }
}

BatchTask BatchWorkers::pop(Worker& worker) {
  const BatchTask task = worker.tasks.front();
  worker.tasks.pop_front();
  return task;
}

void BatchWorkers::end_process(Worker& worker) {
  returned_.insert(returned_.end(), worker.tasks.begin(), worker.tasks.end());
  worker = Worker{};
}

}  // namespace nowsim

// Consecutive tasks, as many as the technique says; handing out, handing out again, and counting once.
#include "workloads/farm/chunk_ledger.hpp"

#include <stdexcept>
#include <utility>

#include "sim/base/infinity.hpp"
#include "workloads/parts/whole_parts.hpp"

namespace nowsim {
namespace {

std::size_t worker_of(int client) { return static_cast<std::size_t>(client) - 1; }

std::vector<double> speeds_of_clients(const Rank& server) {
  std::vector<double> speeds;
  for (const Workstation& host : server.hosts().subspan(1)) speeds.push_back(host.speed_flops);
  return speeds;
}

}  // namespace

ChunkSource::ChunkSource(const Rank& server, const FarmParameters& farm)
    : server_(server), technique_(*farm.technique), costs_(farm.costs.costs(server.common_random())),
      state_(farm.costs.tasks(), server.shares().subspan(1), farm.for_technique, speeds_of_clients(server)) {}

std::optional<FarmChunk> ChunkSource::next(int client) {
  const std::int64_t first = state_.tasks - state_.remaining, number = state_.chunks;
  state_.now_s = server_.now();
  const std::int64_t tasks = next_chunk(technique_, state_, worker_of(client));
  if (tasks == 0) return std::nullopt;
  FarmChunk chunk{number, first, tasks, costs_.flop(first, tasks), {}};
  if (technique_.learns == Technique::Learns::task_times)
    for (std::int64_t i = 0; i < tasks; ++i) chunk.each_flop.push_back(costs_.flop(first + i, 1));
  return chunk;
}

void ChunkSource::learn(int client, const ChunkReport& report) {
  if (technique_.learns == Technique::Learns::nothing) return;
  ChunkReport counted = report;
  if (technique_.learns == Technique::Learns::whole_times) counted.time_s = report.whole_s;
  state_.records.add(worker_of(client), counted);
}

std::vector<FarmChunk> static_parts(const Rank& server, const FarmParameters& farm, const TaskCosts& costs) {
  std::vector<FarmChunk> parts;
  std::int64_t first = 0, number = 0;
  for (const std::int64_t tasks : whole_parts(farm.costs.tasks(), server.shares().subspan(1))) {
    parts.push_back({number, first, tasks, costs.flop(first, tasks), {}});
    first += tasks;
    number += tasks > 0 ? 1 : 0;
  }
  return parts;
}

ChunkLedger::ChunkLedger(const Rank& server, const FarmParameters& farm)
    : farm_(farm), source_(server, farm), tasks_(farm.costs.tasks()), held_(static_cast<std::size_t>(server.count())) {
  if (farm.is_static()) reserve_parts(server);
}

void ChunkLedger::reserve_parts(const Rank& server) {
  int client = 0;
  for (FarmChunk& part : static_parts(server, farm_, source_.costs())) {
    ++client;
    if (part.tasks == 0) continue;
    hold(client, part, 0, true);
    chunks_.push_back(std::move(part));
    done_.push_back(false);
  }
}

bool ChunkLedger::has_come_back() {
  while (!again_.empty() && is_done(again_.front())) again_.pop_front();
  return !again_.empty();
}

bool ChunkLedger::has_chunk_for(int client) {
  return held_by(client).is_reserved || has_come_back() || source_.has_more();
}

std::optional<FarmChunk> ChunkLedger::take(int client) {
  if (Held& held = held_by(client); held.is_reserved) return chunk(std::exchange(held, {}).number);
  if (has_come_back()) {
    const std::int64_t number = again_.front();
    again_.pop_front();
    return chunk(number);
  }
  if (!source_.has_more()) return std::nullopt;
  auto made = source_.next(client);
  chunks_.push_back(*made);
  done_.push_back(false);
  return made;
}

void ChunkLedger::handed(int client, const FarmChunk& chunk, double now_s) { hold(client, chunk, now_s, false); }

void ChunkLedger::hold(int client, const FarmChunk& chunk, double now_s, bool is_reserved) {
  held_by(client) = {chunk.number, ++handings_, false, is_reserved};
  const double patience_s = farm_.timeout_s + static_cast<double>(chunk.tasks) * farm_.timeout_per_task_s;
  due_.push({now_s + patience_s, client, handings_});
}

void ChunkLedger::asks(int client, const FarmResults* results) {
  if (results != nullptr) count(client, *results);
  Held& held = held_by(client);
  if (held.is_reserved) return;
  if (held.number != kNone && !held.is_late && !is_done(held.number)) again_.push_back(held.number);
  held = {};
}

void ChunkLedger::count(int client, const FarmResults& results) {
  if (is_done(results.number)) return;
  done_[static_cast<std::size_t>(results.number)] = true;
  tasks_done_ += chunk(results.number).tasks;
  if (tasks_done_ > tasks_) throw std::logic_error("a farm has counted more tasks than it has");
  source_.learn(client, results.report);
}

double ChunkLedger::next_due_s() {
  const auto is_settled = [this](const Due& due) {
    const Held& held = held_by(due.client);
    return held.handing != due.handing || held.is_late || is_done(held.number);
  };
  while (!due_.empty() && is_settled(due_.top())) due_.pop();
  return due_.empty() ? kInfinity : due_.top().date_s;
}

void ChunkLedger::expire(double until_s) {
  while (next_due_s() <= until_s) {
    Held& held = held_by(due_.top().client);
    again_.push_back(held.number);
    held.is_late = true;
    held.is_reserved = false;
    due_.pop();
  }
}

}  // namespace nowsim

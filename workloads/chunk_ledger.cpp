// Handing out, handing out again, and counting once.
#include "workloads/chunk_ledger.hpp"

#include <stdexcept>
#include <utility>

namespace nowsim {

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
  if (Held& held = held_by(client); held.is_reserved) {
    is_dealing_ = true;
    return chunk(std::exchange(held, {}).number);
  }
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

void ChunkLedger::handed(int client, const FarmChunk& chunk, double now_s) {
  note_dealt(now_s);
  hold(client, chunk, now_s, false);
}

void ChunkLedger::came_back(const FarmChunk& chunk, double now_s) {
  note_dealt(now_s);
  again_.push_front(chunk.number);
}

void ChunkLedger::note_dealt(double now_s) {
  if (std::exchange(is_dealing_, false)) dealt_s_ = now_s;
}

double ChunkLedger::patience_s(const FarmChunk& chunk) const {
  return farm_.timeout_s + static_cast<double>(chunk.tasks) * farm_.timeout_per_task_s;
}

void ChunkLedger::hold(int client, const FarmChunk& chunk, double now_s, bool is_reserved) {
  held_by(client) = {chunk.number, ++handings_, false, is_reserved};
  due_.push({now_s + patience_s(chunk), client, handings_});
}

void ChunkLedger::asks(int client, const FarmResults* results) {
  if (results != nullptr) count(client, *results);
  Held& held = held_by(client);
  if (held.is_reserved) {
    held.handing = ++handings_;  // it is served at once: its part is not overdue any more
    return;
  }
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

bool ChunkLedger::is_settled(const Due& due) {
  const Held& held = held_by(due.client);
  return held.handing != due.handing || held.is_late || is_done(held.number);
}

double ChunkLedger::next_due_s() {
  for (; !due_.empty(); due_.pop()) {
    Due due = due_.top();
    if (is_settled(due)) continue;
    const Held& held = held_by(due.client);
    const double from_dealing_s = dealt_s_ + patience_s(chunk(held.number));
    if (!held.is_reserved || due.date_s >= from_dealing_s) return due.date_s;
    due.date_s = from_dealing_s;
    due_.push(due);  // below the one that is popped, which is sooner
  }
  return std::numeric_limits<double>::infinity();
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

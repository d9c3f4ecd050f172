// A worker with several tasks in its queue: answers in order, and a death that costs one of them.
#include "sim/engines/worker_process.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"

using namespace nowsim;
using Catch::Contains;

namespace {

/// Waits for the next answer.
ChildOutcome next_answer(WorkerProcess& worker) {
  for (;;) {
    if (const auto answer = worker.take()) return {answer->kind, std::string(answer->text), std::string(answer->text)};
    const WorkerProcess* only = &worker;
    wait_for_news({&only, 1}, 0, kInfinity);
  }
}

std::vector<WorkerTask> tasks(std::uint64_t count) {
  std::vector<WorkerTask> all;
  for (std::uint64_t k = 0; k < count; ++k) all.push_back({k, {10 * k, k}});
  return all;
}

}  // namespace

TEST_CASE("A worker answers the tasks in its queue one by one, in their order", "[computes][reads][worker]") {
  WorkerProcess worker(
      [](const WorkerTask& t) { return std::to_string(t.number) + " " + std::to_string(t.batch.first); });
  const auto all = tasks(50);
  worker.give(std::span(all).first(20));
  worker.give(std::span(all).subspan(20));
  for (const auto& task : all) {
    const ChildOutcome answer = next_answer(worker);
    CHECK(answer.kind == ChildOutcome::Kind::done);
    CHECK(answer.bytes == std::to_string(task.number) + " " + std::to_string(task.batch.first));
  }
  CHECK_FALSE(worker.take());
}

TEST_CASE("Answers may be long, and longer than what was received before", "[worker]") {
  const auto text = [](std::uint64_t k) { return std::string(k * k * 5000, static_cast<char>('a' + k)); };
  WorkerProcess worker([&](const WorkerTask& t) { return text(t.number); });
  const auto all = tasks(20);
  worker.give(all);
  for (const auto& task : all) CHECK((next_answer(worker).bytes == text(task.number)));
}

TEST_CASE("A worker's exceptions are answers, and the tasks behind them are done", "[worker]") {
  WorkerProcess worker([](const WorkerTask& t) -> std::string {
    if (t.number == 1) throw InputError("no such thing");
    return "fine";
  });
  worker.give(tasks(3));
  CHECK(next_answer(worker).bytes == "fine");
  const ChildOutcome bad = next_answer(worker);
  CHECK(bad.kind == ChildOutcome::Kind::input_error);
  CHECK(bad.sentence == "no such thing");
  CHECK(next_answer(worker).bytes == "fine");
}

TEST_CASE("A worker that dies answers for the task that it was at, with its last words", "[worker]") {
  WorkerProcess worker([](const WorkerTask& t) -> std::string {
    std::fprintf(stderr, "task %d\n", static_cast<int>(t.number));
    if (t.number == 3) std::raise(SIGABRT);
    return "fine";
  });
  worker.give(tasks(6));
  for (int k = 0; k < 3; ++k) CHECK(next_answer(worker).bytes == "fine");
  CHECK_FALSE(worker.is_dead());
  const ChildOutcome last = next_answer(worker);
  CHECK(worker.is_dead());
  CHECK(last.kind == ChildOutcome::Kind::run_error);
  CHECK_THAT(last.sentence, Contains("task 3"));
}

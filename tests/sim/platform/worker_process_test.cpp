// Processes with one task: results of any size, and every way to fail, each as the right kind of error. Workers with several
// tasks in their queues: answers in order, and a death that costs one of them. Forks are told to whoever watches them.
#include "sim/platform/worker_process.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/serialization.hpp"

using namespace nowsim;
using Catch::Contains;

namespace {

/// Waits for the next answer.
ChildOutcome next_answer(WorkerProcess& worker) {
  for (;;) {
    if (const auto answer = worker.take()) return {answer->kind, std::string(answer->text)};
    const WorkerProcess* only = &worker;
    wait_for_news({&only, 1}, 0, kInfinity);
  }
}

std::vector<WorkerTask> tasks(std::uint64_t count) {
  std::vector<WorkerTask> all;
  for (std::uint64_t k = 0; k < count; ++k) all.push_back({k, 10 * k, k});
  return all;
}

std::string told;

/// Watches while it lives.
struct Watch {
  Watch() {
    told.clear();
    watch_forks({[] { told += "before "; }, [] { told += "parent "; }, [] { told += "child "; }});
  }
  ~Watch() {
    constexpr auto nothing = [] {};
    watch_forks({nothing, nothing, nothing});
  }
};

}  // namespace

TEST_CASE("A worker answers the tasks in its queue one by one, in their order", "[computes][reads][worker]") {
  WorkerProcess worker(
      [](const WorkerTask& t) { return std::to_string(t.number) + " " + std::to_string(t.first); });
  const auto all = tasks(50);
  worker.give(std::span(all).first(20));
  worker.give(std::span(all).subspan(20));
  for (const auto& task : all) {
    const ChildOutcome answer = next_answer(worker);
    CHECK(answer.kind == ChildOutcome::Kind::done);
    CHECK(answer.text == std::to_string(task.number) + " " + std::to_string(task.first));
  }
  CHECK_FALSE(worker.take());
}

TEST_CASE("Answers may be long, and longer than what was received before", "[worker]") {
  const auto text = [](std::uint64_t k) { return std::string(k * k * 5000, static_cast<char>('a' + k)); };
  WorkerProcess worker([&](const WorkerTask& t) { return text(t.number); });
  const auto all = tasks(20);
  worker.give(all);
  for (const auto& task : all) CHECK((next_answer(worker).text == text(task.number)));
}

TEST_CASE("A worker's exceptions are answers, and the tasks behind them are done", "[worker]") {
  WorkerProcess worker([](const WorkerTask& t) -> std::string {
    if (t.number == 1) throw InputError("no such thing");
    return "fine";
  });
  worker.give(tasks(3));
  CHECK(next_answer(worker).text == "fine");
  const ChildOutcome bad = next_answer(worker);
  CHECK(bad.kind == ChildOutcome::Kind::input_error);
  CHECK(bad.text == "no such thing");
  CHECK(next_answer(worker).text == "fine");
}

TEST_CASE("A worker that dies answers for the task that it was at, with its last words", "[worker]") {
  WorkerProcess worker([](const WorkerTask& t) -> std::string {
    std::fprintf(stderr, "task %d\n", static_cast<int>(t.number));
    if (t.number == 3) std::raise(SIGABRT);
    return "fine";
  });
  worker.give(tasks(6));
  for (int k = 0; k < 3; ++k) CHECK(next_answer(worker).text == "fine");
  CHECK_FALSE(worker.is_dead());
  const ChildOutcome last = next_answer(worker);
  CHECK(worker.is_dead());
  CHECK(last.kind == ChildOutcome::Kind::run_error);
  CHECK_THAT(last.text, Contains("task 3"));
}

TEST_CASE("A child returns its bytes, also many", "[child]") {
  CHECK(in_child_process([] { return std::string(); }).empty());
  CHECK(in_child_process([] { return std::string("a\0b", 3); }) == std::string("a\0b", 3));
  CHECK(in_child_process([] { return std::string(5'000'000, 'x'); }) == std::string(5'000'000, 'x'));
}

TEST_CASE("A child's exceptions keep their kind and sentence", "[child]") {
  CHECK_THROWS_AS(in_child_process([]() -> std::string { throw InfeasibleError("too much"); }), InfeasibleError);
  CHECK_THROWS_WITH(in_child_process([]() -> std::string { throw InputError(Place{"f", 3, "k"}, "bad"); }), "f:3: k: bad");
  CHECK_THROWS_AS(in_child_process([]() -> std::string { throw std::logic_error("oops"); }), RunError);
  CHECK_THROWS_WITH(in_child_process([]() -> std::string { throw 5; }), Contains("unknown"));
}

TEST_CASE("A child that dies is a run error with its last words", "[child]") {
  const auto dies_of = [](const std::function<void()>& death) {
    in_child_process([&]() -> std::string {
      death();
      return "";
    });
  };
  const auto says = [](const char* last_words) {
    return [last_words] {
      std::fputs(last_words, stderr);
      std::abort();
    };
  };
  CHECK_THROWS_WITH(dies_of(says("first\n[0.0] [ker/CRITICAL] no such thing\nBacktrace:\n -> 1\n")),
                    Contains("no such thing"));
  CHECK_THROWS_WITH(dies_of([] { raise(SIGKILL); }),
                    Contains("it was killed (Killed), as the system does where memory ends"));
  CHECK_THROWS_WITH(dies_of([] {
                      std::signal(SIGTERM, SIG_DFL);
                      sigset_t none;
                      sigemptyset(&none);
                      sigprocmask(SIG_SETMASK, &none, nullptr);
                      raise(SIGTERM);
                    }),
                    Catch::EndsWith("it was killed (Terminated)"));
  CHECK_THROWS_WITH(dies_of([] { _exit(7); }), Contains("status 7"));
  CHECK_THROWS_AS(dies_of(says("[0.0] [ker/CRITICAL] Bad gateways for route from 'a' to 'b'.\n")), InputError);
}

TEST_CASE("Destroying a running child ends it", "[child]") {
  pid_t pid = 0;
  {
    int fds[2];
    REQUIRE(pipe(fds) == 0);
    const WorkerProcess child([&fds]() -> std::string {
      const pid_t me = getpid();
      if (write(fds[1], &me, sizeof me) != sizeof me) return "";
      pause();
      return "";
    });
    REQUIRE(read(fds[0], &pid, sizeof pid) == sizeof pid);
    close(fds[0]);
    close(fds[1]);
    CHECK(kill(pid, 0) == 0);
  }
  CHECK(kill(pid, 0) != 0);
}

TEST_CASE("A message that counts more values than it has, by any number, ends early", "[child]") {
  for (const std::size_t count : {std::size_t{5}, std::size_t{1} << 50, std::size_t{1} << 61, ~std::size_t{0}}) {
    Serializer out;
    out.put(count);
    out.put(1.0);
    out.put(2.0);
    const std::string bytes = out.take();
    CHECK_THROWS_AS(Deserializer(bytes).get<std::vector<double>>(), std::runtime_error);
    CHECK_THROWS_AS(Deserializer(bytes).get<std::vector<int>>(), std::runtime_error);
  }
}

TEST_CASE("Whoever watches forks is told in the parent and in the child, of workers too, and only while watching",
          "[processes]") {
  const auto answer_of_worker = [] {
    WorkerProcess worker([](const WorkerTask&) { return told; });
    worker.give(tasks(1));
    return next_answer(worker).text;
  };
  {
    const Watch watch;
    CHECK(in_child_process([] { return told; }) == "before child ");
    CHECK(told == "before parent ");
  }
  {
    const Watch watch;
    CHECK(answer_of_worker() == "before child ");
  }
  told.clear();
  CHECK(answer_of_worker().empty());
}

TEST_CASE("A process that takes longer than it may is ended, and one that can be polled is not waited for", "[child]") {
  const auto waits = []() -> std::string {
    pause();
    return "";
  };
  const ChildOutcome late = run_forked(waits, 0.05);
  CHECK(late.kind == ChildOutcome::Kind::run_error);
  CHECK(late.text == "it took longer than 0.05 s");
  WorkerProcess waiting(waits);
  CHECK_FALSE(waiting.take());
  CHECK(waiting.fd() >= 0);
}

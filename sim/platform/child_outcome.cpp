// Exceptions turned into outcomes, and back; waiting for one.
#include <chrono>
#include <new>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/worker_process.hpp"

namespace nowsim {

ChildOutcome outcome_of(const std::function<std::string()>& work) {
  using Kind = ChildOutcome::Kind;
  try {
    return {Kind::done, work()};
  } catch (const InfeasibleError& e) {
    return {Kind::infeasible, e.what()};
  } catch (const InputError& e) {
    return {Kind::input_error, e.what()};
  } catch (const std::bad_alloc&) {
    return {Kind::run_error, "memory ended; fewer processes (--jobs), workstations or replications need less"};
  } catch (const std::exception& e) {
    return {Kind::run_error, e.what()};
  } catch (...) {
    return {Kind::run_error, "an unknown exception"};
  }
}

const std::string& ChildOutcome::get() const {
  switch (kind) {
    case Kind::done: return text;
    case Kind::input_error: throw InputError(text);
    case Kind::infeasible: throw InfeasibleError(text);
    case Kind::run_error: break;
  }
  throw RunError(text);
}

ChildOutcome WorkerProcess::wait(double limit_s) {
  const WorkerProcess* const only = this;
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    if (const auto answer = take()) return {answer->kind, std::string(answer->text), answer->has_crashed};
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    if (passed.count() >= limit_s)
      return {ChildOutcome::Kind::run_error, "it took longer than " + short_number(limit_s) + " s"};
    wait_for_news({&only, 1}, 0, limit_s - passed.count());
  }
}

ChildOutcome run_forked(const std::function<std::string()>& work, double limit_s) {
  return WorkerProcess(work).wait(limit_s);
}

std::string in_child_process(const std::function<std::string()>& work) { return run_forked(work).get(); }

}  // namespace nowsim

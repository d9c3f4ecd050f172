// Exceptions turned into outcomes, and back.
#include "sim/platform/child_outcome.hpp"

#include <new>

#include "sim/base/error.hpp"

namespace nowsim {

ChildOutcome outcome_of(const std::function<std::string()>& work) {
  using Kind = ChildOutcome::Kind;
  try {
    return {Kind::done, work(), {}};
  } catch (const InfeasibleError& e) {
    return {Kind::infeasible, {}, e.what()};
  } catch (const InputError& e) {
    return {Kind::input_error, {}, e.what()};
  } catch (const std::bad_alloc&) {
    return {Kind::run_error, {}, "memory ended; fewer processes (--jobs), workstations or replications need less"};
  } catch (const std::exception& e) {
    return {Kind::run_error, {}, e.what()};
  } catch (...) {
    return {Kind::run_error, {}, "an unknown exception"};
  }
}

const std::string& ChildOutcome::get() const {
  switch (kind) {
    case Kind::done: return bytes;
    case Kind::input_error: throw InputError(sentence);
    case Kind::infeasible: throw InfeasibleError(sentence);
    case Kind::run_error: break;
  }
  throw RunError(sentence);
}

std::string in_child_process(const std::function<std::string()>& work) { return apart(work).get(); }

}  // namespace nowsim

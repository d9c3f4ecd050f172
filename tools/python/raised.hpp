// What becomes of exceptions that a user's code raises.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>

#include "experiments/driver/running/runner.hpp"
#include "sim/base/error.hpp"
#include "tools/python/step_watch.hpp"
#include "tools/terminal/interruption.hpp"

namespace nowsim {

/// An exception as Python has it where it is caught, with its traceback.
pybind11::object caught(const pybind11::error_already_set& raised);

/// A user's function that is at work as he presses Ctrl-C, or raises KeyboardInterrupt itself. The sentence is for workers,
/// which Ctrl-C does not reach: there it is a failure as others are.
class InterruptedFunction : public Interrupted {
 public:
  explicit InterruptedFunction(std::string sentence) : sentence_(std::move(sentence)) { request_interruption(); }
  [[nodiscard]] const char* what() const noexcept override { return sentence_.c_str(); }

 private:
  std::string sentence_;
};

/// Of an exception that is set in Python, which is not set any more then: by whom, what, where, with its traceback.
std::string take_raised_text(const std::string& by);
/// The same of a function of numbers. @throws RunError; InterruptedFunction where whoever stops nowsim stops it, too.
[[noreturn]] void stop_with_raised(const std::string& by);
/// Of what code says of itself. @throws InputError; InterruptedFunction.
[[noreturn]] void refuse_raised(const pybind11::error_already_set& raised, const std::string& by);

/// What a user's code, `described` (nowsim.user_functions), says of itself, asked while an experiment is read.
template <class Ask>
auto said_of_itself(const pybind11::object& described, const Ask& ask) {
  try {
    step_watch().allow(described.attr("step_limit").template cast<double>(), "returning");
    const WatchedStep step;
    return ask();
  } catch (const pybind11::error_already_set& e) {
    refuse_raised(e, described.attr("by")().template cast<std::string>());
  } catch (const pybind11::cast_error&) {
    throw InputError(described.attr("by")().template cast<std::string>() + " says something that is no number of its kind");
  }
}

}  // namespace nowsim

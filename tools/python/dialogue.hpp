// What C++ tells Python while it is at work, and what Python makes of that: interruptions, progress, remarks.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "tools/python/step_watch.hpp"
#include "tools/terminal/progress_line.hpp"

namespace spdlog {
class logger;
}

namespace nowsim {

/// While it lives, messages go to Python. The interpreter is held all the time, as workers that are forked run Python's
/// functions and so must have it; other threads get their turns while interruptions are looked for.
class Dialogue {
 public:
  /// `line` is None, or has `renews` and `show(text)`, where "" wipes it; `warn(text)` is called for remarks.
  /// @throws RunError where there is one in this process already.
  Dialogue(pybind11::object line, pybind11::object warn);
  ~Dialogue();
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  /// Whether a signal's handler, or a function of Python's that was called, has raised something.
  bool interrupted();
  /// Null where no progress is wanted.
  [[nodiscard]] ProgressLine* line() { return line_.get(); }
  /// Stages that are no runs: "reading: point 3 of 7".
  void show_stage(const std::string& text);
  /// Does the work; what Python raised meanwhile goes before what it throws.
  void finish(const std::function<void()>& work);

 private:
  using Clock = std::chrono::steady_clock;
  void tell(const pybind11::object& function, const std::string& text);
  void give_others_a_turn();
  void rethrow_pending();

  pybind11::object output_, warn_;
  std::exception_ptr raised_;
  std::unique_ptr<ProgressLine> line_;
  StepsWatched steps_;
  std::shared_ptr<spdlog::logger> before_;
  Clock::time_point next_turn_ = Clock::now(), next_stage_;
};

}  // namespace nowsim

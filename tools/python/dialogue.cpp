// Calls of Python's functions, whose errors wait until the work has come to a good end.
#include "tools/python/dialogue.hpp"

#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <utility>

#include "experiments/driver/running/runner.hpp"
#include "sim/base/error.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {

namespace py = pybind11;
using namespace std::chrono_literals;

namespace {

/// Hands messages to a function, without the control characters that texts of users bring along.
class RemarkSink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit RemarkSink(std::function<void(const std::string&)> tell) : tell_(std::move(tell)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    tell_(shown_text({message.payload.data(), message.payload.size()}));
  }
  void flush_() override {}

  std::function<void(const std::string&)> tell_;
};

constexpr const char* kLogger = "python";

/// Messages have one destination in a process, and what is simulated has one line of progress.
void check_is_only_one() {
  if (spdlog::default_logger()->name() == kLogger)
    throw RunError("another call of nowsim's is at work in this process, in another thread or in a function that it "
                   "calls; one at a time can be");
}

}  // namespace

Dialogue::Dialogue(py::object line, py::object warn)
    : output_(std::move(line)), warn_(std::move(warn)), before_(spdlog::default_logger()),
      next_stage_(Clock::now() + 1s) {
  check_is_only_one();
  const auto remark = [this](const std::string& text) {
    if (line_) line_->clear();
    tell(warn_, text);
  };
  spdlog::set_default_logger(std::make_shared<spdlog::logger>(kLogger, std::make_shared<RemarkSink>(remark)));
  if (output_.is_none()) return;
  const auto write = [this](const std::string& text) { tell(output_.attr("show"), text); };
  const auto wipe = [this] { tell(output_.attr("show"), ""); };
  line_ = std::make_unique<ProgressLine>(nullptr, LineOutput{output_.attr("renews").cast<bool>(), write, wipe});
}

Dialogue::~Dialogue() {
  line_.reset();
  spdlog::set_default_logger(before_);
}

void Dialogue::tell(const py::object& function, const std::string& text) {
  if (raised_) return;
  try {
    function(text);
  } catch (const py::error_already_set&) {
    raised_ = std::current_exception();
  }
}

bool Dialogue::interrupted() {
  give_others_a_turn();
  if (!raised_ && PyErr_CheckSignals() != 0) raised_ = std::make_exception_ptr(py::error_already_set());
  return raised_ != nullptr;
}

void Dialogue::give_others_a_turn() {
  if (Clock::now() < next_turn_) return;
  next_turn_ = Clock::now() + 20ms;
  const py::gil_scoped_release others;
}

void Dialogue::show_stage(const std::string& text) {
  if (!line_ || !output_.attr("renews").cast<bool>() || Clock::now() < next_stage_) return;
  next_stage_ = Clock::now() + 200ms;
  tell(output_.attr("show"), text);
}

void Dialogue::rethrow_pending() {
  const auto raised = std::exchange(raised_, nullptr);
  if (line_) line_->clear();
  if (raised) std::rethrow_exception(raised);
}

void Dialogue::finish(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    rethrow_pending();
    throw;
  }
  rethrow_pending();
}

}  // namespace nowsim

// Messages to the process and back, and sentences of what it does wrong.
#include "experiments/driver/labs/confined_code.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <any>
#include <chrono>
#include <filesystem>

#include "experiments/driver/labs/problem.hpp"
#include "sim/base/error.hpp"
#include "sim/base/plain_file.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// Bytes of a file of code.
constexpr std::size_t kMostCode = 1 << 18;

/// Parameters' values that may be asked for before an answer.
constexpr int kMostKeys = 100;

/// Nobody else's device or pipe is waited for, and no other file's text is told in sentences.
std::string code_in(const std::string& file, const std::string& name) {
  const FileHandle opened = open_plain_file(file);
  const auto text = opened.is_open() ? read_up_to(opened, kMostCode + 1) : std::nullopt;
  if (!text) throw RunError("there is no file " + quoted(name) + " here that can be read");
  if (text->size() > kMostCode) throw RunError(name + " is larger than " + std::to_string(kMostCode >> 10) + " KiB");
  return *text;
}

std::shared_ptr<std::atomic<std::int64_t>> shared_counter() {
  using Counter = std::atomic<std::int64_t>;
  void* const memory = mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw RunError("memory ended");
  return {new (memory) Counter(0), [](Counter* counter) { munmap(counter, sizeof(Counter)); }};
}

/// A loop's, as long as the loop is there.
class OwnNumber {
 public:
  explicit OwnNumber(std::shared_ptr<LoopNumbers> all) : all_(std::move(all)), number_(all_->take()) {}
  ~OwnNumber() { all_->give_back(number_); }
  OwnNumber(const OwnNumber&) = delete;
  OwnNumber& operator=(const OwnNumber&) = delete;
  [[nodiscard]] std::uint32_t get() const { return number_; }

 private:
  std::shared_ptr<LoopNumbers> all_;
  std::uint32_t number_;
};

constexpr const char* kNoSense = "answers what makes no sense";

/// Of a message that is not empty.
MessageKind kind_of(std::string_view message) { return MessageKind{message.front()}; }

std::string too_long_in_all(const CodeLimits& limits) {
  return "has taken more than " + short_number(limits.total_s) + " s for all its answers";
}

}  // namespace

std::uint32_t LoopNumbers::take() {
  if (free_.empty()) return next_++;
  const std::uint32_t number = free_.back();
  free_.pop_back();
  return number;
}

ConfinedCode::ConfinedCode(const std::string& file, const CodeLimits& limits)
    : name_(shown_line(std::filesystem::path(file).filename().string())), source_(code_in(file, name_)),
      limits_(limits), confinement_(nowsim::confinement(limits)), spent_ns_(shared_counter()),
      numbers_(std::make_shared<LoopNumbers>()) {
  if (limits.must_be_confined && !confinement_.is_confined())
    throw RunError(name_ + " is not run, since it cannot be confined: " + confinement_.why_not);
  process();
}

std::string ConfinedCode::identity() const { return "python:" + signature_of({name_, source_}); }

void ConfinedCode::describe(ConfinedProcess& with, const Asker& asker, std::string_view description) {
  if (description == description_) return;
  if (description_) fail(with, asker, "defines another technique each time that it is run");
  auto found = described_technique(description);
  if (!found) fail(with, asker, "says nothing that makes sense of its technique");
  described_ = std::move(*found);
  description_ = description;
}

ConfinedProcess& ConfinedCode::process() {
  if (process_ && process_->is_own()) return *process_;
  process_ = std::make_unique<ConfinedProcess>(name_, source_, limits_, confinement_.is_confined());
  const Asker file{name_ + ":", [] { return ""; }};
  describe(*process_, file, exchange(*process_, {}, MessageKind::description, limits_.start_s, file));
  return *process_;
}

void ConfinedCode::fail(ConfinedProcess& with, const Asker& asker, const std::string& what) {
  const std::string printed = with.printed();
  process_.reset();
  throw RunError(asker.by + " " + what + asker.state() + (printed.empty() ? "" : "; it printed: " + printed));
}

std::string_view ConfinedCode::answered(ConfinedProcess& with, double limit_s) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  Clock::time_point counted = start;
  for (int keys = 0;; ++keys) {
    const double left_s = limit_s - std::chrono::duration<double>(counted - start).count();
    if (left_s <= 0) return {};  // whatever it has ready meanwhile: on a busy machine that is always the next key
    const std::string_view answer = with.receive(left_s);
    const Clock::time_point now = Clock::now();
    *spent_ns_ += std::chrono::nanoseconds(now - counted).count();
    counted = now;
    if (answer.empty() || kind_of(answer) != MessageKind::key || keys == kMostKeys) return answer;
    with.send(value_message(answer.substr(1)));
  }
}

std::string_view ConfinedCode::exchange(ConfinedProcess& with, std::string_view message, MessageKind kind,
                                        double limit_s, const Asker& asker) {
  const double left_s = limits_.total_s - 1e-9 * static_cast<double>(spent_ns_->load());
  const double most_s = std::min(limit_s, left_s);
  if (left_s <= 0) fail(with, asker, too_long_in_all(limits_));
  if (!message.empty()) with.send(message);
  const std::string_view answer = answered(with, most_s);
  if (with.is_over()) fail(with, asker, with.ending());
  if (answer.empty() && left_s < limit_s) fail(with, asker, too_long_in_all(limits_));
  if (answer.empty()) fail(with, asker, "has not answered within " + short_number(limit_s) + " s");
  if (kind_of(answer) == kind) return answer.substr(1);
  std::string what = kind_of(answer) == MessageKind::failure ? told_failure(answer.substr(1)) : "";
  if (what.empty()) fail(with, asker, kNoSense);
  if (what.find("MemoryError") != std::string::npos) what += "; it has " + std::to_string(limits_.memory_mib) + " MiB";
  fail(with, asker, what);
}

std::int64_t ConfinedCode::tasks(bool is_batch, LoopState& state, std::size_t worker) {
  const ConfinedRule& rule = is_batch ? *batch() : chunk();
  ConfinedProcess& with = process();
  const bool is_new = !state.memory.has_value();
  if (is_new) state.memory = std::make_shared<const OwnNumber>(numbers_);
  const std::uint32_t loop = std::any_cast<const std::shared_ptr<const OwnNumber>&>(state.memory)->get();
  const std::string message = request_message({is_new, is_batch, loop}, rule.variables, state, worker);
  const Asker asker{rule.by, [&] {
                      const std::string values = values_text(rule.variables, state, worker);
                      return values.empty() ? values : ", with " + values;
                    }};
  const auto given = answered_number(exchange(with, message, MessageKind::number, limits_.answer_s, asker));
  if (!given) fail(with, asker, kNoSense);
  return whole_tasks(*given, rule.by, rule.variables, state, worker);
}

}  // namespace nowsim

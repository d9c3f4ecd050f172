// Messages to the process and back, and sentences of what it does wrong.
#include "experiments/driver/labs/confined_code.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <any>
#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <vector>

#include "experiments/driver/labs/problem.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// Bytes of a file of code.
constexpr std::size_t kMostCode = 1 << 18;

/// Parameters' values that may be asked for before an answer.
constexpr int kMostKeys = 100;

/// What a message begins with, that says what it is.
constexpr char kNumber = 'n', kDescription = 't', kFailure = 'e', kKey = 'k', kValue = 'v';
/// Bits of a request's first byte.
constexpr char kIsNew = 1, kIsBatch = 2;

/// Nobody else's device or pipe is waited for, and no other file's text is told in sentences.
std::string code_in(const std::string& file, const std::string& name) {
  const int fd = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat found{};
  std::string text(kMostCode + 1, '\0');
  const bool is_file = fd >= 0 && fstat(fd, &found) == 0 && S_ISREG(found.st_mode);
  const ssize_t got = is_file ? read(fd, text.data(), text.size()) : -1;
  if (fd >= 0) close(fd);
  if (got < 0) throw RunError("there is no file " + quoted(name) + " here that can be read");
  text.resize(static_cast<std::size_t>(got));
  if (text.size() > kMostCode) throw RunError(name + " is larger than " + std::to_string(kMostCode >> 10) + " KiB");
  return text;
}

std::shared_ptr<std::atomic<std::int64_t>> shared_counter() {
  using Counter = std::atomic<std::int64_t>;
  void* const memory = mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw RunError("memory ended");
  return {new (memory) Counter(0), [](Counter* counter) { munmap(counter, sizeof(Counter)); }};
}

template <class Number>
void put_number(char*& at, Number number) {
  std::memcpy(at, &number, sizeof number);
  at += sizeof number;
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

/// "time 1h" in SI, as the process reads it.
std::string value_message(std::string_view asked) {
  static const std::map<std::string, Dimension> dimensions{{"number", Dimension::number}, {"count", Dimension::count},
                                                           {"time", Dimension::time},     {"work", Dimension::work},
                                                           {"bytes", Dimension::bytes}};
  const auto blank = std::min(asked.find(' '), asked.size() - 1);
  try {
    const auto found = dimensions.find(std::string(asked.substr(0, blank)));
    if (found == dimensions.end()) throw InputError("no such kind");
    const double value = parse_quantity(std::string(asked.substr(blank + 1)), found->second);
    std::string message(1 + sizeof value, kValue);
    std::memcpy(message.data() + 1, &value, sizeof value);
    return message;
  } catch (const InputError& e) {
    return kFailure + std::string(e.what());
  }
}

std::string too_long_in_all(const CodeLimits& limits) {
  return "has taken more than " + short_number(limits.total_s) + " s for all its answers";
}

std::vector<std::string> words_on(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
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

void ConfinedCode::describe(const std::string& description) {
  if (description == description_) return;
  if (!description_.empty()) throw RunError(name_ + " defines another technique each time that it is run");
  std::istringstream in(description);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.size() == 2 || lines.size() == 4) lines.emplace_back();  // a last rule without variables
  if (lines.size() != 3 && lines.size() != 5) throw RunError(name_ + " says nothing that makes sense of its technique");
  const auto rule = [&lines](std::size_t first) {
    return ConfinedRule{shown_line(lines[first]), variables_by_name(words_on(lines[first + 1]))};
  };
  summary_ = shown_line(lines[0]);
  chunk_ = rule(1);
  if (lines.size() == 5) batch_ = rule(3);
  description_ = description;
}

ConfinedProcess& ConfinedCode::process() {
  if (process_ && process_->is_own()) return *process_;
  process_ = std::make_unique<ConfinedProcess>(name_, source_, limits_, confinement_.is_confined());
  const Asker file{name_ + ":", [] { return ""; }};
  describe(std::string(exchange(*process_, {}, kDescription, limits_.start_s, file)));
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
    if (answer.empty() || answer.front() != kKey || keys == kMostKeys) return answer;
    with.send(value_message(answer.substr(1)));
  }
}

std::string_view ConfinedCode::exchange(ConfinedProcess& with, std::string_view message, char kind, double limit_s,
                                        const Asker& asker) {
  const double left_s = limits_.total_s - 1e-9 * static_cast<double>(spent_ns_->load());
  const double most_s = std::min(limit_s, left_s);
  if (left_s <= 0) fail(with, asker, too_long_in_all(limits_));
  if (!message.empty()) with.send(message);
  const std::string_view answer = answered(with, most_s);
  if (with.is_over()) fail(with, asker, with.ending());
  if (answer.empty() && left_s < limit_s) fail(with, asker, too_long_in_all(limits_));
  if (answer.empty()) fail(with, asker, "has not answered within " + short_number(limit_s) + " s");
  if (answer.front() == kind) return answer.substr(1);
  if (answer.front() != kFailure) fail(with, asker, "answers what makes no sense");
  std::string what = shown_line(answer.substr(1));
  if (what.find("MemoryError") != std::string::npos) what += "; it has " + std::to_string(limits_.memory_mib) + " MiB";
  fail(with, asker, what);
}

std::int64_t ConfinedCode::tasks(bool is_batch, LoopState& state, std::size_t worker) {
  const ConfinedRule& rule = is_batch ? *batch_ : chunk_;
  std::array<char, 512> request{};
  ConfinedProcess& with = process();
  const bool is_new = !state.memory.has_value();
  if (is_new) state.memory = std::make_shared<const OwnNumber>(numbers_);
  const std::uint32_t number = std::any_cast<const std::shared_ptr<const OwnNumber>&>(state.memory)->get();
  request[0] = static_cast<char>((is_new ? kIsNew : 0) | (is_batch ? kIsBatch : 0));
  char* end = request.data() + sizeof number;
  put_number(end, number);
  for (const TechniqueVariable* variable : rule.variables) {
    const double value = variable->value(state, worker);
    if (variable->is_count()) put_number(end, static_cast<std::int64_t>(value));
    else put_number(end, value);
  }
  const std::string_view message(request.data(), static_cast<std::size_t>(end - request.data()));
  const Asker asker{rule.by, [&] {
                      const std::string values = values_text(rule.variables, state, worker);
                      return values.empty() ? values : ", with " + values;
                    }};
  const std::string_view answer = exchange(with, message, kNumber, limits_.answer_s, asker);
  double given = 0;
  if (answer.size() != sizeof given) fail(with, asker, "answers what makes no sense");
  std::memcpy(&given, answer.data(), sizeof given);
  return whole_tasks(given, rule.by, rule.variables, state, worker);
}

}  // namespace nowsim

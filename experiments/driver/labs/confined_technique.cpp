// Messages to the process and back, sentences of what it does wrong, and how it comes to its end.
#include "experiments/driver/labs/confined_technique.hpp"

#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "experiments/driver/labs/problem.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/plain_file.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

// ---- messages -------------------------------------------------------------------------------------------------------

/// Bytes of a sentence, and of a line of a description.
constexpr std::size_t kMostSaid = 1000;

std::vector<std::string> words_on(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Of two lines. @throws InputError.
ConfinedRule described_rule(const std::string& by, const std::string& variables) {
  ConfinedRule rule{told_failure(by), variables_by_name(words_on(variables))};
  if (rule.by.empty()) throw InputError("a rule without a name");
  return rule;
}

/// A line: its name, what it is, and its value. @throws InputError where that makes no sense.
void add_parameter(const std::string& line, ConfinedDescription& found) {
  static const std::map<std::string, Dimension> dimensions{{"number", Dimension::number},
                                                           {"count", Dimension::count},
                                                           {"time", Dimension::time},
                                                           {"work", Dimension::work},
                                                           {"bytes", Dimension::bytes}};
  std::istringstream in(line);
  std::string name, kind, value;
  std::getline(in >> name >> kind >> std::ws, value);
  const auto dimension = dimensions.find(kind);
  if (dimension == dimensions.end()) throw InputError("no such kind");
  try {
    found.parameters.push_back(parse_quantity(value, dimension->second));
  } catch (const InputError& e) {
    if (found.fault.empty()) found.fault = told_failure(found.chunk.by + ": its parameter " + name + ": " + e.what());
  }
}

// ---- its process ----------------------------------------------------------------------------------------------------

/// It is ended with the object, or with the process that made it.
class ConfinedProcess {
 public:
  ConfinedProcess(StartedCode started, const CodeLimits& limits)
      : most_cpu_s_(std::ceil(limits.total_s + limits.start_s)), parent_(getpid()), pid_(started.pid),
        channel_(std::move(started.channel)), log_(std::move(started.log)) {}
  ~ConfinedProcess() {
    if (!is_own() || pid_ < 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  ConfinedProcess(const ConfinedProcess&) = delete;
  ConfinedProcess& operator=(const ConfinedProcess&) = delete;

  /// Whether this process made it, and not one from which it was forked.
  [[nodiscard]] bool is_own() const { return parent_ == getpid(); }
  /// Whoever is gone, or reads nothing that is sent, is noticed when no answer comes.
  void send(std::string_view message) const {
    while (::send(channel_.get(), message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR) {
    }
  }
  /// The next message, as long as no other one is taken; empty where none came in time, or none will come (is_over()).
  /// One that is longer than kMostMessage is of no kind.
  std::string_view receive(double limit_s);
  [[nodiscard]] bool is_over() const { return is_over_; }
  /// How it came to its end, for a sentence: "was ended ...".
  std::string ending();
  /// The last lines of what it printed, on one line; "" without any.
  [[nodiscard]] std::string printed() const;

 private:
  bool take();

  double most_cpu_s_;
  pid_t parent_, pid_;
  FileHandle channel_, log_;
  bool is_over_ = false;
  std::size_t size_ = 0;
  std::array<char, kMostMessage> message_;
};

/// @return whether something came: a message, or the end
bool ConfinedProcess::take() {
  const ssize_t got = recv(channel_.get(), message_.data(), message_.size(), MSG_DONTWAIT | MSG_TRUNC);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  size_ = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  is_over_ = size_ == 0;
  if (size_ > message_.size()) {  // of which only the beginning is here
    message_.front() = '\0';
    size_ = 1;
  }
  return true;
}

std::string_view ConfinedProcess::receive(double limit_s) {
  constexpr int kLooks = 100;  // before waiting for an answer, as waking takes longer than most answers do
  for (int look = 0; look < kLooks; ++look) {
    if (take()) return {message_.data(), size_};
    sched_yield();
  }
  const auto start = std::chrono::steady_clock::now();
  for (double left_s = limit_s; left_s > 0;
       left_s = limit_s - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()) {
    pollfd fd{channel_.get(), POLLIN, 0};
    if (poll(&fd, 1, static_cast<int>(1000 * left_s) + 1) > 0 && take()) return {message_.data(), size_};
  }
  return {};
}

std::string ConfinedProcess::ending() {
  constexpr int kPatience_ms = 500;
  int status = 0;
  pid_t ended = 0;
  for (int ms = 0; ms < kPatience_ms && ended == 0; ++ms) {
    ended = waitpid(pid_, &status, WNOHANG);
    if (ended == 0) poll(nullptr, 0, 1);
  }
  if (ended == 0) return "closed the channel by which it answers";
  pid_ = -1;
  constexpr int kSignals = 128;  // as bubblewrap tells them
  const int code = WIFSIGNALED(status) ? kSignals + WTERMSIG(status) : WEXITSTATUS(status);
  if (code == kSignals + SIGXCPU) return "used more than " + short_number(most_cpu_s_) + " s of processor time";
  if (code == kSignals + SIGKILL) return "was killed, as the system does where memory ends";
  if (code > kSignals) return std::string("was ended by a signal: ") + strsignal(code - kSignals);
  return "ended its process with status " + std::to_string(code);
}

std::string ConfinedProcess::printed() const {
  constexpr off_t kMost = 500;
  struct stat log{};
  fstat(log_.get(), &log);
  std::string last(static_cast<std::size_t>(std::clamp<off_t>(log.st_size, 0, kMost)), '\0');
  const ssize_t got = pread(log_.get(), last.data(), last.size(), log.st_size - static_cast<off_t>(last.size()));
  last.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  std::istringstream lines(last);
  std::string shown;
  for (std::string line; std::getline(lines, line);)
    if (!trimmed(line).empty()) shown += (shown.empty() ? "" : " | ") + shown_line(trimmed(line));
  return shown;
}

// ---- who is asked, and what is said of it ---------------------------------------------------------------------------

constexpr const char* kNoSense = "answers what makes no sense";

/// Bytes of a file of code.
constexpr std::size_t kMostCode = 1 << 18;

/// Nobody else's device or pipe is waited for, and no other file's text is told in sentences.
std::string code_in(const std::string& file, const std::string& name) {
  const FileHandle opened = open_plain_file(file);
  const auto text = opened.is_open() ? read_up_to(opened, kMostCode + 1) : std::nullopt;
  if (!text) throw RunError("there is no file " + quoted(name) + " here that can be read");
  if (text->size() > kMostCode) throw RunError(name + " is larger than " + std::to_string(kMostCode >> 10) + " KiB");
  return *text;
}

/// In memory that this process has in common with those that are forked from it.
std::shared_ptr<std::atomic<std::int64_t>> shared_counter() {
  using Counter = std::atomic<std::int64_t>;
  void* const memory = mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw RunError("memory ended");
  return {new (memory) Counter(0), [](Counter* counter) { munmap(counter, sizeof(Counter)); }};
}

class ConfinedCode {
 public:
  /// Reads the file and has it run once. @throws RunError: it cannot be read, defines not exactly one technique, fails,
  /// or cannot be confined and must be.
  ConfinedCode(const std::string& file, const std::string& helper, const CodeLimits& limits)
      : name_(shown_line(std::filesystem::path(file).filename().string())), source_(code_in(file, name_)),
        helper_(read_user_file(helper, kMostCode)), limits_(limits), confinement_(nowsim::confinement(limits)),
        spent_ns_(shared_counter()) {
    if (limits.must_be_confined && !confinement_.is_confined())
      throw RunError(name_ + " is not run, since it cannot be confined: " + confinement_.why_not);
    process();
  }

  [[nodiscard]] const Confinement& confinement() const { return confinement_; }
  [[nodiscard]] const ConfinedDescription& described() const { return described_; }
  /// Of the file's bytes.
  [[nodiscard]] std::string identity() const { return "python:" + signature_of({name_, source_}); }

  /// What the function gives, as a number of tasks. The first time for a loop the file has been run anew, so that
  /// nothing is left of other replications. @throws RunError
  std::int64_t tasks(bool is_batch, LoopState& state, std::size_t worker);

 private:
  /// What sentences begin and go on with.
  struct Asker {
    std::string by;
    std::function<std::string()> state;
  };

  /// Takes a number for a loop, as long as it is there.
  std::shared_ptr<const std::int64_t> new_loop();
  /// A process of this process's own, that has read the file.
  ConfinedProcess& process();
  /// A message's answer of this kind. @throws RunError where none comes in time, or another one.
  std::string_view exchange(ConfinedProcess& with, std::string_view message, MessageKind kind, double limit_s,
                            const Asker& asker);
  /// Ends the process. @throws RunError: who did what.
  [[noreturn]] void fail(ConfinedProcess& with, const Asker& asker, const std::string& what);

  std::string name_, source_, helper_;
  CodeLimits limits_;
  Confinement confinement_;
  std::shared_ptr<std::atomic<std::int64_t>> spent_ns_;  ///< of all processes
  std::unique_ptr<ConfinedProcess> process_;
  std::optional<std::string> description_;  ///< nothing before the first process
  ConfinedDescription described_;
  std::vector<std::weak_ptr<const std::int64_t>> loops_;  ///< their numbers; an ended one's is given to another
};

ConfinedProcess& ConfinedCode::process() {
  if (process_ && process_->is_own()) return *process_;
  process_ = std::make_unique<ConfinedProcess>(
      start_code(helper_, name_, source_, limits_, confinement_.is_confined()), limits_);
  const Asker asker{name_ + ":", [] { return ""; }};
  const auto description = exchange(*process_, {}, MessageKind::description, limits_.start_s, asker);
  if (description == description_) return *process_;
  if (description_) fail(*process_, asker, "defines another technique each time that it is run");
  auto found = described_technique(description);
  if (!found) fail(*process_, asker, "says nothing that makes sense of its technique");
  if (!found->fault.empty()) fail(*process_, asker, found->fault);
  described_ = std::move(*found);
  description_ = description;
  return *process_;
}

void ConfinedCode::fail(ConfinedProcess& with, const Asker& asker, const std::string& what) {
  const std::string printed = with.printed();
  process_.reset();
  throw RunError(asker.by + " " + what + asker.state() + (printed.empty() ? "" : "; it printed: " + printed));
}

std::string_view ConfinedCode::exchange(ConfinedProcess& with, std::string_view message, MessageKind kind,
                                        double limit_s, const Asker& asker) {
  const auto too_long_in_all = [&] {
    return "has taken more than " + short_number(limits_.total_s) + " s for all its answers";
  };
  const double left_s = limits_.total_s - 1e-9 * static_cast<double>(spent_ns_->load());
  if (left_s <= 0) fail(with, asker, too_long_in_all());
  if (!message.empty()) with.send(message);
  const auto start = std::chrono::steady_clock::now();
  const std::string_view answer = with.receive(std::min(limit_s, left_s));
  *spent_ns_ += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
  if (with.is_over()) fail(with, asker, with.ending());
  if (answer.empty() && left_s < limit_s) fail(with, asker, too_long_in_all());
  if (answer.empty()) fail(with, asker, "has not answered within " + short_number(limit_s) + " s");
  const MessageKind found{answer.front()};
  if (found == kind) return answer.substr(1);
  std::string what = found == MessageKind::failure ? told_failure(answer.substr(1)) : "";
  if (what.empty()) fail(with, asker, kNoSense);
  if (what.find("MemoryError") != std::string::npos) what += "; it has " + std::to_string(limits_.memory_mib) + " MiB";
  fail(with, asker, what);
}

std::shared_ptr<const std::int64_t> ConfinedCode::new_loop() {
  const auto ended = std::ranges::find_if(loops_, [](const auto& loop) { return loop.expired(); });
  const auto number = std::make_shared<const std::int64_t>(ended - loops_.begin());
  if (ended == loops_.end())
    loops_.emplace_back(number);
  else
    *ended = number;
  return number;
}

std::int64_t ConfinedCode::tasks(bool is_batch, LoopState& state, std::size_t worker) {
  const ConfinedRule& rule = is_batch ? *described_.batch : described_.chunk;
  ConfinedProcess& with = process();
  const bool is_new = !state.memory.has_value();
  if (is_new) state.memory = new_loop();
  const ConfinedRequest request{is_new, is_batch,
                                *std::any_cast<const std::shared_ptr<const std::int64_t>&>(state.memory)};
  const Asker asker{rule.by, [&] {
                      const std::string values = values_text(rule.variables, state, worker);
                      return values.empty() ? values : ", with " + values;
                    }};
  const std::string message = request_message(request, state, worker, described_.parameters);
  const auto given = answered_number(exchange(with, message, MessageKind::number, limits_.answer_s, asker));
  if (!given) fail(with, asker, kNoSense);
  return whole_tasks(*given, rule.by, rule.variables, state, worker);
}

/// One of the file's functions.
struct RuleOfCode {
  ConfinedCode* code;
  bool is_batch;
  std::int64_t tasks(LoopState& state, std::size_t worker) const { return code->tasks(is_batch, state, worker); }
};

/// Of a simulated rank that waits for another program [KiB].
constexpr int kRankStack_kib = 256;

}  // namespace

std::optional<ConfinedDescription> described_technique(std::string_view said) {
  std::istringstream in{std::string(said)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  constexpr std::size_t kLeastLines = 5;  // a summary, and the rules of chunks and of batches, if there are any
  if (lines.size() < kLeastLines) return std::nullopt;
  try {
    ConfinedDescription found{told_failure(lines[0]), described_rule(lines[1], lines[2]), {}};
    if (!lines[3].empty() || !lines[4].empty()) found.batch = described_rule(lines[3], lines[4]);
    for (std::size_t k = kLeastLines; k < lines.size(); ++k) add_parameter(lines[k], found);
    return found;
  } catch (const InputError&) {  // of names that the helper knows of: it is not the helper's
    return std::nullopt;
  }
}

std::optional<double> answered_number(std::string_view said) {
  double given = 0;
  if (said.size() != sizeof given) return std::nullopt;
  std::memcpy(&given, said.data(), sizeof given);
  return given;
}

std::string told_failure(std::string_view said) { return shown_line(trimmed(said.substr(0, kMostSaid))); }

std::string request_message(const ConfinedRequest& request, const LoopState& state, std::size_t worker,
                            const std::vector<double>& parameters) {
  Serializer out;
  for (const bool part : {request.is_new, request.is_batch}) out.put(std::int64_t{part});
  out.put(request.loop);
  for (const TechniqueVariable& variable : technique_variables()) {
    const double value = variable.value(state, worker);
    if (variable.is_count())
      out.put(static_cast<std::int64_t>(value));
    else
      out.put(value);
  }
  for (const double parameter : parameters) out.put(parameter);
  return out.take();
}

ConfinedTechnique confined_technique(const std::string& name, const std::string& file, const std::string& helper,
                                     const CodeLimits& limits) {
  const auto code = std::make_shared<ConfinedCode>(file, helper, limits);
  const ConfinedDescription& described = code->described();
  Technique made{.name = name,
                 .summary = described.summary,
                 .next =
                     [code](LoopState& state, std::size_t worker) {
                       const RuleOfCode chunks{code.get(), false}, batches{code.get(), true};
                       const bool has_batches = code->described().batch.has_value();
                       return next_by_rules(chunks, has_batches ? &batches : nullptr, state, worker);
                     },
                 .has_least = false};
  add_needs(described.chunk.variables, made);
  if (described.batch) add_needs(described.batch->variables, made);
  made.user_code = {.identity = code->identity(), .stack_kib = kRankStack_kib};
  return {std::move(made), code->confinement()};
}

}  // namespace nowsim

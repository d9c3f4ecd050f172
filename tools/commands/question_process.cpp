// Messages over a pair of sockets: a sign, a length, and so many bytes.
#include "tools/commands/question_process.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "experiments/driver/text/temporary_folder.hpp"
#include "tools/page/page_request.hpp"

namespace nowsim {
namespace {

constexpr char kQuestion = '?', kAnswer = '!', kStop = '.';
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;  // of a message

struct SocketMessage {
  char sign;
  std::string text;
};

/// Whether all was sent.
bool send_all(int socket, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t n = send(socket, bytes, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool receive_all(int socket, char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t n = recv(socket, bytes, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool send_message(int socket, char sign, const std::string& text) {
  const std::uint64_t size = text.size();
  std::string bytes(1, sign);
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  return send_all(socket, bytes.data(), bytes.size()) && send_all(socket, text.data(), text.size());
}

/// Nothing once the other side is gone, or says what makes no sense.
std::optional<SocketMessage> receive_message(int socket) {
  SocketMessage message{};
  std::uint64_t size = 0;
  if (!receive_all(socket, &message.sign, 1) || !receive_all(socket, reinterpret_cast<char*>(&size), sizeof size) ||
      size > kMostBytes)
    return std::nullopt;
  message.text.resize(size);
  if (!receive_all(socket, message.text.data(), size)) return std::nullopt;
  return message;
}

std::pair<int, int> socket_pair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw RunError(std::string("no process for questions can be had: ") + std::strerror(errno));
  return {ends[0], ends[1]};
}

constexpr std::chrono::milliseconds kLook{100};
constexpr const char* kStopped = "this was stopped";
constexpr double kMostEnd_s = 10;

/// Whether something is there to be read, after a moment at most; a signal that interrupts the look is nothing.
bool is_readable(int socket) {
  pollfd one{socket, POLLIN, 0};
  const int ready = poll(&one, 1, static_cast<int>(kLook.count()));
  return ready > 0 || (ready < 0 && errno != EINTR);
}

/// The loop of the process.
class QuestionLoop {
 public:
  QuestionLoop(int socket, PageSession& session, double most_s) : socket_(socket), session_(session), most_s_(most_s) {}

  void run() {
    while (const auto message = receive_message(socket_)) {
      if (message->sign != kQuestion) continue;  // a stop that came too late
      if (!send_message(socket_, kAnswer, any_answer(message->text))) return;
    }
  }

 private:
  /// Where no process or folder can be had now, the next question may find one.
  std::string any_answer(const std::string& question) {
    try {
      std::string answered = answer(question);
      if (answered.size() > kMostBytes) return error_answer("this answer would have more than 1 GiB");
      return answered;
    } catch (const std::exception& e) {
      return error_answer(e.what());
    }
  }

  /// What is remembered, if that is new, then the answer: lines.
  std::string answer(const std::string& question) {
    const std::string before = session_.last_times();
    const TemporaryFolder scratch;  // a child that is ended leaves its files: a student's, and pictures'
    WorkerProcess child([&] {
      setenv("TMPDIR", scratch.path().c_str(), 1);
      std::string answered = session_.answer(question);
      const std::string after = session_.last_times();
      return (after == before ? "" : after) + "\n" + std::move(answered);
    });
    const ChildOutcome outcome = outcome_in_time(child);
    if (outcome.kind != ChildOutcome::Kind::done) return error_answer(outcome.text);
    const std::size_t end = outcome.text.find('\n');
    if (end > 0) session_.remember_times(outcome.text.substr(0, end));
    return outcome.text.substr(end + 1);
  }

  /// A run error where it is to be ended: it took too long, or nobody waits for it any more.
  ChildOutcome outcome_in_time(WorkerProcess& child) const {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    for (;;) {
      if (const auto answer = child.take()) return {answer->kind, std::string(answer->text)};
      std::array<pollfd, 2> fds{{{child.fd(), POLLIN, 0}, {socket_, POLLIN, 0}}};
      poll(fds.data(), fds.size(), 1000);
      if (std::chrono::duration<double>(Clock::now() - begin).count() > most_s_)
        return {ChildOutcome::Kind::run_error, "this took too long and was ended: fewer replications or points take less"};
      if (fds[1].revents == 0) continue;
      const auto message = receive_message(socket_);
      if (!message || message->sign == kStop) return {ChildOutcome::Kind::run_error, kStopped};
    }
  }

  int socket_;
  PageSession& session_;
  double most_s_;
};

}  // namespace

std::string error_answer(const std::string& sentence) {
  const PageJson error{{"error", {{"sentence", sentence}, {"line", nullptr}, {"key", ""}}}};
  return error.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

QuestionProcess::QuestionProcess(const PageFolders& folders, const Registries& registries, const PageOptions& options,
                                 double most_s)
    : QuestionProcess(socket_pair(), folders, registries, options, most_s) {}

QuestionProcess::QuestionProcess(std::pair<int, int> ends, const PageFolders& folders, const Registries& registries,
                                 const PageOptions& options, double most_s)
    : socket_(ends.first) {
  const FileHandle theirs(ends.second);
  process_ = std::make_unique<WorkerProcess>([&]() -> std::string {
    close(socket_.release());  // who holds the other end is gone when that is closed
    PageSession session(folders, registries, options);
    QuestionLoop(theirs.get(), session, most_s).run();
    return "";
  });
}

std::string QuestionProcess::ask(const std::string& question, const std::function<bool()>& is_wanted) {
  if (!is_wanted()) return error_answer(kStopped);
  if (question.size() > kMostBytes) return error_answer("this question has more than 1 GiB");
  if (send_message(socket_.get(), kQuestion, question)) {
    bool is_stopped = false;
    while (!is_readable(socket_.get()))
      if (!is_stopped && !is_wanted()) is_stopped = send_message(socket_.get(), kStop, "");
    if (auto message = receive_message(socket_.get())) return std::move(message->text);
  }
  throw RunError("the process that answers is gone, as it is where 'nowsim lab serve' has ended: start it again");
}

QuestionProcess::~QuestionProcess() {
  try {
    end();
  } catch (const RunError&) {  // it is ended with its object
  }
}

void QuestionProcess::end() {
  shutdown(socket_.get(), SHUT_RDWR);
  if (process_ == nullptr) return;
  process_->wait(kMostEnd_s);
  process_.reset();
}

}  // namespace nowsim

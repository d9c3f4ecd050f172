// Opening pseudoterminals, and reading what is written there as a terminal would.
#include "tests/tools/terminal_fixture.hpp"

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include "experiments/driver/text/text_table.hpp"
#include "sim/base/utf8.hpp"
#include "tests/paths.hpp"

namespace nowsim::test {
namespace {

[[noreturn]] void become_program(const std::vector<char*>& words, const std::string& folder,
                                 const std::map<std::string, std::string>& environment) {
  for (const int signal : {SIGINT, SIGQUIT, SIGHUP}) std::signal(signal, SIG_DFL);
  for (const char* name : {"COLUMNS", "NO_COLOR", "COLORTERM", "LC_ALL", "LC_CTYPE", "LANG"}) unsetenv(name);
  setenv("LC_ALL", "C.UTF-8", 1);
  setenv("TERM", "xterm", 1);
  setenv("XDG_CACHE_HOME", (program_file() + "-cache").c_str(), 1);  // not the user's; measured costs are there
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(99);
  execv(words.front(), words.data());
  _exit(99);
}

/// How many bytes a control sequence at the beginning has (ECMA-48); 0: there is none.
std::size_t control_sequence(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  std::size_t end = 2;
  while (end < text.size() && (text[end] < '@' || text[end] > '~')) ++end;
  return std::min(end + 1, text.size());
}

/// Cells of characters, and where the next one goes.
struct Screen {
  std::size_t columns, row = 0, column = 0;
  std::vector<std::vector<std::string>> rows{1};

  void feed() {
    if (++row == rows.size()) rows.emplace_back();
  }
  void put(std::string_view character) {
    if (column == columns) {
      feed();
      column = 0;
    }
    auto& cells = rows[row];
    if (cells.size() <= column) cells.resize(column + 1, " ");
    cells[column++] = character;
  }
  void obey(std::string_view sequence) {
    if (sequence == "\x1b[K" && rows[row].size() > column) rows[row].resize(column);
  }
};

}  // namespace

std::vector<std::string> screen_of(const std::string& written, std::size_t columns) {
  Screen screen{columns};
  for (std::string_view rest = written; !rest.empty();) {
    std::size_t bytes = control_sequence(rest);
    if (bytes > 0) {
      screen.obey(rest.substr(0, bytes));
    } else {
      bytes = first_character(rest).bytes;
      if (rest.front() == '\r') screen.column = 0;
      else if (rest.front() == '\n') screen.feed();
      else screen.put(rest.substr(0, bytes));
    }
    rest.remove_prefix(bytes);
  }
  std::vector<std::string> lines;
  for (const auto& cells : screen.rows) {
    std::string line;
    for (const auto& cell : cells) line += cell;
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return lines;
}

OnTerminal::OnTerminal(const std::vector<std::string>& arguments, std::size_t columns, const std::string& folder,
                       std::map<std::string, std::string> environment)
    : columns_(columns) {
  std::vector<std::string> words{program_file()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  winsize size{};
  size.ws_row = 24;
  size.ws_col = static_cast<unsigned short>(columns);
  pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
  if (pid_ == 0) become_program(pointers, folder, environment);
}

OnTerminal::~OnTerminal() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(terminal_);
}

/// False at its end.
bool OnTerminal::read_some(int patience_ms) {
  pollfd ready{terminal_, POLLIN, 0};
  if (poll(&ready, 1, patience_ms) <= 0) return true;
  char buffer[4096];
  const ssize_t count = read(terminal_, buffer, sizeof buffer);
  if (count > 0) written_.append(buffer, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);  // EIO: nobody has the other side open any more
}

void OnTerminal::type(const std::string& keys) const {
  if (write(terminal_, keys.data(), keys.size()) < 0) std::abort();
}

bool OnTerminal::comes(const std::string& text) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 1min;
  while (written_.find(text) == std::string::npos) {
    if (std::chrono::steady_clock::now() > end || !read_some(50)) return written_.find(text) != std::string::npos;
  }
  return true;
}

int OnTerminal::finish() {
  while (read_some(1000)) {
  }
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string OnTerminal::written() const {
  std::string text = written_;
  for (std::size_t at = 0; (at = text.find("\r\n", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

std::size_t OnTerminal::widest() const {
  std::size_t widest = 0;
  std::string line;
  for (std::string_view rest = written_; !rest.empty();) {
    const std::size_t control = control_sequence(rest);
    if (control == 0 && (rest.front() == '\n' || rest.front() == '\r')) line.clear();
    else if (control == 0) line += rest.front();
    widest = std::max(widest, shown_width(line));
    rest.remove_prefix(std::max<std::size_t>(control, 1));
  }
  return widest;
}

}  // namespace nowsim::test

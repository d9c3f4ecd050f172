// Running another program by posix_spawn.
#include "experiments/driver/text/run_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/plain_file.hpp"

namespace nowsim {
namespace {

/// The program's streams: what it reads, both outputs into a pipe; and the signals' defaults.
class SpawnSettings {
 public:
  SpawnSettings(const std::string& folder, int output, ProgramInput input) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    if (input == ProgramInput::none) posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// The variables, with a null pointer behind them.
std::vector<char*> environment_without(std::span<const char* const> hidden) {
  std::vector<char*> out;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::ranges::none_of(hidden, [&](const char* name) { return std::string_view(*variable).starts_with(name); }))
      out.push_back(*variable);
  out.push_back(nullptr);
  return out;
}

std::string read_to_end(int fd) {
  std::string out;
  char buffer[4096];
  for (;;) {
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got > 0) out.append(buffer, static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR) return out;
  }
}

}  // namespace

bool is_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");  // as posix_spawnp looks
  std::error_code ignored;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path file = std::filesystem::path(folder) / name;
    if (std::filesystem::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0) return true;
  }
  return false;
}

ProgramEnd run_program(const std::filesystem::path& folder, std::vector<std::string> words,
                       const std::string& if_missing, std::span<const char* const> hidden,
                       ProgramInput input) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw RunError(std::string("no pipe for a program: ") + std::strerror(errno));
  const FileHandle from(ends[0]);
  FileHandle to(ends[1]);
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::vector<char*> environment = environment_without(hidden);
  pid_t pid = -1;
  int error = 0;
  {
    const SpawnSettings settings(folder.string(), to.get(), input);
    error = posix_spawnp(&pid, pointers.front(), &settings.actions_, &settings.attributes_, pointers.data(),
                         environment.data());
  }
  to = FileHandle();  // so that reading ends with the program
  ProgramEnd end;
  if (error == 0) end.said = read_to_end(from.get());
  if (error == ENOENT) throw RunError(if_missing);
  if (error != 0) throw RunError(words.front() + " cannot be started: " + std::strerror(error));
  while (waitpid(pid, &end.status, 0) < 0 && errno == EINTR) {
  }
  return end;
}

std::string ending_of(int status) {
  if (WIFSIGNALED(status)) return std::string("was ended by a signal: ") + strsignal(WTERMSIG(status));
  return "failed with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace nowsim

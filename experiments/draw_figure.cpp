// Running gnuplot on a figure's script, without a shell, in a folder of its own until the pictures are whole.
#include "experiments/draw_figure.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "experiments/figure_script.hpp"
#include "sim/error.hpp"
#include "sim/text.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

/// A new folder inside another; removed with what is left in it.
class ScratchFolder {
 public:
  explicit ScratchFolder(const fs::path& parent) {
    std::string text = (parent / ".nowsim-XXXXXX").string();
    if (mkdtemp(text.data()) == nullptr)
      throw RunError("no file can be made in " + parent.string() + ": " + std::strerror(errno));
    path_ = text;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void move_into_place(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) throw RunError(to.string() + " cannot be written: " + error.message());
}

void write_file(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw RunError(file.string() + " cannot be written: " + std::strerror(errno));
}

/// How a program ended, and what it said.
struct ProgramEnd {
  int status = 0;  ///< as waitpid gives it
  std::string said;
};

/// The program's streams: nothing to read, both outputs into a pipe; and the signals' defaults.
class SpawnSettings {
 public:
  SpawnSettings(const std::string& folder, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
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

std::string read_to_end(int fd) {
  std::string out;
  char buffer[4096];
  for (;;) {
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got > 0) out.append(buffer, static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR) return out;
  }
}

/// Runs a program in a folder and waits for it. @throws RunError where it cannot be started.
ProgramEnd run_in(const fs::path& folder, std::vector<std::string> words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw RunError(std::string("no pipe for gnuplot: ") + std::strerror(errno));
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t pid = -1;
  int error = 0;
  {
    const SpawnSettings settings(folder.string(), ends[1]);
    error = posix_spawnp(&pid, pointers.front(), &settings.actions_, &settings.attributes_, pointers.data(), environ);
  }
  close(ends[1]);
  ProgramEnd end;
  if (error == 0) end.said = read_to_end(ends[0]);
  close(ends[0]);
  if (error == ENOENT)
    throw RunError("there is no gnuplot here to draw it with (on Debian: apt-get install gnuplot-nox)");
  if (error != 0) throw RunError(std::string("gnuplot cannot be started: ") + std::strerror(error));
  while (waitpid(pid, &end.status, 0) < 0 && errno == EINTR) {
  }
  return end;
}

/// What gnuplot said on one line, long texts cut short.
std::string gist_of(const std::string& said) {
  constexpr std::size_t kMost = 300;
  std::string out;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);)
    if (const auto part = trimmed(line); !part.empty() && part != "^")
      out += (out.empty() ? "" : " | ") + std::string(part);
  return out.size() > kMost ? out.substr(0, kMost) + "..." : out;
}

std::string ending_of(int status) {
  if (WIFSIGNALED(status)) return std::string("was ended by a signal: ") + strsignal(WTERMSIG(status));
  return "failed with status " + std::to_string(WEXITSTATUS(status));
}

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && fs::file_size(file, ignored) > 0;
}

/// Has gnuplot draw into the scratch folder.
void run_gnuplot(const fs::path& folder, const fs::path& scratch, const std::string& name) {
  const std::string prefix = scratch.filename().string();  // of harmless letters: mkdtemp's
  const ProgramEnd end =
      run_in(folder, {"gnuplot", "--default-settings", "-e", "folder='" + prefix + "/'", "./" + name + ".gp"});
  if (end.status != 0)
    throw RunError("gnuplot " + ending_of(end.status) + (end.said.empty() ? "" : ": " + gist_of(end.said)));
  for (const char* kind : {".svg", ".png"})
    if (!is_there(scratch / (name + kind)))
      throw RunError("gnuplot made no " + name + kind + (end.said.empty() ? "" : ": " + gist_of(end.said)));
}

}  // namespace

FigureFiles draw_figure(const Figure& figure, const Summary& summary, const fs::path& folder, const std::string& name) {
  if (name.empty() || name == "." || name == ".." || name.find_first_of(std::string("/\n\0", 3)) != std::string::npos)
    throw RunError(nowsim::quoted(name) + " cannot be a figure's file name");
  const std::string script = figure_script(figure, summary, name);
  const FigureFiles files{folder / (name + ".gp"), folder / (name + ".svg"), folder / (name + ".png")};
  const ScratchFolder scratch(folder);
  write_file(scratch.path() / "script", script);
  move_into_place(scratch.path() / "script", files.script);
  if (!is_there(folder / (name + ".csv")))
    throw RunError("the results " + (folder / (name + ".csv")).string() +
                   " are not there, so the figure cannot be drawn");
  try {
    run_gnuplot(folder, scratch.path(), name);
  } catch (const RunError& e) {
    throw RunError("the figure " + files.png.string() + " was not drawn: " + e.what() + "; its script " +
                   files.script.string() + " and its CSV are kept");
  }
  move_into_place(scratch.path() / (name + ".svg"), files.svg);
  move_into_place(scratch.path() / (name + ".png"), files.png);
  return files;
}

}  // namespace nowsim

// Starting the program with its streams in files, which cannot fill up and block it.
#include "tests/tools/program_fixture.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/sim/scenario_fixture.hpp"

namespace nowsim::test {
namespace {

std::string content(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

[[noreturn]] void become(std::vector<char*> words, const std::string& folder, const std::string& out, const std::string& error) {
  const int out_fd = open(out.c_str(), O_WRONLY | O_CREAT, 0600), error_fd = open(error.c_str(), O_WRONLY | O_CREAT, 0600);
  if (dup2(out_fd, STDOUT_FILENO) < 0 || dup2(error_fd, STDERR_FILENO) < 0) _exit(99);
  if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(99);
  execv(words.front(), words.data());
  _exit(99);
}

}  // namespace

ProgramRun run_program(const std::vector<std::string>& arguments, const std::string& folder) {
  const Folder scratch;
  const std::string out = scratch.path() + "/out", error = scratch.path() + "/error";
  std::vector<std::string> words{NOWSIM_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) become(pointers, folder, out, error);
  int status = 0;
  waitpid(pid, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(out), content(error)};
}

}  // namespace nowsim::test

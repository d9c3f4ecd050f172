// Tests of temporary folders: what a killed process has left goes, what a living one or somebody else has stays.
#include "experiments/driver/text/temporary_folder.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>
#include <set>

#include "experiments/driver/text/user_cache.hpp"
#include "sim/platform/worker_process.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

/// The name of a folder with something in it that a process has left among these, which was killed.
std::string left_by_kill(const std::string& among) {
  const std::set<std::string> before = names_in(among);
  (void)run_forked([&]() -> std::string {
    setenv("TMPDIR", among.c_str(), 1);
    const TemporaryFolder folder;
    fs::create_directories(folder.path() / "a/b");
    fs::create_symlink("/", folder.path() / "a/link");
    _exit(0);
  });
  for (const auto& name : names_in(among))
    if (!before.contains(name)) return name;
  return "";
}

}  // namespace

TEST_CASE("A temporary folder of a process that was killed goes, and what links in it lead to stays",
          "[computes][temporary]") {
  const Folder among;
  const std::string target = among.file("mine", "x");
  const std::string left = left_by_kill(among.path());
  REQUIRE_FALSE(left.empty());
  fs::create_symlink(target, fs::path(among.path()) / left / "link");
  fs::create_directory_symlink(among.path(), fs::path(among.path()) / left / "up");
  CHECK(left.starts_with("nowsim-on-" + host_name() + "-"));
  remove_dead_folders(among.path());
  CHECK(names_in(among.path()) == std::set<std::string>{"mine"});
  CHECK(content_of(target) == "x");
}

TEST_CASE("A temporary folder of a living process stays, and so does one that its child has", "[temporary]") {
  const Folder among;
  const std::string left = left_by_kill(among.path());
  const fs::path folder = fs::path(among.path()) / left;
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  REQUIRE(flock(fd, LOCK_EX | LOCK_NB) == 0);
  std::optional<WorkerProcess> child(std::in_place, [] {
    sleep(60);
    return std::string();
  });
  remove_dead_folders(among.path());
  CHECK(fs::exists(folder / "a/b"));
  close(fd);
  remove_dead_folders(among.path());
  CHECK(fs::exists(folder / "a/b"));  // the child has it
  child.reset();
  remove_dead_folders(among.path());
  CHECK_FALSE(fs::exists(folder));
}

TEST_CASE("Folders of other names, other machines and other kinds stay", "[temporary]") {
  const Folder among;
  const std::string ours = "nowsim-on-" + host_name() + "-";
  const std::set<std::string> others{
      "nowsim-abcdef", "nowsim-on-another-abcdef", ours + "2-abcdef", ours + "a_file", ours + "a_link", "mine"};
  for (const auto& name : others)
    if (name != ours + "a_file" && name != ours + "a_link") fs::create_directories(fs::path(among.path()) / name / "a");
  among.file(ours + "a_file", "x");
  fs::create_directory_symlink(fs::path(among.path()) / "mine", fs::path(among.path()) / (ours + "a_link"));
  remove_dead_folders(among.path());
  CHECK(names_in(among.path()) == others);
  CHECK(fs::exists(among.path() + "/mine/a"));
  if (geteuid() != 0) return;
  fs::create_directory(among.path() + "/" + ours + "theirs");
  REQUIRE(chown((among.path() + "/" + ours + "theirs").c_str(), 65534, 65534) == 0);
  remove_dead_folders(among.path());
  CHECK(fs::exists(among.path() + "/" + ours + "theirs"));
}

TEST_CASE("A temporary folder is removed with its object", "[temporary]") {
  const Folder among;
  const std::string said = in_child_process([&] {
    setenv("TMPDIR", among.path().c_str(), 1);
    const TemporaryFolder folder;
    return folder.path().string() + (fs::exists(folder.path()) ? "" : " is not there");
  });
  CHECK(said.starts_with(among.path() + "/nowsim-on-"));
  CHECK(said.find(' ') == said.npos);
  CHECK(names_in(among.path()).empty());
}

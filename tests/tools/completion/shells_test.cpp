// Completion as shells do it: bash, also at a terminal, zsh and fish, where they are here.
#include <catch2/catch.hpp>
#include <filesystem>
#include <numeric>
#include <set>
#include <sstream>

#include "experiments/driver/text/run_program.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/skips.hpp"

using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

/// A folder to stand in, from which the program is `nowsim`, with a file and a folder in it.
struct ShellFolder : Folder {
  ShellFolder() {
    file("mine.yaml", "nowsim: 1\n");
    file("mine too.xml", "<platform/>\n");
    file("mine.csv", "");
    file("my lab.yaml", "nowsim: 1\nowner: {model: duty-cycle, u: 20%}\n");
    file("evil.yaml", "nowsim: 1\ntitle: x;touch${IFS}'pwned'\n");
    file("taufile.txt", "");
    fs::create_directory(path() + "/more");
    fs::create_directory_symlink(fs::path(program_file()).parent_path(), path() + "/bin");
  }
  /// What a shell says of a script, where $1, $2, ... are these words.
  [[nodiscard]] std::string said(std::vector<std::string> shell, const std::string& script,
                                 const std::vector<std::string>& words = {}) const {
    const std::string whole =
        "export PATH=\"$PWD/bin:$PATH\" HOME=\"$PWD\" XDG_DATA_HOME=\"$PWD\" XDG_CONFIG_HOME=\"$PWD\" "
        "INPUTRC=/dev/null TERM=dumb\n";
    file("script", script);
    std::string command = whole + "exec";
    for (const std::string& word : shell) command += " " + word;
    std::vector<std::string> all{"sh", "-c", command + " \"$@\"", "sh"};
    all.insert(all.end(), words.begin(), words.end());
    return nowsim::run_program(path(), all, "there is no shell", {}).said;
  }
};

std::string script_of(const std::string& name) { return source_folder() + "/tools/completion/" + name; }

bool is_here(const std::string& shell) {
  if (nowsim::is_program(shell)) return true;
  skipped(shell, "there is no " + shell + " here (package " + shell + ")");
  return false;
}

std::string sorted_lines(const std::string& text) {
  std::istringstream in(text);
  std::set<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.insert(line + "\n");
  return std::accumulate(lines.begin(), lines.end(), std::string());
}

/// bash's candidates for words that it has cut already, in its order.
std::string by_bash(const ShellFolder& folder, const std::vector<std::string>& words) {
  return folder.said(
      {"bash", "--norc", "script"},
      "source '" + script_of("nowsim.bash") +
          "'\nCOMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _nowsim \"$1\"; printf '%s\\n' \"${COMPREPLY[@]}\"\n",
      words);
}

/// What is on a terminal's screen where these keys are typed.
std::string typed_into_bash(const ShellFolder& folder, const std::string& keys) {
  return folder.said({"sh", "script"}, "printf \"source '" + script_of("nowsim.bash") + "'\\n" + keys +
                                           "\\nexit\\n\" | script -qec 'bash --norc --noprofile -i' /dev/null\n");
}

}  // namespace

TEST_CASE("bash completes words, also where it cuts them at '=', and files with their ending",
          "[reads][completion][shell]") {
  const ShellFolder here;
  CHECK(by_bash(here, {"nowsim", "r"}) == "run\nreproduce\n");
  CHECK(by_bash(here, {"nowsim", "run", "x", "--set", "run.engine", "=", "d"}) == "direct\n");
  CHECK(by_bash(here, {"nowsim", "run", "x", "--set", "run.engine", "="}) == "auto\ndirect\nsimgrid\n");
  CHECK(by_bash(here, {"nowsim", "run", "x", "--engine", "=", "si"}) == "simgrid\n");
  CHECK(by_bash(here, {"nowsim", "run", "x", "--set", "'metrics=[tau, T_5"}) == "metrics=[tau, T_50\n");
  CHECK(by_bash(here, {"nowsim", "run", "mi"}) == "mine.yaml\n");
  CHECK(by_bash(here, {"nowsim", "plan", "mi"}) == "mine\\ too.xml\n");
  CHECK(by_bash(here, {"nowsim", "run", "x", "--set", "platform.file", "=", "mi"}) == "mine\\ too.xml\n");
  CHECK(by_bash(here, {"nowsim", "compare", "m"}) == "more/\n");
  CHECK(sorted_lines(by_bash(here, {"nowsim", "trace", "fit", "mine."})) == "mine.csv\nmine.yaml\n");
  CHECK(by_bash(here, {"~/bin/nowsim", "r"}) == "run\nreproduce\n");
}

TEST_CASE("bash reads what is quoted, and quotes whatever a file says", "[completion][shell]") {
  const ShellFolder here;
  CHECK(by_bash(here, {"nowsim", "plan", "mine\\ t"}) == "mine\\ too.xml\n");
  CHECK(by_bash(here, {"nowsim", "plan", "'mine t"}) == "mine too.xml\n");
  const std::string keys = by_bash(here, {"nowsim", "run", "my\\ lab.yaml", "--set", "owner."});
  CHECK_THAT(keys, Contains("owner.period=\n") && !Contains("owner.TH="));  // of its own model
  const std::vector<std::string> title{"nowsim", "run", "evil.yaml", "--set"};
  const auto titles = [&](std::vector<std::string> more) {
    more.insert(more.begin(), title.begin(), title.end());
    return by_bash(here, more);
  };
  CHECK(titles({"title", "="}) == "x\\;touch\\$\\{IFS\\}\\'pwned\\'\n");
  CHECK(titles({"'title="}) == "\n");
  CHECK(titles({"\"title="}) == "\n");
}

TEST_CASE("bash completes at a terminal, and what it has completed runs", "[completion][shell]") {
  if (!is_here("script")) return;
  const ShellFolder here;
  CHECK_THAT(typed_into_bash(here, "nowsim list var\\t"), Contains("antithetic"));
  CHECK_THAT(typed_into_bash(here, "nowsim check huang-lee-2007/fig05 --set run.eng\\tdir\\t --set run.repl\\t300"),
             Contains("no problems found"));
  CHECK_THAT(typed_into_bash(here, "nowsim li\\two\\t"), Contains("base-task"));
}

TEST_CASE("fish completes, with a line about each word", "[completion][shell]") {
  if (!is_here("fish")) return;
  const ShellFolder here;
  const auto by_fish = [&](const std::string& line) {
    return here.said({"fish", "--no-config", "script"},
                     "source '" + script_of("nowsim.fish") + "'\ncomplete -C '" + line + "'\n");
  };
  CHECK_THAT(by_fish("nowsim r"),
             Contains("run\trun an experiment and print its estimates\n") && Contains("reproduce\t"));
  CHECK(by_fish("nowsim run x --set run.engine=d") == "run.engine=direct\n");
  CHECK(by_fish("nowsim run mi") == "mine.yaml\n");
  CHECK(by_fish("nowsim run x --set platform.file=mi") == "platform.file=mine too.xml\n");
  CHECK_THAT(by_fish("nowsim compare mo"), Catch::StartsWith("more/"));
  CHECK(by_fish("nowsim run ~/mi") == "~/mine.yaml\n");
  CHECK(by_fish("~/bin/nowsim list var") == by_fish("nowsim list var"));
}

TEST_CASE("zsh completes what is typed at its terminal", "[completion][shell]") {
  if (!is_here("zsh")) return;
  const ShellFolder here;
  // A zsh in a terminal of another one's: keys go in, and the line is read when it has been completed and run.
  const auto by_zsh = [&](const std::string& keys) {
    return here.said(
        {"timeout", "60", "zsh", "-f", "script"},
        "zmodload zsh/zpty\nzpty z zsh -f -i\n"
        "zpty -w z \"PROMPT=; unsetopt zle_bracketed_paste; fpath=('" +
            fs::path(script_of("_nowsim")).parent_path().string() +
            "' \\$fpath); autoload -U compinit; compinit -u -D; bindkey '^I' complete-word; echo rea''dy\"\n"
            "while zpty -r z line; do [[ $line == *ready* ]] && break; done\n"
            "zpty -w -n z $'" +
            keys +
            "\\n'\nzpty -w z \"echo; echo do''ne\"\n"
            "while zpty -r z line; do print -r -- \"$line\"; [[ $line == *done* ]] && break; done\n");
  };
  CHECK_THAT(by_zsh("nowsim list var\\t"), Contains("antithetic"));
  CHECK_THAT(by_zsh("nowsim check huang-lee-2007/fig05 --set run.engine=dir\\t"), Contains("no problems found"));
  CHECK_THAT(by_zsh("nowsim check mi\\t"), Contains("mine.yaml:"));
  CHECK_THAT(by_zsh("~/bin/nowsim list var\\t"), Contains("antithetic"));
  // A list that may go on is no file's name.
  CHECK_THAT(by_zsh("nowsim contrast huang-lee-2007/fig05 owner.TH --metric tauf\\t"), Contains("no metric 'tauf'"));
}

// `nowsim new`: what it writes is right, says what each key is, overwrites nothing; copies of shipped experiments run.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>

#include "experiments/driver/points/key_reference.hpp"
#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"
#include "tools/line/command_line.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

struct NewFolder : Folder {
  [[nodiscard]] ProgramRun make(std::vector<std::string> words) const {
    words.insert(words.begin(), "new");
    return run_program(words, path());
  }
  [[nodiscard]] std::string content(const std::string& name) const { return content_of(path() + "/" + name); }
  [[nodiscard]] bool has(const std::string& name) const { return fs::exists(path() + "/" + name); }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::recursive_directory_iterator(path()), fs::recursive_directory_iterator()));
  }
};

/// The text with the '#' before a key taken away.
std::string with_key(std::string text, const std::string& key, const std::string& value) {
  const std::string behind = "\n  # " + key + ":";
  const auto at = text.find(behind);
  REQUIRE(at != std::string::npos);
  const auto end = text.find('\n', at + 1);
  return text.replace(at, end - at, "\n  " + key + ": " + value);
}

}  // namespace

TEST_CASE("A new experiment is found right, runs, and its machines are shown", "[computes][cli][new]") {
  const NewFolder folder;
  const ProgramRun made = folder.make({"mine"});
  INFO(made.error);
  CHECK(made.status == 0);
  CHECK_THAT(made.out, Contains("mine.yaml") && Contains("mine.xml") && Contains("nowsim check mine.yaml"));
  CHECK(folder.files() == 2);
  const std::string draws = "nowsim reproduce drawn.yaml  # draws its figure";
  CHECK_THAT(made.out, !Contains("nowsim reproduce"));
  const NewFolder other;
  CHECK_THAT(other.make({"drawn", "--from", "labs/lab-night"}).out, Contains(draws));
  const ProgramRun check = run_program({"check", "mine.yaml"}, folder.path());
  INFO(check.error);
  CHECK(check.status == 0);
  CHECK(check.error.empty());
  CHECK_THAT(check.out, Contains("no problems found") && Contains("over split.policy, owner.TH"));
  const ProgramRun run = run_program({"run", "mine.yaml", "-r", "50", "-f", "csv"}, folder.path());
  CHECK(run.status == 0);
  CHECK(std::count(run.out.begin(), run.out.end(), '\n') == 9);
  CHECK(run_program({"platform", "show", "mine.xml"}, folder.path()).status == 0);
  CHECK(run_program({"plan", "mine.xml", "--work", "100Gf", "-r", "50"}, folder.path()).status == 0);
}

TEST_CASE("A new experiment names all keys of its blocks, with what the tables say of them", "[cli][new]") {
  const NewFolder folder;
  REQUIRE(folder.make({"mine"}).status == 0);
  const std::string text = folder.content("mine.yaml");
  std::string words;  // without line breaks and the marks of comments
  std::istringstream in(text);
  for (std::string word; in >> word;)
    if (word != "#") words += word + " ";
  const Registries registries = registries_with({});
  for (const auto& block : key_blocks(registries)) {
    if (block.name != "platform" && block.name != "run" && block.name != "experiment") continue;
    for (const auto& key : block.sections.front().keys) {
      INFO(block.name << '.' << key.name);
      CHECK_THAT(words, Contains(key.name + ": ") && Contains(key.help.substr(0, 40)));
    }
  }
  for (const char* key : {"barrier_cost: 0s", "interval: 30s", "TH: 0.3", "correlation: 0"}) CHECK_THAT(words, Contains(key));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 110);
}

TEST_CASE("Keys that a new experiment has behind a '#' can be brought in", "[cli][new]") {
  const NewFolder folder;
  REQUIRE(folder.make({"mine"}).status == 0);
  const std::string text = folder.content("mine.yaml");
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"workstations", "2"}, {"hosts", "[ws3, ws4]"}, {"bytes", "1MB"}, {"barrier_cost", "1s"}, {"SH", "0"},
           {"precision", "1%"}, {"engine", "direct"}, {"failures.rate", "0"}}) {
    folder.file("mine.yaml", with_key(text, key, value));
    const ProgramRun check = run_program({"check", "mine.yaml", "--set", "owner.TH=0.2"}, folder.path());
    INFO(key << check.error);
    CHECK(check.status == 0);
  }
}

TEST_CASE("Nothing that is there is overwritten, and then nothing is written at all", "[cli][new][error]") {
  const NewFolder folder;
  folder.file("a.yaml", "mine");
  folder.file("b.xml", "mine");
  for (const char* name : {"a", "a.yaml", "b", "./b"})
    CHECK_THAT(folder.make({name}).error, Contains("is there already, and is left as it is"));
  fs::create_symlink("nowhere", folder.path() + "/c.yaml");
  CHECK(folder.make({"c"}).status == 2);
  CHECK(folder.make({"a", "--from", "labs/network"}).status == 2);
  CHECK(folder.content("a.yaml") == "mine");
  CHECK(folder.content("b.xml") == "mine");
  CHECK(folder.files() == 3);
  CHECK(folder.make({"b", "--from", "labs/network"}).status == 0);  // which writes no b.xml
  CHECK(folder.content("b.xml") == "mine");
}

TEST_CASE("Names may be paths and have blanks; what is no name for a file is refused", "[cli][new][error]") {
  const NewFolder folder;
  fs::create_directory(folder.path() + "/sub");
  for (const char* name : {"sub/mine", "my: lab #1", "dots.in.it", "mine too.yaml", "Müller's \"lab\""}) {
    const ProgramRun made = folder.make({name});
    INFO(name << made.error);
    CHECK(made.status == 0);
    const std::string file = (fs::path(folder.path()) / name).string() + (std::string(name).ends_with(".yaml") ? "" : ".yaml");
    CHECK(run_program({"check", file}).status == 0);
  }
  const std::size_t files = folder.files();
  for (const char* name : {"", ".", "..", "sub/", ".yaml", "sub/..", "a\nb", "sub"}) {
    const ProgramRun made = folder.make({name});
    INFO(name << made.error);
    CHECK(made.status == (std::string(name) == "sub" ? 0 : 2));  // sub.yaml, beside the folder
  }
  CHECK(folder.files() == files + 2);
}

TEST_CASE("A copy keeps comments, is found right where it is, and answers as the original", "[cli][new][shipped]") {
  const NewFolder folder;
  const ProgramRun made = folder.make({"night", "--from", "labs/lab-night"});
  CHECK(made.status == 0);
  CHECK_THAT(made.out, Contains("it uses lab-now"));
  CHECK_THAT(folder.content("night.yaml"), Contains("platform: {file: lab-now}"));
  const ProgramRun copied = run_program({"run", "night.yaml", "-r", "20", "-f", "csv"}, folder.path()),
                   original = run_program({"run", "labs/lab-night", "-r", "20", "-f", "csv"});
  CHECK(copied.status == 0);
  CHECK(without_progress(copied.error).empty());
  CHECK(copied.out == original.out);

  CHECK(folder.make({"plain", "--from", "huang-lee-2007/fig05"}).status == 0);
  CHECK(folder.content("plain.yaml") == content_of(source_folder() + "/experiments/huang-lee-2007/fig05.yaml"));
}

TEST_CASE("Every shipped experiment can be copied, with its comments, and names the same files", "[cli][new][shipped]") {
  const NewFolder folder;
  const std::string experiments = source_folder() + "/experiments/";
  std::istringstream list(run_program({"list", "experiments"}).out);
  std::size_t count = 0;
  for (std::string line; std::getline(list, line); ++count) {
    const std::string name = line.substr(0, line.find(' ')), copy = "copy" + std::to_string(count);
    const ProgramRun made = folder.make({copy, "--from", name});
    INFO(name << made.error);
    REQUIRE(made.status == 0);
    const std::string original = content_of(experiments + name + ".yaml"), text = folder.content(copy + ".yaml");
    CHECK(std::count(text.begin(), text.end(), '#') == std::count(original.begin(), original.end(), '#'));
    CHECK_THAT(text, !Contains("../"));
  }
  CHECK(count > 60);
}

TEST_CASE("A copy of one's own experiment finds its files from another folder", "[cli][new]") {
  const NewFolder folder;
  fs::create_directories(folder.path() + "/data");
  fs::create_directories(folder.path() + "/sub");
  for (const char* name : {"data/load.csv", "data/more.csv"}) folder.file(name, "time,load\n0,0.5\n10,0\n20,0.5\n");
  folder.file("e.yaml",
              "nowsim: 1\nplatform: {workstations: 2}\njob: {workload: base-task, work: 10f}\n"
              "owner:   # measured\n  model: trace\n  file: data/load.csv   # by us\n  column: load\n  measures: utilisation\n"
              "run: {replications: 5}\nsweep: {owner.file: [data/load.csv, ./data/more.csv]}\n");
  const ProgramRun made = folder.make({"sub/copy", "--from", "e.yaml"});
  INFO(made.error);
  REQUIRE(made.status == 0);
  CHECK_THAT(folder.content("sub/copy.yaml"), Contains("# by us") && Contains("# measured"));
  const ProgramRun copied = run_program({"run", "sub/copy.yaml", "-f", "csv"}, folder.path());
  INFO(copied.error);
  CHECK(copied.status == 0);
}

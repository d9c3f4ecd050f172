// The manual's examples of reading loads: what the pages of monitors and traces show is typed, with the files that are
// called so in the tests.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "experiments/driver/reading/load_formats.hpp"
#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"
#include "tools/shipped/manual.hpp"

using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

std::string page(const std::string& file) {
  for (const auto& page : nowsim::manual_pages())
    if (page.file == "experiments/driver/studies/" + file) return std::string(page.text);
  return "";
}

std::string files_of_monitors() { return source_folder() + "/tests/experiments/driver/reading/monitors"; }

/// The words of a command line, without quotation marks.
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line.substr(0, line.find("  #")));
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    std::erase(word, '\'');
    words.push_back(word);
  }
  return words;
}

/// Typed in a folder of its own, in which the tests' files are.
ProgramRun typed(const std::string& line) {
  const Folder folder;
  for (const auto& file : fs::directory_iterator(files_of_monitors()))
    fs::copy(file.path(), fs::path(folder.path()) / file.path().filename());
  auto words = words_of(line);
  words.erase(words.begin());
  return run_program(words, folder.path());
}

}  // namespace

TEST_CASE("Each row of the page of monitors has a file, which is read as it says", "[reads][cli][trace][manual][monitors]") {
  std::istringstream lines(page("monitors.md"));
  const std::regex row(R"(\| `([a-z-]+)` \|.*\| `(nowsim trace convert ([^ `]+)[^`]*)` \|.*)");
  std::set<std::string> shown;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, row)) continue;
    INFO(found[2]);
    shown.insert(found[1]);
    const ProgramRun run = typed(found[2]);
    CHECK(run.status == 0);
    CHECK_THAT(run.error, Catch::StartsWith("assumed: this is " + found[1].str() + " ("));
  }
  for (const auto& format : nowsim::load_formats()) {
    INFO(format.name);
    CHECK(shown.contains(format.name));
  }
}

TEST_CASE("Commands that the pages of monitors and traces show can be typed", "[cli][trace][manual][monitors]") {
  std::size_t typed_lines = 0;
  for (const char* file : {"monitors.md", "traces.md"}) {
    std::istringstream lines(page(file));
    for (std::string line; std::getline(lines, line);) {
      const std::regex shown(R"(    (?:\$ )?(nowsim trace (?:convert|fit) ([^ *{]+) .*))");
      std::smatch found;
      if (!std::regex_match(line, found, shown) || !fs::exists(fs::path(files_of_monitors()) / found[2].str())) continue;
      INFO(line);
      const ProgramRun run = typed(found[1]);
      INFO(run.error);
      CHECK(run.status == 0);
      ++typed_lines;
    }
  }
  CHECK(typed_lines >= 4);
}

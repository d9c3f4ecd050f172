// The manual: every folder has its page, pages are short, their links lead somewhere, and what they name is there.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"
#include "tools/help/look_up.hpp"
#include "tools/line/command_line.hpp"
#include "tools/shipped/manual.hpp"

using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

constexpr int kMostLines = 150;

/// A page without its blocks of code.
std::string prose(const std::string& page) {
  std::istringstream in(page);
  std::string text;
  bool fenced = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```"))
      fenced = !fenced;
    else if (!fenced && !line.starts_with("    "))
      text += line + '\n';
  }
  return text;
}

/// All that one group of a pattern matches.
std::set<std::string> found(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> words;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
    words.insert((*match)[1]);
  return words;
}

/// Links of a page, pictures among them, that lead to no file of the sources.
std::set<std::string> broken_links(const std::string& file, const std::string& page) {
  std::set<std::string> broken = found(prose(page), R"(\]\(([^)\s#]*)[^)]*\))");
  const fs::path folder = fs::path(source_folder()) / fs::path(file).parent_path();
  std::erase_if(broken,
                [&](const std::string& link) { return link.starts_with("https://") || fs::exists(folder / link); });
  return broken;
}

/// Sources that a page names, in backquotes, with or without their folder, and that are not among these files.
std::set<std::string> missing_sources(const std::string& page, const std::set<std::string>& files) {
  std::set<std::string> named = found(page, R"(`([a-z0-9_/]+\.[hc]pp)`)");
  std::erase_if(named, [&](const std::string& name) {
    return std::ranges::any_of(files, [&](const std::string& file) { return file.ends_with("/" + name); });
  });
  return named;
}

/// All files of the sources, "/sim/base/text.hpp".
std::set<std::string> source_files() {
  std::set<std::string> files;
  for (const char* folder : {"sim", "workloads", "experiments", "tools", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(source_folder()) / folder))
      files.insert("/" + entry.path().lexically_relative(source_folder()).string());
  return files;
}

/// The words behind `nowsim` where a page shows a command line.
std::set<std::string> commands_in(const std::string& page) {
  std::set<std::string> words = found(page, "`nowsim ([a-z]+)[ `]");
  words.merge(found(page, "\n    (?:\\$ )?nowsim ([a-z]+)"));
  return words;
}

}  // namespace

TEST_CASE("No page of the manual has more than 150 lines", "[computes][manual]") {
  CHECK(nowsim::manual_pages().size() > 40);
  for (const auto& page : nowsim::manual_pages()) {
    INFO(page.file);
    CHECK(std::ranges::count(page.text, '\n') <= kMostLines);
    CHECK(page.text.starts_with("# "));
  }
}

TEST_CASE("Links of all pages lead to files of the sources", "[manual]") {
  for (const auto& page : nowsim::manual_pages())
    for (const std::string& link : broken_links(std::string(page.file), std::string(page.text)))
      FAIL_CHECK(page.file << ": " << link);
}

TEST_CASE("Sources that pages name are there", "[manual]") {
  const std::set<std::string> files = source_files();
  for (const auto& page : nowsim::manual_pages())
    for (const std::string& name : missing_sources(std::string(page.text), files))
      FAIL_CHECK(page.file << ": " << name);
}

TEST_CASE("Commands and pages that the manual names are there", "[manual]") {
  std::set<std::string> commands, topics, names;
  for (const auto& page : nowsim::manual_pages()) {
    commands.merge(commands_in(std::string(page.text)));
    topics.merge(found(std::string(page.text), "nowsim help ([a-z-]+)`"));
  }
  for (const auto& topic : nowsim::help_topics(nowsim::manual_pages()))
    names.insert(topic.names.begin(), topic.names.end());
  for (const std::string& name : nowsim::names_to_look_up(nowsim::registries_with({}))) names.insert(name);
  const std::string all = run_program({"help"}).out, overview = all.substr(0, all.find("pages:"));
  const auto is_command = [&](const std::string& word) { return overview.find("\n  " + word + " ") != overview.npos; };
  CHECK(commands.size() > 10);
  for (const std::string& word : commands) {
    INFO(word);
    CHECK(is_command(word));
  }
  for (const std::string& word : topics) {
    INFO(word);
    CHECK((names.contains(word) || is_command(word)));
  }
}

TEST_CASE("Every folder of sources, experiments or platforms has a page", "[manual]") {
  std::set<fs::path> folders;
  for (const char* floor : {"sim", "workloads", "experiments", "platforms", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(source_folder()) / floor)) {
      const std::string ending = entry.path().extension().string();
      if (ending == ".cpp" || ending == ".yaml" || ending == ".xml") folders.insert(entry.path().parent_path());
    }
  CHECK(folders.size() > 30);
  for (const fs::path& folder : folders) {
    INFO(folder);
    CHECK((fs::exists(folder / "README.md") || fs::exists(folder / "teacher.md")));  // the page of a lab
  }
}

TEST_CASE("A link to nowhere, a file that is gone and a command that is none are found", "[manual]") {
  using Found = std::set<std::string>;
  CHECK(broken_links("sim/README.md",
                     "See [base](base/README.md#files), [x](https://x.y) and ![y](../pictures/no.svg).") ==
        Found{"../pictures/no.svg"});
  CHECK(broken_links("README.md", "    code [x](none)\n\n```\nmore [x](none)\n```\n[x](none)\n") == Found{"none"});
  CHECK(missing_sources("| `text.hpp`, `base/text.cpp` | `figure_*.cpp`, `ext.hpp`",
                        {"/sim/base/text.hpp", "/sim/base/text.cpp"}) == Found{"ext.hpp"});
  CHECK(commands_in("nowsim knows `nowsim run x`, `nowsim list`.\n\n    $ nowsim dance\n    nowsim sweep x") ==
        Found{"dance", "list", "run", "sweep"});
}

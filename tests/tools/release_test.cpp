// The version: from one place, and what repeats it agrees; each version of the model has its row in the changelog.
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "sim/program/scenario.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using test::content_of;
using test::source_folder;
namespace fs = std::filesystem;

namespace {

std::string file_of_tools(const std::string& name) { return source_folder() + "/tools/" + name; }

/// A changelog's first heading: which version, and which day, or "" where it is not released.
struct Heading {
  std::string version, day;
};
Heading first_heading(const std::string& changelog) {
  std::smatch found;
  const std::regex pattern(R"(\n## ([0-9.]+) \((not released yet|\d{4}-\d\d-\d\d)\)\n)");
  if (!std::regex_search(changelog, found, pattern)) return {};
  return {found[1], found[2] == "not released yet" ? "" : found[2].str()};
}

/// The numbers of the rows `| N | ... |`.
std::set<std::string> numbered_rows(const std::string& page) {
  const std::regex row(R"(\n\| (\d+) \|)");
  std::set<std::string> numbers;
  for (std::sregex_iterator at(page.begin(), page.end(), row), end; at != end; ++at) numbers.insert((*at)[1]);
  return numbers;
}

/// The lines of a source that have these words within quotes, and not in a comment alone.
std::vector<std::string> lines_with(const std::string& words, const std::string& source) {
  std::vector<std::string> found;
  std::istringstream in(source);
  for (std::string line; std::getline(in, line);) {
    const std::string code = line.substr(0, line.find("//"));
    const auto at = code.find(words);
    if (at != code.npos && code.find('"') < at && code.find('"', at) != code.npos) found.push_back(line);
  }
  return found;
}

}  // namespace

TEST_CASE("The program, CMakeLists.txt, the changelog and the citation say one version", "[computes][release]") {
  const std::string cmake = content_of(source_folder() + "/CMakeLists.txt");
  CHECK(cmake.find("project(nowsim VERSION " + std::string(version()) + " ") != cmake.npos);
  const Heading heading = first_heading(content_of(file_of_tools("CHANGELOG.md")));
  CHECK(heading.version == version());
  const YamlNode citation = read_yaml(file_of_tools("CITATION.cff"));
  REQUIRE(citation.find("version") != nullptr);
  CHECK(citation.find("version")->text == version());
  const YamlNode* day = citation.find("date-released");
  CHECK((day == nullptr ? "" : day->text) == heading.day);  // what is not released has no day
}

TEST_CASE("The citation is one of CFF 1.2.0", "[release]") {
  const YamlNode citation = read_yaml(file_of_tools("CITATION.cff"));
  for (const char* key : {"cff-version", "message", "title", "abstract"}) {
    INFO(key);
    REQUIRE(citation.find(key) != nullptr);
    CHECK_FALSE(citation.find(key)->text.empty());
  }
  CHECK(citation.find("cff-version")->text == "1.2.0");
  CHECK(citation.find("type")->text == "software");
  REQUIRE(citation.find("authors")->items.size() == 1);
  CHECK(citation.find("authors")->items[0].find("name")->text == "The nowsim developers");
  CHECK(citation.find("keywords")->items.size() > 3);
}

TEST_CASE("Each version of the model has its row in the changelog", "[release]") {
  std::set<std::string> wanted;
  for (int v = 1; v <= kModelVersion; ++v) wanted.insert(std::to_string(v));
  CHECK(numbered_rows(content_of(file_of_tools("CHANGELOG.md"))) == wanted);
}

TEST_CASE("No source repeats the version, which a release would forget", "[release]") {
  int looked_at = 0;
  for (const char* folder : {"sim", "workloads", "experiments", "tools", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(source_folder()) / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".hpp" && ending != ".py" && ending != ".cmake") continue;
      ++looked_at;
      INFO(entry.path().string());
      for (const std::string& line : lines_with(version(), content_of(entry.path().string()))) FAIL_CHECK(line);
    }
  CHECK(looked_at > 500);
}

TEST_CASE("A heading is read, released or not", "[release]") {  // of a version that will never come
  CHECK(first_heading("# What\n\n## 99.98.97 (2027-01-31)\n\n## 0.0.9 (2026-12-24)\n").day == "2027-01-31");
  CHECK(first_heading("# What\n\n## 99.98.97 (not released yet)\n").version == "99.98.97");
  CHECK(first_heading("# What\n\n## 99.98.97\n").version.empty());
  CHECK(lines_with("99.98.97", "// \"99.98.97\"\nx = \"nowsim 99.98.97\";\ny = 99.98.97\n").size() == 1);
}

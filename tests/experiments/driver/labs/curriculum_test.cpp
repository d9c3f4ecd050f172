// The map of topics says what the labs' descriptions say.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/driver/labs/lab.hpp"
#include "sim/base/text.hpp"
#include "tests/paths.hpp"

using namespace nowsim;
namespace fs = std::filesystem;

namespace {

constexpr const char* kAreas[] = {"Architecture", "Programming", "Algorithms", "Cross-cutting"};

std::vector<std::string> parts_of(const std::string& text, const std::string& between) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t at = text.find(between); at != text.npos; at = text.find(between, from)) {
    parts.emplace_back(trimmed(text.substr(from, at - from)));
    from = at + between.size();
  }
  parts.emplace_back(trimmed(text.substr(from)));
  return parts;
}

/// "Area: topic" of a row of the map.
std::set<std::string> topics_of_row(const std::string& row) {
  std::set<std::string> topics;
  const auto cells = parts_of(row, "|");
  for (std::size_t area = 0; area < std::size(kAreas); ++area)
    for (std::string topic : parts_of(cells.at(area + 2), ", ")) {
      std::erase(topic, '*');
      if (!topic.empty()) topics.insert(std::string(kAreas[area]) + ": " + topic);
    }
  return topics;
}

}  // namespace

TEST_CASE("curriculum: the map has each lab's topics", "[reads][labs]") {
  const fs::path labs = fs::path(test::source_folder()) / "experiments" / "labs";
  std::ifstream page(labs / "curriculum.md");
  std::set<std::string> mapped;
  for (std::string row; std::getline(page, row);) {
    if (!row.starts_with("| [")) continue;
    const std::string name = row.substr(3, row.find(']') - 3);
    INFO(name);
    mapped.insert(name);
    const Lab lab = read_lab((labs / name).string());
    CHECK(std::set<std::string>(lab.topics.begin(), lab.topics.end()) == topics_of_row(row));
  }
  for (const auto& entry : fs::directory_iterator(labs))
    if (fs::exists(entry.path() / kLabFile)) CHECK(mapped.contains(entry.path().filename().string()));
}

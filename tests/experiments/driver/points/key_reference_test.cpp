// The reference of keys: complete, readable, and the same in the READMEs.
#include "experiments/driver/points/key_reference.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "tests/experiments/driver/reading_fixture.hpp"
#include "tests/paths.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

/// What stands between a page's marks of a block; fails where the second one is missing.
std::string between_marks(const std::string& page, std::size_t mark) {
  const auto begin = page.find('\n', mark) + 1, end = page.find("<!-- end of keys -->", begin);
  REQUIRE(end != std::string::npos);
  return page.substr(begin, end - begin);
}

}  // namespace

TEST_CASE("READMEs hold the keys' tables as the program has them", "[reads][keys]") {
  const auto blocks = key_blocks(Registries({}, builtin_checks(), builtin_figures()));
  const std::string mark = "<!-- keys: ";
  std::size_t tables = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source_folder() + "/experiments/driver")) {
    if (entry.path().extension() != ".md") continue;
    const std::string page = text_of(entry.path());
    for (auto at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) {
      const auto name = page.substr(at + mark.size(), page.find(' ', at + mark.size()) - at - mark.size());
      INFO(entry.path().string() + ": " + name);
      const auto block = std::ranges::find(blocks, name, &KeyBlock::name);
      REQUIRE(block != blocks.end());
      CHECK(between_marks(page, at) == key_reference_markdown(*block));
      ++tables;
    }
  }
  CHECK(tables >= 5);
}

TEST_CASE("Every key has a name of its own, a line of help, and a default that can be read", "[keys]") {
  ReadingOf empty("a: {}");
  for (const auto& block : key_blocks(Registries({}, builtin_checks(), builtin_figures())))
    for (const auto& section : block.sections) {
      std::set<std::pair<std::string, KeyType>> names;  // of two techniques it may stand for values of two types
      for (const auto& key : section.keys) {
        INFO(block.name + "." + key.name);
        CHECK(names.emplace(key.name, key.type).second);
        CHECK(!key.help.empty());
        CHECK(key.help.size() <= 100);
        CHECK((key.type == KeyType::word) == !key.words.empty());
        if (key.type == KeyType::word && !key.fallback.value_or("").empty())
          CHECK(std::ranges::count(key.words, *key.fallback) == 1);
        if (key.type <= KeyType::bandwidth && !key.is_list && !key.fallback.value_or("").empty())
          CHECK_NOTHROW(Reader(empty.reading, {"a"}, section.keys).value(key.name));
      }
    }
}

TEST_CASE("A reference for a terminal has a line per key", "[keys]") {
  std::ostringstream out;
  const KeyBlock block{"b", "a block",
                       {{"", {{"seed", KeyType::count, "1", "of all"},
                              {"u", KeyType::share, kMustBeGiven, "a part", {0, 1}},
                              {"law", KeyType::word, "x", "which", {}, {"x", "y"}},
                              {"times", KeyType::time, "", "when", kPositive, {}, true, "z"}}}}};
  write_key_reference(block, out);
  CHECK(out.str() ==
        "b: a block\n"
        "  seed   count             1       of all\n"
        "  u      share 0 to 1      needed  a part\n"
        "  law    word              x       which; one of: x, y\n"
        "  times  list of time > 0          when (z)\n");
  CHECK(key_reference_markdown(block).starts_with(
      "| key | what stands there | without it | what it is |\n|---|---|---|---|\n| `seed` | count | `1` | of all |\n"
      "| `u` | share 0 to 1 | needed | a part |\n"));
}

TEST_CASE("Kinds of figures name rows of the tables", "[keys][figure]") {
  const FigureKinds kinds = builtin_figures();
  const auto keys = words_in(figure_keys(kinds)), of_panels = words_in(panel_keys(kinds)), names = words_in(kinds);
  for (const auto& kind : kinds) {
    for (const auto& key : keys_of(kind)) CHECK(std::ranges::count(keys, key) == 1);
    for (const auto& key : panel_keys_of(kind)) CHECK(std::ranges::count(of_panels, key) == 1);
    for (const auto& other : {kind.without_series, kind.over_one_axis})
      CHECK((other.empty() || std::ranges::count(names, other) == 1));
  }
}

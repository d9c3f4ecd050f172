// A YAML text changed entry by entry: what it is read as, and which of its bytes stay.
#include "experiments/driver/reading/yaml_edit.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/driver/reading/settings.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// With keys set, as flags do; "" where that cannot be.
std::string text_with(const std::string& text, const std::vector<std::string>& overrides) {
  YamlNode wanted = parse_yaml(text, "x.yaml");
  for (const std::string& override : overrides) apply_override(wanted, parse_override(override));
  return rewritten_yaml(text, wanted, "x.yaml").value_or("");
}

std::string text_without(const std::string& text, const std::string& key) {
  YamlNode wanted = parse_yaml(text, "x.yaml");
  yaml_erase(wanted, key);
  return rewritten_yaml(text, wanted, "x.yaml").value_or("");
}

}  // namespace

TEST_CASE("A value is changed in its line, and comments stay", "[reads][yaml]") {
  CHECK(text_with("a: 1  # one\nb: 2\n", {"a=3"}) == "a: 3  # one\nb: 2\n");
  CHECK(text_with("# head\na: {x: 1, y: [1, 2]}  # maps\n\nb: 2\n# end\n", {"a.x=5"}) ==
        "# head\na: {x: 5, y: [1, 2]}  # maps\n\nb: 2\n# end\n");
  CHECK(text_with("a: \"q # no\" # c\n", {"a=1"}) == "a: 1 # c\n");
  CHECK(text_with("a: it's  # c\nb: 1\n", {"a=x"}) == "a: x  # c\nb: 1\n");
  CHECK(text_with("a: ['x # y', \"z # w\"]  # c\n", {"a=[1]"}) == "a: [1]  # c\n");
  CHECK(text_with("a:\n  # of b\n  b: 1\n  # of c\n  c: 2  # two\nd: 4\n", {"a.c=3", "d=5"}) ==
        "a:\n  # of b\n  b: 1\n  # of c\n  c: 3  # two\nd: 5\n");
  CHECK(text_with("a: 1\r\nb: 2\r\n", {"b=3"}) == "a: 1\r\nb: 3\r\n");
  CHECK(text_with("\xEF\xBB\xBF"
                  "a: 1\n",
                  {"a=2"}) ==
        "\xEF\xBB\xBF"
        "a: 2\n");
  CHECK(text_with("a: 1", {"a=2"}) == "a: 2");
}

TEST_CASE("Values of several lines go as a whole, and new entries stand behind the others", "[yaml]") {
  CHECK(text_with("a: |\n  one\n  two\n\n# of b\nb: 1\n", {"a=3"}) == "a: 3\n\n# of b\nb: 1\n");
  CHECK(text_with("a:\n  - 1\n  - 2\nb: 1\n", {"a=[3]"}) == "a: [3]\nb: 1\n");
  CHECK(text_with("a: 1\n# end\n", {"b=2"}) == "a: 1\nb: 2\n# end\n");
  CHECK(text_with("a: 1", {"b.c=2"}) == "a: 1\nb: {c: 2}\n");
  CHECK(text_with("a:\n  b: 1\n\nc: 2\n", {"a.d=3"}) == "a:\n  b: 1\n  d: 3\n\nc: 2\n");
  CHECK(text_without("a: 1\nb:\n  c: 2\n  d: 3\n\ne: 4\n", "b") == "a: 1\n\ne: 4\n");
}

TEST_CASE("Texts of documents that lines do not explain are left alone", "[yaml]") {
  CHECK(text_with("a: &x {b: 1}\nc: *x\n", {"a.b=2"}).empty());
  CHECK(text_with("{a: 1}\n", {"a=2"}).empty());
  CHECK(text_with("? a\n: 1\n", {"a=2"}).empty());
}

TEST_CASE("Every shipped experiment is written as YAML and read as the same", "[yaml]") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() + "/experiments")) {
    if (entry.path().extension() != ".yaml") continue;
    INFO(entry.path());
    const YamlNode root = read_yaml(entry.path().string());
    CHECK(says_the_same(parse_yaml(yaml_text(root), "x.yaml"), root));
    YamlNode other = root;
    apply_override(other, parse_override("title='another: one'"));
    const auto text = rewritten_yaml(content_of(entry.path().string()), other, "x.yaml");
    REQUIRE(text);
    CHECK(says_the_same(parse_yaml(*text, "x.yaml"), other));
    ++files;
  }
  CHECK(files > 60);
}

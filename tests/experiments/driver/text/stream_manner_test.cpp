// Texts in ASCII, and in lines of a width.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/utf8.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;

namespace {

/// The text between quotation marks of a source, roughly: without comments.
std::string without_comments(const std::string& source) {
  std::string out;
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    const std::string line = source.substr(begin, end - begin);
    out += line.substr(0, line.find("//")) + '\n';
    begin = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("What nowsim writes has words of ASCII, and what users write keeps telling apart", "[reads][text]") {
  CHECK(ascii_text("205.12 ± 0.14 s, R² 0.99, p·log2 p, T ≤ 4 µs: σ → τ …") ==
        "205.12 +/- 0.14 s, R^2 0.99, p*log2 p, T <= 4 us: sigma -> tau ...");
  CHECK(ascii_text("Zürich, \xff") == "Z\\u00fcrich, \xff");
  CHECK(ascii_text("") == "");
}

TEST_CASE("Every character beyond ASCII that the sources write has its words", "[text]") {
  namespace fs = std::filesystem;
  for (const char* floor : {"sim", "workloads", "experiments/driver", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(test::source_folder() + "/" + floor)) {
      if (entry.path().extension() != ".cpp") continue;
      std::string text = without_comments(test::content_of(entry.path().string()));
      for (std::size_t at = 0; (at = text.find("\\u", at)) != text.npos;) text.erase(at, 2);  // escapes of the source
      INFO(entry.path());
      CHECK_THAT(ascii_text(text), !Catch::Contains("\\u"));
    }
}

TEST_CASE("Texts wrap at words, and words that are too long behind a mark", "[text]") {
  using Lines = std::vector<std::string>;
  CHECK(broken_lines("how sure can I be", 8) == Lines{"how sure", "can I be"});
  CHECK(broken_lines("", 8) == Lines{""});
  CHECK(broken_lines("a results/mine/tables.csv b", 14) == Lines{"a", "results/mine/", "tables.csv b"});
  CHECK(broken_lines("ääääääää", 3) == Lines{"äää", "äää", "ää"});
  CHECK(widest_word("how sure ± can") == 4);
}

// Every text that labs ask for is there, and none besides.
#include "experiments/driver/labs/texts.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "tests/experiments/driver/labs/tiny_lab.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

/// "group.name" in quotes, where the group is one of the file's.
std::set<std::string> keys_asked_for(const std::set<std::string>& groups) {
  std::set<std::string> keys;
  const std::regex key(R"re("([a-z]+)\.([a-z_-]+)")re");
  for (const char* folder : {"/experiments/driver/labs", "/tools/commands"})
    for (const auto& entry : fs::directory_iterator(source_folder() + folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".cpp" || (folder[1] == 't' && !name.starts_with("lab_"))) continue;
      const std::string code = content_of(entry.path().string());
      for (std::sregex_iterator match(code.begin(), code.end(), key), end; match != end; ++match)
        if (groups.contains((*match)[1])) keys.insert(match->str(1) + "." + match->str(2));
    }
  return keys;
}

const std::set<std::string> kFileNames{"handout.md", "answers.yaml", "handout.html", "feedback.html"};

}  // namespace

TEST_CASE("The texts of labs are those that the program says", "[reads][labs]") {
  const Texts texts(source_folder() + "/experiments/labs/texts.yaml");
  std::set<std::string> there, groups;
  for (const auto& [key, text] : texts.all()) {
    CHECK_FALSE(text.empty());
    there.insert(key);
    groups.insert(key.substr(0, key.find('.')));
  }
  std::set<std::string> asked = keys_asked_for(groups);
  for (const std::string& file : kFileNames) asked.erase(file);
  CHECK(asked.size() > 60);
  CHECK(there == asked);
}

TEST_CASE("A text's values are filled in, once", "[labs]") {
  const Folder folder;
  const std::string file = folder.path() + "/texts.yaml";
  write_text(file, "a: {b: \"{x} and {y}, {none}, {\"}\n");
  const Texts texts(file);
  CHECK(texts.say("a.b", {{"x", "{y}"}, {"y", "2"}}) == "{y} and 2, {none}, {");
  CHECK_THROWS_WITH(texts.say("a.c"), Contains("texts.yaml: a.c: this text is missing"));
  write_text(file, "a: b\n");
  CHECK_THROWS_WITH(Texts(file), Contains("no map of texts"));
  write_text(file, "a: {b: [1]}\n");
  CHECK_THROWS_WITH(Texts(file), Contains("a.b: this is no text"));
  CHECK_THROWS_AS(texts_beside(folder.path() + "/no/lab"), InputError);
}

TEST_CASE("A file beside a lab's folder is one's own, or else nowsim's", "[labs]") {
  const Folder own, shipped;
  const std::string of_nowsim = shipped.file("chunk_rule.py", ""), lab = own.path() + "/lab";
  CHECK(path_beside(lab, "chunk_rule.py", shipped.path()) == of_nowsim);
  CHECK(path_beside(lab, "chunk_rule.py") == own.path() + "/chunk_rule.py");
  const std::string of_own = own.file("chunk_rule.py", "");
  for (const char* const ending : {"", "/", "/."}) CHECK(path_beside(lab + ending, "chunk_rule.py", shipped.path()) == of_own);
}

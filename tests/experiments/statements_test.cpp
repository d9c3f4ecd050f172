// The papers' statements: every claim stands in its paper's table, and every name in a table is a claim's.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/reports/papers.hpp"
#include "tests/paths.hpp"

using namespace nowsim;
namespace fs = std::filesystem;

namespace {

/// The claims in a paper's folder: id -> whose other reading it is, or ""; without nowsim's own, or with them.
std::map<std::string, std::string> claims_of(const Paper& paper, bool with_own) {
  std::map<std::string, std::string> claims;
  for (const auto& entry : fs::directory_iterator(fs::path(test::source_folder()) / "experiments" / paper.folder)) {
    if (entry.path().extension() != ".yaml") continue;
    const YamlNode root = read_yaml(entry.path().string());
    const YamlNode* list = root.find("claims");
    if (list == nullptr) continue;
    for (const auto& claim : list->items) {
      const YamlNode* variant = claim.find("variant_of");
      if (!with_own && paper_of_source(claim.find("source")->text) != &paper) continue;
      INFO(entry.path());
      CHECK(claims.emplace(claim.find("id")->text, variant == nullptr ? "" : variant->text).second);
    }
  }
  return claims;
}

/// What stands in backticks in the table, where it begins as ids of the paper's do.
std::set<std::string> named_in_table(const Paper& paper) {
  std::ifstream in(fs::path(test::source_folder()) / "experiments" / paper.folder / "statements.md");
  std::ostringstream text;
  text << in.rdbuf();
  const std::string all = text.str();
  const std::regex name("`(" + std::string(paper.letters) + "-[^`]*)`");
  std::set<std::string> names;
  for (auto at = std::sregex_iterator(all.begin(), all.end(), name); at != std::sregex_iterator(); ++at)
    names.insert((*at)[1]);
  return names;
}

}  // namespace

TEST_CASE("Every claim of a paper stands in its table of statements, and every name there is a claim's",
          "[computes][claims][shipped]") {
  for (const Paper& paper : kPapers) {
    INFO(paper.name);
    const std::set<std::string> named = named_in_table(paper);
    const auto papers = claims_of(paper, false), all = claims_of(paper, true);
    CHECK(papers.size() > 20);
    for (const auto& [id, variant_of] : papers) {
      INFO(id);
      CHECK(named.contains(id));
    }
    for (const auto& name : named) {
      INFO(name);
      CHECK(all.contains(name));
    }
  }
}

TEST_CASE("Another reading is one of a claim of its paper's, which is no other reading itself", "[claims][shipped]") {
  for (const Paper& paper : kPapers) {
    const auto claims = claims_of(paper, true);
    for (const auto& [id, variant_of] : claims) {
      if (variant_of.empty()) continue;
      INFO(id << " of " << variant_of);
      const auto read = claims.find(variant_of);
      REQUIRE(read != claims.end());
      CHECK(read->second.empty());
    }
  }
}

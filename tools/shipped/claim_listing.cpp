// Sections `claims:` looked through, without reading what else an experiment says.
#include "tools/shipped/claim_listing.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

std::string text_at(const YamlNode& map, const char* key) {
  const YamlNode* found = map.find(key);
  return found != nullptr ? found->text : "";
}

/// None of a file that cannot be read: its own check says why.
std::vector<ListedClaim> claims_in(const std::string& file, const std::string& experiment) try {
  std::vector<ListedClaim> claims;
  const YamlNode root = read_yaml(file);
  if (const YamlNode* all = root.find("claims"); all != nullptr)
    for (const YamlNode& claim : all->items)
      claims.push_back({text_at(claim, "id"), text_at(claim, "says"), text_at(claim, "source"), experiment});
  return claims;
} catch (const InputError&) {
  return {};
}

/// Ids of claims, looked for in more and more files as long as one is not found.
class KnownClaims {
 public:
  explicit KnownClaims(const Experiment& experiment) : file_(experiment.file) {
    for (const auto& claim : experiment.claims) ids_.insert(claim.id);
  }
  bool has(const std::string& id) {
    while (!ids_.contains(id) && stage_ < 2) look_further();
    return ids_.contains(id);
  }
  [[nodiscard]] Words all() const { return {ids_.begin(), ids_.end()}; }

 private:
  void look_further() {
    if (stage_++ == 0)
      add_folder();
    else
      for (const auto& claim : shipped_claims()) ids_.insert(claim.id);
  }
  void add_folder() {
    const fs::path folder = fs::path(file_).has_parent_path() ? fs::path(file_).parent_path() : fs::path(".");
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored))
      if (entry->path().extension() == ".yaml" && entry->is_regular_file(ignored))
        for (const auto& claim : claims_in(entry->path().string(), "")) ids_.insert(claim.id);
  }

  std::string file_;
  std::set<std::string> ids_;
  int stage_ = 0;
};

}  // namespace

std::vector<ListedClaim> shipped_claims() {
  std::vector<ListedClaim> all;
  for (const auto& experiment : shipped_experiments()) {
    const auto claims = claims_in(find_experiment(experiment), experiment);
    all.insert(all.end(), claims.begin(), claims.end());
  }
  return all;
}

std::string file_of_claims(const Experiment& experiment) {
  std::error_code ignored;
  const fs::path shipped = fs::weakly_canonical(shipped_experiments_folder(), ignored),
                 own = fs::weakly_canonical(experiment.file, ignored);
  if (experiment.claims.empty() || shipped.empty() || own.string().starts_with((shipped / "").string()))
    return experiment.file;
  std::map<std::string, std::size_t> shared;  // claims, by experiment
  for (const ListedClaim& listed : shipped_claims()) {
    const auto is_this = [&](const Claim& claim) {
      return claim.id == listed.id || (claim.says == listed.says && claim.source == listed.source);
    };
    if (std::ranges::any_of(experiment.claims, is_this)) ++shared[listed.experiment];
  }
  const auto most = std::ranges::max_element(shared, {}, [](const auto& entry) { return entry.second; });
  return most == shared.end() ? experiment.file : find_experiment(most->first);
}

std::vector<InputProblem> lost_variants(const Experiment& experiment) {
  KnownClaims known(experiment);
  std::vector<InputProblem> problems;
  for (const auto& claim : experiment.claims)
    if (!claim.variant_of.empty() && !known.has(claim.variant_of))
      problems.push_back({claim.place("variant_of"), "no experiment has a claim '" + claim.variant_of +
                                                         "', neither this folder's nor those that come with nowsim" +
                                                         did_you_mean(claim.variant_of, known.all()) +
                                                         " ('nowsim list claims' lists the latter)"});
  return problems;
}

}  // namespace nowsim

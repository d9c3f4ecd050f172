// Looking words up among the shipped experiments.
#include "tools/commands/reproduce_targets.hpp"

#include <algorithm>
#include <filesystem>

#include "experiments/driver/reports/papers.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "sim/base/text.hpp"
#include "tools/shipped/files_beside.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// huang-lee-2007/fig05 -> folder huang-lee-2007, name fig05.
Target shipped_target(const std::string& name) {
  const fs::path path(name);
  return {find_experiment(name), path.parent_path().string(), path.filename().string()};
}

/// What a word of the command line means: a shipped experiment, all of a paper, or a user's file.
std::vector<Target> targets_of_word(const std::string& word, const std::vector<std::string>& shipped,
                                    const std::string& kinds) {
  std::vector<Target> found;
  std::string name = word;
  while (!name.empty() && name.back() == '/') name.pop_back();
  for (const auto& candidate : shipped)
    if (candidate == name || candidate.rfind(name + "/", 0) == 0) found.push_back(shipped_target(candidate));
  if (!found.empty()) return found;
  std::error_code ignored;
  if (fs::is_regular_file(word, ignored)) return {{word, "", fs::path(word).stem().string()}};
  if (const std::string own = file_without_ending(name, ".yaml"); !own.empty())
    return {{own, "", fs::path(own).stem().string()}};
  const std::string none = "there is no " + kinds + " '" + word + "'", beside = near_file(name, {".yaml", ".yml"});
  if (!beside.empty() && fs::path(name).has_extension()) throw InputError(none + may_be_meant(beside));
  std::vector<std::string> known = shipped;
  for (const auto& candidate : shipped) known.push_back(fs::path(candidate).parent_path().string());
  for (const auto& candidate : shipped)  // fig05, huang-lee-2007/fig05.yaml
    if (fs::path(candidate).filename() == name || candidate + ".yaml" == name ||
        fs::path(candidate).filename().string() + ".yaml" == name)
      throw InputError(none + may_be_meant(candidate));
  std::string near = nearest_name(name, known);
  if (near.empty()) near = beside;
  throw InputError(none + (near.empty() ? "; 'nowsim list experiments' names them" : may_be_meant(near)));
}

/// Two files of the same name in different folders would replace each other's results.
void check_distinct(const std::vector<Target>& targets) {
  for (const auto& target : targets) check_stored_name(target.name, target.file);
  for (std::size_t b = 0; b < targets.size(); ++b)
    for (std::size_t a = 0; a < b; ++a)
      if (targets[a].folder == targets[b].folder && targets[a].name == targets[b].name)
        throw InputError(targets[a].file + " and " + targets[b].file + " would both write " + targets[a].name +
                         ".csv; reproduce them one by one, each with an --out of its own");
}

}  // namespace

std::vector<Target> targets_of_papers() {
  std::vector<Target> targets;
  for (const auto& name : shipped_experiments())
    if (Target target = shipped_target(name); paper_of_folder(target.folder) != nullptr)
      targets.push_back(std::move(target));
  if (targets.empty())
    throw InputError("no experiments of papers were found in " + places_of_experiments() +
                     "; nowsim finds them from where it was built or installed");
  return targets;
}

std::vector<Target> targets_of(const std::vector<std::string>& words, const std::string& kinds) {
  const auto shipped = shipped_experiments();
  std::vector<Target> targets;
  for (const auto& word : words)
    for (auto& target : targets_of_word(word, shipped, kinds))
      if (std::ranges::find(targets, target.file, &Target::file) == targets.end()) targets.push_back(std::move(target));
  check_distinct(targets);
  return targets;
}

}  // namespace nowsim

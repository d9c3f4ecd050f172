// Setting keys, and putting flags in their place in sentences.
#include "experiments/driver/studies/asked_experiment.hpp"

#include <utility>

#include "experiments/driver/reading/yaml_edit.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace {

std::string blaming_flags(const std::string& problem, const std::vector<AskedKey>& keys) {
  for (const auto& [key, flag] : keys) {
    const std::string place = Place{kOverridePlace, 0, key}.text() + ": ";
    if (!problem.starts_with(place)) continue;
    const std::string sentence = problem.substr(place.size());
    return flag.starts_with("--") ? flag + ": " + sentence : sentence;
  }
  return problem;
}

}  // namespace

void set_text(YamlNode& document, const std::string& key, const std::string& text, bool is_quoted) {
  apply_override(document, {key, yaml_scalar(text, is_quoted)});
}

Experiment load_asked(YamlNode document, const std::string& file, const LoadOptions& options,
                      const Registries& registries, const std::vector<AskedKey>& keys) {
  try {
    Experiment experiment = load_experiment(std::move(document), file, options, registries);
    for (auto& remark : experiment.remarks) remark = blaming_flags(remark, keys);
    return experiment;
  } catch (const InputErrors& e) {
    std::vector<std::string> problems;
    for (const auto& problem : e.problems()) problems.push_back(blaming_flags(problem, keys));
    throw InputErrors(problems);
  }
}

bool is_within(const std::string& key, const std::string& block) {
  return key == block || (key.starts_with(block) && key[block.size()] == '.');
}

}  // namespace nowsim

// Completing `--set KEY=VALUE`: keys that the experiment has or can have, and what can stand there.
#pragma once

#include <string>
#include <vector>

#include "tools/completion/candidate.hpp"
#include "tools/completion/described_experiment.hpp"

namespace nowsim {

struct Registries;

/// Of half a word `owner.TH=0.`: keys block by block, those of the workload, models and policy that are described, and
/// of `sweep.` as well; behind '=' words from the key's list, names of metrics, swept keys, files, or what is there
/// now.
Completion complete_setting(const std::string& word, const DescribedExperiment& described,
                            const Registries& registries);
/// Of half a word that stands for a key's value alone, such as that of --engine.
Completion complete_value(const std::string& key, const std::string& word, const DescribedExperiment& described,
                          const Registries& registries);

/// Those of these words that begin like this.
Candidates words_of(const std::vector<std::string>& words, const std::string& begin);
/// The names of one of the lists of `nowsim list` that begin like this.
Candidates listed_names(const std::string& list, const std::string& begin, const Registries& registries);
/// Swept keys that begin like this.
Candidates swept_keys(const std::string& begin, const DescribedExperiment& described);
/// Words of a list "a,b,": those that can follow, each with what is there already before it.
Candidates behind_commas(const std::string& word, const Candidates& choices);

}  // namespace nowsim

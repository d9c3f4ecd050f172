// What studies share that make an experiment of flags: keys set by them, and problems told by them.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"

namespace nowsim {

/// A key of the experiment, and what stands for it on the command line: a flag, "--work", or a word.
struct AskedKey {
  std::string key, flag;
};

/// Sets a dotted key of the document to a plain value.
void set_text(YamlNode& document, const std::string& key, const std::string& text, bool is_quoted = false);

/// The experiment of a document. What is wrong with a key that a flag stands for is said of the flag.
/// @throws what load_experiment throws.
Experiment load_asked(YamlNode document, const std::string& file, const LoadOptions& options,
                      const Registries& registries, const std::vector<AskedKey>& keys);

/// Whether a dotted key is a block or of it.
bool is_within(const std::string& key, const std::string& block);

}  // namespace nowsim

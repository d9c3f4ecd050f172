// The reference of an experiment's keys, from the tables by which they are read.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "sim/base/keys.hpp"

namespace nowsim {

/// A table of keys that stand together: a block's, or those that it has with one of its choices.
struct KeySection {
  std::string title;  ///< "" for the block's own
  KeyTable keys;
};
/// A block of an experiment's file, or what lists in it hold.
struct KeyBlock {
  std::string name;     ///< as in the file, such as "run"; "figure.panels" for what stands in that list
  std::string summary;  ///< a line
  std::vector<KeySection> sections;
};

/// All blocks, in the order in which people write them; `experiment` has the keys at the top.
std::vector<KeyBlock> key_blocks(const Registries& registries);

/// What is said of a key.
struct KeyTexts {
  std::string type;      ///< what stands there: "list of share 0 to 1"
  std::string fallback;  ///< what counts without it: "needed", "default 0.5", or "" for nothing
  std::string help;
};
KeyTexts key_texts(const Key& key);

/// The full names of all keys that can be set, each once: title, owner.TH, ...
std::vector<std::string> all_keys(const Registries& registries);

/// Lines for a terminal: key, what stands there, what counts without it, and what it is.
void write_key_reference(const KeyBlock& block, std::ostream& out);
/// The same as Markdown tables, as READMEs hold them between `<!-- keys: NAME -->` and `<!-- end of keys -->`.
std::string key_reference_markdown(const KeyBlock& block);

}  // namespace nowsim

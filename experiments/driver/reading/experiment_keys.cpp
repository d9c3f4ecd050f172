// The table of an experiment's keys, blocks among them.
#include "experiments/driver/reading/experiment_keys.hpp"

namespace nowsim {

const KeyTable& experiment_keys() {
  const auto block = [](const char* name, const char* help) { return Key{name, KeyType::block, "", help}; };
  static const KeyTable keys{
      {"nowsim", KeyType::count, kMustBeGiven, "1, the format's version, the first key"},
      {"title", KeyType::text, "", "a line; the file's name where it is not given"},
      {"description", KeyType::text, "", "what it is about"},
      block("platform", "the machines: a SimGrid file, or generated"),
      block("job", "the parallel program"),
      block("owner", "what owners leave of the machines; where it is not given what the platform says"),
      block("bandwidth", "what is left of each workstation's own link"),
      block("split", "how the work is split"),
      block("let", "variables of one's own"),
      block("run", "how often and how precisely"),
      block("solve", "a key whose value is to be found"),
      {"metrics", KeyType::text, "[tau, sigma_T, sigma_T/tau]", "what is measured (nowsim list metrics)", {}, {}, true},
      block("sweep", "axes: keys and their values; the last one runs fastest"),
      block("figure", "a picture of the results"),
      block("claims", "statements about the results, to be checked")};
  return keys;
}

}  // namespace nowsim

// Reading a farm's parameters: each technique's own are read for it alone.
#include "workloads/farm/farm_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/error.hpp"
#include "workloads/parts/cost_law.hpp"

namespace nowsim {
namespace {

const Technique* read_technique(ParameterReader& read) {
  return &techniques()[read.choice("technique", words_in(techniques()), 0)];
}

TechniqueParameters read_for(const Technique& technique, ParameterReader& read) {
  TechniqueParameters p;
  if (technique.has_least) p.min_chunk = read.count("min_chunk", 1, 1);
  for (const auto& key : technique.keys) p.own[key.name] = read.count(key.name, key.fallback, key.least);
  if (technique.check != nullptr) technique.check(p);
  return p;
}

/// What techniques alone read, each of which is named once.
void add_keys_of_techniques(KeyTable& keys) {
  const auto add = [&keys](const TechniqueKey& key, const std::string& of) {
    if (std::ranges::count(keys, key.name, &Key::name) > 0) return;
    const auto fallback = key.fallback ? std::optional(std::to_string(*key.fallback)) : std::nullopt;
    keys.push_back({key.name, KeyType::count, fallback, key.help, {static_cast<double>(key.least)}, {}, false, of});
  };
  for (const auto& technique : techniques()) {
    for (const auto& key : technique.keys) add(key, technique.name);
    if (technique.has_least) add({"min_chunk", 1, 1, "the least that is handed out while there is as much"}, "");
  }
}

}  // namespace

KeyTable farm_keys() {
  KeyTable keys{{"tasks", KeyType::count, kMustBeGiven, "of the loop; with law: file as many as it holds", {1}},
                {"cost", KeyType::work, kMustBeGiven, "mean work of a task", kPositive},
                cost_law_key({"file"}),
                cv_key(),
                {"costs", KeyType::path, kMustBeGiven, "with law: file, the work of each task"},
                {"technique", KeyType::word, techniques().front().name, "how tasks are handed out", {}, words_in(techniques())}};
  add_keys_of_techniques(keys);
  const KeyTable others{{"request", KeyType::bytes, "0", "of every message"},
                        {"input", KeyType::bytes, "0", "per task, to the client"},
                        {"result", KeyType::bytes, "0", "per task, from the client"},
                        {"overhead", KeyType::time, "0s", "of the server per chunk"},
                        {"timeout", KeyType::time, "", "after which a chunk is handed out again; else never", kPositive},
                        {"timeout_per_task", KeyType::time, "0s", "by which timeout is longer for each task of a chunk"}};
  keys.insert(keys.end(), others.begin(), others.end());
  return keys;
}

FarmParameters read_farm(ParameterReader& read) {
  TaskLaw costs(read);
  const Technique* technique = read_technique(read);
  if (technique->learns == Technique::Learns::task_times)
    check_kept_tasks(costs.tasks(), "technique: " + technique->name);
  TechniqueParameters own = read_for(*technique, read);
  own.cv = costs.cv();
  const double request = read.bytes("request", 0), input = read.bytes("input", 0), result = read.bytes("result", 0);
  const double overhead = read.time("overhead", 0);
  const double timeout = read.time("timeout", std::numeric_limits<double>::infinity());
  const double per_task = read.time("timeout_per_task", 0);
  if (!(timeout > 0)) throw InputError("timeout must be more than 0: it is how long the server waits for a chunk");
  if (per_task > 0 && std::isinf(timeout))
    throw InputError("timeout_per_task adds to timeout, which is not given: without it chunks are never overdue");
  return {std::move(costs), technique, own, request, input, result, overhead, timeout, per_task};
}

}  // namespace nowsim

// Reading a farm's parameters: each technique's own are read for it alone.
#include "workloads/farm/farm_parameters.hpp"

#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "workloads/farm/technique_keys.hpp"
#include "workloads/parts/cost_law.hpp"

namespace nowsim {

KeyTable farm_keys(const Registry<Technique>& techniques) {
  KeyTable keys{{"tasks", KeyType::count, kMustBeGiven, "of the loop; with law: file as many as it holds", {1}},
                {"cost", KeyType::work, kMustBeGiven, "mean work of a task", kPositive},
                cost_law_key({"file"}),
                cv_key(),
                {"costs", KeyType::path, kMustBeGiven, "with law: file, the work of each task"},
                {"technique", KeyType::word, techniques.front().name, "how tasks are handed out", {}, words_in(techniques)}};
  const KeyTable own = keys_of_techniques(techniques);
  keys.insert(keys.end(), own.begin(), own.end());
  const KeyTable others{{"request", KeyType::bytes, "0", "of every message"},
                        {"input", KeyType::bytes, "0", "per task, to the client"},
                        {"result", KeyType::bytes, "0", "per task, from the client"},
                        {"overhead", KeyType::time, "0s", "of the server per chunk"},
                        {"timeout", KeyType::time, "", "after which a chunk is handed out again; else never", kPositive},
                        {"timeout_per_task", KeyType::time, "0s", "by which timeout is longer for each task of a chunk"}};
  keys.insert(keys.end(), others.begin(), others.end());
  return keys;
}

FarmParameters read_farm(KeyReader& read, const Registry<Technique>& techniques) {
  TaskLaw costs(read);
  auto technique = std::make_shared<Technique>(techniques[read.word("technique")]);
  TechniqueParameters own = read_for(*technique, read);
  if (technique->learns == Technique::Learns::task_times)
    check_kept_tasks(costs.tasks(), "technique: " + technique->name);
  own.cv = costs.cv();
  own.mean_flop = costs.mean_flop();
  const double request = read.value("request"), input = read.value("input"), result = read.value("result");
  const double overhead = own.overhead_s = read.value("overhead");
  const double timeout = read.number_at(read.row("timeout"), {}, kInfinity);
  const double per_task = read.value("timeout_per_task");
  if (!(timeout > 0)) throw InputError("timeout must be more than 0: it is how long the server waits for a chunk");
  if (per_task > 0 && std::isinf(timeout))
    throw InputError("timeout_per_task adds to timeout, which is not given: without it chunks are never overdue");
  return {std::move(costs), std::move(technique), std::move(own), request, input, result, overhead, timeout, per_task};
}

}  // namespace nowsim

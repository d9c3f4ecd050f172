// Reading a farm's parameters: costs, drawn or of a file, as sums; each technique's keys are read for it alone.
#include "workloads/farm/farm_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "workloads/farm/technique_variables.hpp"
#include "workloads/parts/cost_law.hpp"

namespace nowsim {
namespace {

/// Of which each task's cost is in memory at once.
constexpr std::int64_t kMostKeptTasks = 100'000'000;
/// @param by what keeps them, in the sentence's words. @throws InputError for more.
void check_kept_tasks(std::int64_t tasks, const std::string& by) {
  if (tasks > kMostKeptTasks)
    throw InputError("tasks must be at most " + std::to_string(kMostKeptTasks) + " with " + by +
                     ", which keeps every task's cost in memory; it is " + std::to_string(tasks));
}

constexpr const char* kAs = "as";
const Key kMinChunk{"min_chunk", KeyType::count, "",
                    "the least handed out while there is as much; by default 1, as DLS4LB half of mFSC's size", {1}};

/// Of all techniques that have versions; the first of each counts where none is named.
Key key_of_versions(const Registry<Technique>& techniques) {
  Key key{kAs, KeyType::word, "", "whose version, where sources differ ('nowsim help techniques': which by default)"};
  for (const auto& technique : techniques)
    for (const auto& version : technique.versions)
      if (std::ranges::count(key.words, version.name) == 0) key.words.push_back(version.name);
  return key;
}

}  // namespace

TaskLaw::TaskLaw(KeyReader& read) {
  const std::size_t chosen = read.word("law");
  if (chosen == cost_laws().size()) {
    read_file(read);
    return;
  }
  const CostLaw& law = cost_laws()[chosen];
  tasks_ = read.whole("tasks");
  mean_flop_ = read.value_within("cost", {});
  cv_ = read_cv(read, law);
  if (!(mean_flop_ > 0)) throw InputError("cost must be more than 0: it is the mean work of a task");
  if (!(cv_ > 0)) return;
  law_ = law.make(mean_flop_, cv_);
  check_kept_tasks(tasks_, std::string("law: ") + law.name);
}

void TaskLaw::read_file(KeyReader& read) {
  const std::vector<double> costs = read.numbers_of_file("costs");
  const auto n = static_cast<std::int64_t>(costs.size());
  tasks_ = read.whole_or("tasks", n);
  if (tasks_ != n)
    throw InputError("tasks is " + std::to_string(tasks_) + ", but the file of costs holds " + std::to_string(n) +
                     " numbers; tasks may be left out");
  auto sums = std::make_shared<std::vector<double>>(costs.size() + 1, 0.0);
  std::partial_sum(costs.begin(), costs.end(), sums->begin() + 1);
  sums_ = std::move(sums);
  mean_flop_ = sums_->back() / static_cast<double>(n);
  if (!(mean_flop_ > 0)) throw InputError("all tasks in the file of costs cost 0: there is no work");
  double squares = 0;
  for (const double x : costs) squares += (x - mean_flop_) * (x - mean_flop_);
  cv_ = std::sqrt(squares / static_cast<double>(n)) / mean_flop_;
}

TaskCosts TaskLaw::costs(Stream stream) const {
  if (sums_) return TaskCosts(sums_);
  if (!law_) return {tasks_, mean_flop_};
  auto sums = std::make_shared<std::vector<double>>();
  sums->reserve(static_cast<std::size_t>(tasks_) + 1);
  sums->push_back(0);
  for (std::int64_t i = 0; i < tasks_; ++i) sums->push_back(sums->back() + law_->quantile(stream.uniform()));
  return TaskCosts(std::move(sums));
}

KeyTable keys_of_techniques(const Registry<Technique>& techniques) {
  KeyTable keys;
  const auto add = [&keys](Key key, const std::string& of) {
    const auto is_same = [&key](const Key& known) { return known.name == key.name && known.type == key.type; };
    if (std::ranges::any_of(keys, is_same)) return;
    key.of = of;
    keys.push_back(std::move(key));
  };
  for (const auto& technique : techniques) {
    for (const auto& key : technique.keys) add(key, technique.name);
    if (!technique.versions.empty()) add(key_of_versions(techniques), "");
    if (technique.has_least) add(kMinChunk, "");
  }
  return keys;
}

TechniqueParameters read_for(Technique& technique, KeyReader& read) {
  TechniqueParameters p;
  if (!technique.versions.empty()) {
    const std::vector<std::string> names = words_in(technique.versions);
    const Key as{kAs, KeyType::word, names.front(), "", {}, names};
    const Technique& version = technique.versions[read.word_at(as)];
    p.as = version.name;
    technique.become(version);
  }
  if (technique.has_least)
    p.min_chunk = read.whole_at(kMinChunk, kMinChunk.bounds, static_cast<double>(technique.usual_least));
  static_cast<KeyValues&>(p) = read_values(technique.keys, read, words_in(technique_variables()));
  if (technique.check) technique.check(p);
  for (const auto& [key, formula] : p.formulas) add_needs(variables_of(formula), technique);
  return p;
}

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
                        {"start", KeyType::time, "0s", "of a client per chunk, before it computes"},
                        {"server", KeyType::word, "first", "which machine it is: the first, or none of these", {}, {"first", "outside"}},
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
  const double start = read.value("start");
  const bool is_outside = read.word("server") == 1;
  if (is_outside && (request > 0 || input > 0 || result > 0 || !std::isinf(timeout)))
    throw InputError("with 'server: outside' no messages travel over the platform's network, and nothing is handed out "
                     "again: request, input, result and timeout have no meaning; what a chunk costs is said by overhead "
                     "and start");
  if (!(timeout > 0)) throw InputError("timeout must be more than 0: it is how long the server waits for a chunk");
  if (per_task > 0 && std::isinf(timeout))
    throw InputError("timeout_per_task adds to timeout, which is not given: without it chunks are never overdue");
  return {std::move(costs), std::move(technique), std::move(own), request, input, result, overhead, timeout, per_task, start, is_outside};
}

}  // namespace nowsim

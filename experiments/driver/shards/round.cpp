// Rounds, dealt out to shards, and as files of lines "series, its key, first index, end, replications in a batch, in all".
#include "experiments/driver/shards/round.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <queue>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "experiments/driver/points/decision.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/text/sha256.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace {

constexpr const char* kRoundEnding = ".round";
constexpr std::size_t kPlanShown = 16;

std::uint64_t in_batches(const Series& series, std::uint64_t replications) {
  const std::uint64_t size = batch_size(*series.scenario);
  return std::min(batches_of(series), (replications + size - 1) / size);
}

std::uint64_t first_batches(const Series& series) {
  if (series.cell) return in_batches(series, kFirstReplications);
  if (series.plan.precision > 0) return in_batches(series, series.plan.least);
  return batches_of(series);
}

/// All batches of a round, those of a scenario once.
std::vector<BatchTask> all_tasks(const Round& round, const ExecutionPlan& execution) {
  std::vector<BatchTask> tasks;
  std::set<std::tuple<std::string_view, std::uint64_t, std::uint64_t>> there;
  for (const auto& [s, begin, end] : round.ranges)
    for (std::uint64_t index = begin; index < end; ++index) {
      const Batch batch = batch_of(execution.series[s], index);
      if (there.emplace(execution.series[s].key, batch.first, batch.count).second) tasks.push_back({s, index, batch});
    }
  return tasks;
}

/// Seconds per replication of each series that has a task.
std::vector<double> costs_s(const std::vector<BatchTask>& tasks, const ExecutionPlan& execution) {
  std::vector<double> costs(execution.series.size(), 0);
  for (const auto& task : tasks) {
    const Series& series = execution.series[task.series];
    if (double& cost = costs[task.series]; cost == 0) {
      constexpr std::uint64_t kReplications = 100;
      cost = std::max(estimated_cost_s(*series.scenario, series.engine, kReplications) / kReplications, 1e-12);
    }
  }
  return costs;
}

void add_index(std::vector<RoundRange>& ranges, std::size_t series, std::uint64_t index) {
  if (ranges.empty() || ranges.back().series != series || ranges.back().end != index) ranges.push_back({series, index, index});
  ++ranges.back().end;
}

std::string file_label(const std::string& experiment, const ExecutionPlan& execution, int number) {
  return experiment + "-" + plan_hash(execution).substr(0, kPlanShown) + "-r" + std::to_string(number) + kRoundEnding;
}

/// The round's number in a file's name of this experiment and plan; nothing in others'.
std::optional<int> number_in(const std::string& name, const std::string& begin) {
  constexpr int kMost = 1'000'000;  // six rounds have eight times the first one's batches
  const auto at = name.find(begin);
  if (at == name.npos) return std::nullopt;
  int number = 0;
  const auto read = std::from_chars(name.data() + at + begin.size(), name.data() + name.size(), number);
  const bool is_number = read.ec == std::errc() && number >= 0 && number <= kMost;
  return is_number && std::string_view(read.ptr) == kRoundEnding ? std::optional(number) : std::nullopt;
}

/// A line of a round's file.
struct RoundLine {
  RoundRange range;
  std::string key;
  std::uint64_t size = 0, replications = 0;  ///< in a batch; in all
};

/// A file of lines that each name batches of a series. @throws InputError where it holds anything else.
std::vector<RoundLine> read_round(const ShardFolder& folder, const std::string& name) {
  const auto refuse = [&] {
    throw InputError((folder.path() / name).string() +
                     " is damaged: 'nowsim sweep' with --next-round makes another one");
  };
  const auto text = folder.get(name);
  if (!text || !ShardFolder::is_whole(name, *text)) refuse();
  std::vector<RoundLine> lines;
  std::pair<std::size_t, std::uint64_t> behind;  // in the order of series and batches, so that each is named once
  std::istringstream in(*text);
  for (std::string line; std::getline(in, line);) {
    RoundLine one;
    std::istringstream words(line);
    words >> one.range.series >> one.key >> one.range.begin >> one.range.end >> one.size >> one.replications;
    const bool is_whole = words && words.peek() == std::istringstream::traits_type::eof() && one.size > 0 &&
                          one.range.begin <= one.range.end &&
                          one.range.end <= one.replications / one.size + (one.replications % one.size > 0 ? 1 : 0);
    if (!is_whole || std::pair(one.range.series, one.range.begin) < behind) refuse();
    behind = {one.range.series, one.range.end};
    lines.push_back(std::move(one));
  }
  return lines;
}

/// The rounds' numbers and files, in the order of the numbers.
std::vector<std::pair<int, std::string>> round_files(const ShardFolder& folder, const std::string& experiment, const std::string& plan) {
  const std::string begin = "-" + experiment + "-" + plan.substr(0, kPlanShown) + "-r";
  std::vector<std::pair<int, std::string>> files;
  for (const auto& name : folder.names(kRoundEnding))
    if (const auto number = number_in(name, begin)) files.emplace_back(*number, name);
  std::ranges::stable_sort(files, {}, [](const auto& file) { return file.first; });
  return files;
}

}  // namespace

std::string plan_hash(const ExecutionPlan& execution) {
  std::string all;
  for (const auto& series : execution.series)
    all += series.key + " " + std::to_string(series.plan.replications) + " " + std::to_string(first_batches(series)) + "\n";
  return sha256(all);
}

Round first_round(const ExecutionPlan& execution) {
  Round round;
  for (std::size_t s = 0; s < execution.series.size(); ++s) round.ranges.push_back({s, 0, first_batches(execution.series[s])});
  return round;
}

Round next_round(int number, const ExecutionPlan& execution, const std::vector<StoredScenario>& stored,
                 const std::vector<std::uint64_t>& lacking) {
  Round round{number, {}};
  for (std::size_t s = 0; s < execution.series.size(); ++s) {
    const Series& series = execution.series[s];
    const std::uint64_t all = batches_of(series), from = lacking[s];
    const bool may_stop = series.cell || series.plan.precision > 0;
    const std::uint64_t end = may_stop ? std::min(all, std::max(first_batches(series), from + (from + 1) / 2)) : all;
    for (std::uint64_t index = from; index < end; ++index)
      if (!stored[s].has(batch_of(series, index))) add_index(round.ranges, s, index);
  }
  return round;
}

std::uint64_t batches_in(const Round& round, const ExecutionPlan& execution) { return all_tasks(round, execution).size(); }

double seconds_in(const Round& round, const ExecutionPlan& execution) {
  const auto tasks = all_tasks(round, execution);
  const auto costs = costs_s(tasks, execution);
  double sum_s = 0;
  for (const auto& task : tasks) sum_s += costs[task.series] * static_cast<double>(task.batch.count);
  return sum_s;
}

/// The longest first, each to the shard that has least to do: within one batch of even.
std::vector<BatchTask> tasks_of(const Round& round, const ExecutionPlan& execution, std::size_t shard, std::size_t shards) {
  std::vector<BatchTask> tasks = all_tasks(round, execution);
  const auto costs = costs_s(tasks, execution);
  const auto cost = [&](const BatchTask& task) { return costs[task.series] * static_cast<double>(task.batch.count); };
  std::ranges::stable_sort(tasks, std::ranges::greater{}, cost);
  using Load = std::pair<double, std::size_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t i = 1; i <= shards; ++i) loads.emplace(0.0, i);
  std::vector<BatchTask> mine;
  for (const auto& task : tasks) {
    const auto [load, to] = loads.top();
    loads.pop();
    loads.emplace(load + cost(task), to);
    if (to == shard) mine.push_back(task);
  }
  std::ranges::sort(mine, {}, [](const BatchTask& task) { return std::pair(task.series, task.index); });
  return mine;
}

void publish_round(const ShardFolder& folder, const std::string& experiment, const Round& round,
                   const ExecutionPlan& execution) {
  std::string lines;
  for (const auto& [s, begin, end] : round.ranges)
    lines += fmt::format("{} {} {} {} {} {}\n", s, execution.series[s].key, begin, end, batch_size(*execution.series[s].scenario),
                         execution.series[s].plan.replications);
  static_cast<void>(folder.publish(lines, file_label(experiment, execution, round.number)));
}

std::optional<PublishedRounds> published_rounds(const ShardFolder& folder, const std::string& experiment, const std::string& plan) {
  const auto files = round_files(folder, experiment, plan);
  if (files.empty()) return std::nullopt;
  PublishedRounds all{files.back().first, {}, {}};
  std::uint64_t named = 0;  // by all of them
  for (const auto& [number, name] : files) try {
      for (const RoundLine& line : read_round(folder, name)) {
        constexpr std::uint64_t kMost = 10'000'000;  // that are counted one by one
        if (line.range.end - line.range.begin > kMost - named)
          throw InputError((folder.path() / name).string() + " names more batches than can be counted");
        named += line.range.end - line.range.begin;
        for (std::uint64_t k = line.range.begin; k < line.range.end; ++k)
          all.batches.emplace(line.key, k * line.size, std::min(line.size, line.replications - k * line.size));
      }
    } catch (const std::runtime_error& e) {
      all.remarks.emplace_back(e.what());
    }
  return all;
}

/// Two sweeps that take in at once may publish a round each: the last one by name is meant.
std::optional<Round> latest_round(const ShardFolder& folder, const std::string& experiment, const ExecutionPlan& execution) {
  const auto files = round_files(folder, experiment, plan_hash(execution));
  if (files.empty()) return std::nullopt;
  const auto& [number, name] = files.back();
  Round round{number, {}};
  for (const RoundLine& line : read_round(folder, name)) {
    const bool is_here = line.range.series < execution.series.size() &&
                         line.key == execution.series[line.range.series].key &&
                         line.range.end <= batches_of(execution.series[line.range.series]);
    if (!is_here)
      throw InputError((folder.path() / name).string() +
                       " is of other batches: 'nowsim sweep' with --next-round makes another one");
    round.ranges.push_back(line.range);
  }
  return round;
}

}  // namespace nowsim

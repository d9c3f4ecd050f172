// Techniques as their sources have them: chunks that programs written from those hand out; techniques that are added.
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "tests/paths.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "tests/workloads/techniques_fixture.hpp"
#include "workloads/farm/farm_parameters.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Parameters = std::map<std::string, double>;

/// The technique in a version, with the parameters that it reads.
struct Read {
  Technique technique;
  TechniqueParameters parameters;
};

Read read(const std::string& name, const std::string& as, Parameters parameters = {}) {
  Read made{technique(name), {}};
  const auto words = words_in(made.technique.versions);
  const auto found = std::ranges::find(words, as);
  REQUIRE(found != words.end());
  parameters["as"] = static_cast<double>(found - words.begin());
  FixedParameters reader(parameters);
  made.parameters = read_for(made.technique, reader);
  return made;
}

/// A loop of which each task takes `even_s` or `odd_s` in turn on a worker of speed 1.
struct Loop {
  std::int64_t tasks;
  std::vector<double> speeds;
  double even_s = 1, odd_s = 1, overhead_s = 0;
};

ChunkReport report_of(const Loop& loop, double speed, std::int64_t first, std::int64_t tasks) {
  ChunkReport report{tasks};
  const auto time_s = [&](std::int64_t i) { return (i % 2 == 0 ? loop.even_s : loop.odd_s) / speed; };
  for (std::int64_t i = first; i < first + tasks; ++i) report.time_s += time_s(i);
  for (std::int64_t i = first; i < first + tasks; ++i) {
    const double deviation_s = time_s(i) - report.time_s / static_cast<double>(tasks);
    report.squares_s2 += deviation_s * deviation_s;
  }
  return report;
}

Chunks chunks(const Read& read, const Loop& loop) {
  TechniqueParameters p = read.parameters;
  const double mean_s = (loop.even_s + loop.odd_s) / 2;
  p.cv = std::abs(loop.even_s - loop.odd_s) / 2 / mean_s;
  p.mean_flop = mean_s;
  p.overhead_s = loop.overhead_s;
  const LoopState state(loop.tasks, std::vector<double>(loop.speeds.size(), 1.0), p, loop.speeds);
  return chunks_in_time(read.technique, state, [&](std::size_t worker, std::int64_t first, std::int64_t tasks) {
    return report_of(loop, loop.speeds[worker], first, tasks);
  });
}

/// "3×167 84": runs of equal chunks.
std::string in_runs(const Chunks& all) {
  std::string text;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i;
    while (end < all.size() && all[end] == all[i]) ++end;
    text += (text.empty() ? "" : " ") + (end - i > 1 ? std::to_string(end - i) + "×" : "") + std::to_string(all[i]);
    i = end;
  }
  return text;
}

/// The cells of a line of a table.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> found;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    const std::size_t begin = cell.find_first_not_of(' '), end = cell.find_last_not_of(' ');
    found.push_back(begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
  }
  return found;
}

std::vector<std::string> names_in(std::string cell) {
  std::erase(cell, '`');
  std::vector<std::string> names;
  std::istringstream in(cell);
  for (std::string name; std::getline(in >> std::ws, name, ',');) names.push_back(name);
  return names;
}

const Loop kExample{1000, {1, 1, 2}, 1, 3, 0.1};

/// A part of what remains, of the user's choice.
Technique part_self_scheduling(const std::string& code) {
  return {.name = "part",
          .summary = "a part of what remains",
          .next =
              [](LoopState& s, std::size_t) {
                return static_cast<std::int64_t>(s.parameters.number_or("part", 0) * static_cast<double>(s.remaining));
              },
          .keys = {{"part", KeyType::share, "0.5", "of what remains", {0, 1}}},
          .user_code = {.identity = code}};
}

WorkloadRegistry workloads_with(const Technique& added) {
  Registry<Technique> all = builtin_techniques();
  all.add(added);
  return builtin_workloads(all);
}

IdentifiedWorkload farm_by_part(const std::string& code, std::map<std::string, double> parameters = {}) {
  parameters.insert({{"technique", static_cast<double>(techniques().size())}, {"tasks", 16}, {"cost", 1}});
  FixedParameters read(parameters);
  return make_workload(*workloads_with(part_self_scheduling(code)).find("task-farm"), read);
}

}  // namespace

// The page's chunks are those of a program in another language, line by line after the sources that are named there.
TEST_CASE("Each technique hands out in each version what the manual's table shows", "[reads][self-scheduling][manual]") {
  std::ifstream page(source_folder() + "/workloads/farm/techniques.md");
  std::map<std::string, std::vector<std::string>> shown;  // versions, by technique
  bool is_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| technique | `as` |")) is_table = true;
    if (!line.starts_with("|")) is_table = false;
    if (!is_table || line.find('`') == std::string::npos || line.starts_with("| technique")) continue;
    const auto row = cells(line);
    REQUIRE(row.size() == 3);
    for (const auto& name : names_in(row[0]))
      for (const auto& as : names_in(row[1])) {
        INFO(name << " as " << as);
        CHECK(in_runs(chunks(read(name, as), kExample)) == row[2]);
        shown[name].push_back(as);
      }
  }
  for (const Technique& t : techniques()) {
    INFO(t.name);
    auto versions = words_in(t.versions);
    std::ranges::sort(versions);
    std::ranges::sort(shown[t.name]);
    CHECK(shown[t.name] == versions);
  }
}

TEST_CASE("DLS4LB's AF sums deviations over means, of the latest chunk, down to half of mFSC's size",
          "[self-scheduling]") {
  // 80 tasks on 2: mFSC's size is int(0.55 + 40·ln 2/ln 40) = 8, half of it 4.
  Read af = read("AF", "DLS4LB", {{"max_chunk", 60}});
  LoopState state(80, std::vector<double>{1, 1}, af.parameters);
  CHECK(next_chunk(af.technique, state, 0) == 4);
  CHECK(next_chunk(af.technique, state, 1) == 4);
  state.records.add(0, {4, 8, 12});  // mean 2, deviation 2; the other has reported nothing: as this one
  // D = 1 + 1, T = 1/(1/2 + 1/2), R = 72: (2 + 144 - sqrt(2·(2 + 288)))/2/2 + 0.55 = 31.03
  CHECK(next_chunk(af.technique, state, 0) == 31);
  state.records.add(1, {4, 16, 0});  // mean 4, no deviation: D = 1, T = 1/(1/2 + 1/4), R = 41
  // (1 + 109.33 - sqrt(1·(1 + 218.67)))/2/4 + 0.55 = 12.49; by variances (D = 2) it would be 11.84
  CHECK(next_chunk(af.technique, state, 1) == 12);
  state.records.add(0, {31, 31, 0});  // mean 1 now, and no deviation: D = 0, T = 1/(1 + 1/4), R = 29: 23.75
  CHECK(next_chunk(af.technique, state, 0) == 23);
  state.records.add(1, {12, 48, 0});  // R = 6, 6·0.8/4 + 0.55 = 1.75
  CHECK(next_chunk(af.technique, state, 1) == 4);
}

TEST_CASE("AF's first chunk and its largest can be said, whosever AF it is", "[self-scheduling]") {
  // Alone and without variance AF hands out all that remains after its trial.
  const Loop alone{1000, {1}};
  CHECK(chunks(read("AF", "paper"), alone) == Chunks{100, 900});
  CHECK(chunks(read("AF", "paper", {{"trial", 10}}), alone) == Chunks{10, 990});
  CHECK(chunks(read("AF", "paper", {{"trial", 10}, {"max_chunk", 400}}), alone) == Chunks{10, 400, 400, 190});
  CHECK(in_runs(chunks(read("AF", "LB4OMP"), alone)) == "10×10 10×90");
  CHECK(in_runs(chunks(read("AF", "LB4OMP", {{"trial", 50}, {"max_chunk", 400}}), alone)) == "10×5 20×40 10×15");
  CHECK(in_runs(chunks(read("AF", "DLS4LB"), alone)) == "50 500 450");  // mFSC's size is 100
  CHECK(in_runs(chunks(read("AF", "DLS4LB", {{"trial", 70}, {"max_chunk", 300}}), alone)) == "70 3×300 30");
  CHECK(in_runs(chunks(read("AF", "DLS4LB", {{"max_chunk", 20}}), alone)) == "50×20");
  CHECK(in_runs(chunks(read("AF", "DLS4LB", {{"min_chunk", 7}}), alone)) == "7 500 493");
  // What is the most is so from the first chunk on.
  CHECK(in_runs(chunks(read("AF", "paper", {{"max_chunk", 50}}), alone)) == "20×50");
  CHECK(in_runs(chunks(read("AF", "LB4OMP", {{"max_chunk", 5}}), {20, {1}})) == "4×5");
  CHECK_THROWS_WITH(read("AF", "paper", {{"trial", 30}, {"max_chunk", 20}}),
                    "trial must not be more than max_chunk: they are 30 and 20");
  CHECK_THROWS_WITH(read("AF", "paper", {{"max_chunk", 5}, {"min_chunk", 6}}),
                    "max_chunk must not be less than min_chunk: they are 5 and 6");
  // Unless it is said, a trial is no more than half of an equal part of what remains.
  CHECK(chunks(read("AF", "paper"), {80, {1, 1}}).front() == 20);
  CHECK(chunks(read("AF", "paper", {{"trial", 30}}), {80, {1, 1}}).front() == 30);
}

TEST_CASE("LB4OMP's AF takes the variance of its parts' means, and a rest that is too small with the last part",
          "[self-scheduling]") {
  Read af = read("AF", "LB4OMP", {{"trial", 25}});  // parts of 2; the last is of 3
  LoopState state(1000, std::vector<double>{1, 1}, af.parameters);
  for (int part = 0; part < 12; ++part) {
    const std::int64_t tasks = part < 11 ? 2 : 3;
    CHECK(next_chunk(af.technique, state, 0) == tasks);
    // Parts' means are 1 and 3 s in turn; what single tasks took does not count.
    state.records.add(0, {tasks, static_cast<double>(tasks) * (part % 2 == 0 ? 1 : 3), 999});
  }
  // Mean 2, variance 12/11; the other as this one: D = 12/11, T = 1, R = 975:
  // (1.0909 + 1950 - sqrt(1.0909·(1.0909 + 3900)))/2/2 = 471.46, a tenth of 472
  CHECK(next_chunk(af.technique, state, 0) == 47);
}

TEST_CASE("FSC has no upper bound in both codes; which rounds up, and which cuts off", "[self-scheduling]") {
  const auto size = [&](const char* as, double overhead_s, double cv) {
    const Read fsc = read("FSC", as);
    TechniqueParameters mine = fsc.parameters;
    mine.overhead_s = overhead_s;
    mine.cv = cv;
    LoopState state(1000, std::vector<double>(4, 1.0), mine);
    return next_chunk(fsc.technique, state, 0);
  };
  CHECK(size("paper", 0.5, 1) == 29);  // 28.25
  CHECK(size("DLS4LB", 0.5, 1) == 29);
  CHECK(size("LB4OMP", 0.5, 1) == 28);
  CHECK(size("paper", 20, 1) == 250);  // 40^(2/3) times 28.25 = 330.4
  CHECK(size("DLS4LB", 20, 1) == 331);
  CHECK(size("LB4OMP", 20, 1) == 330);
  for (const char* as : {"paper", "DLS4LB", "LB4OMP"}) {
    CHECK(size(as, 0.5, 0) == 250);  // nothing finite
    CHECK(size(as, 0, 1) == 1);
  }
}

TEST_CASE("TSS of DLS4LB rounds the first chunk up and stops at half of mFSC's size; LB4OMP's ends with min_chunk",
          "[self-scheduling]") {
  // f = ceil(1000/8) = 125, n = floor(2000/126) = 15, delta = floor(124/14) = 8; mFSC's size is 31
  CHECK(chunks(read("TSS", "DLS4LB"), {1000, {1, 1, 1, 1}}) ==
        Chunks{125, 117, 109, 101, 93, 85, 77, 69, 61, 53, 45, 37, 28});
  // 100 on 4: f = 13, n = floor(200/14) = 14, delta = floor(12/13) = 0; rounded down 12, which paper's has
  CHECK(in_runs(chunks(read("TSS", "DLS4LB"), {100, {1, 1, 1, 1}})) == "7×13 9");
  CHECK(in_runs(chunks(read("TSS", "LB4OMP"), {100, {1, 1, 1, 1}})) == "8×12 4");
  // l = 4: n = ceil(200/16) = 13, delta = floor(8/12) = 0; l = 50 of 1000: n = ceil(2000/175) = 12, delta = floor(75/11)
  CHECK(in_runs(chunks(read("TSS", "LB4OMP", {{"min_chunk", 50}}), {1000, {1, 1, 1, 1}})) ==
        "125 119 113 107 101 95 89 83 77 71 20");
  CHECK_THROWS_WITH(read("TSS", "LB4OMP", {{"last", 4}}), Catch::Contains("first and last are for as: paper"));
  CHECK_THROWS_WITH(read("TSS", "DLS4LB", {{"first", 40}}), Catch::Contains("as: paper"));
}

TEST_CASE("BOLD without overhead hands out single tasks, as LB4OMP an equal part of what remains", "[self-scheduling]") {
  CHECK(chunks(read("BOLD", "paper"), {10, {1, 1}, 1, 3}) == Chunks(10, 1));
  CHECK(chunks(read("BOLD", "LB4OMP"), {16, {1, 1}, 1, 3}) == Chunks{8, 8});  // nothing has been done at 0
}

TEST_CASE("AWF of LB4OMP begins with equal weights, counts batches by chunks, and rounds up", "[self-scheduling]") {
  Read awf = read("AWF-B", "LB4OMP");
  LoopState state(80, std::vector<double>{1, 1}, awf.parameters);
  CHECK(next_chunk(awf.technique, state, 0) == 20);  // 80/4
  state.records.add(0, {20, 20, 0});                 // alone among those who have reported: weight 1, first batch still
  CHECK(next_chunk(awf.technique, state, 0) == 20);
  CHECK(next_chunk(awf.technique, state, 1) == 10);  // the second batch: half, whatever remains
  state.records.add(1, {10, 30, 0});                 // 1/3 task/s: 2·(1/3)/(4/3) = 1/2
  CHECK(next_chunk(awf.technique, state, 1) == 5);
  state.records.add(0, {20, 20, 0});
  CHECK(next_chunk(awf.technique, state, 0) == 8);  // the third: 3/2 of 5, rounded up
  Read by_chunks = read("AWF-C", "LB4OMP");
  LoopState other(80, std::vector<double>{1, 1}, by_chunks.parameters);
  CHECK(next_chunk(by_chunks.technique, other, 0) == 20);
  CHECK(next_chunk(by_chunks.technique, other, 1) == 20);  // the first one of a worker is of all tasks
  other.records.add(0, {20, 20, 0});
  CHECK(next_chunk(by_chunks.technique, other, 0) == 10);
}

TEST_CASE("AWF of LB4OMP takes workers that are all alike for alike, however their times round", "[self-scheduling]") {
  Read awf = read("AWF-C", "LB4OMP");
  for (std::size_t workers = 2; workers < 60; ++workers) {
    LoopState state(100'000, std::vector<double>(workers, 1.0), awf.parameters);
    for (std::size_t i = 0; i < workers; ++i) state.records.add(i, {7, 7 * 0.1, 0});
    const auto p = static_cast<double>(workers);
    CHECK(next_chunk(awf.technique, state, 0) == static_cast<std::int64_t>(std::ceil(100'000 * (1 / (2 * p)))));
  }
}

TEST_CASE("AWF of DLS4LB begins with min_chunk, and counts the latest whole time once more", "[self-scheduling]") {
  Read awf = read("AWF-B", "DLS4LB");  // 200 on 2: mFSC's size is int(0.55 + 100·ln 2/ln 100) = 15
  LoopState state(200, std::vector<double>{1, 1}, awf.parameters);
  CHECK(next_chunk(awf.technique, state, 0) == 7);
  CHECK(next_chunk(awf.technique, state, 1) == 7);
  state.records.add(0, {7, 7, 0});
  CHECK(next_chunk(awf.technique, state, 0) == 47);  // ceil(186/4); the other is as fast as this one
  state.records.add(1, {7, 21, 0});                  // 1/3 task/s: weight 1/2
  CHECK(next_chunk(awf.technique, state, 1) == 24);  // int(23.5 + 0.55), of the 94 of the batch
  // The first has (7 + 2·47 s)/(7 + 2·47) = 1 s/task: weight 3/2, 71, of the 23 that are left
  state.records.add(0, {47, 47, 0});
  CHECK(next_chunk(awf.technique, state, 0) == 23);
  // AWF-D: pi = (k times so far + (k + 1) times the latest)/(k tasks so far): (7 + 2·7)/7 = 3, (21 + 2·21)/7 = 9; after
  // a second chunk of 47 tasks in 23.5 s (7 + 2·23.5 + 3·23.5)/(7 + 2·47) = 1.2327
  Read whole = read("AWF-E", "DLS4LB");
  LoopState other(1000, std::vector<double>{1, 1}, whole.parameters);
  other.parameters.min_chunk = 1;
  other.records.add(0, {7, 7, 0});
  CHECK(next_chunk(whole.technique, other, 0) == 250);
  other.records.add(1, {7, 21, 0});
  CHECK(next_chunk(whole.technique, other, 1) == 94);  // 2·(1/9)/(1/9 + 1/3) = 1/2 of ceil(750/4)
  other.records.add(0, {47, 23.5, 0});
  CHECK(next_chunk(whole.technique, other, 0) == 289);  // 2·9/(9 + 1.2327) = 1.7591 of ceil(656/4)
}

TEST_CASE("A technique whose sources are of one mind has no versions, and none has a version that it does not know",
          "[self-scheduling]") {
  CHECK(technique("SS").versions.empty());
  CHECK(technique("BOLD").parameters() == "as, min_chunk");
  CHECK(technique("AF").parameters() == "trial, max_chunk, as, min_chunk");
  CHECK(words_in(technique("BOLD").versions) == std::vector<std::string>{"paper", "LB4OMP"});
  const KeyTable keys = keys_of_techniques(techniques());
  const auto as = std::ranges::find(keys, "as", &Key::name);
  REQUIRE(as != keys.end());
  CHECK(as->words == std::vector<std::string>{"paper", "DLS4LB", "LB4OMP"});
}

TEST_CASE("A farm whose technique is another version's is another job", "[task-farm]") {
  const auto identity = [](Parameters parameters) {
    parameters.insert({{"tasks", 16}, {"cost", 1}, {"technique", position_of("AF")}});
    FixedParameters reader(parameters);
    return make_workload(*builtin_workloads().find("task-farm"), reader).identity;
  };
  CHECK_THAT(identity({}), Catch::Contains(" technique=AF as=paper min_chunk=1 trial=0 max_chunk=0 "));
  CHECK_THAT(identity({{"as", 1}}), Catch::Contains(" technique=AF as=DLS4LB min_chunk=0 "));
  CHECK(identity({{"trial", 10}}) != identity({}));
}

TEST_CASE("AF computes task by task, as LB4OMP part by part", "[task-farm]") {
  using enum Technique::Learns;
  CHECK(read("AF", "paper").technique.learns == task_times);
  CHECK(read("AF", "LB4OMP").technique.learns == chunk_times);
  CHECK(read("AWF-D", "LB4OMP").technique.learns == whole_times);
  CHECK(read("AWF-D", "DLS4LB").technique.learns == chunk_times);
  for (const double as : {0.0, 1.0, 2.0}) {
    const RunResult r = run_on_both(job("task-farm", {{"tasks", 2000}, {"cost", 0.1}, {"technique", position_of("AF")},
                                                      {"as", as}},
                                        machines({1, 1, 4}, NetworkKind::network_switch), {0, 1, 1}));
    CHECK(r[Quantity::work_flop][1] + r[Quantity::work_flop][2] == near(200));
  }
}

TEST_CASE("A technique that a program adds is a word of its key, and hands out", "[task-farm][registry]") {
  Scenario s = job("task-farm", {{"tasks", 16}, {"cost", 1}}, machines(3));
  s.workload = farm_by_part("1").workload;
  // 16 tasks: 8 for client 1, 4, 2, 1, and 1 at least, for client 2, which is ready at 8 s and 10 messages.
  const RunResult r = run_on_both(s);
  CHECK(r[Quantity::work_flop] == std::vector<double>{0, 8, 8});
  s.workload = farm_by_part("1", {{"part", 0.25}}).workload;  // 4, 3, 2 (of 9), 1 (of 7), ..
  CHECK(run_on_both(s)[Quantity::messages][0] > r[Quantity::messages][0]);
}

TEST_CASE("A technique's keys and its code are part of the job's identity, of a built-in one there is no code",
          "[task-farm][registry]") {
  CHECK_THAT(farm_by_part("3f").identity, Catch::EndsWith(" code=3f"));
  CHECK_THAT(farm_by_part("3f").identity, Catch::Contains(" technique=part min_chunk=1 part=0.5 "));
  CHECK(farm_by_part("3f").identity != farm_by_part("40").identity);
  CHECK(farm_by_part("3f").identity != farm_by_part("3f", {{"part", 0.25}}).identity);
  FixedParameters read({{"tasks", 16}, {"cost", 1}, {"technique", position_of("GSS")}});
  CHECK(make_workload(*builtin_workloads().find("task-farm"), read).identity ==
        "task-farm version=1 law=constant tasks=16 cost=1 technique=GSS min_chunk=1 request=0 input=0 result=0 "
        "overhead=0 "
        "timeout=inf timeout_per_task=0");
}

TEST_CASE("The keys of a technique that a program adds are the job's", "[task-farm][registry]") {
  const auto workloads = workloads_with(part_self_scheduling(""));
  const KeyTable& keys = workloads.find("task-farm")->keys;
  const auto part = std::ranges::find(keys, "part", &Key::name),
             technique = std::ranges::find(keys, "technique", &Key::name);
  REQUIRE(part != keys.end());
  CHECK(part->of == "part");
  CHECK(technique->words.back() == "part");
  CHECK(technique->words.size() == techniques().size() + 1);
}

TEST_CASE("A key of a type that techniques do not read is its author's mistake", "[task-farm][registry]") {
  Technique odd = part_self_scheduling("");
  odd.keys.front().type = KeyType::path;
  FixedParameters read({{"technique", static_cast<double>(techniques().size())}, {"tasks", 16}, {"cost", 1}});
  CHECK_THROWS_AS(make_workload(*workloads_with(odd).find("task-farm"), read), std::logic_error);
}

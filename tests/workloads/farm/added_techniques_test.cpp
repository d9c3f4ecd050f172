// Techniques that a program adds: chosen by name, with keys of their own, told apart by their code.
#include "sim/base/error.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "tests/workloads/techniques_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

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

TEST_CASE("A technique that a program adds is a word of its key, and hands out", "[reads][task-farm][registry]") {
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

// Techniques as formulas: the built-in ones' bytes, what the variables are worth, and values that are no chunks.
#include <map>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/engines/simgrid/engine.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "tests/workloads/techniques_fixture.hpp"
#include "workloads/farm/technique_variables.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Formulas = std::map<std::string, std::string>;

/// A built-in technique as a formula.
struct Twin {
  const char* name;
  Formulas formulas;
};
const std::vector<Twin> kTwins{
    {"GSS", {{"chunk", "ceil(R/P)"}}},
    // f = max(floor(N/(2P)), 1), less floor((f - 1)/(ceil(2N/(f + 1)) - 1)) for each chunk so far
    {"TSS",
     {{"chunk",
       "max(1, max(floor(N/(2*P)), 1) - c*(ceil(2*N/(max(floor(N/(2*P)), 1) + 1)) > 1 ? "
       "floor((max(floor(N/(2*P)), 1) - 1)/(ceil(2*N/(max(floor(N/(2*P)), 1) + 1)) - 1)) : 0))"}}},
    {"FAC2", {{"batch", "P*ceil(R/(2*P))"}, {"chunk", "K/P"}}},
    {"WF", {{"batch", "P*ceil(R/(2*P))"}, {"chunk", "max(1, floor(w*(K/P) + 0.5))"}}},
};

WrittenFormula written(const std::string& text, const std::map<std::string, double>& keys = {}) {
  return {text, std::make_shared<const Formula>(text), keys};
}

TechniqueParameters told(const Formulas& formulas) {
  TechniqueParameters p;
  for (const auto& [key, text] : formulas) p.formulas[key] = written(text);
  return p;
}

std::shared_ptr<const Workload> farm_workload(const std::string& technique, const Formulas& formulas, double tasks,
                                              double overhead_s = 0) {
  constexpr double kExponential = 3;
  return made("task-farm", FixedParameters({{"technique", position_of(technique)},
                                            {"tasks", tasks},
                                            {"cost", 2},
                                            {"law", kExponential},
                                            {"request", 10},
                                            {"result", 3},
                                            {"overhead", overhead_s}},
                                           formulas));
}

/// The same to the bit, for each workstation.
void check_same(const std::vector<RunResult>& a, const std::vector<RunResult>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t r = 0; r < a.size(); ++r) {
    CHECK(a[r].makespan_s == b[r].makespan_s);
    for (std::size_t q = 0; q < kQuantities; ++q)
      CHECK(a[r][static_cast<Quantity>(q)] == b[r][static_cast<Quantity>(q)]);
  }
}

std::string error_at(const Formulas& formulas, std::int64_t remaining) {
  LoopState state(100, std::vector<double>{1, 1, 1, 1}, told(formulas));
  state.remaining = remaining;
  state.chunks = 3;
  try {
    return "no error but " + std::to_string(next_chunk(technique("formula"), state, 1));
  } catch (const RunError& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("Built-in techniques written as formulas hand out the same chunks, whoever asks",
          "[reads][task-farm][formula]") {
  Stream random = Stream::Family(5, 0).stream(0, Purpose::workload);
  for (const Twin& twin : kTwins) {
    INFO(twin.name);
    for (int trial = 0; trial < 100; ++trial) {
      std::vector<double> weights(1 + static_cast<std::size_t>(20 * random.uniform()));
      for (double& w : weights) w = random.uniform() < 0.2 ? 0 : random.uniform();
      const auto tasks = 1 + static_cast<std::int64_t>(5000 * random.uniform());
      LoopState built_in(tasks, weights, {}), formula(tasks, weights, told(twin.formulas));
      while (built_in.remaining > 0) {
        const auto worker = static_cast<std::size_t>(random.uniform() * static_cast<double>(weights.size()));
        REQUIRE(next_chunk(technique(twin.name), built_in, worker) ==
                next_chunk(technique("formula"), formula, worker));
      }
      REQUIRE(formula.remaining == 0);
    }
  }
}

TEST_CASE("Farms by formulas give the bytes of farms by the techniques they are, on both engines",
          "[task-farm][formula]") {
  const std::vector<std::vector<double>> speeds{{1, 1}, {1, 2, 3, 4}, {1, 1, 2, 3, 1, 1, 5, 0.5}};
  for (const Twin& twin : kTwins)
    for (const auto& speeds_flops : speeds)
      for (const double tasks : {1.0, 50.0, 333.0}) {
        INFO(twin.name << ", " << tasks << " tasks, " << speeds_flops.size() << " machines");
        Scenario s = job("task-farm", {{"tasks", 1}, {"cost", 1}}, machines(speeds_flops, NetworkKind::network_switch));
        s.share_flop = speeds_flops;
        s.share_flop.front() = 0;
        for (std::size_t i = 1; i < s.size(); i += 2) s.owners[i] = duty_cycle_owner(9, 0.4, true);
        Scenario t = s;
        s.workload = farm_workload(twin.name, {}, tasks, 0.01);
        t.workload = farm_workload("formula", twin.formulas, tasks, 0.01);
        check_same(run_batch_direct(s, {0, 3}), run_batch_direct(t, {0, 3}));
        if (tasks == 50) check_same(run_batch_simgrid(s, {0, 2}), run_batch_simgrid(t, {0, 2}));
      }
}

TEST_CASE("Variables of techniques are what the state of the loop says", "[task-farm][formula]") {
  TechniqueParameters p;
  p.cv = 0.5;
  p.mean_flop = 12;
  p.overhead_s = 0.25;
  LoopState s(100, std::vector<double>{1, 3}, p, {2, 4});
  s.remaining = 40;
  s.chunks = 7;
  s.now_s = 30;
  s.batch_tasks = 50;
  s.batch_left = 20;
  s.batches = 2;
  const std::map<std::string, double> before{
      {"R", 40},     {"N", 100},     {"P", 2},      {"c", 7},         {"i", 2},    {"w", 1.5},  {"speed", 4},
      {"mu", 3},     {"sigma", 1.5}, {"mu_all", 4}, {"sigma_all", 2}, {"mean", 3}, {"sd", 1.5}, {"mean_all", 4},
      {"sd_all", 2}, {"h", 0.25},    {"t", 30},     {"K", 50},        {"L", 20},   {"j", 2}};
  CHECK(before.size() == technique_variables().size());
  for (const auto& v : technique_variables()) {
    INFO(v.name);
    CHECK(v.value(s, 1) == before.at(v.name));
  }
  s.records.add(1, {3, 6, 2});  // 1, 2 and 3 s
  s.records.add(0, {1, 6, 0});  // 6 s
  const auto value = [&s](const std::string& name, std::size_t worker) {
    return variables_by_name(std::vector{name})[0]->value(s, worker);
  };
  CHECK(value("mean", 1) == Approx(2));
  CHECK(value("sd", 1) == Approx(1));
  CHECK(value("mean", 0) == Approx(6));
  CHECK(value("sd", 0) == Approx(3));  // of one task there is none: sigma
  CHECK(value("mean_all", 0) == Approx(3));
  CHECK(value("sd_all", 0) == Approx(std::sqrt(14.0 / 3)));  // 1, 2, 3, 6
}

TEST_CASE("Chunks of formulas are rounded up, and batches limit them", "[task-farm][formula]") {
  const auto chunks = [](const Formulas& formulas) {
    return chunks_in_turn(technique("formula"), {20, std::vector<double>{1, 1}, told(formulas)});
  };
  CHECK(chunks({{"chunk", "R/(2*P)"}}) == Chunks{5, 4, 3, 2, 2, 1, 1, 1, 1});
  CHECK(chunks({{"chunk", "1e300"}}) == Chunks{20});
  // Batches of 10, 7 (6.67) and what is left, in chunks of 4 (3.5) at most.
  CHECK(chunks({{"chunk", "min(3.5, L)"}, {"batch", "10 - 10*j/3"}}) == Chunks{4, 4, 2, 4, 3, 3});
}

TEST_CASE("What a formula names decides what workers report, and whether shares count", "[task-farm][formula]") {
  const auto needs = [](const std::string& text) {
    Technique t = technique("formula");
    add_needs(variables_of(written(text)), t);
    return std::pair{t.learns, t.uses_shares};
  };
  using Learns = Technique::Learns;
  CHECK(needs("R/P + h + mu_all*sigma_all + mu + sigma + speed + t") == std::pair{Learns::nothing, false});
  CHECK(needs("w*R/P") == std::pair{Learns::nothing, true});
  CHECK(needs("R/mean") == std::pair{Learns::chunk_times, false});
  CHECK(needs("w*R/mean_all") == std::pair{Learns::chunk_times, true});
  CHECK(needs("mean/sd") == std::pair{Learns::task_times, false});
  CHECK(needs("sd_all") == std::pair{Learns::task_times, false});
  CHECK(farm_workload("formula", {{"chunk", "w*R/P"}}, 10)->program().uses_shares);
  CHECK(!farm_workload("formula", {{"chunk", "R/P"}}, 10)->program().uses_shares);
}

TEST_CASE("A formula by measured times gives a slow machine less", "[task-farm][formula]") {
  const auto platform = machines({1, 1, 4}, NetworkKind::network_switch);
  for (const char* text : {"ceil(R/(4*P)*mean_all/mean)", "ceil(R/(4*P)*(mean_all + 0*sd)/mean)"}) {
    FixedParameters read({{"technique", position_of("formula")}, {"tasks", 2000}, {"cost", 1}}, {{"chunk", text}});
    Scenario s = job("task-farm", {{"tasks", 2000}, {"cost", 1}}, platform);
    s.workload = made("task-farm", read);
    const RunResult r = run_on_both(s);
    CHECK(r[Quantity::work_flop][2] / r[Quantity::work_flop][1] == Approx(4).epsilon(0.1));
  }
}

TEST_CASE("Values of formulas that are no chunks are told with the state in which they came",
          "[task-farm][formula][error]") {
  struct Wrong {
    Formulas formulas;
    std::int64_t remaining;
    const char* told;  ///< but for how the sentence begins and ends
  };
  const std::vector<Wrong> table{
      {{{"chunk", "R - 50"}}, 50, "chunk: 'R - 50' gives 0 tasks with R = 50, P = 4, c = 3, i = 2"},
      {{{"chunk", "w*(R - 50)/K"}, {"batch", "8"}}, 42,
       "chunk: 'w*(R - 50)/K' gives -1 tasks with K = 8, R = 42, w = 1, P = 4, c = 3, i = 2"},
      {{{"chunk", "1/(R - 50)"}}, 50, "chunk: '1/(R - 50)' gives inf tasks with R = 50, P = 4, c = 3, i = 2"},
      {{{"chunk", "sqrt(R - 50)"}}, 40,
       "chunk: 'sqrt(R - 50)' gives no number of tasks with R = 40, P = 4, c = 3, i = 2"},
      {{{"chunk", "1"}, {"batch", "0*N"}}, 50, "batch: '0*N' gives 0 tasks with N = 100, R = 50, P = 4, c = 3, i = 2"}};
  for (const auto& [formulas, remaining, told] : table)
    CHECK(error_at(formulas, remaining) == "the formula " + std::string(told) + "; it must be more than 0 and finite");
  CHECK(error_at({{"chunk", "R - 50"}}, 60) == "no error but 10");
}

TEST_CASE("A farm whose formula fails says when, and is estimated as one of single tasks",
          "[task-farm][formula][error]") {
  Scenario s = job("task-farm", {{"tasks", 1}, {"cost", 1}}, machines(3));
  s.workload = farm_workload("formula", {{"chunk", "R - 8"}}, 20);
  for (const bool is_direct : {true, false})
    CHECK_THROWS_WITH(
        is_direct ? run_batch_direct(s, {0, 1}) : run_batch_simgrid(s, {0, 1}),
        Catch::Contains("rank 0 on ws1 stopped at t = ") &&
            Catch::Contains(": the formula chunk: 'R - 8' gives 0 tasks with R = 8, P = 2, c = 1, i = 2"));
  CHECK(s.workload->program().messages(3) == 2 * (2 + 20));
}

TEST_CASE("Variables are named once each, and names that are none are told with the nearest",
          "[task-farm][formula][error]") {
  CHECK_THROWS_WITH(variables_by_name(std::vector<std::string>(100, "K")), "'K' is named twice");
  CHECK_THROWS_WITH(variables_by_name(std::vector<std::string>{"R", "P", "R"}), "'R' is named twice");
  CHECK_THROWS_WITH(variables_by_name(std::vector<std::string>{"mena"}),
                    "techniques know of nothing named 'mena'; did you mean 'mean'?");
  CHECK_THROWS_WITH(variables_of(written("ceil(mena/P)")),
                    "the formula 'ceil(mena/P)' needs 'mena', which is not given; did you mean 'mean'?");
  TechniqueParameters p;
  p.formulas["chunk"] = written("job.tasks/P + let.x", {{"job.tasks", 6}, {"let.x", 2}});
  LoopState state(9, std::vector<double>{1, 1}, p);
  CHECK(next_chunk(technique("formula"), state, 0) == 5);
}

// Every shipped experiment works, and the measured traces where they are at hand.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>

#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/skips.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

const std::string kSource = source_folder();

/// Whether the manual lists an experiment as one of those that `auto` leaves to SimGrid, in a table with reasons.
bool is_left_to_simgrid(const std::string& name) {
  const std::string all = content_of(kSource + "/experiments/README.md");
  const auto begin = all.find("| left to SimGrid |");
  REQUIRE(begin != std::string::npos);
  return all.substr(begin, all.find("\n\n", begin) - begin).find("\n| `" + name + "` |") != std::string::npos;
}

/// The words that have an experiment of the shipped recordings replay six servers of the Numenta Anomaly Benchmark in
/// their place; `first` are names of machines before theirs.
std::vector<std::string> on_nab_servers(const std::string& folder, const std::string& first = "") {
  return {"--set", "owner.folder=" + folder, "--set", "owner.file=ec2_cpu_utilization_{host}.csv", "--set", "owner.column=value",
          "--set", "platform.names=[" + first + "24ae8d, 53ea38, 5f5533, 77c1ca, ac20cd, fe7f93]"};
}
ProgramRun run_on_nab_servers(const std::string& experiment, const std::string& folder, const std::string& first,
                              const std::vector<std::string>& more) {
  std::vector<std::string> words{"run", experiment, "--format", "csv"};
  std::ranges::copy(on_nab_servers(folder, first), std::back_inserter(words));
  std::ranges::copy(more, std::back_inserter(words));
  return run_program(words);
}

const char* const kReplications = is_sanitized() ? "2" : "4";  // the sanitizers take five times as long
const std::size_t kSlowness = is_sanitized() ? 4 : 1;

/// All of a folder; what describes labs is no experiment. One in `every` is run, all of them in a long run.
void check_experiments(const std::string& folder, std::size_t least = 7, std::size_t every = 1) {
  constexpr const char* kOfLabs[] = {"lab.yaml", "texts.yaml"};
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(kSource + "/experiments/" + folder)) {
    const std::string name = folder + "/" + entry.path().stem().string();
    if (entry.path().extension() != ".yaml") continue;
    if (std::ranges::count(kOfLabs, entry.path().filename().string()) == 0) names.insert(name);
  }
  CHECK(names.size() >= least);
  std::size_t count = 0;
  for (const auto& name : names) {
    const ProgramRun check = run_program({"check", name});
    INFO(name << ": " << check.error);
    CHECK(check.status == 0);
    if (count++ % (is_long_run() ? 1 : every * kSlowness) != 0) continue;
    const ProgramRun run = run_program({"run", name, "--replications", kReplications, "--format", "csv"});
    INFO(run.error);
    CHECK(run.status == 0);
    CHECK(run.out.find("failed") == std::string::npos);
    CHECK((run.out.find(",simgrid,") != std::string::npos) == is_left_to_simgrid(name));
  }
}

}  // namespace

// A case per folder, so that they run side by side.
TEST_CASE("Huang & Lee's experiments are found by name, pass check, and run", "[computes][cli][shipped]") {
  check_experiments("huang-lee-2007");
}
TEST_CASE("Zhang & Yan's experiments are found by name, pass check, and run", "[cli][shipped]") {
  check_experiments("zhang-yan-1995");
}
TEST_CASE("Bazterra et al.'s experiments are found by name, pass check, and run", "[cli][shipped]") {
  check_experiments("bazterra-2004");
}
TEST_CASE("Bosque et al.'s experiments are found by name, pass check, and run", "[cli][shipped]") {
  check_experiments("bosque-2011", 7, 3);  // sizes that are solved for take long
}
TEST_CASE("Labs and experiments of self-scheduling are found by name, pass check, and run", "[cli][shipped]") {
  check_experiments("labs");
  check_experiments("self-scheduling");
}
TEST_CASE("Students' labs have experiments that are found by name, pass check, and run", "[cli][shipped][slow]") {
  for (const auto& entry : fs::directory_iterator(kSource + "/experiments/labs"))
    if (fs::exists(entry.path() / "lab.yaml")) check_experiments("labs/" + entry.path().filename().string(), 1);
}
TEST_CASE("Every shipped experiment can be copied, with its comments, and names the same files", "[cli][new][shipped]") {
  const Folder folder;
  std::istringstream list(run_program({"list", "experiments"}).out);
  std::size_t count = 0;
  for (std::string line; std::getline(list, line); ++count) {
    const std::string name = line.substr(0, line.find(' ')), copy = "copy" + std::to_string(count);
    const ProgramRun made = run_program({"new", copy, "--from", name}, folder.path());
    INFO(name << made.error);
    REQUIRE(made.status == 0);
    const std::string original = content_of(kSource + "/experiments/" + name + ".yaml"),
                      text = content_of(folder.path() + "/" + copy + ".yaml");
    CHECK(std::ranges::count(text, '#') == std::ranges::count(original, '#'));
    CHECK_THAT(text, !Catch::Contains("../"));
  }
  CHECK(count > 60);
}

TEST_CASE("The platform of STOCHASTIC profiles gives HL's tau, as the interval model does", "[cli][shipped]") {
  const Folder folder;
  folder.file("e.yaml", "nowsim: 1\nplatform: {file: " + kSource + "/platforms/uniform-now.xml}\n"
                        "job: {workload: base-task, work: 800f}\nrun: {replications: 1000}\nmetrics: [tau]\n");
  const ProgramRun xml = run_program({"run", "e.yaml", "--format", "csv"}, folder.path());
  const ProgramRun yaml =
      run_program({"run", "huang-lee-2007/fig05", "--format", "csv", "--set", "owner.SH=0", "--set", "owner.TH=0.28"});
  const auto second_line = [](const std::string& text) { return std::stod(text.substr(text.find('\n') + 1)); };
  // Independent paths of the same law: 4.5 standard errors of a difference, each with sigma_T = 9.8 over 1000 runs.
  CHECK(std::abs(second_line(xml.out) - second_line(yaml.out)) < 4.5 * std::sqrt(2.0) * 9.8 / std::sqrt(1000.0));
}

TEST_CASE("A job of 100 machine-hours on six measured servers", "[cli][shipped]") {
  const std::string folder = measured_traces();
  if (folder.empty()) return;
  const ProgramRun r = run_on_nab_servers("labs/six-servers", folder, "", {"--set", "let.hours=100"});
  INFO(r.error);
  REQUIRE(r.status == 0);
  std::istringstream in(r.out);
  std::string head, equal, proportional;
  std::getline(in, head);
  std::getline(in, equal);
  std::getline(in, proportional);
  CHECK(equal.rfind("equal,", 0) == 0);
  const double tau_equal = std::stod(equal.substr(6)), tau_proportional = std::stod(proportional.substr(13));
  // 60,000 s of work on each of six: the slowest two have 0.57 and 0.59 on average. In proportion all need
  // 360,000 s / 4.977 machines = 72,340 s on average, and the job the slowest's.
  CHECK(tau_equal > 60'000 / 0.59);
  CHECK(tau_equal < 150'000);
  CHECK(tau_proportional > 72'340);
  CHECK(tau_proportional < 0.85 * tau_equal);
}

TEST_CASE("Owners fitted to six measured servers stand beside their replay", "[cli][shipped]") {
  const std::string folder = measured_traces();
  if (folder.empty()) return;
  // The shares and fits that are written there are of the shipped recordings; those of these servers go in their place.
  const Folder own;
  std::string yaml = content_of(kSource + "/experiments/labs/fitted-against-replayed.yaml");
  const auto hosts = yaml.find("  hosts:\n");
  own.file("e.yaml", yaml.erase(hosts, yaml.find("run:\n", hosts) - hosts));
  std::vector<std::string> words{"--set", "let.hours=100", "--set", "sweep.let.plan=[1, 2]", "--replications", "1000"};
  for (const char* fit : {"24ae8d={value: beta, mean: 0.998737, TH: 0.00094921, interval: 275.915s, length: constant}",
                          "53ea38={value: beta, mean: 0.981704, TH: 0.00103336, interval: 229.455s, length: constant}",
                          "5f5533={value: beta, mean: 0.568896, TH: 0.0756382, interval: 85764.3s, length: exponential}",
                          "77c1ca={value: beta, mean: 0.894818, TH: 0.300902, interval: 2166.06s, length: exponential}",
                          "ac20cd={value: truncated-normal, mean: 0.590089, TH: 0.371257, interval: 125786s, length: constant}",
                          "fe7f93={value: beta, mean: 0.94221, TH: 0.125346, interval: 1283.51s, length: exponential}"}) {
    words.emplace_back("--set");
    words.push_back(std::string("owner.hosts.") + fit);
  }
  const ProgramRun r = run_on_nab_servers(own.path() + "/e.yaml", folder, "", words);
  INFO(r.error);
  REQUIRE(r.status == 0);
  std::istringstream in(r.out);
  std::vector<double> tau;
  std::string row;
  for (std::getline(in, row); std::getline(in, row);) {
    const auto model = row.find("intervals,") != row.npos ? row.find("intervals,") + 10 : row.find("trace,") + 6;
    tau.push_back(std::stod(row.substr(model)));
  }
  REQUIRE(tau.size() == 4);  // two plans, each fitted and replayed
  for (std::size_t k = 0; k < tau.size(); k += 2) {
    INFO("plan " << k / 2 + 1);
    CHECK(tau[k] == Approx(tau[k + 1]).epsilon(0.1));
  }
}

TEST_CASE("A loop of tasks on six measured servers is done sooner one by one than in equal parts", "[cli][shipped]") {
  const std::string folder = measured_traces();
  if (folder.empty()) return;
  const auto tau = [&](const std::string& by) {
    const ProgramRun r = run_on_nab_servers("self-scheduling/servers", folder, "server, ",
                                            {"--set", "let.by=" + by, "--set", "let.hours=24", "--set", "job.tasks=3600",
                                             "--replications", "200", "--set", "metrics=[tau]"});
    INFO(r.error);
    REQUIRE(r.status == 0);
    const auto row = r.out.find('\n') + 1;  // technique and policy, which go with let.by, stand before tau
    return std::stod(r.out.substr(r.out.find(',', r.out.find(',', row) + 1) + 1));
  };
  // 86,400 s of work on machines that leave 4.977 on average; of equal parts the slowest two's 14,400 s wait longest.
  const double one_by_one = tau("SS"), equal = tau("equal");
  CHECK(one_by_one > 0.95 * 86'400 / 4.977);
  CHECK(one_by_one < 1.2 * 86'400 / 4.977);
  CHECK(equal > 14'400 / 0.59);
}

// Whole items and what they are the best for; scripts do what they say, whatever machines and commands are called.
#include "experiments/driver/studies/plan_files.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <sstream>

#include "experiments/driver/text/formats.hpp"
#include "sim/base/error.hpp"
#include "sim/statistics/random.hpp"
#include "tests/awkward_texts.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

using Counts = std::vector<std::uint64_t>;

/// By how much the part that exceeds its share the most does so.
double worst(const std::vector<double>& shares, const Counts& counts) {
  double most = 0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (counts[i] > 0) most = std::max(most, static_cast<double>(counts[i]) / shares[i]);
  return most;
}

/// The least that any way to deal so many items out among the first machines has.
double best_worst(const std::vector<double>& shares, std::uint64_t items) {
  Counts counts(shares.size(), 0);
  double best = kInfinity;
  const std::function<void(std::size_t, std::uint64_t)> deal = [&](std::size_t i, std::uint64_t left) {
    if (i + 1 == shares.size()) {
      counts[i] = left;
      best = std::min(best, worst(shares, counts));
      return;
    }
    for (counts[i] = 0; counts[i] <= left; ++counts[i]) deal(i + 1, left - counts[i]);
    counts[i] = 0;
  };
  deal(0, items);
  return best;
}

JobParts some_parts(const std::vector<std::pair<std::string, double>>& machines, std::uint64_t items = 0) {
  JobParts out;
  out.title = "10 flop on lab.xml";
  out.items = items;
  std::uint64_t next = 1;
  for (const auto& [name, work] : machines) {
    const auto count = items > 0 ? static_cast<std::uint64_t>(work) : 0;
    out.parts.push_back({name, work, next, count});
    out.work_flop += work;
    next += count;
  }
  return out;
}

std::string text_of(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

/// A program of a folder's bin/, for scripts that look for it.
void put_program(const Folder& folder, const std::string& name, const std::string& lines) {
  fs::create_directories(fs::path(folder.path()) / "bin");
  const auto file = fs::path(folder.path()) / "bin" / name;
  std::ofstream(file) << "#!/bin/sh\n" + lines;
  fs::permissions(file, fs::perms::owner_all);
}

/// Runs a script in the folder, by the programs of its bin/. Returns the exit status as a shell has it.
int run_script(const Folder& folder, const std::string& script) {
  std::ofstream(fs::path(folder.path()) / "script") << script;
  const std::string in = "cd '" + folder.path() + "' && ";
  CHECK(std::system((in + "bash -n script").c_str()) == 0);
  return std::system((in + "PATH=$PWD/bin:$PATH sh script > out 2> err").c_str());
}

}  // namespace

TEST_CASE("Whole items come to all, and no other way keeps the part that exceeds its share the most smaller",
          "[computes][plan]") {
  Stream stream({7, 0, 0, Purpose::workload});
  for (int k = 0; k < 300; ++k) {
    const auto n = static_cast<std::size_t>(1 + 5 * stream.uniform());
    const auto items = static_cast<std::uint64_t>(1 + 12 * stream.uniform());
    std::vector<double> shares;
    for (std::size_t i = 0; i < n; ++i) shares.push_back(stream.uniform() < 0.2 ? 0.25 : 0.01 + stream.uniform());
    const Counts counts = whole_items(shares, items);
    CHECK(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == items);
    CHECK(worst(shares, counts) <= best_worst(shares, items) * (1 + 1e-12));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (shares[i] > shares[j]) CHECK(counts[i] >= counts[j]);
  }
}

TEST_CASE("Many items follow the shares, whole parts are as they are, and who has no share gets none", "[computes][plan]") {
  Stream stream({8, 0, 0, Purpose::workload});
  for (int k = 0; k < 50; ++k) {
    std::vector<double> shares;
    for (int i = 0; i < 40; ++i) shares.push_back(i % 7 == 3 ? 0 : stream.uniform());
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    constexpr std::uint64_t kItems = 1'000'000;
    const Counts counts = whole_items(shares, kItems);
    CHECK(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == kItems);
    for (std::size_t i = 0; i < shares.size(); ++i)
      CHECK(static_cast<double>(counts[i]) == Approx(shares[i] / sum * kItems).margin(3));
    std::vector<double> again;
    for (const auto count : counts) again.push_back(3.7e9 * static_cast<double>(count) / kItems);
    CHECK(whole_items(again, kItems) == counts);
  }
  CHECK(whole_items({0, 1, 0}, 5) == Counts{0, 5, 0});
  CHECK(whole_items({1, 1, 1}, 2) == Counts{1, 1, 0});
  CHECK(whole_items({0.94, 0.06}, 10) == Counts{10, 0});  // by the largest remainder the second has 1.7 times its part
}

TEST_CASE("A split's file has each machine's share and the range of its items", "[plan]") {
  CHECK(parts_csv(some_parts({{"a", 2}, {"b", 0}, {"c,d", 8}}, 10)) ==
        "machine,share,work_flop,items,first_item,last_item\na,0.2,2,2,1,2\nb,0,0,0,,\n\"c,d\",0.8,8,8,3,10\n");
  JobParts told_as_time = some_parts({{"a", 7.2e12}, {"b", 3.6e12}});
  told_as_time.hour_flop = 3.6e12;
  CHECK(parts_csv(told_as_time) ==
        "machine,share,work_flop,hours\na,0.6666666666666666,7.2e+12,2\nb,0.3333333333333333,3.6e+12,1\n");
}

TEST_CASE("A command says each machine its part", "[plan]") {
  const JobParts parts = some_parts({{"a", 2}, {"b c", 8}}, 10);
  CHECK(part_command("do {first}-{last} of {items} '{share}' {work} {machine} {} {x} {firs {", parts, parts.parts[0]) ==
        "do 1-2 of 2 '0.2' 2 a {} {x} {firs {");
  CHECK(part_command("{first}..{last}", parts, parts.parts[1]) == "3..10");
  CHECK_THROWS_WITH(part_command("{machine}", parts, parts.parts[1]), Contains("'b c' cannot be named by {machine}"));
  CHECK_THROWS_WITH(part_command("make {frist}", parts, parts.parts[0]), Contains("nothing in it says which part"));
  CHECK_THROWS_WITH(part_command("a {first}\nb", parts, parts.parts[0]), Contains("one line"));
  const JobParts whole = some_parts({{"a", 2}});
  CHECK(part_command("{share} {work}", whole, whole.parts[0]) == "1 2");
  CHECK_THROWS_WITH(part_command("{last}", whole, whole.parts[0]), Contains("--items"));
}

TEST_CASE("ssh gets each machine's name and command as they are, whatever they hold", "[plan][files]") {
  const Folder folder;
  put_program(folder, "ssh", "shift 2\nprintf '%s\\n' \"$1\" \"$2\" >> told\n");
  put_program(folder, "parallel", "exec sh -e\n");
  std::vector<std::pair<std::string, double>> machines{{"idle", 0}, {"-oProxyCommand=touch made", 1}};
  for (const auto& text : awkward_texts("made"))
    if (!text.empty() && std::ranges::none_of(text, [](char c) { return c < ' ' || c > '~'; })) machines.emplace_back(text, 2);
  machines.emplace_back("END", 1);
  std::string told;
  for (const auto& text : awkward_texts("made")) {
    if (text.empty() || std::ranges::any_of(text, [](char c) { return c < ' ' || c > '~'; })) continue;
    JobParts parts = some_parts(machines);
    parts.title += text;
    fs::remove(fs::path(folder.path()) / "told");
    REQUIRE(run_script(folder, parallel_script(parts, text + "{work}")) == 0);
    std::string expected;
    for (const auto& [name, work] : machines)
      if (work > 0) expected += name + "\n" + text + (work == 1 ? "1\n" : "2\n");
    CHECK(text_of(fs::path(folder.path()) / "told") == expected);
  }
  CHECK_FALSE(fs::exists(fs::path(folder.path()) / "made"));
  JobParts two_lines = some_parts({{"a", 1}});
  two_lines.title = "a\ntouch made";
  CHECK(run_script(folder, parallel_script(two_lines, "{work}")) == 0);
  CHECK_FALSE(fs::exists(fs::path(folder.path()) / "made"));
  CHECK_THROWS_WITH(parallel_script(some_parts({{"a\nb", 1}}), "{work}"), Contains("control characters"));
}

TEST_CASE("A job of Slurm has a component for all machines with the same part, each of which does its own", "[plan][files]") {
  const JobParts parts = some_parts({{"a", 3}, {"b", 2}, {"idle", 0}, {"c-1.x", 3}}, 8);
  const std::string script = slurm_script(parts, "echo \"it's {machine}\" {first} {last}");
  CHECK_THAT(script, Contains("#SBATCH --nodelist=a,c-1.x --nodes=2 --ntasks=2 --ntasks-per-node=1\n#SBATCH hetjob\n"
                              "#SBATCH --nodelist=b --nodes=1 --ntasks=1 --ntasks-per-node=1\n"));
  const Folder folder;
  put_program(folder, "srun", "test \"$1\" = --het-group=0-1 && shift || exit 9\n"
                              "for SLURMD_NODENAME in a b c-1.x; do export SLURMD_NODENAME; \"$@\"; done\n");
  CHECK(run_script(folder, script) == 0);
  CHECK(text_of(fs::path(folder.path()) / "out") == "it's a 1 3\nit's b 4 5\nit's c-1.x 6 8\n");
  const std::string alike = slurm_script(some_parts({{"a", 3}, {"b", 3}}), "do {share}");
  CHECK_THAT(alike, !Contains("het") && Contains("\nsrun sh -c \"$part\"\n"));
  CHECK_THROWS_WITH(slurm_script(some_parts({{"a b", 1}}), "{work}"), Contains("'a b' cannot be named in a job of Slurm"));
  CHECK_THROWS_WITH(slurm_script(some_parts({{"-x", 1}}), "{work}"), Contains("cannot be named"));
  std::vector<std::pair<std::string, double>> many;
  for (int k = 1; k <= 129; ++k) many.emplace_back("n" + std::to_string(k), k);
  CHECK_THROWS_WITH(slurm_script(some_parts(many), "{work}"), Contains("128 components at most"));
}

TEST_CASE("Ranks are put on machines for mpirun", "[plan]") {
  const std::vector<Workstation> lab{{"a", 1, 1, {}}, {"b", 1, 4, {}}, {"c", 1, 1, {}}};
  const Placement placement{1, 0, 1, 1};
  CHECK_THAT(mpi_hostfile("p on lab", placement, lab),
             Contains("# p on lab (nowsim plan)\n") && Contains("mpiexec -hosts b:1,a:1,b:2 -n 4\n") &&
                 Catch::EndsWith("\na slots=1\nb slots=3\n"));
  CHECK_THAT(mpi_rankfile("p on lab", placement, lab),
             Catch::EndsWith("\nrank 0=b slot=0-3\nrank 1=a slot=0\nrank 2=b slot=0-3\nrank 3=b slot=0-3\n"));
  for (const char* name : {"a b", "a=b", "a:2", "#a", "a\nb"}) {
    const std::vector<Workstation> odd{{name, 1, 1, {}}};
    CHECK_THROWS_WITH(mpi_hostfile("", {0}, odd), Contains("cannot be named to mpirun"));
    CHECK_THROWS_WITH(mpi_rankfile("", {0}, odd), Contains("cannot be named to mpirun"));
  }
}

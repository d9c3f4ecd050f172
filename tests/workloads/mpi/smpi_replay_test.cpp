// Recorded programs on both engines, with times derived by hand and those of SimGrid's own replay.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "experiments/driver/text/run_program.hpp"
#include "sim/base/error.hpp"
#include "sim/engines/direct/engine.hpp"
#include "sim/platform/read_platform.hpp"
#include "tests/paths.hpp"
#include "tests/skips.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "tests/workloads/mpi/recorded_trace.hpp"
#include "workloads/mpi/mpi_collectives.hpp"
#include "workloads/mpi/mpi_replay.hpp"
#include "workloads/mpi/mpi_trace_text.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// The trace on a platform under owners; `words` are its keys that choose, `numbers` the others, in SI.
Scenario mpi_scenario(const std::string& trace, std::shared_ptr<const Platform> platform,
                             std::map<std::string, std::string> words = {},
                             const std::map<std::string, double>& numbers = {},
                             const std::vector<std::string>& placement = {}, OwnerPtr owner = dedicated_owner()) {
  words["trace"] = trace;
  FixedParameters read(numbers, words);
  read.list = placement;
  Scenario s = scenario(std::move(platform), {}, std::move(owner));
  s.workload = made("mpi-trace", read);
  return s;
}

constexpr const char* kHead =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n";

/// Eight hosts n0 to n7 of two cores behind links of their own.
std::string cluster(const Folder& folder) {
  return folder.file("cluster.xml", std::string(kHead) +
      "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-7\" speed=\"1Gf\" core=\"2\" bw=\"125MBps\" lat=\"50us\" "
      "loopback_bw=\"500MBps\" loopback_lat=\"4us\"/>\n</platform>\n");
}

/// Random programs that end: all ranks follow one order of operations.
class RandomMpiProgram {
 public:
  RandomMpiProgram(unsigned seed, int ranks) : random_(seed), n_(ranks), lines_(static_cast<std::size_t>(ranks)) {}

  MpiProgram made(int steps) {
    for (int k = 0; k < steps; ++k) step();
    return lines_;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  /// Elements of 8 bytes, on both sides of 64 KiB.
  int elements() { return below(3) == 0 ? below(30000) : below(200); }
  void say(int rank, const std::string& line) { lines_[static_cast<std::size_t>(rank)].push_back(line); }
  void all(const std::string& line) {
    for (int r = 0; r < n_; ++r) say(r, line);
  }
  static std::string text(std::initializer_list<int> numbers) {
    std::string out;
    for (const int it : numbers) out += " " + std::to_string(it);
    return out;
  }

  void step() {
    switch (below(10)) {
      case 0:
      case 1: return compute();
      case 2:
      case 3: return message();
      case 4: return exchanges();
      case 5: return all("sendRecv", [this](int r) { return text({7, (r + 1) % n_, 7, (r + n_ - 1) % n_, 0, 0}); });
      default: return collective();
    }
  }
  template <class Of>
  void all(const std::string& name, Of of) {
    for (int r = 0; r < n_; ++r) say(r, name + of(r));
  }
  void compute() {
    for (int r = 0; r < n_; ++r) say(r, below(5) == 0 ? "sleep 0.001" : "compute " + std::to_string(1000 * below(5000)));
  }
  void message() {
    const int from = below(n_), to = (from + 1 + below(n_ - 1)) % n_, tag = below(3), size = elements();
    say(from, "send" + text({to, tag, size, 0}));
    say(to, "recv" + text({from, tag, size, 0}));
  }
  /// Each with some others at the same time, waited for in one of two ways.
  void exchanges() {
    const int size = elements(), distance = 1 + below(n_ - 1);
    const bool one_by_one = below(2) == 0;
    for (int r = 0; r < n_; ++r) {
      const int to = (r + distance) % n_, from = (r + n_ - distance) % n_;
      say(r, "irecv" + text({from, 5, size, 0}));
      say(r, "isend" + text({to, 5, size, 0}));
      say(r, "compute " + std::to_string(1000 * below(2000)));
      if (one_by_one) {
        say(r, "wait" + text({from, r, 5}));
        say(r, "wait" + text({r, to, 5}));
      } else {
        say(r, "waitall 2");
      }
    }
  }
  void collective() {
    const int root = below(n_), size = elements();
    std::string counts;
    int sum = 0;
    std::vector<int> parts;
    for (int r = 0; r < n_; ++r) {
      parts.push_back(below(2000));
      counts += text({parts.back()});
      sum += parts.back();
    }
    switch (below(14)) {
      case 0: return all("barrier");
      case 1: return all("bcast" + text({size, root, 0}));
      case 2: return all("reduce" + text({size, 1000 * below(1000), root, 0}));
      case 3: return all("allreduce" + text({size, 1000 * below(1000), 0}));
      case 4: return all("alltoall" + text({1 + size, 1 + size, 0, 0}));
      case 5: return all("gather" + text({1 + size, 1 + size, root, 0, 0}));
      case 6: return all("scatter" + text({1 + size, 1 + size, root, 0, 0}));
      case 7: return all("allgather" + text({1 + size, 1 + size, 0, 0}));
      case 8: return all("gatherv", [&](int r) { return text({parts[static_cast<std::size_t>(r)]}) + counts + text({root, 0, 0}); });
      case 9: return all("scatterv", [&](int r) { return counts + text({parts[static_cast<std::size_t>(r)], root, 0, 0}); });
      case 10: return all("allgatherv", [&](int r) { return text({parts[static_cast<std::size_t>(r)]}) + counts + text({0, 0}); });
      case 11: return all("reducescatter" + counts + text({1000 * below(1000), 0}));
      case 12: return all(below(2) == 0 ? "scan" + text({size, 5000, 0}) : "exscan" + text({size, 5000, 0}));
      default:
        return all("alltoallv", [&](int r) {
          const int mine = parts[static_cast<std::size_t>(r)];
          std::string sent;
          for (int k = 0; k < n_; ++k) sent += text({mine});
          return text({mine * n_}) + sent + text({sum}) + counts + text({0, 0});
        });
    }
  }

  std::mt19937 random_;
  int n_;
  MpiProgram lines_;
};

bool is_without_smpirun() {
  if (is_program("smpirun")) return false;
  skipped("smpi", "there is no smpirun here: nothing is compared with it");
  return true;
}

/// What smpirun would choose of its own. SimGrid's default models of the network and of small messages would change
/// times; the last of these say that none of SMPI's calls costs anything by itself.
const std::vector<std::string> kPinned{
    "network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:1e300", "surf/precision:1e-12", "network/optim:Full", "maxmin/precision:1e-7",
    "smpi/host-speed:1Gf", "smpi/async-small-thresh:0", "smpi/send-is-detached-thresh:65536", "smpi/os:0:0:0:0:0",
    "smpi/ois:0:0:0:0:0", "smpi/or:0:0:0:0:0", "smpi/test:0", "smpi/iprobe:0", "smpi/init:0", "smpi/finalization-barrier:no",
    "smpi/coll-selector:default"};

/// How long SMPI's replay takes [s] on the cluster, with ranks on its hosts in turn.
/// @param settings further ones, as smpirun has them without --cfg=.
double smpi_replay_s(const Folder& folder, const std::string& trace, const std::string& platform_file,
                     std::size_t ranks, const std::vector<std::string>& settings) {
  std::string hosts;
  for (std::size_t i = 0; i < ranks; ++i) hosts += "n" + std::to_string(i % 8) + "\n";
  std::vector<std::string> words{"smpirun", "-np", std::to_string(ranks), "-platform", platform_file, "-hostfile",
                                 folder.file("hosts", hosts), "-replay", trace, "--log=root.fmt:%.15r_%m%n"};
  for (const auto& all : {kPinned, settings})
    for (const auto& setting : all) words.push_back("--cfg=" + setting);
  const ProgramEnd end = run_program(folder.path(), words, "there is no smpirun", {});
  const auto line_end = end.said.find("_Simulation time");
  INFO(end.said);
  REQUIRE(end.status == 0);
  REQUIRE(line_end != end.said.npos);
  return std::stod(end.said.substr(end.said.rfind('\n', line_end) + 1));
}

/// Both engines against the replay, to 1e-9.
void check_alike(const Folder& folder, const std::string& trace, const std::string& platform, std::size_t ranks,
                 const std::vector<std::string>& settings = {}, const std::map<std::string, std::string>& words = {},
                 const std::map<std::string, double>& numbers = {}) {
  const double expected_s = smpi_replay_s(folder, trace, platform, ranks, settings);
  const auto loaded = std::make_shared<const Platform>(load_platform(platform));
  const Scenario s = mpi_scenario(trace, loaded, words, numbers);
  CHECK(nowsim::test::run(s).front().makespan_s == Approx(expected_s).epsilon(1e-9).margin(1e-12));
}

// Machines of 1 flop/s on a switch of 1000 B/s with 1 ms; an envelope of 16 bytes takes 16 ms.
constexpr double kMessage_s = 1e-3 + 16e-3;

std::shared_ptr<const Platform> lab(std::size_t n, int cores = 1) {
  return machines(std::vector<double>(n, 1), NetworkKind::network_switch, 1000, 1e-3, cores);
}

/// Two of them, the second off at times.
std::shared_ptr<const Platform> failing(const std::string& profile) { return with_states(*lab(2), {{1, profile}}); }

/// Of one program on these machines, the result of both engines.
RunResult replayed(const MpiProgram& program, std::shared_ptr<const Platform> platform,
                   const std::map<std::string, double>& numbers = {}, const std::vector<std::string>& placement = {}) {
  const Folder folder;
  const std::string trace = write_ranks(folder, trace_of(program));
  return run(mpi_scenario(trace, std::move(platform), {}, numbers, placement)).front();
}
RunResult replayed(const MpiProgram& program, std::size_t machines, const std::map<std::string, double>& numbers = {},
                   const std::vector<std::string>& placement = {}) {
  return replayed(program, lab(machines), numbers, placement);
}

}  // namespace

TEST_CASE("Random programs of all actions take as long as in SimGrid's replay", "[computes][reads][mpi][smpi]") {
  if (is_without_smpirun()) return;
  const unsigned cases = is_long_run() ? 200 : 12;
  for (unsigned seed = 1; seed <= cases; ++seed) {
    const Folder folder;
    const int ranks = 2 + static_cast<int>(seed % 7);
    INFO("seed " << seed << ", " << ranks << " ranks");
    const std::string trace = write_ranks(folder, trace_of(RandomMpiProgram(seed, ranks).made(30)));
    check_alike(folder, trace, cluster(folder), static_cast<std::size_t>(ranks));
  }
}

TEST_CASE("Random programs under owners take as long on both engines, on machines of their own and on shared ones",
          "[mpi][engines]") {
  for (unsigned seed = 1; seed <= (is_long_run() ? 100U : 6U); ++seed) {
    const Folder folder;
    const int ranks = 3 + static_cast<int>(seed * 5 % 17);
    INFO("seed " << seed << ", " << ranks << " ranks");
    const std::string trace = write_ranks(folder, trace_of(RandomMpiProgram(seed, ranks).made(15)));
    const auto loaded = std::make_shared<const Platform>(load_platform(cluster(folder)));
    const OwnerPtr owner = profile_of("PERIODICITY 0.004\n0 1\n0.001 0.3\n0.0017 0\n0.0023 0.8\n");
    nowsim::test::run(mpi_scenario(trace, loaded, {}, {}, {}, owner));  // compares the engines
  }
}

TEST_CASE("Messages are eager, detached or wait for their receivers by SMPI's thresholds", "[mpi][smpi]") {
  if (is_without_smpirun()) return;
  const Folder folder;
  const std::string trace = write_ranks(folder, trace_of(RandomMpiProgram(77, 5).made(40)));
  check_alike(folder, trace, cluster(folder), 5, {"smpi/async-small-thresh:1000", "smpi/send-is-detached-thresh:20000"}, {},
              {{"eager", 1000}, {"rendezvous", 20000}});
  check_alike(folder, trace, cluster(folder), 5, {"smpi/send-is-detached-thresh:0"}, {}, {{"rendezvous", 0}});
}

TEST_CASE("More ranks than hosts share the cores of hosts", "[mpi][smpi][placement]") {
  if (is_without_smpirun()) return;
  const Folder folder;
  const std::string trace = write_ranks(folder, trace_of(RandomMpiProgram(5, 21).made(15)));
  check_alike(folder, trace, cluster(folder), 21);
}

TEST_CASE("Each algorithm of each collective takes as long as SMPI's of that name", "[mpi][smpi][collectives]") {
  if (is_without_smpirun()) return;
  const std::map<MpiCall, std::string> lines{
      {MpiCall::barrier, "barrier"}, {MpiCall::bcast, "bcast 9000 1 0"}, {MpiCall::reduce, "reduce 9000 5000 2 0"},
      {MpiCall::allreduce, "allreduce 9000 5000 0"}, {MpiCall::alltoall, "alltoall 300 300 0 0"},
      {MpiCall::allgather, "allgather 300 300 0 0"}};
  for (const MpiAlgorithms& algorithms : mpi_algorithms())
    for (const MpiAlgorithm& algorithm : algorithms.known) {
      if (algorithms.known.size() == 1 || !(lines.contains(algorithms.call) || algorithms.call == MpiCall::allgatherv ||
                                            algorithms.call == MpiCall::reducescatter)) continue;
      for (const int ranks : {4, 6, 8}) {
        const bool is_refused = algorithm.name == "pairwise" && algorithms.call == MpiCall::alltoall && ranks == 6;
        if (is_refused) continue;  // by SMPI
        INFO(mpi_call_name(algorithms.call) << " " << algorithm.name << ", " << ranks << " ranks");
        const Folder folder;
        MpiProgram program(static_cast<std::size_t>(ranks));
        std::string counts;
        for (int r = 0; r < ranks; ++r) counts += " " + std::to_string(100 + 10 * r);
        for (int r = 0; r < ranks; ++r) {
          auto& mine = program[static_cast<std::size_t>(r)];
          mine.push_back("compute " + std::to_string(100000 * (r % 3)));
          mine.push_back(algorithms.call == MpiCall::allgatherv ? "allgatherv " + std::to_string(100 + 10 * r) + counts + " 0 0"
                         : algorithms.call == MpiCall::reducescatter ? "reducescatter" + counts + " 3000 0"
                                                                     : lines.at(algorithms.call));
        }
        const std::string trace = write_ranks(folder, trace_of(program));
        std::vector<std::string> settings;
        if (algorithm.smpi_name != "default") settings.push_back("smpi/" + algorithms.smpi_option + ":" + algorithm.smpi_name);
        check_alike(folder, trace, cluster(folder), static_cast<std::size_t>(ranks), settings,
                    {{std::string("collectives.") + mpi_call_name(algorithms.call), algorithm.name}});
      }
    }
}

TEST_CASE("A recorded program computes and exchanges what its trace says", "[mpi]") {
  const RunResult r = replayed({{"compute 10", "send 1 0 125 0"}, {"recv 0 0 125 0", "compute 5"}}, 2);
  CHECK(r.makespan_s == near(15 + 1 + kMessage_s));
  CHECK(r[Quantity::work_flop] == std::vector<double>{10, 5});
  CHECK(r[Quantity::messages] == std::vector<double>{1, 0});
  CHECK(r[Quantity::sent_bytes] == std::vector<double>{1016, 0});
}

TEST_CASE("All computing is scaled, and an envelope is sent with each message", "[mpi]") {
  const MpiProgram program{{"compute 10", "send 1 0 125 0"}, {"recv 0 0 125 0"}};
  CHECK(replayed(program, 2, {{"scale", 3}, {"envelope", 0}}).makespan_s == near(30 + 1 + 1e-3));
}

TEST_CASE("A sender goes on at once below a threshold, and from it on waits for its receiver", "[mpi]") {
  const MpiProgram program{{"send 1 0 100 6", "compute 1"}, {"compute 5", "recv 0 0 100 6"}};
  const double message_s = 1e-3 + 0.116;
  CHECK(replayed(program, 2)[Quantity::finish_s][0] == near(1));
  CHECK(replayed(program, 2)[Quantity::finish_s][1] == near(5 + message_s));
  CHECK(replayed(program, 2, {{"eager", 101}})[Quantity::finish_s][1] == near(5));
  CHECK(replayed(program, 2, {{"rendezvous", 100}})[Quantity::finish_s][0] == near(6 + message_s));
}

TEST_CASE("MPI_Ssend waits for its receiver however short the message is", "[mpi]") {
  CHECK(replayed({{"Ssend 1 0 0 6"}, {"compute 5", "recv 0 0 0 6"}}, 2)[Quantity::finish_s][0] == near(5 + kMessage_s));
}

TEST_CASE("Of receives from any source that one ends which is sent first", "[mpi]") {
  // Rank 2 sends at 1 s, rank 1 at 3 s; each is answered by what follows in the trace.
  const RunResult r = replayed({{"recv -333 -444 0 6", "compute 10", "recv -333 -444 0 6"},
                                {"compute 3", "send 0 1 0 6"},
                                {"compute 1", "send 0 2 0 6"}}, 3);
  CHECK(r[Quantity::finish_s][0] == near(1 + kMessage_s + 10 + kMessage_s));
}

TEST_CASE("A wait for any of several ends with the first, and a test that finds nothing is of no account", "[mpi]") {
  const RunResult r = replayed({{"irecv 1 1 0 6", "irecv 2 2 0 6", "test 1 0 1", "waitAny 2", "compute 1", "waitAny 2"},
                                {"compute 9", "send 0 1 0 6"},
                                {"compute 4", "send 0 2 0 6"}}, 3);
  CHECK(r[Quantity::finish_s][0] == near(9 + kMessage_s));
  CHECK(r[Quantity::work_flop][0] == 1);
}

TEST_CASE("What is still outstanding at the end is waited for", "[mpi]") {
  const RunResult r = replayed({{"irecv 1 1 0 6"}, {"compute 4", "send 0 1 0 6"}}, 2);
  CHECK(r[Quantity::finish_s][0] == near(4 + kMessage_s));
}

TEST_CASE("Ranks go to the machines that are named, in turn, some in a row on each", "[mpi][placement]") {
  const auto platform = lab(4);
  const auto on = [&](int ranks, const std::vector<std::string>& machines, int per_machine = 1) {
    return MpiPlacement{ranks, machines, per_machine}.on(platform->workstations);
  };
  CHECK(on(6, {}) == std::vector<int>{0, 1, 2, 3, 0, 1});
  CHECK(on(3, {"ws3", "ws1"}) == std::vector<int>{2, 0, 2});
  CHECK(on(4, {"ws[2-3]", "ws1"}) == std::vector<int>{1, 2, 0, 1});
  CHECK(on(5, {"ws[2-3]"}, 2) == std::vector<int>{1, 1, 2, 2, 1});
  CHECK_THROWS_WITH(on(2, {"ws9"}), Catch::Contains("no workstation is called 'ws9'"));
}

TEST_CASE("Ranks on one machine share its cores, and machines without ranks do nothing", "[mpi][placement]") {
  const MpiProgram program{{"compute 4"}, {"compute 4"}, {"compute 4"}};
  const RunResult one_core = replayed(program, 2, {}, {"ws2"});
  CHECK(one_core.makespan_s == near(12));
  CHECK(one_core[Quantity::work_flop] == std::vector<double>{0, 12});
  CHECK(replayed(program, lab(2, 2), {}, {"ws2"}).makespan_s == near(6));
  CHECK(replayed(program, 2).makespan_s == near(8));
}

TEST_CASE("A message that is longer than its receive takes ends the program, however it is received", "[mpi][error]") {
  const auto place = Catch::Contains("rank-1.txt:2"),
             told = Catch::Contains("rank 1 takes at most 20 bytes here, and rank 0 sends it 40");
  const MpiProgram receivers{{"recv 0 0 20 6"}, {"irecv 0 0 20 6", "wait 0 1 0"}, {"irecv 0 0 20 6", "waitall 1"},
                             {"irecv 0 0 20 6", "waitAny 1"}, {"irecv 0 0 20 6", "compute 100", "test 0 1 0"}};
  for (const auto& receiver : receivers) CHECK_THROWS_WITH(replayed({{"send 1 0 40 6"}, receiver}, 2), place && told);
  CHECK_THROWS_WITH(replayed({{"sendRecv 40 1 20 1 6 6"}, {"sendRecv 20 0 20 0 6 6"}}, 2), place && told);
}

TEST_CASE("A rank sends to itself what it has posted a receive for", "[mpi]") {
  const RunResult r = replayed({{"irecv 0 0 100000 6", "send 0 0 100000 6", "wait 0 0 0"}}, 1);
  CHECK(r[Quantity::messages][0] == 1);
}

TEST_CASE("Ranks that wait for each other for ever are told with what they wait for, and where", "[mpi][error]") {
  CHECK_THROWS_WITH(replayed({{"recv 1 4 8 6", "send 1 3 8 6"}, {"recv 0 3 8 6", "send 0 4 8 6"}}, 2),
                    Catch::Contains("rank 0 on ws1 waits for a message from rank 1 (tag 4) (recv, ") &&
                        Catch::Contains("rank-0.txt:2") && Catch::Contains("rank 1 on ws2 waits for a message from rank 0 (tag 3)"));
}

TEST_CASE("What a trace holds is part of the identity of results", "[mpi]") {
  const Folder folder;
  const auto identity = [&](const MpiProgram& program) {
    return mpi_scenario(write_ranks(folder, trace_of(program)), lab(1)).workload->program().data_identity;
  };
  const std::string first = identity({{"compute 1"}});
  CHECK(identity({{"compute 2"}}) != first);
  CHECK(identity({{"compute 1"}}) == first);
}

TEST_CASE("What timing decided is said of a trace", "[mpi]") {
  const Folder folder;
  write_ranks(folder, trace_of({{"recv -333 1 0 6"}, {"send 0 1 0 6"}}));
  folder.file("remarks.txt", "a recorded assignment: 3 tests came out as in the recording\n");
  const auto remarks = mpi_scenario(folder.path(), lab(2)).workload->program().remarks;
  REQUIRE(remarks.size() == 2);
  CHECK_THAT(remarks[0], Catch::Contains("a recorded assignment: 3 tests"));
  CHECK_THAT(remarks[1], Catch::Contains("receives from any source (1): which message comes first here"));
}

TEST_CASE("Settings that smpirun's replay would follow are named", "[mpi]") {
  const Folder folder;
  write_ranks(folder, trace_of({{"recv 1 1 0 6"}, {"send 0 1 0 6"}}));
  const Scenario s = mpi_scenario(folder.path(), lab(2));
  const auto& about = s.workload->program().about_settings;
  CHECK(about({}).empty());
  CHECK(about({"smpi/host-speed", "smpi/display-timing", "contexts/factory"}).empty());
  CHECK_THAT(about({"smpi/host-speed", "smpi/bw-factor", "network/TCP_gamma", "smpi/bcast"}),
             Catch::StartsWith("the replay does not follow smpi/bw-factor, network/TCP_gamma, smpi/bcast, which smpirun"
                               " would: job.eager, job.rendezvous and job.collectives say"));
}

TEST_CASE("A machine that goes off ends all ranks, which begin again when all machines are on", "[mpi][state]") {
  // Off at 4 s and at 25 s: the second attempt begins at 10 s and is done at 20 s and a message.
  const RunResult r = replayed({{"compute 6", "send 1 0 0 6"}, {"compute 10", "recv 0 0 0 6"}},
                               failing("0 1\n4 0\n10 1\n25 0\n"));
  CHECK(r.makespan_s == near(20 + kMessage_s));
  CHECK(r[Quantity::work_flop] == std::vector<double>{6, 10});
  CHECK(r[Quantity::messages] == std::vector<double>{1, 0});
}

TEST_CASE("A machine that goes off when its own ranks are through, or has none, ends nothing", "[mpi][state]") {
  CHECK(replayed({{"compute 6"}, {"compute 3"}}, failing("0 1\n4 0\n")).makespan_s == near(6));
  CHECK(replayed({{"compute 6"}, {"compute 6"}}, failing("0 1\n4 0\n"), {}, {"ws1"}).makespan_s == near(12));
}

TEST_CASE("Machines that go off in turn end an attempt each", "[mpi][state]") {
  // The first is off from 7 to 8 s and from 30 s on, the second from 4 to 5 s: attempts begin at 0, 5 and 8 s.
  const auto platform = with_states(*lab(2), {{0, "0 1\n7 0\n8 1\n30 0\n"}, {1, "0 1\n4 0\n5 1\n"}});
  CHECK(replayed({{"compute 10"}, {"compute 10"}}, platform).makespan_s == near(18));
}

TEST_CASE("A job whose machine is off for ever, or never on for long enough, is told of", "[mpi][state][error]") {
  const MpiProgram program{{"compute 6"}, {"compute 6"}};
  CHECK_THROWS_WITH(replayed(program, failing("0 1\n4 0\n")), Catch::Contains("ws2 is switched off for ever"));
  // On the direct engine alone: SimGrid takes a process for each of the attempts.
  const Folder folder;
  const std::string trace = write_ranks(folder, trace_of(program));
  CHECK_THROWS_WITH(run_batch_direct(mpi_scenario(trace, failing("PERIODICITY 5\n0 1\n4 0\n")), {0, 1}),
                    Catch::Contains("it may never fit between"));
}

// The `bandwidth:` block: which model each workstation's own link gets, and what is said of wrong ones.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/experiments/driver/experiment_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const std::string kBase =
    "nowsim: 1\n"
    "platform: {workstations: 3, network: links, bandwidth: 1kBps}\n"
    "job: {workload: augmented-task, work: 600f, phases: 3, bytes: 1kB}\n";

std::vector<OwnerPtr> bandwidth(const std::string& block) {
  return loaded(kBase, {"bandwidth=" + block}).points[0].scenario()->bandwidth;
}

std::vector<double> th_of(const std::vector<OwnerPtr>& models) {
  std::vector<double> out;
  for (const auto& model : models) out.push_back(model->temporal_heterogeneity());
  return out;
}

}  // namespace

TEST_CASE("Without a block, and where it lets nothing vary, no link varies", "[reads][bandwidth]") {
  CHECK(loaded(kBase).points[0].scenario()->bandwidth.empty());
  CHECK(bandwidth("{model: dedicated}").empty());
  CHECK(bandwidth("{hosts: {ws2: {model: dedicated}}}").empty());
}

TEST_CASE("SH_comm spreads TH_comm linearly over the links, apart from the owners", "[bandwidth]") {
  const Experiment e =
      loaded(kBase, {"owner={model: intervals, TH: 0.4}", "bandwidth={model: intervals, TH: 0.3, SH: 0.1}"});
  const Scenario& s = *e.points[0].scenario();
  const double expected[] = {0.2, 0.3, 0.4};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(th_of(s.bandwidth)[i] == Approx(expected[i]));
    CHECK(th_of(s.owners)[i] == Approx(0.4));
  }
}

TEST_CASE("Links have every model of owners but jobs, and can be named", "[bandwidth]") {
  const Folder folder;
  const std::string trace = folder.file("t.csv", "time,value\n0,10\n10,50\n20,30\n");
  const std::string profile = folder.file("p", "PERIODICITY 10\n0 1\n5 0.5\n");
  CHECK(bandwidth("{model: duty-cycle, u: 30%}")[2]->mean() == Approx(0.7));
  CHECK(bandwidth("{model: trace, file: " + trace + "}")[0]->mean() == Approx(0.7));
  CHECK(bandwidth("{model: profile, file: " + profile + "}")[0]->mean() == Approx(0.75));
  const auto named = bandwidth("{model: intervals, TH: 0.1, hosts: {ws2: {TH: 0.2}, ws3: {model: dedicated}}}");
  CHECK(th_of(named) == std::vector<double>{0.1, 0.2, 0});
  CHECK(named[2]->is_dedicated());
}

TEST_CASE("The baseline keeps the link of the workstation that it takes", "[bandwidth]") {
  const Experiment e = loaded(
      kBase, {"platform.speeds=[1f, 3f, 2f]", "metrics=[speedup]", "bandwidth={model: intervals, TH: 0.3, SH: 0.1}"});
  REQUIRE(e.points[0].simulated()->baseline);
  REQUIRE(e.points[0].simulated()->baseline->bandwidth.size() == 1);
  CHECK(e.points[0].simulated()->baseline->bandwidth[0] == e.points[0].scenario()->bandwidth[1]);
}

TEST_CASE("Every wrong bandwidth is one sentence with its line and key", "[bandwidth][error]") {
  struct Case {
    const char *flag, *sentence;
  };
  const std::string base = kBase + "bandwidth: {model: intervals, TH: 0.2}\n";
  CHECK(problems_of(base).empty());
  for (const auto& [flag, sentence] : std::vector<Case>{
           {"bandwidth.model=jobs",
            "bandwidth.model: 'jobs' is not one of: dedicated, intervals, duty-cycle, profile, trace"},
           {"bandwidth.TTH=0.1", "bandwidth.TTH: this key is not known; did you mean 'bandwidth.TH'?"},
           {"bandwidth.u=0.1", "bandwidth.u: this key has no effect here: it belongs to duty-cycle\n"},
           {"bandwidth.demand=2s", "bandwidth.demand: this key is not known"},
           {"bandwith.TH=0.1", "bandwith.TH: this key is not known; did you mean 'bandwidth.TH'?"},
           {"bandwidth.TH=0.6", "bandwidth.TH: TH = 0.6 is more than the law 'uniform' can hold at mean 0.5"},
           {"bandwidth.SH=0.3", "bandwidth.SH: SH = 0.3 is more than TH = 0.2"},
           {"bandwidth=3", "bandwidth: this section is a map of keys and values, such as {model: dedicated}"},
           {"bandwidth.hosts.ws4.TH=0.1", "bandwidth.hosts.ws4.TH: there is no workstation 'ws4'"},
           {"bandwidth.hosts.ws2=half", "bandwidth.hosts.ws2: a link's bandwidth is a block such as {model: dedicated"},
           {"bandwidth={model: duty-cycle, u: 1}",
            "bandwidth.model: nothing is ever left of the link of workstation ws1"},
           {"platform.network=bus",
            "e.yaml:4: bandwidth.model: the bandwidth cannot vary: the workstations 'ws1' and 'ws2' have the link "
            "'bus' in"
            " common"},
           {"platform={workstations: 3}", "bandwidth.model: the bandwidth cannot vary: this platform has no network"},
           {"job.bytes=-1B", "job.bytes: "},
       }) {
    INFO(flag);
    CHECK_THAT(problems_of(base, {flag}), Contains(sentence));
  }
}

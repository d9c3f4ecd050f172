// Experiments beside their sources: what one asks for otherwise, and copies that find what they name from another folder.
#include "experiments/driver/points/changed_experiment.hpp"

#include <catch2/catch.hpp>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/points/new_experiment.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

using Changes = std::vector<std::string>;

const std::string kExperiment =
    "nowsim: 1\ntitle: Two\nplatform: {workstations: 2, speed: 2f}\njob: {workload: base-task, work: 100f}\n"
    "owner: {model: intervals, TH: 0.28}\nrun: {replications: 2, deadline: 60s}\nmetrics: [tau]\n"
    "sweep: {job.work: [100f, 200f]}\n"
    "claims:\n  - {id: rises, says: tau rises, source: HL 1, check: increasing, metric: tau, along: job.work}\n"
    "  - {id: flat, says: tau is flat, source: HL 2, check: flat, metric: tau, along: job.work, tolerance: 5%}\n";

struct Copied : Folder {
  Copied() { (void)file("original.yaml", kExperiment); }
  [[nodiscard]] ExperimentChanges changes(const std::string& copy, const std::vector<std::string>& flags = {}) const {
    const Registries registries({}, builtin_checks(), builtin_figures());
    const LoadOptions options{flags};
    const std::string mine = copy == kExperiment ? path() + "/original.yaml" : file("copy.yaml", copy);
    return changes_beside(path() + "/original.yaml", load_experiment(mine, options, registries), options, registries);
  }
};

std::string with(const std::string& from, const std::string& to) {
  std::string text = kExperiment;
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// A copy's text, with "HERE" for the folder of what was copied.
std::string copy_of(const std::string& yaml) {
  const Folder folder;
  std::string text = copied_experiment(folder.file("e.yaml", "nowsim: 1\n" + yaml), "/none",
                                       Registries({}, builtin_checks(), builtin_figures())).text;
  for (std::size_t at; (at = text.find(folder.path())) != std::string::npos;) text.replace(at, folder.path().size(), "HERE");
  return text;
}

}  // namespace

TEST_CASE("Flags change keys by their values, and how exactly something is measured changes nothing",
          "[reads][changed_experiment]") {
  const Copied c;
  CHECK(c.changes(kExperiment).keys.empty());
  CHECK(c.changes(kExperiment, {"owner.TH=0.3"}).keys == Changes{"owner.TH = 0.3"});
  CHECK(c.changes(kExperiment, {"owner.TH=28%"}).keys.empty());
  CHECK(c.changes(kExperiment, {"run.replications=9", "run.seed=7", "run.engine=direct", "title=x"}).keys.empty());
  CHECK(c.changes(kExperiment, {"run.deadline=2min"}).keys == Changes{"run.deadline = 2min"});
  CHECK(c.changes(kExperiment, {"run.deadline=1min"}).keys.empty());
  CHECK(c.changes(kExperiment, {"job.work=100f"}).keys == Changes{"job.work = 100f"});  // which was swept
  CHECK(c.changes(kExperiment, {"sweep.job.work=[100f, 300f]"}).keys == Changes{"job.work = 100f, 300f"});
}

TEST_CASE("No shipped experiment is changed by how exactly it is measured", "[changed_experiment]") {
  const Registries registries({}, builtin_checks(), builtin_figures());
  for (const std::string name : {"huang-lee-2007/fig05", "huang-lee-2007/fig15", "huang-lee-2007/law-of-times",
                                 "zhang-yan-1995/fig05", "self-scheduling/th"}) {
    INFO(name);
    const std::string file = source_folder() + ("/experiments/" + name + ".yaml");
    const LoadOptions options{{"run.replications=3", "run.seed=7"}};
    CHECK(changes_beside(file, load_experiment(file, options, registries), options, registries).keys.empty());
  }
}

TEST_CASE("A copy is changed where its points are", "[changed_experiment]") {
  const Copied c;
  CHECK(c.changes(with("title: Two", "title: Copy")).keys.empty());
  CHECK(c.changes(with("TH: 0.28", "TH: 0.28, length: uniform")).keys.empty());  // what counts without it
  CHECK(c.changes(with("[100f, 200f]", "{from: 100f, to: 200f, step: 100f}")).keys.empty());
  CHECK(c.changes(with("replications: 2", "replications: 2, seed: 5")).keys.empty());
  CHECK(c.changes(with("TH: 0.28", "TH: 0.28, length: constant")).keys == Changes{"owner.length = constant"});
  CHECK(c.changes(with("model: intervals, TH: 0.28", "model: dedicated")).keys ==
        Changes{"owner.model = dedicated", "owner.TH not given"});
}

TEST_CASE("A claim whose check is another is changed by itself", "[changed_experiment]") {
  const Copied c;
  const ExperimentChanges changes = c.changes(with("tolerance: 5%", "tolerance: 80%"));
  CHECK(changes.keys.empty());
  CHECK(changes.text("rises").empty());
  CHECK(changes.text("flat") == "claims.flat.tolerance = 80%");
  CHECK(c.changes(with("tolerance: 5%", "tolerance: 0.05")).text("flat").empty());
}

TEST_CASE("A file that is in a named folder stays a name in it, wherever the two stand", "[copied_experiment]") {
  CHECK(copy_of("owner: {model: trace, file: tr/a.csv}\n") == "nowsim: 1\nowner: {model: trace, file: \"HERE/tr/a.csv\"}\n");
  for (const char* yaml : {"owner: {model: trace, folder: ./tr, file: a.csv}\n",
                           "owner: {model: trace, folder: ./tr}\nsweep: {owner.file: [a.csv, b.csv]}\n",
                           "owner: {model: trace, file: a.csv}\nsweep:\n  - owner.folder: [./tr, ./ts]\n",
                           "owner.folder: ./tr\nowner.file: a.csv\n",
                           "owner: {model: trace, folder: ./tr, hosts: {a: {file: a.csv}}}\n"}) {
    INFO(yaml);
    CHECK_THAT(copy_of(yaml), Contains("HERE/tr") && !Contains("a.csv\"") && Contains("a.csv"));
  }
}

TEST_CASE("A workstation with a model of its own has a folder of its own, or none", "[copied_experiment]") {
  CHECK_THAT(copy_of("owner: {model: trace, folder: ./tr, file: b.csv}\n"
                     "owner.hosts.a: {model: trace, file: tr/a.csv}\n"),
             Contains("\"HERE/tr/a.csv\"") && Contains("file: b.csv}"));
  CHECK_THAT(copy_of("owner: {model: dedicated, hosts: {a: {model: trace, folder: ./tr, file: a.csv}}}\n"),
             Contains("HERE/tr") && Contains("file: a.csv}"));
}

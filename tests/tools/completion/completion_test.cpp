// What `nowsim complete` answers: commands, flags, names, keys and values, and which files are to be looked for.
#include "tools/completion/completion.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/sim/scenario_fixture.hpp"
#include "tests/tools/program_fixture.hpp"
#include "tools/line/command_line.hpp"
#include "tools/line/command_table.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Texts = std::vector<std::string>;

Completion completion_of(const Texts& typed) {
  static const Registries registries = registries_with({});
  return complete(typed, commands(), registries);
}

/// The words alone.
Texts words_of(const Texts& typed) {
  Texts words;
  for (const Candidate& candidate : completion_of(typed).candidates) words.push_back(candidate.word);
  return words;
}

bool has(const Texts& words, const std::string& word) { return std::ranges::count(words, word) == 1; }

/// An experiment that sweeps two keys.
struct Described : Folder {
  Described() {
    file("e.yaml",
         "nowsim: 1\nplatform: {workstations: 4, speed: 1Gf, network: switch, bandwidth: 1MBps, latency: 1ms}\n"
         "job: {workload: gauss, size: 100}\nowner: {model: duty-cycle, u: 20%}\nlet: {of_mine: 3}\n"
         "sweep: {split.policy: [equal, proportional], run.seed: [1, 2]}\n");
  }
  [[nodiscard]] std::string experiment() const { return path() + "/e.yaml"; }
};

}  // namespace

TEST_CASE("Commands, their parts and flags are completed, each with its line of help", "[reads][cli][completion]") {
  CHECK(words_of({"r"}) == Texts{"run", "reproduce"});
  CHECK_FALSE(has(words_of({""}), "complete"));
  CHECK(words_of({"--v"}) == Texts{"--version"});
  CHECK(words_of({"trace", "f"}) == Texts{"fit"});
  CHECK(words_of({"lab", "s"}) == Texts{"start", "serve"});
  CHECK(completion_of({"trace", "f"}).candidates.front().about == "the owner model that comes closest to a trace");
  CHECK(words_of({"run", "x", "--rep"}) == Texts{"--replications", "--replications-csv"});
  CHECK(words_of({"run", "x", "--seed", "1", "--se"}) == Texts{"--set"});  // a flag is given once, but for --set
  CHECK(words_of({"run", "x", "--set", "a=1", "--set"}) == Texts{"--set"});
  CHECK(has(words_of({"trace", "fit", "--"}), "--confidence"));
  CHECK(words_of({"nonsense", ""}).empty());
  CHECK(words_of({"run", "one", "two"}).empty());
}

TEST_CASE("Words are offered that a key takes besides numbers", "[cli][completion]") {
  const Texts typed{"run", "labs/lab-night", "--set"};
  const auto behind = [&](const std::string& begin) {
    Texts all = typed;
    all.push_back(begin);
    return words_of(all);
  };
  CHECK(behind("figure.size=") == Texts{"figure.size=single", "figure.size=double"});
  CHECK(behind("figure.size=d") == Texts{"figure.size=double"});
}

TEST_CASE("Experiments are completed folder by folder, with their titles, and beside files", "[cli][completion]") {
  const Completion begun = completion_of({"run", "hu"});
  REQUIRE(begun.candidates.size() == 1);
  CHECK(begun.candidates.front() == Candidate{"huang-lee-2007/", "Huang & Lee 2007"});
  REQUIRE(begun.files);
  CHECK(begun.files->endings == Texts{".yaml"});
  const auto shipped = completion_of({"check", "huang-lee-2007/fig05"}).candidates;
  REQUIRE(shipped.size() == 1);
  CHECK(shipped.front().about == "HL Fig. 5: 8 computers, execution time against temporal and spatial heterogeneity");
  CHECK(words_of({"lab", "start", "slow"}) == Texts{"slowest"});
  for (const Texts& before : {Texts{"plan"}, Texts{"platform", "show"}}) {
    Texts words = before;
    words.emplace_back("lab");
    CHECK(words_of(words) == Texts{"lab-now"});
    CHECK(completion_of(words).files.value_or(WantedFiles{}).endings == Texts{".xml"});
  }
  CHECK(words_of({"new", "mine", "--from", "huang-lee-2007/fig05"}) == Texts{"huang-lee-2007/fig05"});
}

TEST_CASE("Keys of --set are those of the workload, the models and the policy", "[cli][completion]") {
  const Described of;
  const std::string e = of.experiment();
  CHECK(has(words_of({"run", e, "--set", ""}), "owner."));
  CHECK(has(words_of({"run", e, "--set", "m"}), "metrics="));
  const Texts job = words_of({"run", e, "-s", "job."});
  CHECK((has(job, "job.rows=") && !has(job, "job.chunk=")));
  const Texts owner = words_of({"run", e, "--set", "owner."});
  CHECK((has(owner, "owner.period=") && !has(owner, "owner.TH=")));
  CHECK(has(words_of({"run", e, "--set", "owner.model=intervals", "--set", "owner.T"}), "owner.TH="));
  CHECK(has(words_of({"run", e, "--set", "job.workload=task-farm", "--set=job.ch"}), "--set=job.chunk="));
  CHECK(words_of({"run", e, "--set", "let."}) == Texts{"let.of_mine="});
  CHECK(words_of({"run", e, "--set", "sweep.owner.per"}) == Texts{"sweep.owner.period="});
  const Texts axes = words_of({"run", e, "--set", "sweep."});
  CHECK(has(axes, "sweep.job."));
  for (const char* whole : {"sweep.nowsim=", "sweep.title=", "sweep.metrics=", "sweep.figure.", "sweep.solve."})
    CHECK_FALSE(has(axes, whole));
  const Texts run_axes = words_of({"run", e, "--set", "sweep.run."});
  CHECK((has(run_axes, "sweep.run.seed=") && !has(run_axes, "sweep.run.decide=")));
  CHECK(has(words_of({"run", "missing.yaml", "--set", "job."}), "job.chunk="));  // of any workload
}

TEST_CASE("Values are those of the key's list, of metrics, swept keys, files, or what is there", "[cli][completion]") {
  const Described of;
  const std::string e = of.experiment();
  CHECK(words_of({"run", e, "--set", "run.engine=d"}) == Texts{"run.engine=direct"});
  CHECK(words_of({"run", e, "--engine", "s"}) == Texts{"simgrid"});
  CHECK(words_of({"run", e, "--engine=s"}) == Texts{"--engine=simgrid"});
  CHECK(words_of({"run", e, "-sjob.size="}) == Texts{"-sjob.size=100"});
  CHECK(has(words_of({"run", e, "-sjob."}), "-sjob.rows="));
  CHECK(has(words_of({"run", e, "--set", "job.workload=c"}), "job.workload=cholesky"));
  CHECK(words_of({"run", e, "--set", "run.decide="}) == Texts{"run.decide=split.policy", "run.decide=run.seed"});
  CHECK(words_of({"run", e, "--decide", "sp"}) == Texts{"split.policy"});
  CHECK(words_of({"run", e, "--set", "job.size="}) == Texts{"job.size=100"});
  const Completion metrics = completion_of({"run", e, "--set", "metrics=[tau, sigma_T"});
  CHECK(metrics.goes_on);
  CHECK(metrics.candidates.front().word == "metrics=[tau, sigma_T");
  CHECK_FALSE(has(words_of({"run", e, "--set", "metrics=[tau, t"}), "metrics=[tau, tau"));
  CHECK(words_of({"run", e, "--set", "sweep.split.policy=[equal, prop"}) ==
        Texts{"sweep.split.policy=[equal, proportional"});
  const auto files = completion_of({"run", e, "--set", "platform.file="}).files;
  REQUIRE(files);
  CHECK(files->endings == Texts{".xml"});
}

TEST_CASE("Words and flags of the other commands are completed from their lists", "[cli][completion]") {
  const Described of;
  const std::string e = of.experiment();
  CHECK(words_of({"contrast", e, ""}) == Texts{"split.policy", "run.seed"});
  CHECK(words_of({"contrast", e, "split.policy", "--against", ""}) == Texts{"equal", "proportional"});
  CHECK(words_of({"contrast", e, "job.size", "--sweep", "job.si"}) == Texts{"job.size="});
  CHECK(words_of({"contrast", e, "split.policy", "--metric", "tau,T_9"}) == Texts{"tau,T_90", "tau,T_99"});
  CHECK(words_of({"plan", "x.xml", "--policies", "equal,prop"}) == Texts{"equal,proportional"});
  CHECK(words_of({"list", "k"}) == Texts{"keys"});
  CHECK(words_of({"list", "keys", "sp"}) == Texts{"split"});
  CHECK(words_of({"help", "trace", "rec"}) == Texts{"record"});
  CHECK(has(words_of({"help", "dr"}), "drawn"));
  CHECK(words_of({"show", "x", "--format", "c"}) == Texts{"csv"});
  CHECK(words_of({"trace", "convert", "a", "--to", ""}) == Texts{"csv", "profile"});
  CHECK(has(words_of({"reproduce", "bosque-2011/fig01a", "huang"}), "huang-lee-2007"));
  const auto picture = completion_of({"run", e, "--gantt", ""}).files;
  REQUIRE(picture);
  CHECK(picture->endings == Texts{".svg", ".png", ".pdf"});
  const auto folder = completion_of({"compare", "a", ""}).files;
  REQUIRE(folder);
  CHECK(folder->folders_alone);
}

TEST_CASE("Each place has completions of all its kinds, and files with the folders on the way to them",
          "[cli][completion]") {
  CHECK(completion_of({"lab", "check", ""}).files.value_or(WantedFiles{}).endings == Texts{".yaml"});
  const auto bundled = completion_of({"bundle", ""});
  CHECK(has(words_of({"bundle", ""}), "labs/"));
  REQUIRE(bundled.files);
  CHECK(bundled.files->endings == Texts{".yaml", ".tar.gz", ".tgz", ".zip"});
  CHECK_FALSE(bundled.files->folders_alone);
  CHECK_FALSE(completion_of({"plan", "x.xml", ""}).files);
  CHECK(completion_of({"trace", "fit", "a", "b", "c", ""}).files.value_or(WantedFiles{{".no"}}).endings.empty());
  CHECK_FALSE(completion_of({"sweep", "x", "--shard", ""}).files);  // I/N, though its help speaks of a folder
  CHECK_FALSE(completion_of({"verify", "--random", ""}).files);
  CHECK(words_of({"run", "x", "--decide-by", ""}) == Texts{"tau", "RF"});
}

TEST_CASE("The program answers shells line by line, at once, and whatever stands there", "[cli][completion]") {
  const ProgramRun r = run_program({"complete", "run", "x", "--gantt", ""});
  CHECK(r.out == "files .svg .png .pdf\n");
  CHECK(run_program({"complete", "compare", ""}).out == "folders\n");
  CHECK_THAT(run_program({"complete", "list", "k"}).out, Catch::StartsWith("-\nkeys\twhat an experiment's file can say"));
  const Folder folder;
  folder.file("odd.yaml", "nowsim: 1\ntitle: \"a\\nb\"\n");  // no line can hold it
  CHECK(run_program({"complete", "run", "odd.yaml", "--set", "title="}, folder.path()).out == "-\n");
  CHECK_THAT(run_program({"complete", "run", "x", "--set", "metrics=[ta"}).out,
             Catch::StartsWith("- goes-on\nmetrics=[tau\t"));
  for (const Texts& odd : {Texts{},
                           {""},
                           {"--"},
                           {"run", "--set"},
                           {"run", "\n\"", "--set", "a=[{"},
                           {"trace", "--", "-"},
                           {"run", "/dev/null", "--set", "="},
                           {"help", "a", "b", "c", ""},
                           {"run", "-", "-s", "sweep."}}) {
    Texts words = odd;
    words.insert(words.begin(), "complete");
    const ProgramRun answer = run_program(words);
    INFO(odd.size());
    CHECK(answer.status == 0);
    CHECK(answer.error.empty());
  }
}

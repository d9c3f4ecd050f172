// nowsim bundle: what is in the archive, that it makes the same again in another folder, and what is refused.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "experiments/driver/bundles/archive.hpp"
#include "experiments/driver/bundles/bundled_files.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "sim/platform/worker_process.hpp"
#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

constexpr const char* kPlatform =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1f\" speed_file=\"a.profile\"/>"
    "<host id=\"b\" speed=\"2f\"/></zone></platform>\n";

/// A platform with a profile, series in a folder of their own, a figure and a claim.
constexpr const char* kExperiment =
    "nowsim: 1\n"
    "title: series and a profile\n"
    "platform: {file: ../machines/p.xml, hosts: [a, b]}\n"
    "job: {workload: base-task, work: 100f}\n"
    "owner: {hosts: {b: {model: trace, folder: ../series, file: '{host}.csv', measures: utilisation}}}\n"
    "run: {replications: 20}\n"
    "metrics: [tau]\n"
    "sweep: {job.work: [100f, 200f]}\n"
    "figure: {x: job.work, panels: [{metric: tau, label: 'tau [s]'}]}\n"
    "claims:\n"
    "  - {id: rises, says: tau rises, source: a test, check: increasing, metric: tau, along: job.work}\n";

void write(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

/// The files of an archive.
std::map<std::string, std::string> unpacked(const std::string& archive) {
  std::map<std::string, std::string> files;
  constexpr std::uint64_t kMany = 1'000'000'000;
  nowsim::read_archive(archive, kMany, [&](const std::string& path, const nowsim::NextBlock& next) {
    for (auto block = next(); !block.empty(); block = next()) files[path] += block;
  });
  return files;
}

/// A paper's folder: exp/mine.yaml, machines/, series/.
struct Paper : Folder {
  Paper() {
    for (const char* folder : {"/paper/exp", "/paper/machines", "/paper/series", "/elsewhere"})
      fs::create_directories(path() + folder);
    file("paper/exp/mine.yaml", kExperiment);
    file("paper/machines/p.xml", kPlatform);
    file("paper/machines/a.profile", "PERIODICITY 10\n0 1\n4 0.5\n");
    file("paper/series/b.csv", "time,value\n0,0.1\n10,0.5\n20,0.25\n");
  }
  [[nodiscard]] ProgramRun reproduce(const std::vector<std::string>& flags = {}) const {
    std::vector<std::string> words{"reproduce", "exp/mine.yaml", "--out", "results", "--quiet"};
    words.insert(words.end(), flags.begin(), flags.end());
    return run_program(words, path() + "/paper");
  }
  [[nodiscard]] ProgramRun bundle(std::vector<std::string> words) const {
    words.insert(words.begin(), "bundle");
    return run_program(words, path() + "/paper");
  }
  [[nodiscard]] std::string archive(const std::string& name = "results.tar.gz") const {
    return path() + "/paper/" + name;
  }
  /// Moves the archive away, removes all that it was made of, and runs its again.sh from a folder that is neither.
  [[nodiscard]] int again(const std::string& flags = "") const {
    fs::rename(archive(), path() + "/elsewhere/b.tar.gz");
    fs::remove_all(path() + "/paper");
    const std::string command = "cd '" + path() + "/elsewhere' && tar xf b.tar.gz && cd .. && NOWSIM='" +
                                program_file() + "' elsewhere/results/again.sh " + flags + " > '" + path() +
                                "/said' 2>&1";
    return std::system(command.c_str());
  }
  [[nodiscard]] std::string said() const { return content_of(path() + "/said"); }
};

}  // namespace

TEST_CASE("A bundle holds descriptions, all that was read, results and figures", "[reads][bundle_command]") {
  const Paper paper;
  REQUIRE(paper.reproduce().status == 0);
  const ProgramRun made = paper.bundle({"results"});
  INFO(made.error);
  CHECK(made.status == 0);
  CHECK_THAT(made.out, Contains("results.tar.gz: 1 experiment, 4 files that were read, 7 files of results; "));
  const auto files = unpacked(paper.archive());
  for (const char* name : {"exp/mine.yaml", "machines/p.xml", "machines/a.profile", "series/b.csv"}) {
    INFO(name);
    CHECK(files.at(std::string("results/specification/") + name) == content_of(paper.path() + "/paper/" + name));
  }
  for (const char* name : {"mine.csv", "mine.svg", "mine.png", "mine.pdf", "mine.gp", "mine-claims.csv"}) {
    INFO(name);
    CHECK(files.at(std::string("results/results/") + name) == content_of(paper.path() + "/paper/results/" + name));
  }
  CHECK_THAT(files.at("results/results/mine.json"), Contains("\"tau\""));
  CHECK_THAT(files.at("results/README.md"), Contains("series and a profile") && Contains("again.sh"));
  CHECK_THAT(files.at("results/bundle.json"), Contains("\"description\": \"specification/exp/mine.yaml\"") &&
                                                  Contains("\"seed\": \"1\"") && Contains("\"simgrid\": \"") &&
                                                  Contains("\"engine\": \"direct\"") &&
                                                  Contains("\"nowsim\": \"" + std::string(nowsim::version()) + "\""));
  CHECK(files.size() == 15);
  const std::string all =
      "cd '" + paper.path() + "' && tar xf paper/results.tar.gz && cd results && sha256sum -c --quiet SHA256SUMS";
  CHECK(std::system(all.c_str()) == 0);
  for (const auto& [name, bytes] : files)  // whose machine it was nobody needs to know
    if (name.ends_with(".md") || name.ends_with(".json") || name.ends_with(".sh")) {
      INFO(name);
      CHECK(bytes.find(paper.path()) == std::string::npos);
    }
}

TEST_CASE("What the owners of a platform's file name is taken along", "[bundle_command]") {
  const Paper paper;
  const std::string platform = kPlatform, begin = platform.substr(0, platform.find("<host id=\"b\""));
  const std::string owner =
      "<prop id=\"owner\" value=\"{model: trace, file: ../series/b.csv, measures: utilisation}\"/>";
  const std::string with_profile = "<prop id=\"owner\" value=\"{model: profile, file: c.profile}\"/>";
  paper.file("paper/machines/p.xml", begin + "<host id=\"b\" speed=\"2f\">" + owner +
                                         "</host><host id=\"c\" speed=\"1f\">" + with_profile +
                                         "</host></zone></platform>\n");
  paper.file("paper/machines/c.profile", "PERIODICITY 10\n0 1\n4 0.5\n");
  paper.file("paper/exp/mine.yaml",
             "nowsim: 1\ntitle: owners on the platform\nplatform: {file: ../machines/p.xml, hosts: [b, c]}\n"
             "job: {workload: base-task, work: 100f}\nrun: {replications: 5}\nmetrics: [tau]\n");
  REQUIRE(paper.reproduce().status == 0);
  const ProgramRun made = paper.bundle({"results"});
  INFO(made.error);
  REQUIRE(made.status == 0);
  const auto files = unpacked(paper.archive());
  CHECK(files.contains("results/specification/series/b.csv"));
  CHECK(files.contains("results/specification/machines/c.profile"));
  const int status = paper.again();
  INFO(paper.said());
  CHECK(status == 0);
}

TEST_CASE("again.sh makes the same anywhere, from the bundle alone, and says so", "[bundle_command]") {
  const Paper paper;
  REQUIRE(paper.reproduce().status == 0);
  REQUIRE(paper.bundle({"results", "--quiet"}).out.empty());
  const std::string csv = content_of(paper.path() + "/paper/results/mine.csv");
  const int status = paper.again("there --jobs 2");
  INFO(paper.said());
  CHECK(status == 0);
  CHECK(content_of(paper.path() + "/there/mine.csv") == csv);
  CHECK(fs::exists(paper.path() + "/there/mine.svg"));
  CHECK_THAT(paper.said(), Contains("results/ is of nowsim " + std::string(nowsim::version()) + ", model version "));
  CHECK_THAT(paper.said(), Contains("largest relative difference of 2 estimates: 0\n"));
}

TEST_CASE("A flag that names a folder of this machine names its copy in the bundle", "[bundle_command]") {
  const Paper paper;
  fs::create_directories(paper.path() + "/data/2026");
  paper.file("data/2026/b.csv", "time,value\n0,0.3\n10,0.2\n");
  REQUIRE(paper.reproduce({"--set", "owner.hosts.b.folder=" + paper.path() + "/data/2026", "--seed", "7"}).status == 0);
  REQUIRE(paper.bundle({"results"}).status == 0);
  const auto files = unpacked(paper.archive());
  const std::string csv = files.at("results/results/mine.csv");
  CHECK_THAT(files.at("results/again.sh"), Contains("--set owner.hosts.b.folder=specification/data/2026") &&
                                               Contains("--set run.seed=7") && !Contains(paper.path()));
  CHECK(files.count("results/specification/paper/series/b.csv") == 0);  // it was not read
  const int status = paper.again("'" + paper.path() + "/there'");
  INFO(paper.said());
  CHECK(status == 0);
  CHECK(content_of(paper.path() + "/there/mine.csv") == csv);
}

TEST_CASE("A flag that sets a block names the copies of the files in it", "[bundle_command]") {
  const Paper paper;
  fs::create_directories(paper.path() + "/data/2026");
  paper.file("data/2026/b.csv", "time,value\n0,0.3\n10,0.2\n");
  const std::string hosts = "owner.hosts={b: {model: trace, measures: utilisation, file: '{host}.csv', folder: \"" +
                            paper.path() + "/data/2026\"}}";
  REQUIRE(paper.reproduce({"--set", hosts}).status == 0);
  const ProgramRun made = paper.bundle({"results"});
  INFO(made.error);
  REQUIRE(made.status == 0);
  const auto files = unpacked(paper.archive());
  const std::string csv = files.at("results/results/mine.csv");
  for (const char* name : {"again.sh", "README.md", "bundle.json"}) {
    INFO(name);
    CHECK_THAT(files.at(std::string("results/") + name), Contains("specification/data/2026") && !Contains(paper.path()));
  }
  const int status = paper.again();
  INFO(paper.said());
  CHECK(status == 0);
  CHECK(content_of(paper.path() + "/elsewhere/results/again/mine.csv") == csv);
}

TEST_CASE("again.sh runs the program that NOWSIM names from where it is called", "[bundle_command]") {
  const Paper paper;
  REQUIRE(paper.reproduce().status == 0);
  REQUIRE(paper.bundle({"results"}).status == 0);
  const fs::path program = program_file();
  const std::string command = "cd '" + paper.path() + "' && tar xf paper/results.tar.gz && cd '" +
                              program.parent_path().string() + "' && NOWSIM='./" + program.filename().string() + "' '" +
                              paper.path() + "/results/again.sh' > '" + paper.path() + "/said' 2>&1";
  const int status = std::system(command.c_str());
  INFO(paper.said());
  CHECK(status == 0);
}

TEST_CASE("again.sh says which file is not what the bundle was made with", "[bundle_command]") {
  const Paper paper;
  REQUIRE(paper.reproduce().status == 0);
  REQUIRE(paper.bundle({"results"}).status == 0);
  const std::string command = "cd '" + paper.path() +
                              "' && tar xf paper/results.tar.gz && echo x >> results/results/mine.csv && NOWSIM='" +
                              program_file() + "' results/again.sh > said 2>&1";
  CHECK(std::system(command.c_str()) != 0);
  CHECK_THAT(paper.said(), Contains("results/mine.csv: FAILED") && !Contains(": OK") &&
                               Contains("not what the bundle was made with"));
}

TEST_CASE("A path in a description that leads out of the bundle is given by a flag", "[bundle_command]") {
  const Paper paper;
  std::string text = kExperiment;
  text.replace(text.find("../series"), 9, paper.path() + "/paper/series");
  paper.file("paper/exp/mine.yaml", text);
  REQUIRE(paper.reproduce().status == 0);
  REQUIRE(paper.bundle({"results"}).status == 0);
  CHECK_THAT(unpacked(paper.archive()).at("results/again.sh"), Contains("owner.hosts.b.folder=specification/series"));
  const int status = paper.again();
  INFO(paper.said());
  CHECK(status == 0);
  CHECK(fs::exists(paper.path() + "/elsewhere/results/again/mine.csv"));
}

TEST_CASE("A path that no flag can change is refused before anything is written", "[bundle_command]") {
  const Paper paper;
  std::string xml = kPlatform;
  xml.replace(xml.find("a.profile"), 9, paper.path() + "/paper/machines/a.profile");
  paper.file("paper/machines/p.xml", xml);
  REQUIRE(paper.reproduce().status == 0);
  const ProgramRun refused = paper.bundle({"results"});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.error, Contains("a.profile by a path that no flag can change"));
  CHECK_FALSE(fs::exists(paper.archive()));
}

TEST_CASE("The same results are the same bytes", "[bundle_command]") {
  const Paper paper;
  REQUIRE(paper.reproduce().status == 0);
  REQUIRE(paper.bundle({"results", "--out", "one.zip"}).status == 0);
  REQUIRE(paper.bundle({"results", "--out", paper.path() + "/one.zip"}).status == 0);
  CHECK(content_of(paper.path() + "/one.zip") == content_of(paper.archive("one.zip")));
}

TEST_CASE("Of an earlier run nothing is bundled, nor what the description does not ask for any more",
          "[bundle_command]") {
  const Paper paper;
  const std::string results = paper.path() + "/paper/results";
  REQUIRE(paper.reproduce().status == 0);
  const std::string csv = content_of(results + "/mine.csv");
  const std::string sum = sql(results, "SELECT checksum FROM written_file WHERE name = 'mine.csv'").at(0);
  const std::string text = kExperiment;
  paper.file("paper/exp/mine.yaml", text.substr(0, text.find("figure:")));
  REQUIRE(paper.reproduce({"--replications", "30"}).status == 0);
  REQUIRE(paper.bundle({"results", "--out", "new.zip"}).status == 0);
  const auto files = unpacked(paper.archive("new.zip"));
  CHECK(files.contains("new/results/mine.csv"));
  for (const char* old : {"mine.svg", "mine.gp", "mine-claims.csv"})
    CHECK_FALSE(files.contains(std::string("new/results/") + old));
  write(results + "/mine.csv", csv);  // as where the second run is stopped
  sql_exec(results, "UPDATE written_file SET checksum = " + sum + " WHERE name = 'mine.csv'");
  const ProgramRun refused = paper.bundle({"results"});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.error, Contains("results/mine.csv is of an earlier run than what the store holds") &&
                                Contains("nowsim reproduce exp/mine.yaml --out results"));
}

TEST_CASE("Files that say they are of tomorrow are bundled", "[bundle_command]") {
  const Paper paper;
  fs::last_write_time(paper.path() + "/paper/series/b.csv",
                      fs::file_time_type::clock::now() + std::chrono::hours(24));
  REQUIRE(paper.reproduce().status == 0);
  const ProgramRun made = paper.bundle({"results"});
  INFO(made.error);
  CHECK(made.status == 0);
}

TEST_CASE("A folder of results that cannot be read whole is refused", "[bundle_command]") {
  const Paper paper;
  REQUIRE(paper.reproduce().status == 0);
  const std::string results = paper.path() + "/paper/results", hidden = results + "/hidden";
  fs::create_directory(hidden);
  for (const std::string& folder : {paper.path(), paper.path() + "/paper", results})
    fs::permissions(folder, fs::perms::all);
  fs::permissions(hidden, fs::perms::none);
  const nowsim::Registries registries({}, nowsim::builtin_checks(), nowsim::builtin_figures());
  const std::string said = nowsim::in_child_process([&]() -> std::string {
    if (geteuid() == 0 && seteuid(65534) != 0) return "cannot give up root's rights";
    try {
      nowsim::experiments_to_bundle(results, results, registries);
      return "all was read";
    } catch (const nowsim::InputError& e) {
      return e.what();
    }
  });
  fs::permissions(hidden, fs::perms::all);
  CHECK_THAT(said, Contains("a folder in " + results + " cannot be read"));
}

TEST_CASE("Where nobody sees the results, advice names no folder that is gone", "[bundle_command]") {
  const Paper paper;
  REQUIRE(paper.reproduce().status == 0);
  paper.file("paper/series/b.csv", "time,value\n0,0.9\n10,0.5\n20,0.25\n");
  const std::string results = paper.path() + "/paper/results";
  const nowsim::Registries registries({}, nowsim::builtin_checks(), nowsim::builtin_figures());
  CHECK_THROWS_WITH(nowsim::experiments_to_bundle(results, "DIR", registries),
                    Contains("nowsim reproduce exp/mine.yaml --out DIR'") && !Contains(results));
}

TEST_CASE("What is not as it was when it was run is refused by name; sweeping again mends it", "[bundle_command]") {
  const Paper paper;
  REQUIRE(paper.reproduce().status == 0);
  paper.file("paper/series/b.csv", "time,value\n0,0.9\n10,0.5\n20,0.25\n");
  fs::remove(paper.path() + "/paper/machines/a.profile");
  write(paper.path() + "/paper/results/mine.csv", "edited\n");
  const ProgramRun refused = paper.bundle({"results"});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.error, Contains("paper/series/b.csv is not as it was when it was run") &&
                                Contains("paper/machines/a.profile is not there any more") &&
                                Contains("results/mine.csv is not as nowsim wrote it") &&
                                Contains("nowsim reproduce exp/mine.yaml --out results"));
  CHECK_FALSE(fs::exists(paper.archive()));
  paper.file("paper/machines/a.profile", "PERIODICITY 10\n0 1\n4 0.5\n");
  REQUIRE(paper.reproduce().status == 0);
  CHECK(paper.bundle({"results"}).status == 0);
}

TEST_CASE("A figure's script that was edited goes along, and the bundle says so", "[bundle_command]") {
  const Paper paper;
  REQUIRE(paper.reproduce().status == 0);
  write(paper.path() + "/paper/results/mine.gp", "# mine\n");
  REQUIRE(paper.bundle({"results"}).status == 0);
  const auto files = unpacked(paper.archive());
  CHECK(files.at("results/results/mine.gp") == "# mine\n");
  CHECK_THAT(files.at("results/README.md"), Contains("mine.gp was changed by hand"));
}

TEST_CASE("A folder with a store of an older nowsim is refused with what to do", "[bundle_command]") {
  const Paper paper;
  REQUIRE(paper.reproduce().status == 0);
  sql_exec(paper.path() + "/paper/results", "DROP TABLE origin");
  const ProgramRun damaged = paper.bundle({"results"});  // the seal of the experiment is over it
  CHECK(damaged.status == 2);
  CHECK_THAT(damaged.error, Contains("wrong checksum"));
  sql_exec(paper.path() + "/paper/results", "UPDATE experiment SET checksum = NULL");
  const ProgramRun old = paper.bundle({"results"});
  CHECK(old.status == 2);
  CHECK_THAT(old.error,
             Contains("its store does not say which files and flags") && Contains("nowsim reproduce exp/mine.yaml"));
  REQUIRE(paper.reproduce().status == 0);
  CHECK(paper.bundle({"results"}).status == 0);
}

TEST_CASE("An experiment is simulated first, and flags of its own go along", "[bundle_command]") {
  const Paper paper;
  const ProgramRun made = paper.bundle({"exp/mine.yaml", "--replications", "30", "--quiet"});
  INFO(made.error);
  REQUIRE(made.status == 0);
  const auto files = unpacked(paper.archive("mine.tar.gz"));
  CHECK_THAT(files.at("mine/again.sh"), Contains("--set run.replications=30 "));
  CHECK_THAT(files.at("mine/results/mine.csv"), Contains(",30,1,direct,"));
}

TEST_CASE("A bundle says of itself whether it is whole", "[bundle_command]") {
  const Paper paper;
  REQUIRE(paper.bundle({"exp/mine.yaml", "--quiet"}).status == 0);
  const ProgramRun whole = paper.bundle({"--check", "mine.tar.gz"});
  CHECK(whole.status == 0);
  CHECK_THAT(whole.out, Contains("mine.tar.gz: 14 files, all as they were bundled"));
  const std::string damage = "cd '" + paper.path() +
                             "' && tar xf paper/mine.tar.gz && echo x >> mine/results/mine.csv && "
                             "touch mine/more && rm mine/again.sh && tar czf paper/damaged.tar.gz mine";
  REQUIRE(std::system(damage.c_str()) == 0);
  const ProgramRun damaged = paper.bundle({"--check", "damaged.tar.gz"});
  CHECK(damaged.status == 2);
  CHECK_THAT(damaged.error, Contains("results/mine.csv is not as it was bundled") && Contains("again.sh is missing") &&
                                Contains("more was added"));
}

TEST_CASE("A bundle that has been added to is not whole, whatever hides that", "[bundle_command]") {
  const Paper paper;
  REQUIRE(paper.bundle({"exp/mine.yaml", "--quiet"}).status == 0);
  const auto said_of = [&](const std::string& name, const std::string& commands) {
    const std::string made = "cd '" + paper.path() +
                             "' && rm -rf w && mkdir w && cd w && tar xf ../paper/mine.tar.gz && " + commands +
                             " && gzip -c ../paper/" + name + " > ../paper/" + name + ".gz";
    REQUIRE(std::system(made.c_str()) == 0);
    const ProgramRun run = paper.bundle({"--check", name + ".gz"});
    CHECK(run.status == (name == "same.tar" ? 0 : 2));
    return run.error + run.out;
  };
  CHECK_THAT(said_of("same.tar", "tar cf ../paper/same.tar ./mine"), Contains("all as they were bundled"));
  CHECK_THAT(said_of("other.tar", "mkdir -p other/results && echo x > other/results/mine.csv && "
                                  "tar cf ../paper/other.tar other mine"),
             Contains("is not in the bundle's folder"));
  CHECK_THAT(said_of("twice.tar", "cp -r mine good && echo x > mine/results/mine.csv && "
                                  "tar cf ../paper/twice.tar mine/results/mine.csv && rm -r mine && mv good mine && "
                                  "tar rf ../paper/twice.tar mine"),
             Contains("results/mine.csv is there twice"));
  CHECK_THAT(said_of("root.tar", "tar cf ../paper/root.tar mine && tar rPf ../paper/root.tar "
                                 "--transform 's,^mine,,' mine/results/mine.csv"),
             Contains("is not in the bundle's folder"));
  CHECK_THAT(said_of("link.tar", "ln -s /etc/passwd mine/extra && tar cf ../paper/link.tar mine"),
             Contains("'mine/extra' in it is no ordinary file"));
}

TEST_CASE("A shipped figure is bundled with its platform, and made again from there", "[bundle_command]") {
  const Paper paper;
  const ProgramRun made = paper.bundle({"zhang-yan-1995/one-run", "--out", "results.tar.gz", "--quiet"});
  INFO(made.error);
  REQUIRE(made.status == 0);
  const auto files = unpacked(paper.archive());
  CHECK(files.count("results/specification/experiments/zhang-yan-1995/one-run.yaml") == 1);
  CHECK(std::ranges::any_of(files,
                            [](const auto& f) { return f.first.starts_with("results/specification/platforms/"); }));
  const int status = paper.again();
  INFO(paper.said());
  CHECK(status == 0);
  CHECK(fs::exists(paper.path() + "/elsewhere/results/again/zhang-yan-1995/one-run.csv"));
}

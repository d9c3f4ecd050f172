// nowsim reproduce: figures by name, papers and files; what it leaves in the folder; verdicts; pictures that cannot be drawn.
#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

// A dedicated machine: makespans are work over speed, so every number below is known.
const char* const kFigure =
    "nowsim: 1\n"
    "title: dedicated machines\n"
    "platform: {workstations: 1, speed: 2f}\n"
    "job: {workload: base-task, work: 100f}\n"
    "run: {replications: 2}\n"
    "metrics: [tau]\n"
    "sweep: {job.work: [100f, 200f, 400f]}\n"
    "figure:\n"
    "  x: job.work\n"
    "  panels: [{metric: tau, label: 'tau [s]'}]\n"
    "claims:\n"
    "  - {id: rises, says: tau rises, source: a test, check: increasing, metric: tau, along: job.work}\n"
    "  - {id: falls, says: tau falls, source: a test, check: decreasing, metric: tau, along: job.work}\n";

void write(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

/// The names of the files in a folder but for those that SQLite keeps.
std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (const std::string name = entry.path().filename().string(); name.rfind("results.sqlite", 0) != 0) names.insert(name);
  return names;
}

struct Reproducer : Folder {
  Reproducer() { file("e.yaml", kFigure); }
  [[nodiscard]] std::string out() const { return path() + "/out"; }
  [[nodiscard]] ProgramRun reproduce(std::vector<std::string> words, const Streams& streams = {}) const {
    words.insert(words.begin(), "reproduce");
    for (const char* word : {"--out", "out", "--jobs", "2"}) words.emplace_back(word);
    return run_program(words, path(), streams);
  }
};

}  // namespace

TEST_CASE("reproduce makes the CSV, the script, the pictures and the verdicts of a figure",
          "[computes][reproduce_command]") {
  const Reproducer r;
  const ProgramRun made = r.reproduce({"e.yaml"});
  CHECK(made.status == 0);  // a claim that does not hold is a result, and no failure
  CHECK((names_in(r.out()) == std::set<std::string>{"e.csv", "e.gp", "e.svg", "e.png", "e.pdf", "e-claims.csv", "lock"}));
  CHECK_THAT(made.error, Contains("e: 3 points, 3 complete; 6 replications simulated, 0 taken from the store"));
  for (const char* name : {"out/e.csv", "out/e.gp", "out/e.svg", "out/e.png", "out/e.pdf", "out/e-claims.csv"}) CHECK_THAT(made.error, Contains(name));
  CHECK_THAT(made.out, Contains("rises") && Contains("falls") && Contains("2 claims: 1 reproduced, 1 not reproduced, 0 undecided"));
  CHECK(content_of(r.out() + "/e.csv") == run_program({"run", "e.yaml", "-f", "csv"}, r.path()).out);
  CHECK_THAT(content_of(r.out() + "/e-claims.csv"), Contains("rises,reproduced,") && Contains("falls,not_reproduced,"));
  CHECK_THAT(content_of(r.out() + "/e.svg"), Contains("[s]") && Contains("dedicated machines"));
  CHECK(content_of(r.out() + "/e.png").substr(1, 3) == "PNG");
  CHECK(content_of(r.out() + "/e.pdf").substr(1, 3) == "PDF");
}

TEST_CASE("The picture's data is the CSV's - the script beside it draws what the CSV says", "[reproduce_command]") {
  const Reproducer r;
  CHECK(r.reproduce({"e.yaml", "-q"}).status == 0);
  const std::string script = content_of(r.out() + "/e.gp"), picture = content_of(r.out() + "/e.svg");
  CHECK_THAT(script, Contains("e.csv"));
  // The script runs by itself, in its folder, and draws the same picture again.
  fs::remove(r.out() + "/e.svg");
  fs::remove(r.out() + "/e.png");
  const std::string command = "cd '" + r.out() + "' && gnuplot e.gp";
  REQUIRE(std::system(command.c_str()) == 0);
  CHECK(content_of(r.out() + "/e.svg") == picture);
  CHECK(fs::file_size(r.out() + "/e.png") > 1000);
  // Other numbers in the CSV are another picture.
  std::string csv = content_of(r.out() + "/e.csv");
  const auto at = csv.rfind(",200,");  // tau of the last point
  REQUIRE(at != std::string::npos);
  write(r.out() + "/e.csv", csv.replace(at, 5, ",150,"));
  REQUIRE(std::system(command.c_str()) == 0);
  CHECK(content_of(r.out() + "/e.svg") != picture);
}

TEST_CASE("reproduce gives verdicts in every format, and repeats from the store", "[reproduce_command]") {
  const Reproducer r;
  const ProgramRun csv = r.reproduce({"e.yaml", "-f", "csv"}), json = r.reproduce({"e.yaml", "-f", "json"});
  CHECK(csv.out == content_of(r.out() + "/e-claims.csv"));
  CHECK_THAT(json.out, Contains("\"id\": \"rises\", \"verdict\": \"reproduced\"") && Contains("\"verdict\": \"not_reproduced\""));
  CHECK_THAT(json.error, Contains("0 replications simulated, 6 taken from the store"));
  const auto names = names_in(r.out());
  CHECK(std::none_of(names.begin(), names.end(), [](const std::string& n) { return n.find('~') != std::string::npos; }));
  const ProgramRun quiet = r.reproduce({"e.yaml", "--quiet", "-f", "csv"});
  CHECK(quiet.error.empty());
  CHECK(quiet.out == csv.out);
}

TEST_CASE("Of an experiment that flags change reproduce says so before its verdicts", "[reproduce_command]") {
  const Reproducer r;
  const ProgramRun changed = r.reproduce({"e.yaml", "-q", "--set", "platform.speed=3f", "--replications", "4"});
  CHECK(changed.out.starts_with("of a changed experiment: platform.speed = 3f\n"));
  CHECK_THAT(changed.out, Contains("[after a test]") && Contains("2 claims of changed experiments: 1 reproduced, 1 not reproduced"));
  CHECK_THAT(content_of(r.out() + "/e-claims.csv"), Contains(",platform.speed = 3f\n"));
  // The same value, written otherwise, and more replications change nothing.
  const ProgramRun same = r.reproduce({"e.yaml", "-q", "--set", "platform.speed=0.002kf", "--replications", "4", "--seed", "3"});
  CHECK_THAT(same.out, !Contains("changed") && Contains("2 claims: 1 reproduced, 1 not reproduced"));
}

TEST_CASE("A copy of a shipped experiment is told from it by its keys, whatever it is called", "[reproduce_command]") {
  const Reproducer r;
  const std::string shipped = source_folder() + "/experiments/huang-lee-2007/fig05.yaml", text = content_of(shipped);
  const auto reproduced = [&](const std::string& copy) {
    r.file("mine.yaml", copy);
    return r.reproduce({"mine.yaml", "-q", "-r", "4"}).out;
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string copy = text;
    const auto at = copy.find(from);
    REQUIRE(at != std::string::npos);
    return copy.replace(at, from.size(), to);
  };
  CHECK_THAT(reproduced(text), !Contains("changed") && Contains("[HL Fig. 5a, 5.2.2]"));
  CHECK_THAT(reproduced(with("title:", "title: Mine #")), !Contains("changed"));
  CHECK_THAT(reproduced(with("workstations: 8, ", "workstations: 8, cores: 1, ")), !Contains("changed"));  // which it is anyway
  CHECK_THAT(reproduced(with("mean: 0.5", "mean: 0.6")),
             Catch::StartsWith("of a changed experiment: owner.mean = 0.6\n") && Contains("[after HL Fig. 5a, 5.2.2]"));
  CHECK_THAT(reproduced(with("    check: increasing\n", "    check: increasing\n    tolerance: 90%\n")),
             Catch::StartsWith("of a changed experiment: claims.HL-5-tau-SH.tolerance = 90%\n"));
}

TEST_CASE("reproduce keeps a script and a picture that a user has changed", "[reproduce_command]") {
  const Reproducer r;
  CHECK(r.reproduce({"e.yaml"}).status == 0);
  const std::string script = content_of(r.out() + "/e.gp");
  write(r.out() + "/e.gp", script + "# mine\n");
  write(r.out() + "/e.svg", "drawn by hand");
  const ProgramRun again = r.reproduce({"e.yaml"});
  CHECK(again.status == 0);
  CHECK_THAT(again.error, Contains("e.gp had been changed since nowsim wrote it; that version is now out/e.gp.~1~") &&
                              Contains("e.svg had been changed since nowsim wrote it; that version is now out/e.svg.~1~"));
  CHECK(content_of(r.out() + "/e.gp.~1~") == script + "# mine\n");
  CHECK(content_of(r.out() + "/e.svg.~1~") == "drawn by hand");
  CHECK(content_of(r.out() + "/e.gp") == script);
  CHECK_FALSE(fs::exists(r.out() + "/e.png.~1~"));
  CHECK_FALSE(fs::exists(r.out() + "/e.pdf.~1~"));
}

TEST_CASE("The same results are the same PDF, and one that the script has drawn again is no user's",
          "[reproduce_command]") {
  const Reproducer r;
  CHECK(r.reproduce({"e.yaml", "-q"}).status == 0);
  const std::string pdf = content_of(r.out() + "/e.pdf");
  write(r.out() + "/e.pdf", pdf + "% mine");
  CHECK(r.reproduce({"e.yaml", "-q"}).status == 0);
  CHECK(content_of(r.out() + "/e.pdf.~1~") == pdf + "% mine");
  const std::string command = "cd '" + r.out() + "' && TZ=JST-9 gnuplot e.gp";  // whose date is another
  REQUIRE(std::system(command.c_str()) == 0);
  REQUIRE(content_of(r.out() + "/e.pdf") != pdf);
  CHECK(r.reproduce({"e.yaml", "-q"}).status == 0);
  CHECK(content_of(r.out() + "/e.pdf") == pdf);
  CHECK_FALSE(fs::exists(r.out() + "/e.pdf.~2~"));
}

TEST_CASE("Without gnuplot reproduce makes the results and the verdicts, says what to install, and ends with 1",
          "[reproduce_command][error]") {
  const Reproducer r;
  Streams streams;
  streams.path = r.path();  // no programs there
  for (int k = 0; k < 2; ++k) {  // a repeat takes its own script for its own
    const ProgramRun made = r.reproduce({"e.yaml"}, streams);
    CHECK(made.status == 1);
    CHECK_THAT(made.error, Contains("no picture of e: ") && Contains("there is no gnuplot") && Contains("apt-get install"));
    CHECK_THAT(made.out, Contains("1 reproduced, 1 not reproduced"));
    CHECK(fs::exists(r.out() + "/e.csv"));
    CHECK(fs::exists(r.out() + "/e.gp"));
    CHECK_FALSE(fs::exists(r.out() + "/e.svg"));
    CHECK_FALSE(fs::exists(r.out() + "/e.gp.~1~"));
  }
  const ProgramRun healed = r.reproduce({"e.yaml"});
  CHECK(healed.status == 0);
  CHECK(fs::exists(r.out() + "/e.svg"));
}

TEST_CASE("reproduce takes shipped figures and whole papers by name, into a folder per paper", "[reproduce_command][slow]") {
  const Reproducer r;
  const ProgramRun one = r.reproduce({"huang-lee-2007/fig05", "-r", "5", "-f", "csv"});
  CHECK(one.status == 0);
  CHECK_THAT(one.out, Contains("HL-5-"));
  for (const char* kind : {".csv", ".gp", ".svg", ".png", ".pdf", "-claims.csv"}) CHECK(fs::exists(r.out() + "/huang-lee-2007/fig05" + kind));
  CHECK_THAT(content_of(r.out() + "/huang-lee-2007/fig05.svg"),
             Contains("TH") && Contains("SH") && Contains("seed 1") && Contains("5 replications"));
  const ProgramRun paper = r.reproduce({"huang-lee-2007/", "-r", "2", "-f", "csv"});
  CHECK(paper.status == 0);
  for (const char* name : {"fig03", "fig04", "fig05", "fig06", "fig07", "fig08", "fig09", "fig10", "fig11", "fig12"}) {
    CHECK(fs::exists(r.out() + "/huang-lee-2007/" + name + ".png"));
    CHECK_THAT(paper.out, Contains("HL-" + std::to_string(std::stoi(std::string(name + 3))) + "-"));
  }
}

TEST_CASE("reproduce --all is every paper, and no lab", "[reproduce_command][slow]") {
  const Reproducer r;
  // Dear points are left out: each experiment is run as a whole in shipped_experiments_test.cpp.
  const ProgramRun all = r.reproduce({"--all", "-r", "2", "--most-hours", "1e-5"});
  CHECK(all.status == 0);
  CHECK(fs::exists(r.out() + "/huang-lee-2007/fig12.png"));
  CHECK_FALSE(fs::exists(r.out() + "/labs"));
  CHECK_FALSE(fs::exists(r.out() + "/self-scheduling"));
  const std::string page = content_of(r.out() + "/index.html");
  CHECK_THAT(page, Contains("<article id=\"huang-lee-2007/fig12\">") && Contains("<article id=\"bazterra-2004/fig01\">") &&
                       Contains("flags: run.replications=2.") && !Contains(fs::absolute(r.path()).string()));
}

TEST_CASE("reproduce --all goes on where a store cannot be opened, and says so in the page", "[reproduce_command][index][slow]") {
  const Reproducer r;
  fs::create_directories(r.out());
  write(r.out() + "/bazterra-2004", "a file in the place of a folder");
  const ProgramRun all = r.reproduce({"--all", "-r", "2", "--most-hours", "1e-12"});  // next to nothing is run
  CHECK(all.status == 1);
  CHECK_THAT(all.error, Contains("bazterra-2004/fig01 could not be reproduced: the folder out/bazterra-2004 cannot be made"));
  CHECK(fs::exists(r.out() + "/huang-lee-2007/fig12.csv"));
  CHECK_THAT(content_of(r.out() + "/index.html"), Contains("<article id=\"huang-lee-2007/fig12\">") &&
                                                      Contains("the folder bazterra-2004 cannot be made"));
  CHECK(content_of(r.out() + "/bazterra-2004") == "a file in the place of a folder");
}

TEST_CASE("reproduce --all says where its folder cannot be made, and runs nothing", "[reproduce_command][error][slow]") {
  const Reproducer r;
  write(r.out(), "a file");
  const ProgramRun all = r.reproduce({"--all", "-r", "2"});
  CHECK(all.status == 2);
  CHECK_THAT(all.error, Contains("the folder out cannot be made: ") && !Contains("could not be reproduced"));
}

TEST_CASE("A program away from its experiments says that it has found none, and where", "[reproduce_command][error]") {
  const Reproducer r;
  fs::create_directories(r.path() + "/away/bin");
  std::string program = content_of(program_file());  // which knows the folder that it was built in
  const std::string sources = source_folder();
  for (auto at = program.find(sources); at != std::string::npos; at = program.find(sources, at))
    if (program.compare(at - 5, 5, "share") == 0) ++at;  // share/nowsim: the sources may be in /nowsim
    else program.replace(at, sources.size(), sources.size(), '-');
  std::ofstream(r.path() + "/away/bin/nowsim", std::ios::binary) << program;
  fs::permissions(r.path() + "/away/bin/nowsim", fs::perms::owner_all);
  const std::string command = "cd '" + r.path() + "' && away/bin/nowsim reproduce --all --out out > said 2> error";
  const int status = std::system(command.c_str());
  CHECK(WEXITSTATUS(status) == 2);
  CHECK(content_of(r.path() + "/said").empty());
  CHECK_THAT(content_of(r.path() + "/error"),
             Contains("no experiments of papers were found in share/nowsim/experiments beside the libraries"));
  CHECK_FALSE(fs::exists(r.out()));
}

TEST_CASE("reproduce --index makes a page of what it reproduced, the same one every time", "[reproduce_command][index]") {
  const Reproducer r;
  r.file("f.yaml", "nowsim: 1\ntitle: a table <of> one\nplatform: {workstations: 1, speed: 2f}\n"
                   "job: {workload: base-task, work: 100f}\nrun: {replications: 2}\nmetrics: [tau]\n"
                   "claims:\n  - {id: slow, says: tau is small, source: HL 1, check: values_between, metric: tau, "
                   "along: job.work, less_than: 1, paper: '0.5 s', differs: The machines differ.}\n"
                   "sweep: {job.work: [100f]}\n");
  const ProgramRun made = r.reproduce({"e.yaml", "f.yaml", "--index"});
  CHECK(made.status == 0);
  CHECK_THAT(made.error, Contains("out/index.html (") && Contains("whole: 2 experiments in "));
  CHECK_THAT(made.out, Contains("the paper: 0.5 s") && Contains("The machines differ."));
  const std::string page = content_of(r.out() + "/index.html");
  CHECK_THAT(page, Contains("<article id=\"e\">") && Contains("<article id=\"f\">") &&
                       Contains("src=\"data:image/svg+xml;base64,") && Contains("<a href=\"e.svg\">e.svg</a>"));
  CHECK_THAT(page, Contains("a table &lt;of&gt; one") && Contains("<td>100f</td><td>50</td>"));  // no figure: its numbers
  CHECK_THAT(page, Contains("<td data-of=\"the paper\">0.5 s</td><td data-of=\"the number that decides\">tau: at job.work = 100f it is 50 s") &&
                       Contains("<p class=\"why\">The machines differ.</p>"));
  CHECK_THAT(page, Contains("Huang &amp; Lee 2007</th><td>0</td><td>1</td><td>0</td><td>1</td>") &&
                       Contains("others</th><td>1</td><td>1</td><td>0</td><td>2</td>"));
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find(fs::absolute(r.path()).string()) == std::string::npos);
  CHECK(r.reproduce({"e.yaml", "f.yaml", "--index", "-q"}).error.empty());
  CHECK(content_of(r.out() + "/index.html") == page);
  // A page of a part does not take the whole's place.
  CHECK_THAT(r.reproduce({"e.yaml", "--index"}).error, Contains("it is now out/index.html.~1~"));
  CHECK(content_of(r.out() + "/index.html.~1~") == page);
  CHECK(r.reproduce({"e.yaml"}).status == 0);
  CHECK_FALSE(fs::exists(r.out() + "/index.html.~2~"));  // without --index there is none
}

TEST_CASE("reproduce --most-hours leaves out what would take longer, says so, and leaves its claims undecided",
          "[reproduce_command][index]") {
  const Reproducer r;
  const ProgramRun made =
      r.reproduce({"e.yaml", "--index", "--engine", "simgrid", "--replications", "200000", "--most-hours", "1e-5"});
  CHECK(made.status == 1);  // nothing is left to be drawn
  CHECK_THAT(made.error, Contains("e: 3 points, 0 complete, 3 infeasible"));
  CHECK_THAT(made.out, Contains("2 claims: 0 reproduced, 0 not reproduced, 2 undecided"));
  CHECK_THAT(content_of(r.out() + "/e.csv"), Contains("not run: it would take about ") &&
                                                 Contains("of one core on simgrid, and the most allowed is 36 ms"));
  CHECK_THAT(content_of(r.out() + "/index.html"), Contains("infeasible: job.work=100f: not run: it would take about ") ||
                                                      Contains("infeasible: 3 points, the first job.work=100f: not run"));
}

TEST_CASE("compare tells how far two reproductions are apart", "[reproduce_command][compare]") {
  const Reproducer r;
  REQUIRE(r.reproduce({"e.yaml", "-q"}).status == 0);
  REQUIRE(run_program({"reproduce", "e.yaml", "-q", "--out", "other", "--engine", "simgrid"}, r.path()).status == 0);
  const ProgramRun same = run_program({"compare", "out", "other"}, r.path());
  CHECK(same.status == 0);
  CHECK_THAT(same.out, Contains("largest relative difference of 3 estimates: 0\n") &&
                           Contains("claims whose verdicts differ: 0 of 2\n"));
  REQUIRE(run_program({"reproduce", "e.yaml", "-q", "--out", "fast", "--set", "platform.speed=4f"}, r.path()).status == 0);
  CHECK_THAT(run_program({"compare", "out", "fast", "-f", "csv"}, r.path()).out, Contains("e,,3,0,3,0.5,tau,job.work="));
  write(r.out() + "/e.csv", "N,E,E_hw\n1,5,1\n");
  const ProgramRun nothing = run_program({"compare", "out", "other"}, r.path());
  CHECK(nothing.status == 1);
  CHECK_THAT(nothing.error, Contains("nothing was compared"));
}

TEST_CASE("Of a folder all experiments are reproduced, those that replay shipped traces too", "[reproduce_command]") {
  const Reproducer r;
  CHECK(r.reproduce({"labs", "-r", "2"}).status == 0);
  CHECK(fs::exists(r.out() + "/labs/idle-together.svg"));
  CHECK(fs::exists(r.out() + "/labs/six-servers.csv"));
}

TEST_CASE("A figure with a point that fails is drawn of the others, one without any is not, and the status is 1",
          "[reproduce_command]") {
  const Reproducer r;
  const auto made_of = [&](const std::string& sweep) {
    const std::string owner = "owner={model: intervals, TH: 0.1}";
    ProgramRun made = r.reproduce({"e.yaml", "--set", owner, "--set", "sweep=" + sweep});
    CHECK(made.status == 1);
    return made;
  };
  const std::string reason = ": a batch of 2 replications took longer than 0.3 s (run.timeout)\n";
  // Work for some billion intervals never ends.
  const ProgramRun none = made_of("{zip: {job.work: [7e12f, 8e12f, 9e12f], run.timeout: [300ms, 300ms, 300ms]}}");
  CHECK_THAT(none.error, Contains("failed: e, point job.work=7e12f run.timeout=300ms" + reason) &&
                             Contains("no picture of e: "));
  CHECK_THAT(none.out, Contains("2 undecided"));
  CHECK_FALSE(fs::exists(r.out() + "/e.svg"));
  // It alone has a limit: a machine that is held up for a while must not fail the others.
  const ProgramRun part = made_of("{zip: {job.work: [100f, 200f, 9e12f], run.timeout: [0, 0, 300ms]}}");
  CHECK_THAT(part.error, Contains("e: 3 points, 2 complete, 1 failed; ") && !Contains("no picture") &&
                             Contains("failed: e, point job.work=9e12f run.timeout=300ms" + reason));
  CHECK_THAT(part.out, Contains("1 point is missing"));
  CHECK(fs::exists(r.out() + "/e.svg"));
}

TEST_CASE("A reproduction that is stopped or killed keeps what is complete, and leaves no process behind",
          "[reproduce_command][processes]") {
  const Reproducer r;
  r.file("long.yaml", std::string(kFigure) + "owner: {model: intervals, TH: 0.28}\n");
  RunningProgram program({"reproduce", "long.yaml", "--out", "out", "--jobs", "2", "--replications", "100000000"}, r.path());
  const auto simulates = [&](pid_t experiment) { return children_of(experiment).size() == 2; };
  std::vector<pid_t> processes;
  REQUIRE(comes_true([&] {
    processes = children_of(program.pid());
    return processes.size() == 1 && simulates(processes.front()) && fs::exists(r.out() + "/results.sqlite");
  }));
  const pid_t experiment = processes.front();
  for (const pid_t worker : children_of(experiment)) processes.push_back(worker);
  const auto none_left = [&] { return std::ranges::none_of(processes, is_alive); };
  SECTION("by a signal that the program alone gets") {
    kill(program.pid(), SIGINT);
    const auto run = program.finish();
    CHECK(run.status == 130);
    CHECK_THAT(run.error, Contains("every batch that was complete is kept in out"));
  }
  SECTION("at once") {
    kill(program.pid(), SIGKILL);
    program.finish();
  }
  SECTION("where memory ends") {
    kill(experiment, SIGKILL);
    const auto run = program.finish();
    CHECK(run.status == 1);
    CHECK_THAT(run.error, Contains("it was killed (Killed)"));
  }
  CHECK(comes_true(none_left));
}

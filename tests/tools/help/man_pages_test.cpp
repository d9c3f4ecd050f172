// Manual pages as man reads them: none with a warning, each found by its name, all of what --help says in them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "experiments/driver/text/run_program.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/skips.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

/// All pages, as the program writes them.
struct WrittenPages : Folder {
  WrittenPages() { run = run_program({"help", "--man", path() + "/man"}); }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(path() + "/man"))
      if (entry.is_regular_file()) all.insert(entry.path().filename().string());
    return all;
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    return path() + "/man/man" + name.substr(name.rfind('.') + 1) + "/" + name;
  }
  [[nodiscard]] std::string content(const std::string& name) const { return content_of(file(name)); }
  ProgramRun run;
};

std::string said_by_shell(const std::string& command) {
  return nowsim::run_program(".", {"sh", "-c", command}, "there is no shell", {}).said;
}

/// What man shows on so many columns.
std::string shown(const std::string& file, int columns, const std::string& streams = "2>/dev/null") {
  return said_by_shell("LC_ALL=C.UTF-8 MANWIDTH=" + std::to_string(columns) + " man --warnings=w -l '" + file + "' " +
                       streams);
}

}  // namespace

TEST_CASE("There is a manual page for each command, each part of one, and the files that people write",
          "[computes][manual][man]") {
  const WrittenPages pages;
  REQUIRE(pages.run.status == 0);
  const auto names = pages.names();
  for (const char* wanted :
       {"nowsim.1", "nowsim-run.1", "nowsim-trace.1", "nowsim-trace-record.1", "nowsim-lab-start.1",
        "nowsim-platform-show.1", "nowsim-platform.1", "nowsim-platform.5", "nowsim-experiment.5"})
    CHECK(names.contains(wanted));
  const std::string help = run_program({"help"}).out, overview = help.substr(0, help.find("pages:"));
  for (const std::string& name : names) {
    if (!name.ends_with(".1") || name == "nowsim.1") continue;
    const std::string word = name.substr(7, name.find_first_of("-.", 7) - 7);
    INFO(name);
    CHECK(overview.find("\n  " + word + " ") != overview.npos);
  }
  CHECK(names.size() > 25);
  CHECK_FALSE(names.contains("nowsim-complete.1"));
}

TEST_CASE("A command's page has its usage, its flags, the manual's page and what it returns", "[manual][man]") {
  const WrittenPages pages;
  const std::string plan = pages.content("nowsim-plan.1");
  std::string running = plan;  // whatever lines end where
  std::replace(running.begin(), running.end(), '\n', ' ');
  CHECK_THAT(plan, Catch::Contains("nowsim\\-plan \\- a job with a deadline"));
  for (const char* part :
       {"\\fB\\-\\-deadline\\fR", "\\fB\\-s\\fR, \\fB\\-\\-set\\fR", "Default: 10min.", ".SH EXIT STATUS",
        "Plan a job with a deadline", "\\fBnowsim help traces\\fR", "\\fBnowsim\\-experiment\\fR(5)"})
    CHECK_THAT(running, Catch::Contains(part));
  CHECK_THAT(plan, !Catch::Contains("lab-plan.svg)") && !Catch::Contains("]("));
  CHECK_THAT(pages.content("nowsim-trace.1"), Catch::Contains("\\fBnowsim\\-trace\\-fit\\fR(1)"));
  CHECK_THAT(pages.content("nowsim-trace-fit.1"), Catch::Contains("\\fB\\-\\-confidence\\fR"));
  CHECK_THAT(pages.content("nowsim-lab.1"), Catch::Contains("gantt (experiments/labs/gantt/teacher.md)"));
  CHECK_THAT(pages.content("nowsim.1"), Catch::Contains("/usr/share/doc/nowsim/html/index.html"));
}

TEST_CASE("The page of experiments has every key, and none has what is for those who change nowsim", "[manual][man]") {
  const WrittenPages pages;
  const std::string page = pages.content("nowsim-experiment.5");
  for (const char* key : {"\\fBdrawn.d_conf\\fR", "\\fBTH\\fR", "\\fBvariance_reduction\\fR", "\\fIworkload: gauss\\fR",
                          "(share; needed)"})
    CHECK_THAT(page, Catch::Contains(key));
  for (const std::string& name : pages.names()) {
    INFO(name);
    CHECK_THAT(pages.content(name), !Catch::Contains(".SS\nTo add"));
  }
}

TEST_CASE("Pages are written anew over those of an older version, and over nothing else", "[manual][man]") {
  const WrittenPages pages;
  const std::string page = pages.file("nowsim.1"), kept = page + ".~1~";
  said_by_shell("echo '.\\\" more' >> '" + page + "'");
  CHECK(run_program({"help", "--man", pages.path() + "/man"}).status == 0);
  CHECK_FALSE(fs::exists(kept));
  said_by_shell("echo 'a page of my own' > '" + page + "'");
  CHECK(run_program({"help", "--man", pages.path() + "/man"}).status == 0);
  CHECK(content_of(kept) == "a page of my own\n");
  CHECK_THAT(content_of(page), Catch::Contains(".TH NOWSIM 1"));
}

TEST_CASE("man shows all pages without a warning, and whatis finds them", "[manual][man]") {
  if (!nowsim::is_program("man") || !nowsim::is_program("lexgrog")) {
    skipped("man", "there is no man here (package man-db)");
    return;
  }
  const WrittenPages pages;
  for (const std::string& name : pages.names()) {
    INFO(name);
    CHECK(shown(pages.file(name), 80, "2>&1 >/dev/null").empty());
    CHECK_THAT(said_by_shell("lexgrog '" + pages.file(name) + "'"),
               Catch::Contains(": \"" + name.substr(0, name.rfind('.')) + " - "));
  }
  const std::string run = shown(pages.file("nowsim-run.1"), 80);
  CHECK_THAT(run, Catch::Contains("nowsim-run - run an experiment and print its estimates") &&
                      Catch::Contains("--variance-reduction WORD") && Catch::Contains("SEE ALSO"));
  CHECK_THAT(shown(pages.file("nowsim-experiment.5"), 80), Catch::Contains("owner.TH: {from: 0, to: 0.3, step: 0.1}"));
}

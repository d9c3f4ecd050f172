// The program on a real terminal of 40, 80 and 160 columns: what fits, what is wiped, and which characters and colours.
#include <catch2/catch.hpp>

#include <filesystem>
#include <sstream>

#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"
#include "tests/tools/terminal_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

constexpr std::size_t kWidths[] = {40, 80, 160};

const char* const kSwept =
    "nowsim: 1\n"
    "platform: {workstations: 2, speed: 1f}\n"
    "job: {workload: base-task, work: 20f}\n"
    "owner: {model: intervals, TH: 0.28}\n"
    "run: {replications: 20, deadline: 24s}\n"
    "metrics: [tau, sigma_T, RF, speedup]\n"
    "sweep: {owner.TH: [0.07, 0.28]}\n";
// Some billion intervals: nobody waits for its end.
const char* const kNeverDone =
    "nowsim: 1\n"
    "platform: {workstations: 2, speed: 1f}\n"
    "job: {workload: base-task, work: 20Gf}\n"
    "owner: {model: intervals, TH: 0.28}\n"
    "run: {replications: 1000, engine: simgrid, timeout: 1d}\n";

struct Shown {
  int status;
  std::string text;
  std::size_t widest;
};

Shown shown(const std::vector<std::string>& arguments, std::size_t columns, const std::string& folder = "",
            std::map<std::string, std::string> environment = {}) {
  OnTerminal terminal(arguments, columns, folder, std::move(environment));
  const int status = terminal.finish();
  return {status, terminal.written(), terminal.widest()};
}

/// All lines of what is to be seen, in one text.
std::string seen(const OnTerminal& terminal) {
  std::string text;
  for (const std::string& line : terminal.screen()) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("What the program prints fits terminals of 40, 80 and 160 columns", "[computes][cli][terminal]") {
  const Folder folder;
  folder.file("e.yaml", kSwept);
  const std::string lab = source_folder() + "/platforms/lab-now.xml";
  const std::vector<std::vector<std::string>> commands{
      {"run", "e.yaml", "-q"}, {"check", "e.yaml"},        {"help"},           {"run", "--help"},
      {"plan", "--help"},      {"list", "owners"},         {"list", "metrics"}, {"list", "keys", "run"},
      {"lab"},                 {"trace", "--help"},        {"platform", "show", lab},
      {"run", "none.yaml"},    {"run", "e.yaml", "--sett"}};
  for (const std::size_t columns : kWidths)
    for (const auto& command : commands) {
      const Shown r = shown(command, columns, folder.path());
      INFO(columns << " columns: " << command[0] << " " << (command.size() > 1 ? command[1] : "") << "\n" << r.text);
      CHECK(r.widest <= columns);
      CHECK(r.text.size() > 20);
    }
}

TEST_CASE("A table on a narrow terminal folds, and into a pipe it does not", "[cli][terminal]") {
  const Folder folder;
  folder.file("e.yaml", kSwept);
  const std::vector<std::string> run{"run", "e.yaml", "-q"};
  const std::string piped = run_program(run, folder.path()).out;
  CHECK(shown(run, 160, folder.path()).text == piped);
  const Shown narrow = shown(run, 40, folder.path());
  CHECK(narrow.text != piped);
  // The axis stands in each block.
  std::size_t heads = 0;
  for (std::size_t at = 0; (at = narrow.text.find("  owner.TH", at)) != std::string::npos; ++at) ++heads;
  CHECK(heads >= 2);
  for (const char* head : {"tau [s]", "sigma_T [s]", "RF", "speedup"}) CHECK_THAT(narrow.text, Contains(head));
  // COLUMNS goes before what the terminal says, and says nothing where there is none.
  CHECK(shown(run, 160, folder.path(), {{"COLUMNS", "40"}}).text == narrow.text);
  CHECK(shown(run, 160, folder.path(), {{"COLUMNS", "wide"}}).text == piped);
}

TEST_CASE("Help on a narrow terminal breaks no flag's name within", "[cli][terminal]") {
  const std::string text = shown({"help", "run"}, 40).text;
  CHECK_THAT(text, Contains("--precision-of") && Contains("flags:\n  "));
  for (std::size_t at = 0; (at = text.find("--precisio", at)) != std::string::npos; ++at)
    CHECK(text.compare(at, 11, "--precision") == 0);
}

TEST_CASE("Examples on a page of the manual keep their lines, however narrow the terminal is", "[cli][terminal]") {
  // Programs between fences, and a command that is indented.
  const std::string text = content_of(source_folder() + "/tools/write-your-own.md");
  const std::string shown_page = shown({"help", "write-your-own"}, 40).text;
  bool is_fenced = false;
  std::size_t examples = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      is_fenced = !is_fenced;
      continue;
    }
    if (line.empty() || (!is_fenced && !line.starts_with("    $ "))) continue;
    CHECK_THAT(shown_page, Contains((is_fenced ? "    " : "") + line + "\n"));
    ++examples;
  }
  CHECK(examples > 10);
  CHECK_THAT(shown_page, !Contains("```"));
}

TEST_CASE("Other locales are shown ASCII, and files and programs get UTF-8", "[cli][terminal]") {
  const Folder folder;
  folder.file("e.yaml", std::string(kSwept) + "title: Zürich\n");
  const Shown ascii = shown({"run", "e.yaml", "-q"}, 80, folder.path(), {{"LC_ALL", "C"}});
  CHECK_THAT(ascii.text, Contains(" +/- ") && Contains("Z\\u00fcrich") && !Contains("±"));
  CHECK(ascii.widest <= 80);
  const Shown json = shown({"run", "e.yaml", "-q", "-f", "json"}, 80, folder.path(), {{"LC_ALL", "C"}});
  CHECK_THAT(json.text, Contains("Zürich"));
  CHECK_THAT(shown({"run", "e.yaml", "-q"}, 80, folder.path()).text, Contains(" ± ") && Contains("Zürich"));
  CHECK_THAT(shown({"list", "metrics"}, 80, "", {{"LC_ALL", "POSIX"}}).text, !Contains("·") && Contains("p*log2 p"));
}

TEST_CASE("Errors are coloured on terminals, but not on dumb ones or where NO_COLOR is set", "[cli][terminal]") {
  const std::vector<std::string> wrong{"run", "none.yaml"};
  CHECK_THAT(shown(wrong, 80).text, Contains("\x1b["));
  CHECK_THAT(shown(wrong, 80, "", {{"NO_COLOR", "1"}}).text, !Contains("\x1b") && Contains("error: "));
  CHECK_THAT(shown(wrong, 80, "", {{"TERM", "dumb"}, {"COLORTERM", "truecolor"}}).text, !Contains("\x1b"));
  CHECK_THAT(run_program(wrong).error, !Contains("\x1b") && Contains("error: "));
}

TEST_CASE("Ctrl-C wipes its line, and says what is kept and what to type", "[cli][terminal]") {
  const Folder folder;
  folder.file("endless.yaml", kNeverDone);
  SECTION("run keeps nothing") {
    OnTerminal terminal({"run", "-r", "500", "endless.yaml", "--set", "owner.TH=0.3"}, 60, folder.path());
    REQUIRE(terminal.comes("0/1 points"));
    terminal.type("\x03");
    CHECK(terminal.finish() == 130);
    const std::string text = seen(terminal);
    INFO(text);
    CHECK_THAT(text, Contains("stopped; nothing was kept;") && !Contains("^C") && !Contains("0/1 points"));
    CHECK_THAT(terminal.written(), Contains("nowsim sweep -r 500 endless.yaml --set owner.TH=0.3 --out results/endless\n"));
  }
  SECTION("sweep keeps batches, and the same command goes on") {
    OnTerminal terminal({"sweep", "endless.yaml", "--out", "my results"}, 80, folder.path());
    REQUIRE(terminal.comes("0/1 points"));
    terminal.type("\x03");
    CHECK(terminal.finish() == 130);
    const std::string text = seen(terminal);
    INFO(text);
    CHECK_THAT(text, Contains("stopped; every batch that was complete is kept in my results\n") && !Contains("^C"));
    CHECK_THAT(terminal.written(), Contains("nowsim sweep endless.yaml --out 'my results'\n"));
  }
  SECTION("a study without a store says how to have one") {
    OnTerminal terminal({"contrast", "endless.yaml", "owner.TH", "--sweep", "owner.TH=0.1,0.2"}, 60, folder.path());
    REQUIRE(terminal.comes("points"));
    terminal.type("\x03");
    CHECK(terminal.finish() == 130);
    CHECK_THAT(terminal.written(), Contains("--out results/"));
  }
  SECTION("a recording goes on with --append") {
    OnTerminal terminal({"trace", "record", "mine.csv", "--interval", "0.1s"}, 60, folder.path());
    REQUIRE(terminal.comes("rows, the last"));
    terminal.type("\x03");
    CHECK(terminal.finish() == 130);
    const std::string text = seen(terminal);
    INFO(text);
    CHECK_THAT(text, Contains(" recorded: mine.csv\n") && !Contains("^C") && !Contains("the last"));
    CHECK_THAT(terminal.written(), Contains("nowsim trace record mine.csv --interval 0.1s --append\n"));
  }
}

TEST_CASE("Progress stays on one line of a narrow terminal, and goes with Ctrl-C", "[cli][terminal]") {
  const Folder folder;
  folder.file("endless.yaml", kNeverDone);
  OnTerminal terminal({"run", "endless.yaml", "--engine", "direct", "--set", "run.replications=100000", "--set",
                       "job.work=10Mf"}, 30, folder.path());
  REQUIRE(terminal.comes("\r\x1b[K"));
  REQUIRE(terminal.comes("points"));
  terminal.type("\x03");
  CHECK(terminal.finish() == 130);
  CHECK(terminal.widest() <= 250);  // the command to type is not broken
  for (const std::string& line : terminal.screen()) CHECK_THAT(line, !Contains("points"));
}

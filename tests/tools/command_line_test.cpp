// The table of commands is whole, and what fails in a way that nobody thought of ends, and says so.
#include "tools/line/command_line.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <new>
#include <regex>
#include <set>
#include <stdexcept>
#include <system_error>

#include "tests/tools/program_fixture.hpp"
#include "tools/line/command.hpp"
#include "tools/line/command_table.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Commands for people and parts, by the words that call them.
std::map<std::string, Command> commands_by_words() {
  std::map<std::string, Command> all;
  for (const Command& command : commands()) {
    if (command.is_for_programs) continue;
    all.emplace(command.name, command);
    for (const Command& part : command.parts) all.emplace(std::string(command.name) + " " + part.name, part);
  }
  return all;
}

/// The words of a usage that stand for something, alternatives as one: FIGURE|PAPER..., but for flags' values.
std::vector<std::string> placeholders(const std::string& usage) {
  const std::regex flag_and_value(R"(\|?\[?--?[a-z-]+ [^ |\[]+(\|--[a-z-]+ [^ ]+)*)"), bar(R"( \| )"),
      word(R"([^ ]*[A-Z][^ ]*)");
  const std::string text = std::regex_replace(std::regex_replace(usage, flag_and_value, ""), bar, "|");
  return {std::sregex_token_iterator(text.begin(), text.end(), word), {}};
}

const std::string kLab =
    "nowsim: 1\nplatform: {workstations: 4, speed: 1f}\njob: {workload: base-task, work: 400f}\n"
    "owner: {model: intervals, TH: 0.28, SH: 0.1}\nrun: {replications: 2}\nmetrics: [tau]\n";

/// What the command line says of an exception that a program's parameters end in, and the exit status.
ProgramRun said_of(const std::function<void()>& fail) {
  Additions additions;
  additions.workloads.push_back({"failing", "", {}, [&](KeyReader&) -> std::shared_ptr<const Workload> {
                                   fail();
                                   return nullptr;
                                 }});
  const Folder folder;
  folder.file("e.yaml", kLab);
  const std::string file = folder.path() + "/e.yaml", said = folder.path() + "/said";
  const char* const words[] = {"nowsim", "check", file.c_str(), "--set", "job.workload=failing"};
  std::fflush(stderr);
  const int before = dup(STDERR_FILENO), to = open(said.c_str(), O_CREAT | O_WRONLY, 0600);
  dup2(to, STDERR_FILENO);
  ProgramRun run;
  run.status = command_line(5, words, additions);
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  close(to);
  run.error = content_of(said);
  return run;
}

}  // namespace

TEST_CASE("A usage has a word in capitals for each place, and says which are repeated", "[computes][reads][cli]") {
  CHECK(placeholders("nowsim help [TOPIC | COMMAND [PART]]") == std::vector<std::string>{"[TOPIC|COMMAND", "[PART]]"});
  CHECK(placeholders("nowsim plan PLATFORM|--machines N --work WORK|--mpi TRACE [--risk SHARE] [flags]") ==
        std::vector<std::string>{"PLATFORM"});
  for (const auto& [words, command] : commands_by_words()) {
    INFO(command.usage);
    if (!command.parts.empty()) {
      CHECK(command.places.empty());  // its part has them
      continue;
    }
    const auto shown = placeholders(command.usage);
    REQUIRE(shown.size() == command.places.size());
    for (std::size_t k = 0; k < shown.size(); ++k) {
      const WordPlace& place = command.places[k];
      CHECK_FALSE(place.kinds.empty());
      CHECK((place.most > 1) == (shown[k].find("...") != std::string::npos || command.runs_program));
      if (shown[k].starts_with("[")) CHECK(place.least == 0);
      CHECK(place.least <= place.most);
    }
  }
}

TEST_CASE("A command takes as many words as it has places for", "[cli]") {
  std::string counts;
  for (const auto& [words, command] : commands_by_words()) {
    std::size_t least = 0, most = 0;
    for (const WordPlace& place : command.places) {
      least += place.least;
      most += place.most;
    }
    if (least != 1 || most != 1) counts += words + " " + std::to_string(least) + "-" + std::to_string(most) + ", ";
  }
  CHECK(counts ==
        "compare 2-2, contrast 2-2, help 0-2, lab 0-0, lab board 1-100000, lab check 0-1, lab grade 1-100000, "
        "lab serve 0-0, list 0-2, plan 0-1, platform 0-0, reproduce 0-1000, submit 1-1000, trace 0-0, "
        "trace convert 2-2, trace fit 1-10000, trace mpi 1-18446744073709551615, trace speed 0-0, verify 0-1, "
        "version 0-0, ");
}

TEST_CASE("Every flag that takes a value says of which kind it is", "[cli]") {
  const std::set<std::string> of_any_text{
      "array",       // Slurm's 200%20
      "as",          // a student's ID
      "column",      // of a file
      "columns",     // the same
      "efficiency",  // numbers with commas between
      "experiment",  // of a store
      "flops",       // FILE:LINE=FLOP
      "hosts",       // machines of a file
      "point",       // of a store
      "sbatch",      // Slurm's flags
      "shard",       // I/N
  };
  std::set<std::string> told;
  for (const auto& [words, command] : commands_by_words())
    for (const Flag& flag : flags_of(command)) {
      INFO(words << " --" << flag.name());
      const auto& [kind, of] = flag.argument.value;
      if (kind == Kind::text && flag.takes_value()) told.insert(flag.name());
      if (kind == Kind::word || kind == Kind::names || kind == Kind::key_value)
        CHECK_FALSE(of.empty());
      else if (kind != Kind::file)
        CHECK(of.empty());
    }
  CHECK(told == of_any_text);
}

TEST_CASE("An exception that nobody thought of is a fault of nowsim: it says so, and how to report it",
          "[cli][limits]") {
  const ProgramRun run = said_of([] { throw std::logic_error("the cat is on the table"); });
  CHECK(run.status == 70);
  CHECK_THAT(run.error, Contains("error: this is a fault of nowsim, not of its input: the cat is on the table\n") &&
                            Contains("error: please report it, with the files that are read and this command (now") &&
                            Contains("e.yaml --set job.workload=failing\n"));
}

TEST_CASE("Memory that ends is said with what was being done", "[cli][limits][memory]") {
  const ProgramRun run = said_of([] { throw std::bad_alloc(); });
  CHECK(run.status == 1);
  CHECK_THAT(run.error, Contains("error: memory ended while point 1 of 1 of ") && Contains("e.yaml was read; "));
  const ProgramRun length = said_of([] { std::vector<double>().reserve(std::size_t(-1) / 2); });
  CHECK(length.status == 1);
  CHECK_THAT(length.error, Contains("error: memory ended") && !Contains("vector::"));
}

TEST_CASE("What the system refuses is said of the file, or of what was called for", "[cli][limits]") {
  const ProgramRun run = said_of([] { (void)std::filesystem::file_size("/nowhere/x"); });
  CHECK(run.status == 1);
  CHECK_THAT(run.error, Contains("error: '/nowhere/x': No such file or directory\n") && !Contains("filesystem error"));
  const ProgramRun nameless = said_of([] {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again), "making a thread");
  });
  CHECK(nameless.status == 1);
  CHECK_THAT(nameless.error, Contains("error: the system refuses to go on: making a thread: Resource temp"));
}

TEST_CASE("Numbers that Boost.Math has no answer to are a problem of the experiment", "[cli][limits][error]") {
  const ProgramRun run = said_of([] { throw std::domain_error("Error in function boost::math::f"); });
  CHECK(run.status == 2);
  CHECK_THAT(run.error, Contains("e.yaml: some number is too large or too small") && !Contains("Error in function"));
}

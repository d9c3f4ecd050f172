// What follows from the table of commands, of every place and flag: what is refused and how, usages, formats.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/cache_fixture.hpp"
#include "tests/tools/program_fixture.hpp"
#include "tools/line/command.hpp"
#include "tools/line/command_table.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Texts = std::vector<std::string>;

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

/// A value that a flag allows, as far as its table says.
std::string allowed(const Argument& value) {
  if (value.dimension) return value.bounds.most >= 1 && value.bounds.least <= 1 ? "1" : "0.5";
  if (value.kind == Kind::word) return value.of.front();
  return "x" + (value.kind == Kind::written && !value.of.empty() ? value.of.front() : "");
}

/// As few words and flags as the command can be read with, but for one flag.
Texts least_line(const Command& command, const std::string& but = "") {
  Texts line;
  for (const WordPlace& place : command.places) line.insert(line.end(), place.least, "word");
  for (const Flag& flag : flags_of(command))
    if (flag.argument.is_needed && flag.name() != but)
      line.push_back("--" + flag.name() + "=" + allowed(flag.argument.value));
  return line;
}

/// Why a line is refused; "" where it is not.
std::string refusal(const Command& command, Texts line, const Texts& more) {
  line.insert(line.end(), more.begin(), more.end());
  try {
    static_cast<void>(Arguments::read(line, flags_of(command), command.places, usage_of(command)));
    return "";
  } catch (const UsageError& e) {
    return e.what();
  }
}

/// Does something with every flag of every command that takes a value.
template <class Do>
void each_flag(const Do& check) {
  for (const auto& [words, command] : commands_by_words())
    for (const Flag& flag : flags_of(command))
      if (flag.takes_value()) {
        INFO(words << " --" << flag.name());
        check(command, flag, least_line(command, flag.name()));
      }
}

std::size_t fields_in(const std::string& row) {
  std::size_t fields = 1;
  bool is_quoted = false;
  for (const char c : row) {
    if (c == '"') is_quoted = !is_quoted;
    fields += c == ',' && !is_quoted ? 1 : 0;
  }
  return fields;
}

}  // namespace

TEST_CASE("Every quantity refuses what is none and what is out of its bounds, by its flag's name", "[reads][cli]") {
  std::size_t quantities = 0;
  each_flag([&](const Command& command, const Flag& flag, const Texts& line) {
    const Argument& value = flag.argument.value;
    if (!value.dimension) return;
    ++quantities;
    const std::string name = "--" + flag.name();
    Texts wrong{"nan", "inf", "words", "", "1 potato"};
    if (flag.key.empty()) wrong.emplace_back("=1");  // formulas are for keys of experiments
    if (value.bounds.least >= 0) wrong.emplace_back("-1");
    if (value.bounds.open || value.bounds.least > 0) wrong.emplace_back("0");
    if (value.bounds.most < 1e12) wrong.emplace_back("1e13");
    for (const std::string& text : wrong)
      CHECK_THAT(refusal(command, line, text.empty() ? Texts{name, text} : Texts{name + "=" + text}),
                 Catch::StartsWith(name + " " + text + ": "));
    CHECK(refusal(command, line, {name, allowed(value)}).empty());
  });
  CHECK(quantities > 80);
}

TEST_CASE("Every flag that takes one of some words names them", "[cli]") {
  each_flag([&](const Command& command, const Flag& flag, const Texts& line) {
    const auto& [kind, words] = std::pair(flag.argument.value.kind, flag.argument.value.of);
    if (kind != Kind::word) return;
    const std::string said = refusal(command, line, {"--" + flag.name() + "=potato"});
    CHECK_THAT(said, Catch::StartsWith("--" + flag.name() + " potato: there are "));
    for (const std::string& word : words) {
      CHECK_THAT(said, Catch::Contains(word));
      CHECK(refusal(command, line, {"--" + flag.name() + "=" + word}).empty());
    }
  });
}

TEST_CASE("Every list refuses an empty name, and one that stands there twice", "[cli]") {
  each_flag([&](const Command& command, const Flag& flag, const Texts& line) {
    if (const Kind kind = flag.argument.value.kind; kind != Kind::names && kind != Kind::swept_keys) return;
    const std::string name = "--" + flag.name();
    CHECK_THAT(refusal(command, line, {name + "=a,,b"}), Catch::StartsWith(name + " a,,b: values with commas between"));
    CHECK_THAT(refusal(command, line, {name + "=a,a"}), Catch::EndsWith("'a' is named twice"));
  });
}

TEST_CASE("Every file that is written needs its ending, and a folder to be in", "[cli]") {
  each_flag([&](const Command& command, const Flag& flag, const Texts& line) {
    const Argument& value = flag.argument.value;
    if (value.kind != Kind::written) return;
    const std::string name = "--" + flag.name();
    if (!value.of.empty()) {
      const std::string said = refusal(command, line, {name, "x.potato"});
      CHECK_THAT(said, Catch::StartsWith(name + " 'x.potato': " + value.what));
      for (const std::string& ending : value.of) CHECK_THAT(said, Catch::Contains(ending));
    }
    const std::string ending = value.of.empty() ? "" : value.of.front();
    CHECK_THROWS_AS(refusal(command, line, {name, "no-such-folder/x" + ending}), InputError);
    CHECK(refusal(command, line, {name, "-"}).empty() == (value.may_be_output || value.of.empty()));
  });
}

TEST_CASE("What a flag is needed for is said where it is missing", "[cli]") {
  Texts needed;
  each_flag([&](const Command& command, const Flag& flag, const Texts& line) {
    if (!flag.argument.is_needed) return;
    needed.push_back(std::string(command.name) + " --" + flag.name());
    CHECK(refusal(command, line, {}) == flag.shown() + " is missing: " + flag.help + "; usage: " + usage_of(command));
  });
  CHECK(needed == Texts{"isoefficiency --efficiency", "key --as", "start --as", "submit --out", "sweep --out"});
}

TEST_CASE("Every flag that is near to none is told what it is near to", "[cli]") {
  for (const auto& [words, command] : commands_by_words())
    for (const Flag& flag : flags_of(command)) {
      INFO(words << " --" << flag.name());
      const std::string said = refusal(command, least_line(command), {"--" + flag.name() + "q=1"});
      CHECK_THAT(said, Catch::StartsWith("there is no flag '--" + flag.name() + "q'; did you mean ") &&
                           Catch::Contains("'--" + flag.name() + "'") &&
                           Catch::EndsWith("? usage: " + usage_of(command)));
    }
}

TEST_CASE("A command takes as many words as it has places for", "[cli]") {
  std::string counts;
  for (const auto& [words, command] : commands_by_words()) {
    std::size_t least = 0, most = 0;
    for (const WordPlace& place : command.places) {
      CHECK_FALSE(place.kinds.empty());
      least += place.least;
      most += place.most;
    }
    if (least != 1 || most != 1) counts += words + " " + std::to_string(least) + "-" + std::to_string(most) + ", ";
    if (least > 0) CHECK_THAT(refusal(command, {}, {}), Catch::StartsWith("too few words; usage: nowsim " + words));
    if (most < 10)
      CHECK_THAT(refusal(command, Texts(most + 1, "w"), {}), Catch::StartsWith("'w' is one word too many; usage: "));
  }
  CHECK(counts ==
        "compare 2-2, contrast 2-2, help 0-2, lab 0-0, lab board 1-100000, lab check 0-1, lab grade 1-100000, "
        "lab serve 0-0, list 0-2, plan 0-1, platform 0-0, reproduce 0-1000, submit 1-1000, trace 0-0, "
        "trace convert 2-2, trace fit 1-10000, trace mpi 1-18446744073709551615, trace speed 0-0, verify 0-1, "
        "version 0-0, ");
}

TEST_CASE("A usage tells places, main flags, and whether there are others", "[cli]") {
  const auto all = commands_by_words();
  CHECK(usage_of(all.at("sweep")) == "nowsim sweep SPEC.yaml --out DIR [flags]");
  CHECK(usage_of(all.at("verify")) == "nowsim verify [SPEC.yaml] [flags]");
  CHECK(usage_of(all.at("lab")) == "nowsim lab [start|check|grade|board|serve|key ...]");
  CHECK(usage_of(all.at("trace")) == "nowsim trace record|fit|convert|speed|mpi ...");
  CHECK(usage_of(all.at("trace fit")) ==
        "nowsim trace fit FILE... [--owner FILE] [--platform FILE.xml] [--picture FILE.svg|.png|.pdf] [flags]");
  CHECK(usage_of(all.at("version")) == "nowsim version [--short]");
  for (const auto& [words, command] : all) {
    CHECK_THAT(usage_of(command), Catch::StartsWith("nowsim " + words));
    CHECK((command.parts.empty() || command.places.empty()));  // its part has them
  }
}

TEST_CASE("Every flag that takes a value says of which kind it is", "[cli]") {
  const std::set<std::string> of_any_text{
      "array",       // Slurm's 200%20
      "as",          // a student's ID
      "column",      // of a file
      "columns",     // the same
      "command",     // of a shell
      "experiment",  // of a store
      "metric",      // of an isoefficiency
      "network",     // KIND:BANDWIDTH
      "sbatch",      // Slurm's flags
      "shard",       // I/N
      "start",       // a moment by the clock
      "started",     // the same
      "zone",        // of the tz database
  };
  std::set<std::string> told;
  each_flag([&](const Command&, const Flag& flag, const Texts&) {
    const Argument& value = flag.argument.value;
    if (value.kind == Kind::text) told.insert(flag.name());
    if (value.kind == Kind::word || value.kind == Kind::key_value) CHECK_FALSE(value.of.empty());
    CHECK_FALSE(shown_name(value).empty());
  });
  CHECK(told == of_any_text);
}

TEST_CASE("Every command's JSON parses, and its CSV has as many fields in each row as in its head", "[cli]") {
  const CacheFolder cache;  // a measured speed would be that of other tests' machines
  const Folder here;
  here.file("e.yaml",
            "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 200f}\n"
            "owner: {model: intervals}\nsweep: {owner.TH: [0.1, 0.3]}\nrun: {replications: 20}\n");
  here.file("g.yaml",
            "nowsim: 1\nplatform: {workstations: 2, speed: 1Gf, network: switch, bandwidth: 1GBps, latency: 1us}\n"
            "job: {workload: gauss, size: 100}\nsweep: {platform.workstations: [2, 4]}\n");
  std::string load = "time,value\n";
  for (int k = 0; k < 200; ++k) load += std::to_string(60 * k) + "," + std::to_string(k * k % 97) + "\n";
  here.file("load.csv", load);
  REQUIRE(run_program({"sweep", "e.yaml", "--out", "a"}, here.path()).status == 0);
  const std::map<std::string, Texts> lines{
      {"compare", {"a", "a"}},
      {"contrast", {"e.yaml", "owner.TH", "--quiet"}},
      {"isoefficiency", {"g.yaml", "--efficiency", "0.5", "--quiet"}},
      {"lab grade", {}},  // tests of labs
      {"plan", {"--machines", "2", "--work", "10min", "--replications", "20", "--quiet"}},
      {"reproduce", {"e.yaml", "--out", "r", "--quiet"}},
      {"run", {"e.yaml", "--quiet"}},
      {"show", {"a"}},
      {"status", {}},  // tests of shards
      {"sweep", {"e.yaml", "--out", "s", "--quiet"}},
      {"trace fit", {"load.csv"}},
      {"trace speed", {"--duration", "1s"}},
      {"verify", {"e.yaml", "--quiet"}}};
  for (const auto& [words, command] : commands_by_words()) {
    if (flags_of(command).named("format") == nullptr) continue;
    INFO(words);
    REQUIRE(lines.contains(words));
    if (lines.at(words).empty()) continue;
    const auto said = [&](const std::string& format) {
      Texts line{command.name, "--format", format};
      if (!command.of.empty()) line.insert(line.begin(), command.of);
      line.insert(line.end(), lines.at(words).begin(), lines.at(words).end());
      const ProgramRun run = run_program(line, here.path());
      CHECK(run.status == 0);
      return run.out;
    };
    CHECK(nlohmann::json::accept(said("json")));
    std::istringstream csv(said("csv"));
    std::string head, row;
    CHECK((std::getline(csv, head) || words == "reproduce"));  // which has no claims here
    while (std::getline(csv, row)) CHECK(fields_in(row) == fields_in(head));
  }
}

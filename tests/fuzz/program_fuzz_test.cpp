// Mutated stores, pieces, command lines and experiments that are run: what the program itself makes of them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>

#include "experiments/driver/shards/piece.hpp"
#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/fuzz/fuzzing.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/verdict.hpp"
#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

const std::string kSmallFarm =
    "nowsim: 1\n"
    "title: a farm\n"
    "platform: {workstations: 3, speed: 1Mf, network: switch, bandwidth: 10MBps, latency: 1ms}\n"
    "job: {workload: task-farm, tasks: 12, task_work: 1Mf}\n"
    "owner: {model: intervals, TH: 0.4, interval: 10s, SH: 0.5}\n"
    "run: {replications: 10, timeout: 2s, deadline: 80s}\n"
    "metrics: [tau, sigma_T, RF]\n"
    "sweep: {owner.TH: [0.1, 0.3], platform.network: [bus, switch]}\n";
const std::string kSmallTask =
    "nowsim: 1\n"
    "title: a task\n"
    "platform: {workstations: 3, speed: 1f}\n"
    "let: {x: = 2*owner.TH}\n"
    "job: {workload: base-task, work: 90f}\n"
    "split: {policy: equal}\n"
    "owner: {model: intervals, TH: 0.4, length: exponential, hosts: {ws1: {model: dedicated}}}\n"
    "run: {replications: 10, timeout: 2s, deadline: 80s}\n"
    "metrics: [tau, sigma_T, T_i]\n";

/// Waits for the program's end, for a minute; nothing where it has none.
std::optional<ProgramRun> finished(RunningProgram& program) {
  using namespace std::chrono_literals;
  for (const auto end = std::chrono::steady_clock::now() + 1min; std::chrono::steady_clock::now() < end;) {
    if (!is_alive(program.pid())) return program.finish();
    std::this_thread::sleep_for(2ms);
  }
  return {};
}

std::string fault_of_output(const ProgramRun& run, const std::string& input) {
  if (run.status != 0 && run.status != 1 && run.status != 2)
    return "status " + std::to_string(run.status) + ": " + run.error;
  if (run.status == 0) return "";
  if (const std::string fault = fault_of_message(run.error, input); !fault.empty()) return fault;
  const auto is_control = [](char c) { return (static_cast<unsigned char>(c) < 32 && c != '\n') || c == 127; };
  return std::ranges::any_of(run.error, is_control) ? "control characters on the error stream: " + run.error : "";
}

std::string fault_of_running(const std::vector<std::string>& words, const Folder& folder, const std::string& input) {
  RunningProgram program(words, folder.path());
  const auto run = finished(program);
  return run ? fault_of_output(*run, input) : "it has not ended after a minute";
}

/// Words as one text, and back: an argument cannot hold a NUL.
std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += word + '\0';
  return out;
}
std::vector<std::string> pieces_of(const std::string& text, char mark) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string piece; std::getline(in, piece, mark);) out.push_back(piece);
  return out;
}

std::vector<std::string> words_between_blanks(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

/// A command line of which words are awkward, missing, repeated or swapped. None may lead out of the folder.
std::string mutated_command(Draw& draw) {
  static const std::vector<std::string> lines{
      "check e.yaml --set owner.TH=0.3 --set platform.workstations=4",
      "check e.yaml --replications 100 --precision 1% --engine direct --seed 7 --variance-reduction antithetic",
      "list workloads",
      "list metrics --format csv",
      "help run",
      "platform show p.xml",
      "platform show p.xml --format json",
      "show store",
      "show store e --format csv --point owner.TH=0.1",
      "compare store store --tolerance 1%",
      "trace fit l.csv --column value --measures availability --gaps hold",
      "trace convert l.csv out.profile --to profile --from csv",
      "verify e.yaml --replications 2",
      "run e.yaml --replications 10 --format json --quiet --set run.timeout=2s"};
  std::vector<std::string> words = words_between_blanks(draw.of(lines));
  for (std::size_t left = 1 + draw.below(2); left > 0; --left) {
    // The command's own name stays: others write where they are told to.
    std::string& word = words[1 + draw.below(words.size() - 1)];
    switch (draw.below(5)) {
      case 0:
        std::swap(word, words[1 + draw.below(words.size() - 1)]);
        break;
      case 1:
        words.push_back(std::string(word));
        break;
      case 2:
        word = mutated({word}, Dialect::words, draw);
        break;
      case 3:
        word = word.substr(0, word.find('=') + 1) + awkward(draw);
        break;
      default:
        word = awkward(draw);
        break;
    }
  }
  for (auto& word : words) std::erase_if(word, [](char c) { return c == '/' || c == '\0'; });
  return joined(words);
}

/// Whether a row of CSV says what another one says, or less.
bool says_no_more(const std::string& row, const std::string& than) {
  const auto is_less = [](const std::string& field, const std::string& sound) {
    return field == sound || field.empty() || field == "pending";
  };
  return std::ranges::equal(pieces_of(row, ','), pieces_of(than, ','), is_less);
}

/// The row of a damaged store's CSV that is none of the sound one's, nor less; "" where there is none.
std::string other_row(const std::string& sound, const std::string& damaged) {
  const auto rows = pieces_of(sound, '\n');
  for (const auto& row : pieces_of(damaged, '\n'))
    if (std::ranges::none_of(rows, [&](const std::string& right) { return says_no_more(row, right); })) return row;
  return "";
}

}  // namespace

TEST_CASE("A damaged store never gives another number", "[reads][fuzz][fuzz-store]") {
  const Experiment experiment = loaded(
      "nowsim: 1\nplatform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 90f}\n"
      "owner: {model: intervals, TH: 0.4}\nrun: {replications: 20}\nmetrics: [tau, sigma_T]\n"
      "sweep: {owner.TH: [0.1, 0.3]}\n");
  const Folder original;
  swept(original.path(), experiment, 1);
  const std::string bytes = content_of(store_file(original.path()));
  const std::string sound = csv(stored_summary(original.path()));
  const std::string counted = csv(summarise(experiment, run_experiment(experiment, {1})));
  REQUIRE(sound == counted);

  fuzz(
      150, [&](Draw& draw) { return mutated({bytes}, Dialect::bytes, draw); },
      [&](const std::string& input) {
        const Folder folder;
        folder.file(kStoreFile, input);
        std::string wrong;
        const auto look = [&] {
          wrong = other_row(sound, csv(stored_summary(folder.path())));
        };
        const auto sweep_and_look = [&] {
          swept(folder.path(), experiment, 1);
          look();
        };
        for (const std::function<void()>& action :
             {std::function<void()>(look), std::function<void()>(sweep_and_look)}) {
          if (std::string fault = fault_of(action, input); !fault.empty()) return fault;
          if (!wrong.empty()) return "another row than before: " + wrong;
        }
        return std::string();
      });
}

TEST_CASE("Mutated pieces of shards are read or refused, whole and in their place", "[fuzz][fuzz-store]") {
  const auto pieces = texts_in("tests/fuzz/seeds/pieces", {".piece"});
  for (const auto& piece : pieces) CHECK_NOTHROW(fuzz_piece(piece));
  fuzz_reader(200, pieces, Dialect::bytes, fuzz_piece);
  const auto look = [](const std::string& input) {
    const Folder out;
    out.file("shards/a.piece", input);
    const ShardFolder folder(out.path());
    return fault_of([&] { static_cast<void>(head_of(folder, "a.piece")); }, input);
  };
  fuzz(
      100, [&](Draw& draw) { return mutated(pieces, Dialect::bytes, draw); }, look);
}

TEST_CASE("Mutated command lines end with status 0, 1 or 2 and a sentence", "[fuzz][fuzz-program]") {
  fuzz(50, mutated_command, [](const std::string& input) {
    const Folder folder;
    folder.file("e.yaml", kSmallFarm);
    folder.file("p.xml", content_of(source_folder() + "/platforms/lab-now.xml"));
    folder.file("l.csv", "timestamp,value\n0,0.5\n10,1\n20,0.25\n");
    return fault_of_running(pieces_of(input, '\0'), folder, input);
  });
}

TEST_CASE("Mutated experiments that are run end within their time-out", "[fuzz][fuzz-program]") {
  fuzz(
      50,
      [](Draw& draw) {
        return mutated({kSmallFarm, kSmallTask}, Dialect::yaml, draw);
      },
      [](const std::string& input) {
        const Folder folder;
        folder.file("e.yaml", input);
        return fault_of_running(
            {"run", "e.yaml", "--quiet", "--replications", "10", "--set", "run.timeout=2s", "--jobs", "1"}, folder,
            input);
      });
}

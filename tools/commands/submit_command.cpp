// `nowsim submit`: a sweep in shards on Slurm; again, only what is missing.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>

#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/shards/batch_script.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/run_program.hpp"
#include "experiments/driver/text/shell_word.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tools/command.hpp"
#include "tools/commands/reproduce_run.hpp"
#include "tools/prepare.hpp"
#include "tools/sharded_sweep.hpp"
#include "tools/shipped_experiments.hpp"
#include "tools/store_session.hpp"
#include "tools/watched_reading.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kSubmitUsage = "nowsim submit SPEC.yaml|FIGURE|PAPER... --out DIR [--array N] [--rounds K] [--sbatch FLAGS] [flags]";
constexpr std::uint64_t kMostTasks = 100'000;

void add_submit_flags(Flags& flags) {
  add_experiment_flags(flags);
  add_jobs_flag(flags);
  flags.add(
      {{"out,o", kText, "the folder of the sweep, which all nodes see"},
       {"array", kText,
        "how many shards at most, which are tasks of an array job, and behind a % how many may run at once, as "
        "in 200%20; by default so many that each takes about 100 s, up to 1000"},
       {"rounds",
        {.otherwise = "1"},
        "how many arrays, one after the other: with a stopping rule, whose batches go in rounds"},
       {"sbatch", kText,
        "flags for sbatch, such as '--partition=short --time=1:00:00'; of the array and of what takes in"},
       {"reproduce", kSwitch, "figures, papers or files as 'nowsim reproduce' makes them, with pictures and verdicts"},
       {"dry-run,n", kSwitch, "take in, write the scripts, say what would be asked of sbatch, and submit nothing"},
       {"quiet,q", kSwitch, "no word but of what went wrong"}});
}

/// The behind of --array 200%10: Slurm's own way to say how many tasks may run at once.
std::string throttle_of(const GivenFlags& flags) {
  const std::string text = text_flag(flags, "array").value_or("");
  const auto at = text.find('%');
  return at == text.npos ? "" : text.substr(at);
}

std::uint64_t count_flag(const GivenFlags& flags, const char* name, std::uint64_t most) {
  const std::string whole = flags.text(name), text = whole.substr(0, whole.find('%'));
  const double value = quantity_flag(name, text, Dimension::number);
  if (!(value >= 1) || value != static_cast<double>(static_cast<std::uint64_t>(value)) || value > static_cast<double>(most))
    throw UsageError("--" + std::string(name) + " " + text + ": a whole number from 1 to " + std::to_string(most) + " is wanted");
  return static_cast<std::uint64_t>(value);
}

/// A shard of 100 s costs little of its time to be started, and little when it is lost
/// (experiments/self-scheduling/own-sweep); Slurm's arrays have up to 1000 tasks unless they are allowed more.
std::uint64_t most_shards(const GivenFlags& flags, double seconds) {
  constexpr double kShard_s = 100, kMost = 1000;
  if (flags.has("array")) return count_flag(flags, "array", kMostTasks);
  return static_cast<std::uint64_t>(std::clamp(std::ceil(seconds / kShard_s), 1.0, kMost));
}

/// The job's number.
std::string sbatch(const std::vector<std::string>& flags, const std::string& script, const std::string& folder) {
  std::vector<std::string> words{"sbatch", "--parsable"};
  words.insert(words.end(), flags.begin(), flags.end());
  words.push_back(script);
  const ProgramEnd end = run_program(folder, words, "there is no sbatch here: nowsim submit is for machines with Slurm; without it "
                                                    "'nowsim help shards' says how shards are run", {});
  if (end.status != 0) throw RunError("sbatch " + ending_of(end.status) + ": " + end.said.substr(0, end.said.find_last_not_of('\n') + 1));
  return end.said.substr(0, end.said.find_first_of(";\n"));  // its cluster may be behind it
}

/// A script of one's own is not lost: it is kept beside.
std::string write_script(const fs::path& folder, const std::string& name, const std::string& text) {
  const std::string file = (folder / name).string();
  const std::string kept = write_output_file(file, [&](std::ostream& out) { out << text; });
  if (!kept.empty()) std::cerr << "note: " << file << " was another one; that is now " << kept << '\n';
  return file;
}

struct Scripts {
  std::string shard, round, merge, folder;
};

Scripts write_scripts(std::uint64_t rounds, const ScriptedSweep& sweep) {
  const fs::path folder = fs::absolute(fs::path(sweep.out) / "submitted");
  fs::create_directories(folder);
  return {write_script(folder, sweep.name + "-shard.sh", shard_script(sweep)),
          rounds > 1 ? write_script(folder, sweep.name + "-round.sh", merge_script(sweep, true)) : "",
          write_script(folder, sweep.name + "-merge.sh", merge_script(sweep, false)), folder.string()};
}

/// How it is submitted.
struct Submission {
  std::uint64_t shards = 1, rounds = 1;
  std::string throttle;             ///< "%10": so many of an array's tasks at once
  std::vector<std::string> flags;   ///< the user's, for sbatch
  bool is_dry = false, quiet = false;
};

/// Arrays in turn, each with what takes it in behind it, however it ends. A dry run says what it would ask of sbatch.
void submit_all(const Scripts& scripts, const Submission& how) {
  std::string before;
  const auto submit = [&](std::vector<std::string> ours, const std::string& script, const std::string& as) {
    std::vector<std::string> words = how.flags;  // what is ours comes last, and counts
    if (!before.empty()) ours.push_back("--dependency=afterany:" + before);
    words.insert(words.end(), ours.begin(), ours.end());
    if (!how.is_dry) return sbatch(words, script, scripts.folder);
    std::cout << "sbatch";
    for (const auto& word : words) std::cout << ' ' << shell_word(word);
    std::cout << ' ' << shell_word(script) << '\n';
    return as;
  };
  for (std::uint64_t round = 1; round <= how.rounds; ++round) {
    const std::string array = before = submit({"--array=1-" + std::to_string(how.shards) + how.throttle}, scripts.shard, "ARRAY");
    before = submit({}, round == how.rounds ? scripts.merge : scripts.round, "TAKING-IN");
    if (!how.quiet && !how.is_dry) std::cout << "array " << array << " of " << counted(how.shards, "shard") << ", taken in by job " << before << '\n';
  }
}

/// What is to be submitted, by either command that its scripts call.
struct Submitted {
  std::string command, name, out;
  std::vector<std::string> words;  ///< behind the command
  std::function<NextRound()> next_round;
};

/// Files are found from wherever scripts are run; a folder of results may be called as a paper is.
std::vector<std::string> with_changes(std::vector<std::string> words, const LoadOptions& options) {
  for (auto& word : words)
    if (std::error_code ignored; fs::is_regular_file(word, ignored)) word = fs::absolute(word).string();
  for (const auto& change : options.overrides) words.insert(words.end(), {"--set", change});
  return words;
}

Submitted submitted_sweep(const ParsedFlags& parsed, const Registries& registries, const std::string& out, bool quiet) {
  if (parsed.words.size() > 1) throw UsageError("'" + parsed.words[1] + "' is one experiment too many: several are for --reproduce");
  const LoadOptions options = load_options(parsed.flags);
  const std::string file = find_experiment(parsed.words.front());
  const std::string name = fs::path(file).stem().string();
  check_stored_name(name, file);
  const ShardedSweep sweep{read_experiment(file, options, registries, quiet), name, out,
                           parse_jobs(parsed.flags.text("jobs")), quiet};
  print_remarks(sweep.described);
  return {"sweep", name, out, with_changes({file}, options), [sweep] { return publish_next_round(sweep); }};
}

Submitted submitted_reproduction(const ParsedFlags& parsed, const Registries& registries, const std::string& out, bool quiet) {
  ReproduceOrder order;
  order.out = out;
  order.jobs = parse_jobs(parsed.flags.text("jobs"));
  order.quiet = quiet;
  order.options = load_options(parsed.flags);
  const auto targets = targets_of(parsed.words);
  std::string name = fs::path(parsed.words.front()).stem().string();
  return {"reproduce", std::move(name), out, with_changes(parsed.words, order.options),
          [targets, order, &registries] { return publish_next_rounds(targets, order, registries); }};
}

int submit(const Submitted& submitted, const ParsedFlags& parsed, std::uint64_t rounds, bool quiet) {
  const NextRound next = submitted.next_round();
  if (next.batches == 0) {
    std::cout << submitted.name << ": nothing is missing; 'nowsim " << submitted.command << "' writes the results\n";
    return 0;
  }
  const std::uint64_t shards = std::min(next.batches, most_shards(parsed.flags, next.seconds));
  const Scripts scripts = write_scripts(rounds, {fs::read_symlink("/proc/self/exe").string(), fs::current_path().string(), submitted.name,
                                         submitted.command, submitted.words, fs::absolute(submitted.out).string(),
                                         static_cast<std::size_t>(shards)});
  if (!quiet) std::cout << submitted.name << ": " << counted(next.batches, "batch") << " to simulate; scripts: " << scripts.shard << ", " << scripts.merge << '\n';
  submit_all(scripts,
             {shards, rounds, throttle_of(parsed.flags), words_of_line(text_flag(parsed.flags, "sbatch").value_or("")),
              parsed.flags.has("dry-run"), quiet});
  return 0;
}

int do_submit(const ParsedFlags& parsed, const Registries& registries) {
  const auto out = text_flag(parsed.flags, "out");
  if (!out) throw UsageError("--out DIR is missing: the folder of the sweep, which all nodes see; usage: " + std::string(kSubmitUsage));
  const std::uint64_t rounds = count_flag(parsed.flags, "rounds", 100);
  static_cast<void>(most_shards(parsed.flags, 0));  // what is refused is refused at once
  const bool quiet = parsed.flags.has("quiet");
  const auto submitted_by = parsed.flags.has("reproduce") ? submitted_reproduction : submitted_sweep;
  const Submitted submitted = submitted_by(parsed, registries, *out, quiet);
  return run_into_store(*out, [&] { return submit(submitted, parsed, rounds, quiet); });
}

}  // namespace

Command submit_command() {
  return {"submit", "a sweep in shards on Slurm, or what is missing of one", kSubmitUsage, 1, 1000, add_submit_flags, do_submit, "", {}, "shards"};
}

}  // namespace nowsim

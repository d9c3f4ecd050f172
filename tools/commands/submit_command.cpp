// `nowsim submit`: a sweep in shards on Slurm; again, only what is missing.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>

#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/run_program.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tools/commands/reproduce_run.hpp"
#include "tools/line/command.hpp"
#include "tools/running/store_session.hpp"
#include "tools/running/watched_reading.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kSubmitUsage = "nowsim submit SPEC.yaml|FIGURE|PAPER... --out DIR [--array N] [--sbatch FLAGS] [flags]";
constexpr std::uint64_t kMostTasks = 100'000;

void add_submit_flags(Flags& flags) {
  add_experiment_flags(flags);
  add_jobs_flag(flags);
  flags.add(
      {{"out,o", taking(Kind::folder), "the folder of the sweep, which all nodes see"},
       {"array", taking(Kind::text),
        "how many shards at most, which are tasks of an array job, and behind a % how many may run at once, as "
        "in 200%20; by default so many that each takes about 100 s, up to 1000"},
       {"sbatch", taking(Kind::text),
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

/// A shard of 100 s costs little of its time to be started, and little when it is lost
/// (experiments/self-scheduling/own-sweep); Slurm's arrays have up to 1000 tasks unless they are allowed more.
std::uint64_t most_shards(const GivenFlags& flags, double seconds) {
  constexpr double kShard_s = 100, kMost = 1000;
  if (!flags.has("array")) return static_cast<std::uint64_t>(std::clamp(std::ceil(seconds / kShard_s), 1.0, kMost));
  const std::string whole = flags.text("array"), text = whole.substr(0, whole.find('%'));
  const double value = quantity_flag("array", text, Dimension::number);
  if (!(value >= 1) || value != static_cast<double>(static_cast<std::uint64_t>(value)) || value > static_cast<double>(kMostTasks))
    throw UsageError("--array " + text + ": a whole number from 1 to " + std::to_string(kMostTasks) + " is wanted");
  return static_cast<std::uint64_t>(value);
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

/// What is to be submitted, by either command that its scripts call.
struct Submitted {
  std::string command, name, out;
  std::vector<std::string> words;  ///< the experiments and their flags, behind the command
  std::function<MissingWork()> missing;
};

// ---- scripts, to be read and kept

std::string script_head(const Submitted& sweep, const std::string& what, const std::string& log) {
  std::string name = sweep.name;
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-' && c != '_'; }, '_');
  return "#!/bin/bash\n#SBATCH --job-name=nowsim-" + name + "-" + what + "\n#SBATCH --output=" + log +
         "\n#SBATCH --open-mode=append --requeue\n#SBATCH --ntasks=1 --cpus-per-task=1\n#SBATCH --signal=B:TERM@60\n";
}

std::string script_command(const Submitted& sweep, const std::string& more) {
  std::string line = "cd " + shell_word(fs::current_path().string()) + " || exit 1\nexec " +
                     shell_word(fs::read_symlink("/proc/self/exe").string()) + " " + sweep.command;
  for (const auto& word : sweep.words) line += " " + shell_word(word);
  return line + " --out " + shell_word(fs::absolute(sweep.out).string()) + " --quiet --jobs \"${SLURM_CPUS_ON_NODE:-1}\"" +
         more + "\n";
}

/// Its array task I of 1 to `shards` is shard I.
std::string shard_script(const Submitted& sweep, std::uint64_t shards) {
  return script_head(sweep, "shard", "%x-%A_%a.log") +
         "# One shard of the sweep, which publishes what it has once a minute, and when it is told to end (a time limit,\n"
         "# scancel, preemption). Submitted again it simulates only what has not been published.\n" +
         script_command(sweep, " --shard \"${SLURM_ARRAY_TASK_ID:?this is a script for an array}/" + std::to_string(shards) + "\"");
}

std::string merge_script(const Submitted& sweep) {
  return script_head(sweep, "merge", "%x-%j.log") +
         "# Takes in what shards have published, simulates what is missing, and writes the results.\n" +
         script_command(sweep, "");
}

/// How it is submitted.
struct Submission {
  std::uint64_t shards = 1;
  std::string throttle;             ///< "%10": so many of an array's tasks at once
  std::vector<std::string> flags;   ///< the user's, for sbatch
  bool is_dry = false, quiet = false;
};

/// An array, and behind it what takes it in, however it ends. A dry run says what it would ask of sbatch.
void submit_both(const std::string& shard, const std::string& merge, const Submission& how) {
  const auto submit = [&](const std::string& ours, const std::string& script, const std::string& as) {
    std::vector<std::string> words = how.flags;  // what is ours comes last, and counts
    words.push_back(ours);
    if (!how.is_dry) return sbatch(words, script, fs::path(script).parent_path().string());
    std::cout << "sbatch";
    for (const auto& word : words) std::cout << ' ' << shell_word(word);
    std::cout << ' ' << shell_word(script) << '\n';
    return as;
  };
  const std::string array = submit("--array=1-" + std::to_string(how.shards) + how.throttle, shard, "ARRAY");
  const std::string taking_in = submit("--dependency=afterany:" + array, merge, "TAKING-IN");
  if (!how.quiet && !how.is_dry) std::cout << "array " << array << " of " << counted(how.shards, "shard") << ", taken in by job " << taking_in << '\n';
}

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
  return {"sweep", name, out, with_changes({file}, options), [sweep] { return missing_work(sweep); }};
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
          [targets, order, &registries] { return missing_works(targets, order, registries); }};
}

int submit(const Submitted& submitted, const ParsedFlags& parsed, bool quiet) {
  const MissingWork missing = submitted.missing();
  if (missing.batches == 0) {
    std::cout << submitted.name << ": nothing is missing; 'nowsim " << submitted.command << "' writes the results\n";
    return 0;
  }
  const std::uint64_t shards = std::min(missing.batches, most_shards(parsed.flags, missing.seconds));
  const fs::path folder = fs::absolute(fs::path(submitted.out) / "submitted");
  fs::create_directories(folder);
  const std::string shard = write_script(folder, submitted.name + "-shard.sh", shard_script(submitted, shards)),
                    merge = write_script(folder, submitted.name + "-merge.sh", merge_script(submitted));
  if (!quiet) std::cout << submitted.name << ": " << counted(missing.batches, "batch") << " to simulate; scripts: " << shard << ", " << merge << '\n';
  submit_both(shard, merge,
              {shards, throttle_of(parsed.flags), words_of_line(text_flag(parsed.flags, "sbatch").value_or("")),
               parsed.flags.has("dry-run"), quiet});
  return 0;
}

int do_submit(const ParsedFlags& parsed, const Registries& registries) {
  const auto out = text_flag(parsed.flags, "out");
  if (!out) throw UsageError("--out DIR is missing: the folder of the sweep, which all nodes see; usage: " + std::string(kSubmitUsage));
  static_cast<void>(most_shards(parsed.flags, 0));  // what is refused is refused at once
  const bool quiet = parsed.flags.has("quiet");
  const auto submitted_by = parsed.flags.has("reproduce") ? submitted_reproduction : submitted_sweep;
  const Submitted submitted = submitted_by(parsed, registries, *out, quiet);
  return run_into_store(*out, [&] { return submit(submitted, parsed, quiet); });
}

}  // namespace

Command submit_command() {
  return {"submit", "a sweep in shards on Slurm, or what is missing of one", kSubmitUsage,
          Places{{.kinds = {Kind::experiment, Kind::paper}, .most = 1000}}, add_submit_flags, do_submit, "", {},
          "shards"};
}

}  // namespace nowsim

// `nowsim submit`: a sweep in shards on Slurm; again, only what is missing.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <functional>
#include <ostream>

#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/run_program.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tools/commands/reproduce_run.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/store_session.hpp"
#include "tools/running/watched_reading.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostTasks = 100'000;

void add_submit_flags(Flags& flags) {
  add_experiment_flags(flags);
  add_jobs_flag(flags);
  flags.add(
      {{"out,o", taking(Kind::folder).needed(), "the folder of the sweep, which all nodes see"},
       {"array", taking(Kind::text).called("N"),
        "how many shards at most, which are tasks of an array job, and behind a % how many may run at once, as "
        "in 200%20; by default so many that each takes about 100 s, up to 1000"},
       {"sbatch", taking(Kind::text).called("FLAGS"),
        "flags for sbatch, such as '--partition=short --time=1:00:00'; of the array and of what takes in"},
       {"reproduce", kSwitch, "figures, papers or files as 'nowsim reproduce' makes them, with pictures and verdicts"},
       {"dry-run,n", kSwitch, "take in, write the scripts, say what would be asked of sbatch, and submit nothing"},
       {"quiet,q", kSwitch, "no word but of what went wrong"}});
}

/// The behind of --array 200%10: Slurm's own way to say how many tasks may run at once.
std::string throttle_of(const Arguments& arguments) {
  const std::string text = arguments.text("array");
  const auto at = text.find('%');
  return at == text.npos ? "" : text.substr(at);
}

/// A shard of 100 s costs little of its time to be started, and little when it is lost
/// (experiments/self-scheduling/own-sweep); Slurm's arrays have up to 1000 tasks unless they are allowed more.
std::uint64_t most_shards(const Arguments& arguments, double seconds) {
  constexpr double kShard_s = 100, kMost = 1000;
  if (!arguments.has("array")) return static_cast<std::uint64_t>(std::clamp(std::ceil(seconds / kShard_s), 1.0, kMost));
  const std::string whole = arguments.text("array"), text = whole.substr(0, whole.find('%'));
  const double value = quantity_of_flag("array", text, Dimension::number);
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
std::string write_script(Session& session, const fs::path& folder, const std::string& name, const std::string& text) {
  const std::string file = (folder / name).string();
  const std::string kept = write_output_file(file, [&](std::ostream& out) { out << text; });
  if (!kept.empty()) session.error << "note: " << file << " was another one; that is now " << kept << '\n';
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
void submit_both(Session& session, const std::string& shard, const std::string& merge, const Submission& how) {
  const auto submit = [&](const std::string& ours, const std::string& script, const std::string& as) {
    std::vector<std::string> words = how.flags;  // what is ours comes last, and counts
    words.push_back(ours);
    if (!how.is_dry) return sbatch(words, script, fs::path(script).parent_path().string());
    session.out << "sbatch";
    for (const auto& word : words) session.out << ' ' << shell_word(word);
    session.out << ' ' << shell_word(script) << '\n';
    return as;
  };
  const std::string array = submit("--array=1-" + std::to_string(how.shards) + how.throttle, shard, "ARRAY");
  const std::string taking_in = submit("--dependency=afterany:" + array, merge, "TAKING-IN");
  if (!how.quiet && !how.is_dry) session.out << "array " << array << " of " << counted(how.shards, "shard") << ", taken in by job " << taking_in << '\n';
}

/// Files are found from wherever scripts are run; a folder of results may be called as a paper is.
std::vector<std::string> with_changes(std::vector<std::string> words, const LoadOptions& options) {
  for (auto& word : words)
    if (std::error_code ignored; fs::is_regular_file(word, ignored)) word = fs::absolute(word).string();
  for (const auto& change : options.overrides) words.insert(words.end(), {"--set", change});
  return words;
}

Submitted submitted_sweep(const Arguments& arguments, Session& session, const std::string& out, bool quiet) {
  if (arguments.words.size() > 1) throw UsageError("'" + arguments.words[1] + "' is one experiment too many: several are for --reproduce");
  const LoadOptions options = load_options(arguments);
  const std::string file = find_experiment(arguments.words.front());
  const std::string name = fs::path(file).stem().string();
  check_stored_name(name, file);
  const ShardedSweep sweep{read_experiment(file, options, session.known, quiet), name, out,
                           jobs_of(arguments), quiet};
  print_remarks(sweep.described);
  return {"sweep", name, out, with_changes({file}, options), [sweep, &session] { return missing_work(session, sweep); }};
}

Submitted submitted_reproduction(const Arguments& arguments, Session& session, const std::string& out, bool quiet) {
  ReproduceOrder order;
  order.out = out;
  order.jobs = jobs_of(arguments);
  order.quiet = quiet;
  order.options = load_options(arguments);
  const auto targets = targets_of(arguments.words);
  std::string name = fs::path(arguments.words.front()).stem().string();
  return {"reproduce", std::move(name), out, with_changes(arguments.words, order.options),
          [targets, order, &session] { return missing_works(targets, order, session); }};
}

int submit(Session& session, const Submitted& submitted, const Arguments& arguments, bool quiet) {
  const MissingWork missing = submitted.missing();
  if (missing.batches == 0) {
    session.out << submitted.name << ": nothing is missing; 'nowsim " << submitted.command << "' writes the results\n";
    return 0;
  }
  const std::uint64_t shards = std::min(missing.batches, most_shards(arguments, missing.seconds));
  const fs::path folder = fs::absolute(fs::path(submitted.out) / "submitted");
  fs::create_directories(folder);
  const std::string shard = write_script(session, folder, submitted.name + "-shard.sh", shard_script(submitted, shards)),
                    merge = write_script(session, folder, submitted.name + "-merge.sh", merge_script(submitted));
  if (!quiet) session.out << submitted.name << ": " << counted(missing.batches, "batch") << " to simulate; scripts: " << shard << ", " << merge << '\n';
  submit_both(session, shard, merge,
              {shards, throttle_of(arguments), words_of_line(arguments.text("sbatch")),
               arguments.has("dry-run"), quiet});
  return 0;
}

int do_submit(const Arguments& arguments, Session& session) {
  const std::string out = arguments.text("out");
  static_cast<void>(most_shards(arguments, 0));  // what is refused is refused at once
  const bool quiet = arguments.has("quiet");
  const auto submitted_by = arguments.has("reproduce") ? submitted_reproduction : submitted_sweep;
  const Submitted submitted = submitted_by(arguments, session, out, quiet);
  return run_into_store(out, [&] { return submit(session, submitted, arguments, quiet); });
}

}  // namespace

Command submit_command() {
  return {.name = "submit",
          .summary = "a sweep in shards on Slurm, or what is missing of one",
          .places = Places{{.kinds = {Kind::experiment, Kind::paper}, .most = kMostTargets, .name = "SPEC.yaml|FIGURE|PAPER"}},
          .main = {"out", "array", "sbatch"},
          .add_flags = add_submit_flags,
          .run = do_submit,
          .page = "shards"};
}

}  // namespace nowsim

// Scripts of a few lines, quoted for a shell.
#include "experiments/driver/shards/batch_script.hpp"

#include <algorithm>
#include <cctype>

#include "experiments/driver/text/shell_word.hpp"

namespace nowsim {
namespace {

std::string command(const ScriptedSweep& sweep, const std::string& more) {
  std::string line = "exec " + shell_word(sweep.program) + " " + sweep.command;
  for (const auto& word : sweep.words) line += " " + shell_word(word);
  return line + " --out " + shell_word(sweep.out) + " --quiet --jobs \"${SLURM_CPUS_ON_NODE:-1}\"" + more + "\n";
}

std::string head(const ScriptedSweep& sweep, const std::string& what, const std::string& log) {
  std::string name = sweep.name;
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-' && c != '_'; }, '_');
  return "#!/bin/bash\n#SBATCH --job-name=nowsim-" + name + "-" + what + "\n#SBATCH --output=" + log +
         "\n#SBATCH --open-mode=append --requeue\n#SBATCH --ntasks=1 --cpus-per-task=1\n#SBATCH --signal=B:TERM@60\n";
}

std::string change_folder(const ScriptedSweep& sweep) { return "cd " + shell_word(sweep.folder) + " || exit 1\n"; }

}  // namespace

std::string shard_script(const ScriptedSweep& sweep) {
  return head(sweep, "shard", "%x-%A_%a.log") +
         "# One shard of the sweep, which publishes what it has once a minute, and when it is told to end (a time limit,\n"
         "# scancel, preemption). Submitted again it simulates only what has not been published.\n" +
         change_folder(sweep) +
         command(sweep, " --shard \"${SLURM_ARRAY_TASK_ID:?this is a script for an array}/" + std::to_string(sweep.shards) + "\"");
}

std::string merge_script(const ScriptedSweep& sweep, bool goes_on) {
  return head(sweep, goes_on ? "round" : "merge", "%x-%j.log") +
         (goes_on ? "# Takes in what shards have published, and says what the next round's shards simulate.\n"
                  : "# Takes in what shards have published, simulates what is missing, and writes the results.\n") +
         change_folder(sweep) + command(sweep, goes_on ? " --next-round" : "");
}

}  // namespace nowsim

// What a process knows of itself, and of who started it.
#include "experiments/driver/shards/attempt.hpp"

#include <chrono>
#include <cstdlib>

#include <fmt/chrono.h>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/shards/shard_folder.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/sha256.hpp"
#include "experiments/driver/text/user_cache.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kHashShown = 12;

std::string environment_text(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// By the schedulers that the manual names.
std::string job_of_scheduler() {
  if (const std::string array = environment_text("SLURM_ARRAY_JOB_ID"); !array.empty())
    return "Slurm " + array + "_" + environment_text("SLURM_ARRAY_TASK_ID");
  if (const std::string job = environment_text("SLURM_JOB_ID"); !job.empty()) return "Slurm " + job;
  if (const std::string index = environment_text("JOB_COMPLETION_INDEX"); !index.empty()) return "Kubernetes " + index;
  return "";
}

}  // namespace

std::string program_hash() {
  static const std::string hash = sha256(bytes_of("/proc/self/exe")).substr(0, kHashShown);
  return hash;
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

Attempt this_attempt(const std::string& experiment, std::size_t shard, std::size_t shards, int round) {
  return {unique_name(), experiment, shard, shards, round, host_name(), processor_name(), program_hash(), version(),
          job_of_scheduler(), utc_now()};
}

std::string told_attempt(const Attempt& a) {
  const std::string who = a.shard == 0 ? "the sweep" : "shard " + std::to_string(a.shard) + " of " + std::to_string(a.shards);
  return who + " on " + a.host + " (" + a.processor + ", nowsim " + a.version + ", program " + a.program + ")";
}

}  // namespace nowsim

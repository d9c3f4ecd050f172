// What Linux counts in /proc/stat, and the share of a core that one more compute-bound task would have got.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace nowsim {

/// How long a thread has been on cores, and in wait for one.
struct ThreadTimes {
  double ran_s = 0, waited_s = 0;
};

/// One look at /proc/stat (proc(5)): processor time since the start, summed over all cores [ticks], and the tasks that
/// run or wait for a core at the moment.
struct ProcStat {
  std::uint64_t busy = 0;  ///< user, nice, system, irq, softirq, and steal: what other virtual machines took
  /// idle and iowait: a core that waits for a disk is free for a task that computes.
  std::uint64_t idle = 0;
  int cores = 1;
  double runnable = 0;  ///< procs_running, the reader itself included
  std::map<std::string, ThreadTimes> job = {};  ///< the threads of a job that is watched, by number
};

/// A thread's times from the text of its /proc/PID/task/TID/schedstat, which has nanoseconds. @throws InputError naming
/// `file` where that is not what is there.
ThreadTimes parse_schedstat(const std::string& text, const std::string& file);

/// Reads the text of /proc/stat. Guests' time is in user and nice already. @throws InputError naming `file` where the
/// lines `cpu`, `cpuN` or `procs_running` are missing or no counts.
ProcStat parse_proc_stat(const std::string& text, const std::string& file);

/// What an interval's load left.
struct MachineLoad {
  double utilisation = 0;   ///< the share of all cores' time that was busy, in [0, 1]
  double waiting = 0;       ///< tasks that waited for a core, on average
  double availability = 1;  ///< the share of one core that one more compute-bound task would have got, in (0, 1]
};

/// The load between two looks. `runnable` is the mean number of tasks that ran or waited (without the observer),
/// sampled in between.
///
/// Utilisation alone does not say what a busy core would have left: a task that computes as well, half of it. So tasks
/// are taken to share cores fairly and to compute for as long as they did, as in the owner model `jobs`, where n tasks
/// on C cores leave min(1, C/(n+1)). With B busy cores, all C of them were busy for at least the share s = max(0, B -
/// (C-1)) of the time, and only then can tasks have waited: w of them on average, w/s while all cores were busy.
/// Therefore
///   availability = (1 - s) + s·C/(C + w/s + 1),
/// on one core 1 - u + u/(n_busy + 1), which is the estimate from vmstat of Wolski, Spring and Hayes ("Predicting the
/// CPU availability of time-shared Unix systems on the computational grid", HPDC 1999), but that they count system time
/// less where users need little. A load that needs a fixed amount of processor time is delayed instead and in the end
/// leaves 1 - utilisation on one core. Tasks that are `nice` leave more than this says.
///
/// Where a job is watched that computes by then, it tells itself what it is left: the time that its threads ran over the
/// time that they ran or waited for a core, of those that were there at both looks. Of one that hardly wanted any the load is all that is known.
MachineLoad load_between(const ProcStat& before, const ProcStat& after, double runnable);

}  // namespace nowsim

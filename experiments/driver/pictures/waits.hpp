// One replication as tables: its timeline, and where the time of each rank went: computing, taken by owners, waiting in
// which call and for whom.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "experiments/driver/text/document.hpp"
#include "sim/engines/timeline.hpp"

namespace nowsim {

// ---- its timeline, as CSV ----

/// One row per thing that happened, workstation by workstation: activities in the program's order, messages sent,
/// availability, owner jobs. Columns: workstation (1 .. N), name, what, begin_s, end_s, and where they mean something
/// peer (the other workstation), flop, bytes, availability, demand_s, chunk (from 1) and its tasks; of programs that have
/// calls also call (`allreduce`); then replication, seed, engine, version, variance_reduction (`none`, ...).
void write_timeline_csv(const Timeline& timeline, std::ostream& out);

/// Whether a file begins as write_timeline_csv() begins one.
bool is_timeline_csv(const std::string& file);

// ---- where its time went ----

/// What a rank's time goes into; each second of [0, T] into one of them.
enum class TimeUse {
  compute,       ///< what its work takes on the machine undisturbed: flop / speed
  message_work,  ///< the same of work that messages cost
  taken,         ///< the rest of the time in which it computes: its owner's, or that of other ranks on its cores
  cut_short,     ///< computing that its machine's failure or the job's end cut short
  wait,          ///< the other side is not ready: nothing has been sent to it, nobody takes what it sends, a barrier
  under_way,     ///< the message that it waits for travels
  transfer,
  sleep,
  spawn,
  off,
  idle,  ///< it has finished
};

/// How it is called in CSV and JSON, and in the head of a table.
struct TimeUseKind {
  TimeUse use;
  const char* name;
  const char* head;
};
std::span<const TimeUseKind> time_uses();

/// A rank's time of one kind, in one call, with one partner.
struct SpentTime {
  TimeUse use;
  std::string call = {};  ///< of waiting: the call of its program (call_text()), else `receive`, `send` or `barrier`
  int peer = -1;          ///< the other rank; -1: none, or all
  double time_s = 0;
  std::uint64_t operations = 0;  ///< that took such time
};

/// By kind, call and partner. Together it is T, but for kinds that take less than rounding.
struct RankTimes {
  std::string name;
  std::vector<SpentTime> spent;
};

/// Waiting, added up over ranks.
struct WaitingTime {
  std::string call = {};     ///< in it; of a pair the one that costs it most
  int rank = -1, peer = -1;  ///< of a pair: who waits, and for whom
  double wait_s = 0, under_way_s = 0;
  std::uint64_t operations = 0;
  [[nodiscard]] double both_s() const { return wait_s + under_way_s; }
};

struct Waits {
  double makespan_s = 0;
  std::vector<RankTimes> ranks;
  /// What costs most comes first.
  std::vector<WaitingTime> calls, pairs;
};

/// Speeds of a core of each rank's machine. Who is waited for at once, as by a waitall, counts in the order posted: for
/// the second it waits from when the first has come. A receive from anybody has as its partner whose message came.
Waits waits_of(const Timeline& timeline, std::span<const double> speeds_flops);

/// Speeds as waits_of() takes them.
std::vector<double> rank_speeds(const Scenario& scenario);

/// For people a line per rank with the parts of T, then the calls and the pairs of ranks that waiting costs most. CSV
/// has a row per rank, kind of time, call and partner: workstation (1 .. N), name, what, call, peer, peer_name, time_s,
/// share (of T), operations, then T_s, replication, seed, engine, version, variance_reduction. JSON has all of it.
void write_waits(const Timeline& timeline, const Waits& waits, Format format, std::ostream& out);

/// Whether a file begins as the CSV of write_waits() does.
bool is_waits_csv(const std::string& file);

}  // namespace nowsim

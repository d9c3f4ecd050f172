// What every engine refuses of a program's operations, what a rank is doing when it does not go on, and the sentences about
// programs that cannot end or that stop.
#pragma once

#include <cmath>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {

inline std::string rank_text(int index) { return "rank " + std::to_string(index); }

/// An amount of work, time or bytes has to be finite and not negative: check_amount. @throws std::invalid_argument.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_amount(int rank, double amount, const char* operation) {
  throw std::invalid_argument(rank_text(rank) + " asks to " + operation + " " + short_number(amount) +
                              ": the amount must be a number, not negative");
}

inline void check_amount(int rank, double amount, const char* operation) {
  if (!(amount >= 0 && amount < INFINITY)) refuse_amount(rank, amount, operation);
}

/// A number of bytes, which must be countable in 64 bits.
inline void check_bytes(int rank, double bytes, const char* operation) {
  constexpr double kMostBytes = 9e18;
  check_amount(rank, bytes, operation);
  if (bytes <= kMostBytes) return;
  throw std::invalid_argument(rank_text(rank) + " asks to " + operation + " " + short_number(bytes) +
                              " bytes: more than " + short_number(kMostBytes) + " cannot be counted");
}

inline void check_receiver(int rank, int to, int count, bool buffered) {
  if (to < 0 || to >= count)
    throw std::invalid_argument(rank_text(rank) + " sends to " + rank_text(to) + ": there are ranks 0 to " +
                                std::to_string(count - 1));
  if (to == rank && !buffered)
    throw std::invalid_argument(rank_text(to) + " sends to itself and would wait for ever; use isend");
}

/// Messages and transfers need one.
inline void check_network(const Platform& platform) {
  if (!platform.has_network()) throw std::invalid_argument(kNoNetwork);
}

/// Messages with tags, and turns at a desk, are for machines that stay on: nobody could say what becomes of requests, or of
/// what was fetched, when a rank begins again.
inline void check_stays_on(int rank, const Platform& platform, const char* does = "exchanges messages with tags") {
  if (platform.has_state_profiles())
    throw std::invalid_argument(rank_text(rank) + " " + does + ", which it cannot where machines switch off and on");
}

/// Of a workstation with several ranks.
inline std::string shared_with_jobs_text(const std::string& host) {
  return "several ranks share the cores of '" + host +
         "', whose owner runs jobs: an owner of the model 'jobs' can compete with one rank alone";
}

/// May be infinite.
inline void check_timeout(int rank, double timeout_s) {
  if (std::isnan(timeout_s)) check_amount(rank, timeout_s, "wait");
}

/// `from` < 0 is any rank; `timeout_s` may be infinite.
inline void check_receive(int rank, int from, int count, double timeout_s) {
  if (from >= count || from < -1)
    throw std::invalid_argument(rank_text(rank) + " receives from " + rank_text(from) + ": there are ranks 0 to " +
                                std::to_string(count - 1));
  check_timeout(rank, timeout_s);
}

/// What is sent are whole bytes.
inline double whole_bytes(double bytes) { return std::round(bytes); }

// ---- waiting, and what becomes of it ----

enum class Wait { nothing, compute, sleep, barrier, transfer, pull, send, receive, receive_any, post, request, turn };

/// Of a rank that waits for ever; `peer` is who it waits for.
inline std::string waiting_text(Wait what, int peer) {
  const std::string other = rank_text(peer);
  switch (what) {
    case Wait::send: return "waits for " + other + " to receive";
    case Wait::receive: return "waits for a message from " + other;
    case Wait::receive_any: return "waits for a message from any rank";
    case Wait::barrier: return "waits at a barrier";
    case Wait::compute: return "computes, but its owner leaves it nothing for ever";
    case Wait::nothing: return "does nothing";
    default: return "cannot go on";
  }
}

/// A rank that has not finished, in words: "rank 3 on ws4 waits at a barrier".
inline std::string stuck_text(int rank, const std::string& host, const std::string& what) {
  return rank_text(rank) + " on " + host + " " + what;
}

/// So often a rank may begin again without having kept any work.
inline constexpr int kMostRestarts = 10'000;
inline std::string restarts_text(int rank, const std::string& host) {
  return rank_text(rank) + " on " + host + " was switched off " + std::to_string(kMostRestarts) +
         " times before it could end; its work may never fit between";
}

/// What may be the reason that a program cannot end.
enum class DeadlockCause { program, machines_fail, owner_stays };

/// The first few of those ranks, and what may be the reason.
inline std::string deadlock_text(std::uint64_t replication, double t_s, const std::vector<std::string>& stuck,
                                 DeadlockCause cause) {
  constexpr std::size_t kMost = 4;
  std::string out =
      "the program cannot end (replication " + std::to_string(replication) + ", t = " + short_number(t_s) + " s):";
  for (std::size_t k = 0; k < stuck.size() && k < kMost; ++k) out += (k > 0 ? ", " : " ") + stuck[k];
  if (stuck.size() > kMost) out += ", and others wait too";
  if (cause == DeadlockCause::machines_fail)
    out += "; machines switch off here, and a program without time-outs waits for what was lost";
  if (cause == DeadlockCause::owner_stays)
    out +=
        "; what such a machine has been given is never done, unless a program with time-outs gives it to another one";
  return out;
}

/// Of a program that threw.
inline std::string stop_text(std::uint64_t replication, int rank, const std::string& host, double t_s,
                             const std::string& why) {
  return "in replication " + std::to_string(replication) + " " + rank_text(rank) + " on " + host + " stopped at t = " +
         short_number(t_s) + " s" + why;
}

/// What an exception says, to be put behind "stopped at t = 3 s".
inline std::string why_text(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    return std::string(": ") + e.what();
  } catch (...) {
    return " with an exception that says nothing";
  }
}

}  // namespace nowsim

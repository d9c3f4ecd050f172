// What a rank is doing when it does not go on, and the sentences about programs that cannot end or that stop.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "sim/base/text.hpp"

namespace nowsim {

enum class Wait { nothing, compute, sleep, barrier, transfer, pull, send, receive, receive_any, post, request };

/// Of a rank that waits for ever; `peer` is who it waits for.
inline std::string waiting_text(Wait what, int peer) {
  const std::string other = "rank " + std::to_string(peer);
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
  return "rank " + std::to_string(rank) + " on " + host + " " + what;
}

/// So often a rank may begin again without having kept any work.
inline constexpr int kMostRestarts = 10'000;
inline std::string restarts_text(int rank, const std::string& host) {
  return "rank " + std::to_string(rank) + " on " + host + " was switched off " + std::to_string(kMostRestarts) +
         " times before it could end; its work may never fit between";
}

/// What may be the reason that a program cannot end.
enum class Obstacle { program, machines_fail, owner_stays };

/// The first few of those ranks, and what may be the reason.
inline std::string deadlock_text(std::uint64_t replication, double t_s, const std::vector<std::string>& stuck,
                                 Obstacle obstacle) {
  constexpr std::size_t kMost = 4;
  std::string out =
      "the program cannot end (replication " + std::to_string(replication) + ", t = " + short_number(t_s) + " s):";
  for (std::size_t k = 0; k < stuck.size() && k < kMost; ++k) out += (k > 0 ? ", " : " ") + stuck[k];
  if (stuck.size() > kMost) out += ", and others wait too";
  if (obstacle == Obstacle::machines_fail)
    out += "; machines switch off here, and a program without time-outs waits for what was lost";
  if (obstacle == Obstacle::owner_stays)
    out +=
        "; what such a machine has been given is never done, unless a program with time-outs gives it to another one";
  return out;
}

/// Of a program that threw.
inline std::string stop_text(std::uint64_t replication, int rank, const std::string& host, double t_s,
                             const std::string& why) {
  return "in replication " + std::to_string(replication) + " rank " + std::to_string(rank) + " on " + host + " stopped at t = " + short_number(t_s) + " s" + why;
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

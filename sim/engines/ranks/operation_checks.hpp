// What every engine refuses of a program's operations, in the same sentences.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

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

/// Messages with tags are for machines that stay on: nobody could say what becomes of requests when a rank begins again.
inline void check_stays_on(int rank, const Platform& platform) {
  if (platform.has_state_profiles())
    throw std::invalid_argument(rank_text(rank) +
                                " exchanges messages with tags, which it cannot where machines switch off and on");
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

/// What a barrier costs has to be the same for all ranks; `others_s` is what those ask for that are there already.
inline void check_barrier_cost(int rank, double cost_s, double others_s) {
  check_amount(rank, cost_s, "wait at a barrier for");
  if (cost_s != others_s)
    throw std::invalid_argument(rank_text(rank) + " asks for a barrier that costs " + short_number(cost_s) +
                                " s, others for one of " + short_number(others_s) + " s: all must ask for the same");
}

/// A date that is not yet to be reached.
inline void check_date(int rank, double date_s) {
  if (std::isnan(date_s) || date_s == INFINITY) check_amount(rank, date_s, "sleep until");
}

/// What is sent are whole bytes.
inline double whole_bytes(double bytes) { return std::round(bytes); }

}  // namespace nowsim

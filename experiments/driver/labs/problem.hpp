// A student's own problem: numbers drawn by a hash of course, lab and ID, the same whenever it is made again.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "experiments/driver/labs/lab.hpp"

namespace nowsim {

/// Whose it is. The course's name and seed are part of the hash.
struct LabOwner {
  std::string course, id;
  std::uint64_t seed = 0;
};

/// Immutable.
struct Problem {
  LabOwner owner;
  std::map<std::string, double> numbers;
  std::uint64_t attempt = 0;      ///< drawn so often before one was fit to be given
  std::uint64_t judge_seed = 1;   ///< run.seed of the experiments it is judged by
  std::uint64_t grade_seed = 1;   ///< the same of trials when they are graded, which no check has shown
  std::string signature;          ///< of all this and the lab's name, as 16 hexadecimal digits
};

/// The numbers of an attempt. `attempt` leaves those of the course alone.
Problem draw_problem(const Lab& lab, const LabOwner& owner, std::uint64_t attempt);

/// A 16-digit checksum of texts, none of which can stand for two of them.
std::string signature_of(const std::vector<std::string>& texts);

}  // namespace nowsim

// A student's own numbers, by a hash; drawn again until they are fit to be given.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/labs/lab.hpp"

namespace nowsim {

class Facts;
struct Registries;

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

/// How facts are computed.
struct FactOptions {
  int jobs = 1;
  std::vector<std::string> overrides;  ///< of every experiment, key=value: another engine, say
  bool must_confine = false;           ///< students' code is refused where it cannot be confined
  bool is_final = false;               ///< trials are run with the seed of grades
  std::string shipped_labs = {};       ///< the folder of nowsim's own labs; "": there is none
};

/// The first attempt that nothing speaks against. @throws InputError naming the lab where 200 gave none, with the last
/// one's reason; RunError.
Problem make_problem(const Lab& lab, const LabOwner& owner, const Registries& registries, const FactOptions& options = {});

/// The attempt that has this signature, as an answers file tells it; nothing where none has. It simulates nothing, so a
/// file that was changed may name one that is not the first that is fit.
std::optional<Problem> signed_problem(const Lab& lab, const LabOwner& owner, const std::string& signature);

/// Why a problem is not to be given: a formula of `accept` is not above 0; a misconception's answer is less than five
/// half-widths of the right one from it, or within both tolerances, or not told from another's (of lists in every item).
/// "" where it may be. @throws InputError, RunError where facts cannot be computed.
std::string why_not(Facts& facts);

}  // namespace nowsim

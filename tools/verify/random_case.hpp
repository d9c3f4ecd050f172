// Random programs on random networks, run on both engines; and of one that fails the smallest that still does.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sim/engines/engine_agreement.hpp"
#include "tools/verify/random_network.hpp"
#include "tools/verify/random_program.hpp"

namespace nowsim {

/// So many programs run on one network.
inline constexpr std::uint64_t kProgramsPerNetwork = 20;

/// A program on a network.
struct RandomCase {
  RandomNetwork network;
  RandomProgram program;
  bool has_owners = false;        ///< who take a part of the machines' time
  bool on_grid = false;           ///< its numbers are on a coarse grid
  std::uint64_t streams_seed = 1, replication = 0;  ///< of programs and owners
};

/// The network with this number is of the kind number % random_network_kinds().size(). Programs 0 ..
/// kProgramsPerNetwork - 1 are its own. Other seeds give other networks and programs.
RandomCase random_case(std::uint64_t network, std::uint64_t program, std::uint64_t seed = 1);

/// Both engines' results. Nothing but agreement is right here: what is equal within 1e-9 is one event, which both engines
/// serve in the order of ranks, so that one that is `reordered` has failed.
Agreement compare_engines(const RandomCase& one);
bool has_failed(const Agreement& agreement);

/// All programs of a network at once; where one fails they run one by one, and the first that does is named.
struct RandomComparison {
  Agreement agreement;
  std::optional<std::uint64_t> failing = {};  ///< a program of that network
};
RandomComparison compare_engines_on(std::uint64_t network, std::uint64_t seed = 1);

/// kProgramsPerNetwork programs on a platform of two machines or more, each a replication. @throws InputError where
/// there is no way.
Agreement compare_random_programs(std::shared_ptr<const Platform> platform, std::uint64_t seed = 1);

/// Operations, ranks, messages and links are taken away as long as it fails in the same manner. @param fails may stand
/// for the engines in tests.
RandomCase smallest_failing(RandomCase failing, const std::function<bool(const RandomCase&)>& fails);
/// The program, and the network as SimGrid's XML.
std::string case_text(const RandomCase& one);

}  // namespace nowsim

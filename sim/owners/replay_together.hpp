// Recordings that were made at the same time, replayed from one moment on, so that what was busy together is so again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/owners/owner.hpp"
#include "sim/owners/owner_model_info.hpp"

namespace nowsim {

/// Recordings count as made together where all share at least this part of the time of the shortest one.
inline constexpr double kLeastShared = 0.2;

/// Owners and links of workstations, and what is worth saying of them.
struct Replays {
  std::vector<OwnerPtr> owners, links;
  std::vector<std::string> remarks;
};

/// With those that replay a recording from a random moment on (`start: random`), and were recorded together by one clock,
/// beginning at one moment in each replication: of the time that all were recorded, which is what is replayed of them, and
/// at its end all again. Of several that replay the same recording the first of each recording make a set, the second
/// another, and so on, each with a moment of its own: a machine that does what another does is one machine twice. What is
/// in no set begins at moments of its own. With `start: common` all are in one set, whatever they replay, and seconds in
/// all files are by one clock; of recordings that share no time each is replayed from the same fraction of it on.
/// Where nothing is to be decided the models are those that were given.
/// @param machine the name of a workstation by its position. @param shared keeps what is made, which is the same again for
/// the same models.
Replays replayed_together(std::vector<OwnerPtr> owners, std::vector<OwnerPtr> links,
                          const std::function<std::string(std::size_t)>& machine, SharedParts& shared);

}  // namespace nowsim

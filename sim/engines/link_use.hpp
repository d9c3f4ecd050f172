// When a link that workstations share is in use, from the messages of one replication and the platform's routes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/engines/timeline.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {

/// A link and when it is in use: while the data of at least one message is on it, which is from the route's latency
/// after the message's begin to its end. Of a link that alone limits its messages this is the part of its capacity that
/// is used; where another link holds them up, it may be less.
struct LinkUse {
  struct Span {
    double begin_s, end_s;
  };
  std::string link;
  std::vector<Span> spans;  ///< in [0, T], in order, apart
};

/// The use of the link that most bytes of messages cross, of those that workstations share: crossed by messages between
/// at least three pairs of sender and receiver, and no workstation's own, as a link is that lies on its routes only.
/// Links that give every flow the whole bandwidth are not shared. None where there is no such link.
/// @throws InputError where a platform's routes cannot be told.
std::optional<LinkUse> busiest_shared_link(const Timeline& timeline, const Platform& platform);

/// Of each of so many equal parts of [0, T] the part in which the link is in use, 0 to 1.
std::vector<double> utilisation(const LinkUse& use, double makespan_s, std::size_t parts);

}  // namespace nowsim

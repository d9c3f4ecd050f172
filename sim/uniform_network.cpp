// Asking SimGrid for the routes.
#include "sim/uniform_network.hpp"

namespace nowsim {

std::optional<UniformNetwork> uniform_network(const Platform& /*platform*/) { return std::nullopt; }

}  // namespace nowsim

// How much a platform's file describes: machines, links and memory. Part of the platform loader (read_platform.hpp).
#pragma once

#include "sim/platform/platform_values.hpp"

namespace nowsim {

namespace platform_rules {

/// The numbers of a cluster's machines: "0-9,12". Each once. @throws InputError.
void radical(const Given& given);
/// SimGrid numbers the machines of a regular network by the cluster's, and wants as many. @throws InputError.
void topology_parameters(const Given& given);

}  // namespace platform_rules

/// Bytes that SimGrid and nowsim take, roughly, for machines and links that few words of the tree describe: to refuse at once
/// what SimGrid would make for minutes, until memory ends. The tree follows the rules.
double platform_bytes(const pugi::xml_document& tree);

}  // namespace nowsim

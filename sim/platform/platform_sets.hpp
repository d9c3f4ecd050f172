// Sets of machines that a platform's file defines: properties of its zones. Part of the loader (read_platform.hpp).
#pragma once

#include <map>
#include <string>

#include "sim/platform/platform.hpp"

namespace nowsim {

/// What such a property's id begins with: <prop id="set NAME" value="fast-[0-1] slow-3"/>. SimGrid wants properties
/// before everything else of a zone, and none in <platform>.
inline constexpr const char* kSetProperty = "set ";

/// The sets of well-formed XML, by their names, as the properties of <zone>, <AS> and <cluster> say. @throws InputError,
/// with file and line, for a set without a name or without machines, and for a name given twice.
std::map<std::string, HostSet> host_sets(const std::string& xml, const std::string& file);

}  // namespace nowsim

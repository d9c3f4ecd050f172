// The part of a platform's text that SimGrid is given to read. Part of the platform loader (read_platform.hpp).
#pragma once

#include <string>

namespace nowsim {

/// What a cluster that no zone holds becomes.
enum class LoneCluster { as_it_is, in_a_zone };

/// The elements and attributes of a platform, in the same lines, and nothing else: what other readers might take for
/// elements (comments, declarations, CDATA, processing instructions) is gone, and so are settings and what names or holds
/// profiles.
std::string canonical_xml(const std::string& xml, LoneCluster lone_cluster = LoneCluster::as_it_is);

}  // namespace nowsim

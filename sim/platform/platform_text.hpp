// A platform's text without its profiles, which are taken out so that random ones are drawn from nowsim's streams; and
// the part of it that SimGrid is given to read. Part of the platform loader (read_platform.hpp).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/owners/profile.hpp"

namespace nowsim {

/// A profile, and what it is attached to.
struct AttachedProfile {
  std::string element, name;  ///< a host or a link
  ProfileQuantity quantity;
  std::shared_ptr<const Profile> profile;
  Place place;
};

/// A platform's text, checked, and apart.
struct PlatformParts {
  std::string xml;  ///< without profiles, in the same lines
  std::vector<AttachedProfile> profiles;
  std::vector<std::string> profile_files;  ///< those that they were read from
  std::vector<std::string> settings, remarks;  ///< of check_rules()
};
/// @param file where the text stands, and beside which profiles do. @throws InputError for what is no well-formed XML or
/// breaks the rules, for profiles that are missing or malformed, and for more than there is memory for.
PlatformParts take_profiles_out(std::string text, const std::string& file);

/// With entities for what cannot stand in an attribute's value.
std::string xml_text(std::string_view text);

/// What a cluster that no zone holds becomes.
enum class LoneCluster { as_it_is, in_a_zone };

/// The elements and attributes of a platform, in the same lines, and nothing else: what other readers might take for
/// elements (comments, declarations, CDATA, processing instructions) is gone, and so are settings and what names or holds
/// profiles.
std::string canonical_xml(const std::string& xml, LoneCluster lone_cluster = LoneCluster::as_it_is);

}  // namespace nowsim

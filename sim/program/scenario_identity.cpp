// Writing out what a scenario's results depend on, and hashing it.
#include "sim/program/scenario.hpp"

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <functional>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// A name-based UUID (RFC 4122, version 5): 122 bits of a SHA-1.
std::string digest(const std::string& text) {
  static constexpr boost::uuids::uuid kScenarios{{0x6e, 0x6f, 0x77, 0x73, 0x69, 0x6d, 0x50, 0x01, 0x80, 0x01, 0x73, 0x63,
                                                  0x65, 0x6e, 0x61, 0x72}};
  return boost::uuids::to_string(boost::uuids::name_generator_sha1(kScenarios)(text));
}

std::string profile_text(const std::shared_ptr<const Profile>& profile) { return profile ? write_profile(*profile) : "none"; }

/// A length before each text, so that no text can pass for two.
std::string framed(const std::string& text) { return std::to_string(text.size()) + ":" + text + "\n"; }

std::string identity_of(const Workstation& w) {
  std::string text = framed(w.name) + number_text(w.speed_flops) + " " + std::to_string(w.cores) + " " +
                     (w.extras->memory_bytes ? number_text(*w.extras->memory_bytes) : "-") + "\n" +
                     framed(profile_text(w.extras->state_profile));
  // The owner in the platform's file is in the scenario's owners, if it counts at all.
  for (const auto& [name, value] : w.extras->properties)
    if (name != "owner") text += framed(name) + framed(value);
  return text;
}

std::string identity_of(const Platform& platform) {
  std::string text;
  for (const auto& w : platform.workstations) text += identity_of(w);
  // Without a network the XML says nothing beyond the machines, and those that take no part do not matter.
  if (!platform.has_network() && platform.link_profiles.empty()) return text;
  text += framed(platform.xml);
  for (const auto& p : platform.link_profiles)
    text += framed(p.link) + std::to_string(static_cast<int>(p.quantity)) + " " + framed(profile_text(p.profile));
  return text;
}

/// Each value and how often it comes in a row: large networks mostly say the same again and again.
template <class T, class Same, class Put>
void put_runs(std::string& text, const std::vector<T>& values, const Same& are_same, const Put& put) {
  for (auto it = values.begin(); it != values.end();) {
    const auto end = std::find_if(it + 1, values.end(), [&](const T& other) { return !are_same(other, *it); });
    put(*it);
    text += "*" + std::to_string(end - it) + " ";
    it = end;
  }
}

/// ", owner MODEL" where all are alike; "" where there are none.
std::string described(const std::string& what, const std::string& otherwise, const std::vector<OwnerPtr>& models) {
  if (models.empty()) return "";
  const std::string first = models.front()->describe();
  const bool alike = std::ranges::all_of(models, [&](const OwnerPtr& other) {
    return other == models.front() || other->describe() == first;
  });
  return ", " + (alike ? what + " " + first : otherwise);
}

}  // namespace

std::string ScenarioKeys::key(const Scenario& s, const std::string& engine) {
  std::string& platform = platforms_[s.platform];
  if (platform.empty()) platform = digest(identity_of(*s.platform));
  std::string text = framed(engine) + std::to_string(kModelVersion) + " " + std::to_string(s.seed) + "\n" +
                     framed(s.workload_identity) + platform + "\n";
  const auto digest_of = [&](const OwnerPtr& owner) -> const std::string& {
    std::string& known = owners_[owner];
    return known.empty() ? known = digest(owner->identity()) : known;
  };
  const auto put_digest = [&](const OwnerPtr& model) { text += digest_of(model); };
  const auto are_same = [&](const OwnerPtr& a, const OwnerPtr& b) { return a == b || digest_of(a) == digest_of(b); };
  put_runs(text, s.owners, are_same, put_digest);
  if (!s.bandwidth.empty()) text += "\nbandwidth ";
  put_runs(text, s.bandwidth, are_same, put_digest);
  put_runs(text, s.share_flop, std::equal_to<>(), [&](double share) { text += number_text(share); });
  if (s.variance_reduction != &kNoVarianceReduction) text += "\n" + framed(s.variance_reduction->name);
  return digest(text);
}

std::string describe(const Scenario& s) {
  std::string text = s.workload_identity + " on " + std::to_string(s.size()) + " workstation" + (s.size() == 1 ? "" : "s") +
                     " (" + s.platform->source + ")";
  const auto switching = std::ranges::count_if(s.platform->workstations, [](const Workstation& w) {
    return w.extras->state_profile != nullptr;
  });
  if (switching > 0) text += ", " + std::to_string(switching) + " of them off at times";
  text += described("owner", "owners differ", s.owners) + described("bandwidth", "bandwidths differ", s.bandwidth);
  return s.variance_reduction == &kNoVarianceReduction ? text
                                                       : text + ", variance reduction " + s.variance_reduction->name;
}

}  // namespace nowsim

// Failures as a state profile in SimGrid's grammar, the same for all machines that fail.
#include "experiments/failures_config.hpp"

#include <algorithm>
#include <cstdint>

#include "sim/text.hpp"

namespace nowsim {
namespace {

using PlatformPtr = std::shared_ptr<const Platform>;

struct Failures {
  double rate_per_s = 0;  ///< while it is on
  double repair_s = 0;    ///< mean
  std::size_t spared = 1; ///< the first machines, which never fail
};

Failures read_block(Reader& read) {
  Failures f;
  f.rate_per_s = read.quantity("failures.rate", Dimension::number);
  // Where nothing fails nothing is repaired: a sweep of the rate may begin at 0.
  const bool fails = f.rate_per_s > 0;
  f.repair_s = read.quantity("failures.repair", Dimension::time, fails ? kPositive : Bounds{},
                             fails ? std::optional<double>() : 0);
  f.spared = static_cast<std::size_t>(read.count("failures.spared", 1));
  return f;
}

/// On for EXP(rate), off for EXP(1/repair), and so on.
Profile profile_of(const Failures& f) {
  const auto exponential = [](double rate_per_s) { return ProfileLaw{ProfileLaw::Kind::exponential, rate_per_s, 0}; };
  const auto fixed = [](double value) { return ProfileLaw{ProfileLaw::Kind::fixed, value, 0}; };
  Profile profile;
  profile.stochastic = profile.loop = true;
  profile.events = {{exponential(f.rate_per_s), fixed(0)}, {exponential(1 / f.repair_s), fixed(1)}};
  return profile;
}

/// Whether the machines that are to fail do not switch off and on by a file of their own; else that is a problem.
bool can_fail(Reader& read, const Platform& platform, const Failures& f) {
  for (std::size_t i = f.spared; i < platform.workstations.size(); ++i)
    if (const Workstation& w = platform.workstations[i]; w.state_profile) {
      read.problem("failures.rate", "workstation '" + w.name + "' has a state_file of its own in " + platform.source +
                                        ", which says when it is off; it cannot fail by this rate as well");
      return false;
    }
  return true;
}

Platform failing(Platform platform, const Failures& f) {
  const auto profile = std::make_shared<const Profile>(profile_of(f));
  for (std::size_t i = f.spared; i < platform.workstations.size(); ++i)
    platform.workstations[i].state_profile = profile;
  return platform;
}

/// The cache keeps its platforms, so that an address stands for one.
std::string key_of(const Platform* platform, const Failures& f) {
  return "failures of " + std::to_string(reinterpret_cast<std::uintptr_t>(platform)) + " " + number_text(f.rate_per_s) +
         " " + number_text(f.repair_s) + " " + std::to_string(f.spared);
}

}  // namespace

PlatformPtr with_failures(Reader& read, PlatformPtr platform, PlatformCache& cache) {
  if (!read.has_block("failures")) return platform;
  const auto problems = read.reading().problems.found();
  const Failures f = read_block(read);
  if (!platform || read.reading().problems.found() > problems || !can_fail(read, *platform, f)) return platform;
  if (f.rate_per_s == 0 || f.spared >= platform->workstations.size()) return platform;
  return cached(cache, key_of(platform.get(), f), [&] { return failing(*platform, f); });
}

}  // namespace nowsim

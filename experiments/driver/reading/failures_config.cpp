// Failures as a state profile in SimGrid's grammar, the same for all machines that fail.
#include "experiments/driver/reading/failures_config.hpp"

#include <algorithm>
#include <cstdint>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using PlatformPtr = std::shared_ptr<const Platform>;

struct Failures {
  double rate_per_s = 0;  ///< while it is on
  double repair_s = 0;    ///< mean
  std::size_t spared = 1; ///< the first machines, which never fail
};

/// Whether the rate is written as so many by a unit of time, which no number is; that is a problem.
bool has_unit(Reader& read) {
  const std::string text = read.has("failures.rate") ? read.text("failures.rate", {}) : "";
  const auto slash = text.find('/');
  if (slash == std::string::npos || text.front() == '=') return false;
  read.problem("failures.rate", quoted(text) +
                                    " is not a number: the rate is in failures per second, written without a "
                                    "unit; '= 1/3600' is one an hour");
  return true;
}

Failures read_block(Reader& read) {
  Failures f;
  if (has_unit(read)) {
    read.excuse("failures");
    return f;
  }
  f.rate_per_s = read.value("failures.rate");
  // Where nothing fails nothing is repaired: a sweep of the rate may begin at 0.
  const bool fails = f.rate_per_s > 0;
  f.repair_s = read.quantity("failures.repair", Dimension::time, fails ? kPositive : Bounds{},
                             fails ? std::optional<double>() : 0);
  f.spared = static_cast<std::size_t>(read.whole("failures.spared"));
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

/// Whether any machine is left to fail; a job on one machine has nobody but the first. Else that is a problem.
bool some_may_fail(Reader& read, const Platform& platform, const Failures& f) {
  const std::size_t n = platform.workstations.size();
  if (n == 1 || f.rate_per_s == 0 || f.spared < n) return true;
  read.problem("failures.spared", std::to_string(f.spared) + " of " + std::to_string(n) +
                                      " workstations are spared, so none ever fails; 'rate: 0' says so");
  return false;
}

/// Whether the machines that are to fail do not switch off and on by a file of their own; else that is a problem.
bool can_fail(Reader& read, const Platform& platform, const Failures& f) {
  for (std::size_t i = f.spared; i < platform.workstations.size(); ++i)
    if (const Workstation& w = platform.workstations[i]; w.extras->state_profile) {
      read.problem("failures.rate", "workstation '" + w.name + "' has a state_file of its own in " + platform.source +
                                        ", which says when it is off; it cannot fail by this rate as well");
      return false;
    }
  return true;
}

Platform failing(Platform platform, const Failures& f) {
  const auto profile = std::make_shared<const Profile>(profile_of(f));
  for (std::size_t i = f.spared; i < platform.workstations.size(); ++i)
    platform.workstations[i].extras.edit().state_profile = profile;
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
  if (read.has("failures")) return platform;  // not a block, which is noted elsewhere
  const Failures f = read_block(read);
  if (!platform || read.reading().problems.found() > problems) return platform;
  if (!some_may_fail(read, *platform, f) || !can_fail(read, *platform, f)) return platform;
  if (f.rate_per_s == 0 || f.spared >= platform->workstations.size()) return platform;
  return cached(cache, key_of(platform.get(), f), [&] { return failing(*platform, f); });
}

}  // namespace nowsim

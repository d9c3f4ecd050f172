// The blocks `owner:` and `bandwidth:`: which owner model each workstation has, and which one says what is left of its
// own link.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/reading/reader.hpp"
#include "sim/owners/diurnal.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/owners/profile.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {

/// What was made for points and workstations, which share it.
struct OwnerCache {
  SharedParts shared;                                            ///< the models' own
  std::map<std::pair<OwnerPtr, std::string>, OwnerPtr> diurnal;  ///< by what they are laid over, and the pattern
  std::map<std::string, OwnerPtr> properties;                    ///< of platforms, by place, text and position
  std::map<std::shared_ptr<const Profile>, OwnerPtr> speed_files;
  /// Whether some run's start was said (`run.start`), and whether it made a difference to some owner or link.
  struct Clock {
    bool is_said = false, counts = false;
  } clock;
  std::map<std::shared_ptr<const Platform>, std::string> access_links;  ///< why they cannot vary; "" where they can

  /// The models there are; their keys, in a block of owners and in one of links.
  explicit OwnerCache(const Registry<OwnerModelInfo>& known = builtin_owner_models());
  Registry<OwnerModelInfo> models;
  KeyTable owner_keys, bandwidth_keys;
};

/// The keys of both blocks besides those of the model that they name, one of these.
KeyTable owner_keys(const Registry<OwnerModelInfo>& models);
KeyTable bandwidth_keys(const Registry<OwnerModelInfo>& models);

/// One owner per workstation. What the experiment says of a workstation by name (`owner.hosts.NAME`) comes first, then
/// what it says of all, then the platform's property `owner`, then its speed_file; else the machine is dedicated.
/// `whole` is the platform that this one is some machines of: blocks by name of its others are no problem (null: there
/// are none). Problems are noted. @throws InfeasibleError, with its place, where a law cannot hold the TH it is asked
/// for.
std::vector<OwnerPtr> read_owners(Reading& reading, const Platform& platform, OwnerCache& cache,
                                  const Platform* whole = nullptr);

/// The workstations that only count as dedicated because nothing is said of them: the experiment has blocks by name and
/// none for all, none of these names one, and the platform's file gives it no owner. In the platform's order.
std::vector<std::string> hosts_without_owner(const Settings& settings, const Platform& platform);

/// What is left of each workstation's own link: a model per workstation, or none where nothing varies. The block has the
/// models and keys of `owner:`, but for owner jobs, which compete for a processor. Problems are noted, also of a platform
/// whose workstations have no such links. @throws as read_owners; RunError where SimGrid takes longer than so many seconds
/// to tell these links.
std::vector<OwnerPtr> read_bandwidth(Reading& reading, const std::shared_ptr<const Platform>& platform,
                                     OwnerCache& cache, double limit_s, const Platform* whole = nullptr);

}  // namespace nowsim

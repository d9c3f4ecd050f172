// The `platform:` block: a SimGrid file and which of its machines, or workstations to generate; machines that fail.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/reading/reader.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {

/// Platforms made so far, by what they were made of: points of a sweep share them.
using PlatformCache = std::map<std::string, std::shared_ptr<const Platform>>;

/// The block's keys, those of failures and of links too.
const KeyTable& platform_keys();

/// Reads the block. Null after a problem, which is noted.
std::shared_ptr<const Platform> read_platform(Reading& reading, PlatformCache& cache);

/// The whole platform of a file, which the cache knows, of one that read_platform() made of it; null of others.
const Platform* whole_platform(const PlatformCache& cache, const Platform& part);

/// Machines by their places in the platform, and whether nothing that was said of them is in doubt.
struct HostList {
  std::vector<std::size_t> machines;
  bool is_sure = true;
};

/// Finds a platform's machines by name; the platform outlives it.
class HostLists {
 public:
  explicit HostLists(const Platform& platform);
  /// The machines of the list, in its order. An item is a machine's name, whatever is in it, or names and patterns
  /// (sim/base/host_patterns.hpp) between blanks. `fail` is told where there is no such machine, or it is named twice.
  [[nodiscard]] HostList find(const std::vector<std::string>& items,
                              const std::function<void(const std::string&)>& fail) const;

 private:
  [[nodiscard]] std::string about_unknown(const std::vector<std::string>& unknown, const std::string& word) const;

  const Platform& platform_;
  std::map<std::string, std::size_t> places_;
  mutable std::size_t unknown_ = 0;  ///< names of no machine that were found so far
};

}  // namespace nowsim

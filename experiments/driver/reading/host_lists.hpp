// Which machines of a platform a list of names and patterns means.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/platform/platform.hpp"

namespace nowsim {

/// Machines by their places in the platform, and what is wrong with the list, in sentences.
struct HostList {
  std::vector<std::size_t> machines;
  std::vector<std::string> problems;
};

/// Finds a platform's machines by name; the platform outlives it.
class HostLists {
 public:
  explicit HostLists(const Platform& platform);
  /// The machines of the list, in its order. An item is a machine's name, whatever is in it, or names and patterns
  /// (sim/base/host_patterns.hpp) between blanks. It is a problem if there is no such machine, or it is named twice.
  [[nodiscard]] HostList find(const std::vector<std::string>& items) const;

 private:
  class Collection;
  [[nodiscard]] std::optional<std::size_t> place_of(const std::string& name) const;

  const Platform& platform_;
  std::map<std::string, std::size_t> places_;
  mutable std::size_t unknown_ = 0;  ///< names of no machine that were found so far
};

}  // namespace nowsim

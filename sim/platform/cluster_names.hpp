// The names of the machines that a <cluster> or <cabinet> makes.
#pragma once

#include <string>

namespace nowsim {

/// What stands around each machine's number.
struct ClusterNames {
  std::string prefix, suffix;

  [[nodiscard]] bool has(const std::string& name) const {
    const bool fits =
        name.starts_with(prefix) && name.ends_with(suffix) && name.size() > prefix.size() + suffix.size();
    if (!fits) return false;
    const std::string number = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    return number.find_first_not_of("0123456789") == std::string::npos;
  }
};

}  // namespace nowsim

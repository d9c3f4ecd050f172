// Platforms made so far, by what they were made of: points of a sweep share them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "sim/platform/platform.hpp"

namespace nowsim {

using PlatformCache = std::map<std::string, std::shared_ptr<const Platform>>;

/// The platform of this key, made when it is first asked for. What make() throws is passed on.
template <class Make>
std::shared_ptr<const Platform> cached(PlatformCache& cache, const std::string& key, const Make& make) {
  auto& entry = cache[key];
  if (!entry) entry = std::make_shared<const Platform>(make());
  return entry;
}

}  // namespace nowsim

// What SimGrid says of a platform file, kept in a file beside it for where there is no SimGrid: machines, links, routes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/infinity.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {

/// What the file beside a platform file is called: its name and this.
inline constexpr std::string_view kAnswersEnding = ".answers";
/// Of more machines the routes of all pairs would be a file that nobody wants; of a star it is a line each.
inline constexpr std::size_t kMostStoredMachines = 500;

/// The file's text: the platform's XML as SimGrid was given it, by which it is known whether the answers are of the file
/// as it is, and the answers. @throws InputError for a platform of more machines; as look_for_routes().
std::string stored_answers(const Platform& platform, double limit_s = kInfinity);

/// The answers of the file beside `platform_file`, packed as SimGridModule::describe() packs them. @throws InputError
/// where there is no such file, it is none of nowsim's, something is missing in it, or it belongs to other XML: one that
/// differs in more than figures of machines and links as platform_changes.hpp writes them, which are taken over.
std::string stored_description(const std::string& xml, const std::string& platform_file);
/// The same as SimGridModule::routes().
std::string stored_routes(const Platform& platform, std::span<const std::pair<std::size_t, std::size_t>> pairs);

}  // namespace nowsim

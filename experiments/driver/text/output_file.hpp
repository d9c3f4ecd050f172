// Files that nowsim makes: written beside their place, as a whole, and put there without losing what is there.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <system_error>

namespace nowsim {

/// Checks that a file can be written there. @throws InputError where it is a folder or a device, its name is too long,
/// its folder is missing or may not be written.
void check_output_file(const std::string& path);

/// @throws RunError that says so.
[[noreturn]] void cannot_write(const std::string& path, const std::string& why);

/// Whether the file that is there, an ordinary one and no link, may go for the one that was made.
using MayReplace = std::function<bool(const std::filesystem::path& there, const std::filesystem::path& made)>;
bool has_same_bytes(const std::filesystem::path& there, const std::filesystem::path& made);
/// For files that are nowsim's alone, and made anew each time.
inline bool is_ours(const std::filesystem::path&, const std::filesystem::path&) { return true; }

/// Writes the file as a whole: an interruption leaves the old one. Whatever is there and may not be replaced, by default
/// all that has other bytes, is kept as the first free NAME.~1~, NAME.~2~, ...; returns its new name, or "". What other
/// programs put there at the same time is kept likewise, and the names are joined by " and ".
/// @throws RunError, and then the old one is where it was; what `write` throws.
std::string write_output_file(const std::string& path, const std::function<void(std::ostream&)>& write,
                              const MayReplace& may_replace = has_same_bytes);

/// The bytes of a file of our own, such as one that was written before.
std::string bytes_of(const std::filesystem::path& file);

/// Renames a file to a name that nothing has: `error` is std::errc::file_exists where something has it. File systems
/// that cannot promise that are looked at before.
void rename_to_free(const std::filesystem::path& from, const std::filesystem::path& to, std::error_code& error);
/// Renames what is at a path to the first free NAME.~1~, NAME.~2~, ..., and returns that. `error` says why it could
/// not.
std::filesystem::path backup_file(const std::filesystem::path& path, std::error_code& error);

}  // namespace nowsim

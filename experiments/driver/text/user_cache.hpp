// Small texts that were found out about this machine, in a file each of the user's cache: what is not there is found
// out again.
#pragma once

#include <string>

namespace nowsim {

/// Where a kind of text is kept for a key: KIND-NUMBER.txt in $XDG_CACHE_HOME/nowsim, or ~/.cache/nowsim; "" where
/// there is neither.
std::string cache_file(const std::string& kind, const std::string& key);
/// What was written under the key; "" where the file is missing, of another key, too large, or no plain file of the
/// user's own: whoever else may write there, nothing is waited for, and no link followed.
std::string read_cached(const std::string& file, const std::string& key);
/// Writes key and text as a whole, in place of whatever else stands there. False where it cannot, which is no error.
bool write_cached(const std::string& file, const std::string& key, const std::string& text);

/// What Linux calls the machine's processor.
std::string processor_name();
/// The machine's own name; "unknown" where it has none.
std::string host_name();

}  // namespace nowsim

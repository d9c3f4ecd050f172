// SHA-256 as `sha256sum` prints it: what tells others' copies of a file from the one that was meant.
#pragma once

#include <string>
#include <string_view>

namespace nowsim {

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace nowsim

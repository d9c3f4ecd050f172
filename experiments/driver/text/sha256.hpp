// SHA-256 as `sha256sum` prints it: what tells others' copies of a file from the one that was meant.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace nowsim {

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);
/// Of blocks, one after another up to one that is empty.
std::string sha256(const std::function<std::string_view()>& next);

}  // namespace nowsim

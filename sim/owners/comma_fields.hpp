// A line of CSV as its fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace nowsim {

/// The fields between commas, without blanks around them; of quoted ones what is quoted. @throws InputError with that
/// place where a quotation mark opens a field and does not close it.
std::vector<std::string> comma_fields(std::string_view line, const Place& place);

}  // namespace nowsim

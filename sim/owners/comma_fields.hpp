// A line of CSV as its fields.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace nowsim {

/// A line has no more fields, which take many times the memory of a comma each: far above any table's columns.
inline constexpr std::size_t kMostFields = 1'000'000;
/// @throws InputError with that place.
[[noreturn]] void refuse_many_fields(const Place& place);

/// The fields between commas, without blanks around them; of quoted ones what is quoted. @throws InputError with that
/// place where a quotation mark opens a field and does not close it, or there are more than kMostFields.
std::vector<std::string> comma_fields(std::string_view line, const Place& place);

}  // namespace nowsim

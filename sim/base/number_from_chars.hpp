// std::from_chars for floating point, or fast_float's where the C++ library has none.
#pragma once

#include <charconv>
#include <version>

#ifndef __cpp_lib_to_chars
#include <fast_float/fast_float.h>
#endif

namespace nowsim {

/// As std::from_chars, but of a number that is too large or too small `value` says nothing.
inline std::from_chars_result number_from_chars(const char* first, const char* last, double& value) {
#ifdef __cpp_lib_to_chars
  return std::from_chars(first, last, value);
#else
  const auto [end, error] = fast_float::from_chars(first, last, value);
  return {end, error};
#endif
}

}  // namespace nowsim

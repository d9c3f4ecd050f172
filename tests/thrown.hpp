// What actions that throw say.
#pragma once

#include <string>

#include "sim/base/error.hpp"

namespace nowsim::test {

/// The sentence of the exception that an action throws; "" where it throws none.
template <class Exception = InputError, class Action>
std::string sentence_of(const Action& action) {
  try {
    action();
  } catch (const Exception& e) {
    return e.what();
  }
  return "";
}

}  // namespace nowsim::test

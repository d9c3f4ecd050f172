// What must hold of every input, good or bad: it is read, or refused with a sentence for people.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace nowsim::test {

/// Does the action, which reads `input`, and says what is wrong with how it ended: another exception than InputError
/// and RunError, or a message that is none for people. "" where it is as it should be.
std::string fault_of(const std::function<void()>& action, std::string_view input);

/// What is wrong with a message about `input`: it is empty, or too long, or speaks of the program's insides (names of
/// the standard library, addresses) where the input does not. "" where nothing is.
std::string fault_of_message(std::string_view message, std::string_view input);

}  // namespace nowsim::test

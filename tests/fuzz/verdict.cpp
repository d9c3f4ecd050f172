// Judging exceptions by their types and their words.
#include "tests/fuzz/verdict.hpp"

#include <array>
#include <typeinfo>

#include "sim/base/error.hpp"

namespace nowsim::test {
namespace {

/// 20 problems of a few lines each, with paths.
constexpr std::size_t kLongestMessage = 20'000;

/// What no sentence for people has in it.
constexpr std::array<std::string_view, 13> kInsides{
    "std::",     "basic_",           "stoi",    "stod",    "stol", "boost", "toms748", "locale::", "vector",
    "bad_alloc", "terminate called", "nullptr", "iterator"};

bool has_address(std::string_view text) {
  constexpr std::size_t kDigits = 6;
  for (auto at = text.find("0x"); at != std::string_view::npos; at = text.find("0x", at + 1)) {
    const std::size_t end = text.find_first_not_of("0123456789abcdef", at + 2);
    if ((end == std::string_view::npos ? text.size() : end) - at - 2 >= kDigits) return true;
  }
  return false;
}

}  // namespace

std::string fault_of_message(std::string_view message, std::string_view input) {
  if (message.find_first_not_of(" \n") == std::string_view::npos) return "a message without words";
  if (message.size() > kLongestMessage) return "a message of " + std::to_string(message.size()) + " bytes";
  for (const auto word : kInsides)
    if (message.find(word) != std::string_view::npos && input.find(word) == std::string_view::npos)
      return "a message that speaks of '" + std::string(word) + "': " + std::string(message);
  if (has_address(message) && !has_address(input)) return "a message with an address: " + std::string(message);
  return "";
}

std::string fault_of(const std::function<void()>& action, std::string_view input) {
  const auto other = [](const char* type, const char* what) {
    return "an exception that is no InputError: " + std::string(type) + ": " + what;
  };
  try {
    action();
    return "";
  } catch (const InputError& e) {
    return fault_of_message(e.what(), input);
  } catch (const RunError& e) {
    return fault_of_message(e.what(), input);
  } catch (const std::exception& e) {
    return other(typeid(e).name(), e.what());
  } catch (...) {
    return other("unknown", "");
  }
}

}  // namespace nowsim::test

// What is said between nowsim and a process of a student's code: read as bytes that anybody may have written, since the
// code may write to the channel itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workloads/farm/technique_variables.hpp"

namespace nowsim {

/// What a message begins with.
enum class MessageKind : char { number = 'n', description = 't', failure = 'e', key = 'k', value = 'v' };

/// A message longer than this one makes no sense, whatever it begins with [bytes].
inline constexpr std::size_t kMostMessage = 8192;

/// A function of the file.
struct ConfinedRule {
  std::string by;  ///< "technique mine (mine.py, line 3)"
  TechniqueVariables variables;
};

/// What a file defines.
struct ConfinedDescription {
  std::string summary;
  ConfinedRule chunk;
  std::optional<ConfinedRule> batch;
};

/// Each of these reads what stands behind a message's first byte.

/// Nothing where that is no description.
std::optional<ConfinedDescription> described_technique(std::string_view said);
/// Nothing where that is no number; any else, finite or not.
std::optional<double> answered_number(std::string_view said);
/// What the code did, on one line; "" where it says nothing.
std::string told_failure(std::string_view said);
/// The whole answer to who asks for a parameter's value: "time 1h" in SI, or why there is none.
std::string value_message(std::string_view asked);

/// What a rule is asked for: tasks of a loop, which has a number.
struct ConfinedRequest {
  bool is_new = false;  ///< the loop's first
  bool is_batch = false;
  std::uint32_t loop = 0;
};
std::string request_message(const ConfinedRequest& request, const TechniqueVariables& variables, const LoopState& state,
                            std::size_t worker);

}  // namespace nowsim

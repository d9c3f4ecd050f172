// Lines, names and numbers, each of which is checked.
#include "experiments/driver/labs/confined_messages.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <sstream>
#include <vector>

#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// Bytes of a sentence, and of a line of a description.
constexpr std::size_t kMostSaid = 1000;

/// Bits of a request's first byte.
constexpr char kIsNew = 1, kIsBatch = 2;

template <class Value>
std::string message_of(MessageKind kind, const Value& value) {
  Serializer out;
  out.put(kind);
  out.put(value);
  return out.take();
}

std::vector<std::string> words_on(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Of two lines. @throws InputError.
ConfinedRule described_rule(const std::string& by, const std::string& variables) {
  ConfinedRule rule{told_failure(by), variables_by_name(words_on(variables))};
  if (rule.by.empty()) throw InputError("a rule without a name");
  return rule;
}

}  // namespace

std::optional<ConfinedDescription> described_technique(std::string_view said) {
  std::istringstream in{std::string(said)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.size() == 2 || lines.size() == 4) lines.emplace_back();  // a last rule without variables
  if (lines.size() != 3 && lines.size() != 5) return std::nullopt;
  try {
    ConfinedDescription found{told_failure(lines[0]), described_rule(lines[1], lines[2]), {}};
    if (lines.size() == 5) found.batch = described_rule(lines[3], lines[4]);
    return found;
  } catch (const InputError&) {  // of names that the script knows of: it is not the script's
    return std::nullopt;
  }
}

std::optional<double> answered_number(std::string_view said) {
  double given = 0;
  if (said.size() != sizeof given) return std::nullopt;
  std::memcpy(&given, said.data(), sizeof given);
  return given;
}

std::string told_failure(std::string_view said) { return shown_line(trimmed(said.substr(0, kMostSaid))); }

std::string value_message(std::string_view asked) {
  static const std::map<std::string, Dimension> dimensions{{"number", Dimension::number},
                                                           {"count", Dimension::count},
                                                           {"time", Dimension::time},
                                                           {"work", Dimension::work},
                                                           {"bytes", Dimension::bytes}};
  const std::size_t blank = std::min(asked.find(' '), asked.size());
  try {
    const auto found = dimensions.find(std::string(asked.substr(0, blank)));
    if (found == dimensions.end() || blank == asked.size()) throw InputError("no such kind");
    return message_of(MessageKind::value, parse_quantity(std::string(asked.substr(blank + 1)), found->second));
  } catch (const InputError& e) {
    return static_cast<char>(MessageKind::failure) + std::string(e.what());
  }
}

std::string request_message(const ConfinedRequest& request, const TechniqueVariables& variables, const LoopState& state,
                            std::size_t worker) {
  const int bits = (request.is_new ? kIsNew : 0) | (request.is_batch ? kIsBatch : 0);
  Serializer out;
  out.put(std::array<char, sizeof request.loop>{static_cast<char>(bits)});
  out.put(request.loop);
  for (const TechniqueVariable* variable : variables) {
    const double value = variable->value(state, worker);
    if (variable->is_count())
      out.put(static_cast<std::int64_t>(value));
    else
      out.put(value);
  }
  return out.take();
}

}  // namespace nowsim

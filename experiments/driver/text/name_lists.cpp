// Ways of being near, tried one after the other; quotes as POSIX has them.
#include "experiments/driver/text/name_lists.hpp"

#include <limits>

#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max(), kMostSuggestions = 3;
constexpr std::size_t kLeastPart = 3, kLeastWithin = 4;  // letters: shorter ones are in everything

/// How far a candidate is from what was written; kFar where it is not meant.
using Nearness = std::size_t (*)(const std::string& written, const std::string& candidate);

Words parts_of(const std::string& name) {
  Words parts{""};
  for (const char c : name)
    if (c == '.' || c == '/') parts.emplace_back();
    else parts.back() += c;
  return parts;
}

std::string last_part(const std::string& name) { return parts_of(name).back(); }

/// Something has to be left of what was written.
std::size_t letters_off_in_word(const std::string& written, const std::string& candidate) {
  if (lower_case(written) == lower_case(candidate)) return 0;
  const std::size_t distance = edit_distance(written, candidate);
  return distance <= edits_allowed(written) && distance < written.size() ? distance : kFar;
}

/// Part by part: few letters off in each.
std::size_t letters_off(const std::string& written, const std::string& candidate) {
  const Words parts = parts_of(written), others = parts_of(candidate);
  if (parts.size() != others.size()) return letters_off_in_word(written, candidate);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t distance = letters_off_in_word(parts[i], others[i]);
    if (distance == kFar) return kFar;
    sum += distance;
  }
  return sum;
}

std::size_t letters_off_in_last_part(const std::string& written, const std::string& candidate) {
  const std::string part = last_part(written);
  const std::size_t distance = letters_off_in_word(part, last_part(candidate));
  return distance == 0 || part.size() >= kLeastPart ? distance : kFar;
}

std::size_t begins(const std::string& written, const std::string& candidate) {
  const std::string beginning = lower_case(written);
  const bool is_beginning =
      lower_case(candidate).starts_with(beginning) || lower_case(last_part(candidate)).starts_with(beginning);
  return written.size() >= kLeastPart && is_beginning ? 0 : kFar;
}

std::size_t holds(const std::string& written, const std::string& candidate) {
  const bool is_within = lower_case(candidate).find(lower_case(written)) != std::string::npos;
  return written.size() >= kLeastWithin && is_within ? 0 : kFar;
}

Words nearest_by(Nearness nearness, const std::string& name, const Words& known) {
  Words nearest;
  std::size_t least = kFar;
  for (const auto& candidate : known) {
    const std::size_t distance = nearness(name, candidate);
    if (distance == kFar || distance > least) continue;
    if (distance < least) nearest.clear();
    least = distance;
    if (!contains(nearest, candidate)) nearest.push_back(candidate);
  }
  return nearest;
}

}  // namespace

Words near_names(const std::string& name, const Words& known) {
  for (const Nearness nearness : {letters_off, letters_off_in_last_part, begins, holds}) {
    Words nearest = nearest_by(nearness, name, known);
    if (nearest.empty()) continue;
    if (nearest.size() > kMostSuggestions) nearest.resize(kMostSuggestions);
    return nearest;
  }
  return {};
}

std::string did_you_mean(const std::string& name, const Words& known, const std::string& before) {
  const Words near = near_names(name, known);
  std::string text, hint = lookalike_hint(name);
  if (!hint.empty()) hint.front() = ';';
  for (std::size_t i = 0; i < near.size(); ++i) {
    const bool is_last = i + 1 == near.size();
    text += (i == 0 ? "" : is_last ? " or " : ", ") + quoted(before + near[i]);
  }
  return hint + (near.empty() ? "" : "; did you mean " + text + "?");
}

std::string shell_word(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace nowsim

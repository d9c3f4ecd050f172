// Flags read once more, for people.
#include "experiments/driver/points/flag_changes.hpp"

#include <algorithm>
#include <string_view>

#include "experiments/driver/reading/settings.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// In a picture's footer, its axes or its look.
bool is_seen_elsewhere(std::string_view key) {
  constexpr std::string_view kElsewhere[] = {"run.replications", "run.seed", "run.engine", "run.confidence",
                                             "run.variance_reduction", "metrics", "title"};
  return std::ranges::count(kElsewhere, key) > 0 || key == "figure" || key.starts_with("figure.") ||
         key == "claims" || key.starts_with("sweep");
}

struct FlagChange {
  std::string key, text;
};

}  // namespace

std::vector<std::string> flag_changes(const LoadOptions& options) {
  std::vector<FlagChange> changes;
  for (const auto& text : options.overrides) try {
      const std::string key = parse_override(text).key;
      if (is_seen_elsewhere(key)) continue;
      std::erase_if(changes, [&](const FlagChange& c) { return c.key == key; });
      changes.push_back({key, key + " = " + std::string(trimmed(text.substr(text.find('=') + 1)))});
    } catch (const InputError&) {
      continue;
    }
  std::vector<std::string> out;
  for (const auto& change : changes) out.push_back(change.text);
  return out;
}

}  // namespace nowsim

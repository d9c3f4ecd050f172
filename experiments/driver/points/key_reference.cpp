// Which blocks there are, and writing their tables.
#include "experiments/driver/points/key_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <ostream>

#include "experiments/driver/points/blocks.hpp"
#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/reading/owner_config.hpp"
#include "experiments/driver/reading/platform_config.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/splitting/policies.hpp"

namespace nowsim {
namespace {

const char* type_name(KeyType type) {
  constexpr const char* kNames[] = {"number", "share",    "count", "time", "flop", "flop/s", "bytes", "bytes/s",
                                    "number with unit", "word", "text", "formula", "path", "block"};
  return kNames[static_cast<std::size_t>(type)];
}

/// " > 0", " from 2", " 0 to 1"; "" where any number, 0 or more, will do.
std::string bounds_text(const Bounds& bounds) {
  constexpr double kAsGoodAsNone = 1e9;
  const bool has_least = bounds.least > -kAsGoodAsNone, has_most = bounds.most < kAsGoodAsNone;
  const std::string least = number_text(bounds.least), most = number_text(bounds.most);
  if (has_least && has_most) return (bounds.open ? " above " : " ") + least + " to " + most;
  if (bounds.open) return " > " + least;
  return has_least && bounds.least != 0 ? " from " + least : "";
}

std::string type_text(const Key& key) {
  if (key.words == flag_words()) return "true or false";
  return (key.is_list ? "list of " : "") + std::string(type_name(key.type)) + bounds_text(key.bounds);
}

std::string help_text(const Key& key) {
  std::string text = key.help;
  if (!key.words.empty() && key.words != flag_words()) text += "; one of: " + joined(key.words);
  return key.of.empty() ? text : text + " (" + key.of + ")";
}

using Row = std::array<std::string, 4>;

Row row_of(const Key& key) { return {key.name, type_text(key), key.fallback.value_or("needed"), help_text(key)}; }

std::vector<KeySection> owner_sections(const Registry<OwnerModelInfo>& models, const KeyTable& own, bool of_links) {
  std::vector<KeySection> sections{{"", own}};
  for (const auto& model : models)
    if (!model.keys.empty() && (model.of_links || !of_links)) sections.push_back({"model: " + model.name, model.keys});
  for (const auto& pattern : owner_patterns()) sections.push_back({"over a model", pattern.keys});
  return sections;
}

std::vector<KeySection> job_sections(const WorkloadRegistry& workloads) {
  std::vector<KeySection> sections{{"", job_keys(workloads)}};
  for (const auto& workload : workloads)
    if (!workload.keys.empty()) sections.push_back({"workload: " + workload.name, workload.keys});
  return sections;
}

/// Policies with the same keys stand together.
std::vector<KeySection> split_sections(const Registry<Policy>& policies) {
  std::vector<KeySection> sections{{"", split_keys(policies)}};
  for (const auto& policy : policies) {
    if (policy.keys.empty()) continue;
    if (words_in(sections.back().keys) == words_in(policy.keys)) sections.back().title += ", " + policy.name;
    else sections.push_back({"policy: " + policy.name, policy.keys});
  }
  return sections;
}

/// Where four columns have no room: all that there is to say of a key in one.
void write_keys_narrowly(const KeyBlock& block, std::ostream& out) {
  for (const auto& section : block.sections) {
    if (!section.title.empty()) out << "  " << section.title << '\n';
    DefinitionList lines;
    for (const auto& key : section.keys) {
      const auto [name, type, fallback, help] = row_of(key);
      lines.add(name, type + (fallback.empty() ? "" : ", " + fallback) + ": " + help);
    }
    lines.write(out);
  }
}

}  // namespace

std::vector<KeyBlock> key_blocks(const Registries& registries) {
  const auto& models = registries.owners;
  return {{"experiment", "the file, at its top", {{"", experiment_keys()}}},
          {"platform", "the machines", {{"", platform_keys()}}},
          {"job", "the program, which has keys of its own", job_sections(registries.workloads)},
          {"owner", "what owners leave of the machines", owner_sections(models, owner_keys(models), false)},
          {"bandwidth", "what is left of each workstation's own link", owner_sections(models, bandwidth_keys(models), true)},
          {"split", "how the work is split", split_sections(registries.policies)},
          {"run", "how often and how precisely", {{"", run_keys()}}},
          {"solve", "a key whose value is to be found", {{"", solve_keys()}}},
          {"sweep", "an axis is a list of values, or a range", {{"", range_keys()}}},
          {"figure", "a picture of the results", {{"", figure_keys(registries.figures)}}},
          {"figure.panels", "what is drawn side by side", {{"", panel_keys(registries.figures)}}},
          {"claims", "statements about the results, a list", {{"", claim_keys()}}}};
}

std::vector<std::string> all_keys(const Registries& registries) {
  static const Words kListed{"sweep", "figure.panels", "claims"};  // keys of what stands in lists, or below other keys
  Words names;
  for (const auto& block : key_blocks(registries)) {
    if (contains(kListed, block.name)) continue;
    for (const auto& section : block.sections)
      for (const auto& key : section.keys) {
        const std::string name = (block.name == "experiment" ? "" : block.name + ".") + key.name;
        if (!contains(names, name)) names.push_back(name);
      }
  }
  return names;
}

KeyTexts key_texts(const Key& key) {
  std::string fallback = "needed";
  if (key.fallback) fallback = key.fallback->empty() ? "" : "default " + *key.fallback;
  return {type_text(key), fallback, help_text(key)};
}

void write_key_reference(const KeyBlock& block, std::ostream& out) {
  out << block.name << ": " << block.summary << '\n';
  std::array<std::size_t, 4> widths{};
  for (const auto& section : block.sections)
    for (const auto& key : section.keys) {
      const Row row = row_of(key);
      for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
  const std::size_t columns = columns_of(out), all = std::accumulate(widths.begin(), widths.end(), std::size_t{8});
  if (columns > 0 && all > columns) return write_keys_narrowly(block, out);
  for (const auto& section : block.sections) {
    if (!section.title.empty()) out << "  " << section.title << '\n';
    for (const auto& key : section.keys) {
      const Row row = row_of(key);
      out << fmt::format("  {:<{}}  {:<{}}  {:<{}}  {}\n", row[0], widths[0], row[1], widths[1], row[2], widths[2], row[3]);
    }
  }
}

std::string key_reference_markdown(const KeyBlock& block) {
  std::string text;
  for (const auto& section : block.sections) {
    if (!text.empty()) text += '\n';
    text += fmt::format("| {} | what stands there | without it | what it is |\n|---|---|---|---|\n",
                        section.title.empty() ? "key" : section.title);
    for (const auto& key : section.keys) {
      const auto [name, type, fallback, help] = row_of(key);
      const bool is_value = key.fallback && !fallback.empty();
      text += fmt::format("| `{}` | {} | {} | {} |\n", name, type, is_value ? "`" + fallback + "`" : fallback, help);
    }
  }
  return text;
}

}  // namespace nowsim

// Tables cut down to what a name is about.
#include "tools/help/look_up.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>

#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "tools/shipped/catalogue.hpp"
#include "tools/shipped/manual.hpp"

namespace nowsim {
namespace {

/// "a, b" or "a or b" as a list.
Words parts_of(std::string text, const std::string& separator) {
  Words parts;
  for (std::size_t at; (at = text.find(separator)) != text.npos; text.erase(0, at + separator.size()))
    parts.push_back(text.substr(0, at));
  parts.push_back(text);
  return parts;
}

/// Whether a section is that of a thing: "policy: equalize, equalize-linear".
bool is_section_of(const KeySection& section, const std::string& name) {
  const auto colon = section.title.find(": ");
  return colon != section.title.npos && contains(parts_of(section.title.substr(colon + 2), ", "), name);
}

using KeyChoice = std::function<bool(const KeyBlock&, const KeySection&, const Key&)>;

/// The tables of the keys that are chosen.
std::string chosen_keys(const Registries& registries, const KeyChoice& takes) {
  std::ostringstream out;
  for (const KeyBlock& block : key_blocks(registries)) {
    KeyBlock cut{block.name, block.summary, {}};
    for (const KeySection& section : block.sections) {
      KeySection some{section.title, {}};
      for (const Key& key : section.keys)
        if (takes(block, section, key)) some.keys.push_back(key);
      if (!some.keys.empty()) cut.sections.push_back(some);
    }
    if (!cut.sections.empty()) write_key_reference(cut, out);
  }
  return out.str();
}

/// Whether a key is meant: by its full name or that in its block, or as one of a block; where `has_part` counts, by any
/// other that stands between or behind its dots too.
bool is_key_named(const KeyBlock& block, const Key& key, const std::string& name, bool has_part) {
  const std::string prefix = block.name == "experiment" ? "" : block.name + ".", full = prefix + key.name;
  return full == name || key.name == name || full.starts_with(name + ".") ||
         (has_part && contains(parts_of(full, "."), name));
}

bool is_topic(const std::string& name) {
  return std::ranges::any_of(help_topics(manual_pages()),
                             [&](const HelpTopic& topic) { return contains(topic.names, name); });
}

/// Parts of commands of that name: how to ask for each.
std::string parts_text(const std::string& name, std::span<const Command> commands) {
  std::string text;
  for (const Command& command : commands)
    for (const Command& part : command.parts)
      if (name == part.name)
        text += std::string("command ") + command.name + ' ' + name + ": " + part.summary + " ('nowsim help " +
                command.name + ' ' + name + "')\n";
  return text;
}

/// "metric tau: ..." and the keys that it has.
std::string entry_text(const CatalogueList& list, const CatalogueEntry& entry, const Registries& registries) {
  std::string text = std::string(list.one) + " " + entry.name + ": " + entry.summary + '\n';
  const std::string keys =
      chosen_keys(registries, [&](const KeyBlock& block, const KeySection& section, const Key& key) {
        const bool is_of_figure = block.name.starts_with(list.one) && contains(parts_of(key.of, " or "), entry.name);
        return is_section_of(section, entry.name) || is_of_figure;
      });
  if (keys.empty() && !entry.parameters.empty()) text += "  (" + entry.parameters + ")\n";
  return text + keys;
}

/// Flags of this name, those of the same meaning together.
std::string flags_text(const std::string& name, std::span<const Command> commands, const std::string& above = "") {
  std::map<std::string, Words> users;
  std::string text;
  for (const Command& command : commands) {
    const std::string called = above + command.name;
    const Flags flags = flags_of(command);
    if (const Flag* const flag = flags.named(name); flag != nullptr && !command.is_for_programs)
      users[flag->help].push_back(called);
    text += flags_text(name, command.parts, called + " ");
  }
  for (const auto& [meaning, commands_with_it] : users)
    text += "flag --" + name + " of " + joined(commands_with_it) + ": " + meaning + '\n';
  return text;
}

}  // namespace

std::string look_up(const std::string& name, std::span<const Command> commands, const Registries& registries) {
  if (name.empty()) return "";
  Words texts{parts_text(name, commands)};
  const bool goes_without_folder = !is_topic(name);  // of an experiment
  for (const CatalogueList& list : catalogue())
    for (const CatalogueEntry& entry : list.entries(registries))
      if (entry.name == name || (goes_without_folder && entry.name.ends_with("/" + name)))
        texts.push_back(entry_text(list, entry, registries));
  const bool is_thing = texts.size() > 1;
  texts.push_back(chosen_keys(registries, [&](const KeyBlock& block, const KeySection&, const Key& key) {
    return is_key_named(block, key, name, !is_thing);
  }));
  const std::string values = chosen_keys(registries, [&](const KeyBlock&, const KeySection&, const Key& key) {
    return !is_thing && contains(key.words, name);
  });
  if (!values.empty()) texts.push_back("'" + name + "' is a value of\n" + values);
  texts.push_back(flags_text(name, commands));
  std::string all;
  for (const std::string& text : texts)
    if (!text.empty()) all += (all.empty() ? "" : "\n") + text;
  return all;
}

std::vector<std::string> names_to_look_up(const Registries& registries) {
  Words names;
  for (const CatalogueList& list : catalogue())
    for (const CatalogueEntry& entry : list.entries(registries)) names.push_back(entry.name);
  for (const KeyBlock& block : key_blocks(registries)) {
    names.push_back(block.name);
    for (const KeySection& section : block.sections)
      for (const Key& key : section.keys) {
        names.push_back(key.name);
        std::ranges::copy(parts_of(key.name, "."), std::back_inserter(names));
        if (block.name != "experiment") names.push_back(block.name + "." + key.name);
      }
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

std::vector<Mention> mentions_of(const std::string& word) {
  const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const std::string wanted = lower_case(word);
  std::vector<Mention> mentions;
  for (const HelpTopic& topic : help_topics(manual_pages())) {
    const std::string text = " " + lower_case(topic.text) + " ";
    Mention mention{topic.names.front(), std::string(topic.title)};
    for (auto at = text.find(wanted); at != text.npos && !wanted.empty(); at = text.find(wanted, at + wanted.size()))
      if (!is_of_word(text[at - 1]) && !is_of_word(text[at + wanted.size()])) ++mention.times;
    if (mention.times > 0) mentions.push_back(mention);
  }
  std::ranges::stable_sort(mentions, std::ranges::greater{}, &Mention::times);
  return mentions;
}

}  // namespace nowsim

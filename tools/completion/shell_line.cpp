// As parse_flags() reads a whole line, but of half a one.
#include "tools/completion/shell_line.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace nowsim {
namespace {

const Command* named(std::span<const Command> commands, const std::string& name) {
  const auto found = std::ranges::find(commands, name, &Command::name);
  return found == commands.end() || found->is_for_programs ? nullptr : &*found;
}

void read_flags(const std::vector<std::string>& words, ShellLine& line) {
  const Flags flags = flags_of(*line.command);
  for (std::size_t k = 0; k + 1 < words.size(); ++k) {
    const Flag* const flag = flags.of_word(words[k]);
    if (flag == nullptr) {
      if (!words[k].starts_with('-')) line.words.push_back(words[k]);
    } else if (const auto value = own_value(words[k]); !flag->takes_value() || value) {
      line.flags.emplace_back(flag->name(), flag->takes_value() ? *value : "");
    } else if (k + 2 < words.size()) {
      line.flags.emplace_back(flag->name(), words[++k]);
    } else {
      line.flag = flag->name();
    }
  }
  const Flag* const flag = flags.of_word(line.last);
  const auto value = own_value(line.last);
  if (line.flag.empty() && flag != nullptr && flag->takes_value() && value) {
    line.flag = flag->name();
    line.before_last = line.last.substr(0, line.last.size() - value->size());
    line.last = *value;
  }
}

/// Without the brackets and dots of a usage.
std::string bare(std::string text) {
  std::erase_if(text, [](char c) { return c == '[' || c == ']'; });
  if (const auto dots = text.find("..."); dots != text.npos) text.erase(dots);
  return text;
}

/// A usage's words, those with a bar between them as one.
std::vector<std::string> usage_words(const std::string& usage) {
  std::vector<std::string> words;
  std::istringstream in(usage);
  bool joins = false;
  for (std::string word; in >> word;) {
    if (word == "|")
      joins = true;
    else if (std::exchange(joins, false) && !words.empty())
      words.back() += "|" + word;
    else
      words.push_back(word);
  }
  return words;
}

std::vector<std::string> alternatives(const std::string& word) {
  std::vector<std::string> all;
  std::istringstream in(word);
  for (std::string one; std::getline(in, one, '|');)
    if (!bare(one).empty() && bare(one)[0] != '-') all.push_back(bare(one));
  return all;
}

}  // namespace

std::vector<std::string> ShellLine::values_of(const std::string& name) const {
  std::vector<std::string> values;
  for (const auto& [flag_name, value] : flags)
    if (flag_name == name) values.push_back(value);
  return values;
}

ShellLine shell_line(const std::vector<std::string>& typed, std::span<const Command> commands) {
  ShellLine line;
  line.last = typed.empty() ? "" : typed.back();
  if (typed.size() < 2) return line;
  line.command = named(commands, typed.front());
  std::size_t begin = 1;
  if (line.command != nullptr && !line.command->parts.empty() && typed.size() > 2)
    if (const Command* part = named(line.command->parts, typed[1])) {
      line.command = part;
      begin = 2;
    }
  if (line.command != nullptr) read_flags({typed.begin() + static_cast<std::ptrdiff_t>(begin), typed.end()}, line);
  return line;
}

std::vector<std::vector<std::string>> word_places(const Command& command) {
  std::vector<std::vector<std::string>> places;
  const auto words = usage_words(command.usage);
  for (std::size_t k = 1; k < words.size(); ++k) {
    const std::string& word = words[k];
    const bool ends_in_flag = bare(word.substr(word.rfind('|') + 1)).starts_with('-');
    // A flag's value stands behind it, within the same brackets if there are any.
    if (ends_in_flag && k + 1 < words.size() && !word.ends_with(']') && !words[k + 1].starts_with('[')) ++k;
    const bool is_placeholder = std::ranges::any_of(word, [](unsigned char c) { return std::isupper(c) != 0; });
    if (is_placeholder && !alternatives(word).empty()) places.push_back(alternatives(word));
  }
  return places;
}

}  // namespace nowsim

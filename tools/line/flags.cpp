// Finding rows, and showing them.
#include "tools/line/flags.hpp"

#include <algorithm>

#include "experiments/driver/text/text_table.hpp"

namespace nowsim {

namespace {

struct DimensionName {
  Dimension dimension;
  const char* name;
};
/// What quantities are called.
constexpr DimensionName kDimensionNames[] = {{Dimension::number, "X"},       {Dimension::count, "N"},
                                             {Dimension::fraction, "SHARE"}, {Dimension::speed, "SPEED"},
                                             {Dimension::work, "WORK"},      {Dimension::time, "TIME"},
                                             {Dimension::bytes, "BYTES"},    {Dimension::bandwidth, "BANDWIDTH"}};

/// "FILE.svg|.png|.pdf".
std::string file_name_of(const std::vector<std::string>& endings) {
  std::string name = "FILE";
  for (const std::string& ending : endings) name += (name == "FILE" ? "" : "|") + ending;
  return name;
}

/// "table|csv|json"; "WORD" of many.
std::string words_name_of(const std::vector<std::string>& words) {
  constexpr std::size_t kMost = 24;
  std::string name;
  for (const std::string& word : words) name += (name.empty() ? "" : "|") + word;
  return name.size() > kMost ? "WORD" : name;
}

struct KindName {
  Kind kind;
  const char* name;
};
constexpr KindName kKindNames[] = {{Kind::text, "TEXT"},
                                   {Kind::quantity, "X"},
                                   {Kind::names, "A,B,..."},
                                   {Kind::setting, "KEY=VALUE"},
                                   {Kind::axis, "KEY=V1,V2,..."},
                                   {Kind::condition, "KEY=VALUE"},
                                   {Kind::key, "KEY"},
                                   {Kind::key_value, "WORD"},
                                   {Kind::swept_key, "KEY"},
                                   {Kind::swept_keys, "KEY,..."},
                                   {Kind::swept_value, "VALUE"},
                                   {Kind::experiment, "SPEC.yaml"},
                                   {Kind::platform, "PLATFORM"},
                                   {Kind::paper, "PAPER"},
                                   {Kind::lab, "LAB"},
                                   {Kind::list, "LIST"},
                                   {Kind::block, "BLOCK"},
                                   {Kind::topic, "TOPIC"},
                                   {Kind::command, "COMMAND"},
                                   {Kind::part, "PART"},
                                   {Kind::load_format, "FORMAT"},
                                   {Kind::written_load_format, "FORMAT"},
                                   {Kind::folder, "DIR"}};

}  // namespace

std::string shown_name(const Argument& argument) {
  if (!argument.name.empty()) return argument.name;
  if (argument.kind == Kind::word) return words_name_of(argument.of);
  if (argument.dimension)
    return std::ranges::find(kDimensionNames, *argument.dimension, &DimensionName::dimension)->name;
  if (argument.kind == Kind::file || argument.kind == Kind::written) return file_name_of(argument.of);
  return std::ranges::find(kKindNames, argument.kind, &KindName::kind)->name;
}

std::string Flag::brief() const {
  const auto comma = names.find(',');
  return comma == names.npos ? "" : "-" + names.substr(comma + 1);
}

const std::string& Flag::shown_default() const { return argument.shown.empty() ? argument.otherwise : argument.shown; }

std::string Flag::shown() const { return "--" + name() + (takes_value() ? " " + shown_name(argument.value) : ""); }

const Flag* Flags::named(const std::string& name) const {
  const auto found = std::ranges::find(rows_, name, &Flag::name);
  return found == rows_.end() ? nullptr : &*found;
}

const Flag* Flags::of_word(const std::string& word) const {
  if (word.size() < 2 || word[0] != '-' || word == "--") return nullptr;
  if (word.starts_with("--")) return named(word.substr(2, word.find('=') - 2));
  const auto found = std::ranges::find(rows_, word.substr(0, 2), &Flag::brief);
  return found == rows_.end() ? nullptr : &*found;
}

bool Flags::takes_next(const std::string& word) const {
  const Flag* const flag = of_word(word);
  return flag != nullptr && flag->takes_value() && !own_value(word);
}

std::optional<std::string> own_value(const std::string& word) {
  const bool is_long = word.starts_with("--");
  const auto equals = word.find('=');
  if (is_long ? equals == word.npos : word.size() <= 2) return {};
  return word.substr(is_long ? equals + 1 : 2);
}

void write_flags(const Flags& flags, std::ostream& out) {
  DefinitionList lines;
  for (const Flag& flag : flags) {
    const std::string brief = flag.brief(), fallback = flag.shown_default();
    lines.add((brief.empty() ? "" : brief + ", ") + flag.shown() + (fallback.empty() ? "" : " (=" + fallback + ")"),
              flag.help);
  }
  constexpr std::size_t kColumns = 100;  // in a pager, or a file
  out << "flags:\n";
  lines.write(out, 2, kColumns);
}

}  // namespace nowsim

// Reading flags, by Boost.Program_options, which no other file knows.
#include "tools/line/flags.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <ostream>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

namespace po = boost::program_options;

std::string Flag::brief() const {
  const auto comma = names.find(',');
  return comma == names.npos ? "" : "-" + names.substr(comma + 1);
}

const std::string& Flag::shown_default() const { return argument.shown.empty() ? argument.otherwise : argument.shown; }

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

std::vector<std::string> GivenFlags::texts(const std::string& name) const {
  for (const auto* const all : {&given, &otherwise})
    if (const auto found = all->find(name); found != all->end()) return found->second;
  return {};
}

namespace {

const po::value_semantic* semantic_of(const Flag& flag) {
  const FlagArgument& argument = flag.argument;
  if (argument.takes == Takes::text) {
    auto* const value = po::value<std::string>()->value_name(argument.name);
    return argument.otherwise.empty() ? value : value->default_value(argument.otherwise, flag.shown_default());
  }
  auto* const values = po::value<Words>()->value_name(argument.name);
  return argument.takes == Takes::texts ? values->composing() : values->multitoken();
}

po::options_description described(const Flags& flags) {
  po::options_description description("flags");
  auto add = description.add_options();
  for (const Flag& flag : flags)
    flag.takes_value() ? add(flag.names.c_str(), semantic_of(flag), flag.help.c_str())
                       : add(flag.names.c_str(), flag.help.c_str());
  return description;
}

Words long_flags(const Flags& flags) {
  Words names;
  for (const Flag& flag : flags) names.push_back("--" + flag.name());
  return names;
}

/// Why a flag is none, and what may be meant: another one, or a key of the experiment.
std::string no_flag(const std::string& name, const Flags& flags) {
  const bool may_be_key = name.find('.') != name.npos && flags.named("set") != nullptr;
  return "there is no flag " + quoted(name) +
         (may_be_key ? "; keys are set by --set key=value" : did_you_mean(name, long_flags(flags)));
}

/// A long flag with one dash would be read as a short one and its value: -replications as -r eplications.
void check_dashes(const Words& words, const Flags& flags) {
  constexpr std::size_t kShort = 2;
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (word.starts_with('-') && name.size() > kShort && flags.named(name.substr(1)) != nullptr)
      throw UsageError("there is no flag " + quoted(name) + "; did you mean " + quoted("-" + name) + "?");
  }
}

GivenFlags given_of(const po::variables_map& parsed, const Flags& flags) {
  GivenFlags out;
  for (const Flag& flag : flags) {
    const po::variable_value& value = parsed[flag.name()];
    if (value.empty()) continue;
    Words& texts = (value.defaulted() ? out.otherwise : out.given)[flag.name()];
    if (flag.argument.takes == Takes::text)
      texts = {value.as<std::string>()};
    else if (flag.takes_value())
      texts = value.as<Words>();
  }
  return out;
}

}  // namespace

ParsedFlags parse_flags(const Words& words, const Flags& flags, const Places& places, const std::string& usage) {
  po::options_description all = described(flags);
  all.add_options()("words", po::value<Words>());
  po::positional_options_description positional;
  positional.add("words", -1);
  check_dashes(words, flags);
  po::variables_map read;
  try {
    // No guessing: an abbreviated flag would change its meaning when another is added.
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(words).options(all).positional(positional).style(style).run(), read);
  } catch (const po::unknown_option& e) {
    throw UsageError(no_flag(e.get_option_name(), flags) + "; usage: " + usage);
  } catch (const po::error& e) {
    throw UsageError(std::string(e.what()) + "; usage: " + usage);
  }
  ParsedFlags parsed{given_of(read, flags), {}};
  if (read.contains("words")) parsed.words = read["words"].as<Words>();
  if (parsed.flags.has("help")) return parsed;
  std::size_t least_words = 0, most_words = 0;
  for (const WordPlace& place : places) {
    least_words += place.least;
    most_words += place.most;
  }
  if (parsed.words.size() < least_words) throw UsageError("too few words; usage: " + usage);
  if (parsed.words.size() > most_words)
    throw UsageError(quoted(parsed.words[most_words]) + " is one word too many; usage: " + usage);
  return parsed;
}

std::vector<std::string> words_of_line(const std::string& line) { return po::split_unix(line); }

void write_flags(const Flags& flags, std::ostream& out) {
  if (columns_of(out) == 0) {
    out << described(flags);
    return;
  }
  DefinitionList lines;  // which on a terminal breaks between words at any width, as Boost's own lines do not
  for (const Flag& flag : flags) {
    const std::string brief = flag.brief(), shown = flag.shown_default();
    lines.add((brief.empty() ? "--" + flag.name() : brief + " [ --" + flag.name() + " ]") +
                  (flag.takes_value() ? " " + flag.argument.name : "") + (shown.empty() ? "" : " (=" + shown + ")"),
              flag.help);
  }
  out << "flags:\n";
  lines.write(out);
}

}  // namespace nowsim

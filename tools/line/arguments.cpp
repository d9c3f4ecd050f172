// Reading a line by Boost.Program_options, which no other file knows, and its values by their kinds.
#include "tools/line/arguments.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <filesystem>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

namespace po = boost::program_options;

std::vector<std::string> Arguments::texts(const std::string& flag) const {
  for (const auto* const all : {&given_, &otherwise_})
    if (const auto found = all->find(flag); found != all->end()) return found->second;
  return {};
}

std::string Arguments::text(const std::string& flag) const { return text_or_none(flag).value_or(""); }

std::optional<std::string> Arguments::text_or_none(const std::string& flag) const {
  const auto all = texts(flag);
  return all.empty() ? std::nullopt : std::optional(all.front());
}

std::optional<double> Arguments::quantity(const std::string& flag) const {
  const auto found = quantities_.find(flag);
  return found == quantities_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> Arguments::whole(const std::string& flag) const {
  const auto value = quantity(flag);
  return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

std::size_t Arguments::choice(const std::string& flag) const {
  const auto& known = flags_.named(flag)->argument.value.of;
  return static_cast<std::size_t>(std::ranges::find(known, text(flag)) - known.begin());
}

std::vector<std::string> Arguments::names(const std::string& flag) const {
  const auto found = names_.find(flag);
  return found == names_.end() ? Words() : found->second;
}

std::string flag_place(const std::string& flag, const std::string& text) {
  const std::string shown = quoted(text);
  return "--" + flag + " " + shown.substr(1, shown.size() - 2);
}

double quantity_of_flag(const std::string& flag, const std::string& text, Dimension dimension, const Bounds& bounds,
                        const std::string& hint) {
  double value = 0;
  try {
    value = parse_quantity(text, dimension);
  } catch (const InputError& e) {
    throw UsageError(flag_place(flag, text) + ": " + e.what());
  }
  const bool is_low = bounds.open ? value <= bounds.least : value < bounds.least;
  if (!is_low && value <= bounds.most) return value;
  const auto told = [&](double bound) {
    if (dimension == Dimension::fraction && bound > 0) return number_text(100 * bound) + "%";
    return bound == 0 || dimension == Dimension::count ? number_text(bound) : format_quantity(bound, dimension);
  };
  const std::string sentence =
      is_low ? (bounds.open ? "more than " : "at least ") + told(bounds.least) : "at most " + told(bounds.most);
  throw UsageError(flag_place(flag, text) + ": it must be " + sentence + hint);
}

std::vector<std::string> names_of_flag(const std::string& flag, const std::string& text) {
  Words names;
  const std::string place = flag_place(flag, text) + ": ";
  std::string rest = text + ",";
  for (std::size_t comma; (comma = rest.find(',')) != std::string::npos; rest.erase(0, comma + 1)) {
    const std::string name{trimmed(std::string_view(rest).substr(0, comma))};
    if (name.empty()) throw UsageError(place + "values with commas between are wanted");
    if (contains(names, name)) throw UsageError(place + quoted(name) + " is named twice");
    names.push_back(name);
  }
  return names;
}

std::string with_usage(const std::string& sentence, const std::string& usage) {
  return sentence + (sentence.ends_with('?') ? " usage: " : "; usage: ") + usage;
}

namespace {

const po::value_semantic* semantic_of(const FlagArgument& argument) {
  if (argument.takes == Takes::text) return po::value<std::string>();
  auto* const values = po::value<Words>();
  return argument.takes == Takes::texts ? values->composing() : values->multitoken();
}

po::options_description described(const Flags& flags) {
  po::options_description description;
  auto add = description.add_options();
  for (const Flag& flag : flags)
    flag.takes_value() ? add(flag.names.c_str(), semantic_of(flag.argument)) : add(flag.names.c_str(), "");
  add("words", po::value<Words>());
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

po::variables_map taken_apart(const Words& line, const Flags& flags, const std::string& usage) {
  const po::options_description all = described(flags);
  po::positional_options_description positional;
  positional.add("words", -1);
  check_dashes(line, flags);
  po::variables_map read;
  try {
    // No guessing: an abbreviated flag would change its meaning when another is added.
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(line).options(all).positional(positional).style(style).run(), read);
  } catch (const po::unknown_option& e) {
    const std::string name = e.get_option_name();
    throw UsageError(with_usage(no_flag(name.substr(0, name.find('=')), flags), usage));
  } catch (const po::error& e) {
    throw UsageError(with_usage(e.what(), usage));
  }
  return read;
}

void check_number_of_words(const Words& words, const Places& places, const std::string& usage) {
  std::size_t least = 0, most = 0;
  for (const WordPlace& place : places) {
    least += place.least;
    most += place.most;
  }
  if (words.size() < least) throw UsageError(with_usage("too few words", usage));
  if (words.size() > most) throw UsageError(with_usage(quoted(words[most]) + " is one word too many", usage));
}

}  // namespace

void Arguments::check(const Flag& flag, const std::string& text) {
  const std::string name = flag.name();
  const Argument& value = flag.argument.value;
  const bool is_formula = !flag.key.empty() && text.starts_with('=');  // which the experiment's reader reads
  if (value.dimension && !is_formula)
    quantities_[name] = quantity_of_flag(name, text, *value.dimension, value.bounds, value.hint);
  else if (value.kind == Kind::word && !contains(value.of, text))
    throw UsageError(flag_place(name, text) + ": there are " + joined(value.of) + did_you_mean(text, value.of));
  else if (value.kind == Kind::names || value.kind == Kind::swept_keys)
    names_[name] = names_of_flag(name, text);
  if (value.kind != Kind::written || (value.may_be_output && text == "-")) return;
  if (!value.what.empty() && !contains(value.of, std::filesystem::path(text).extension().string()))
    throw UsageError("--" + name + " '" + text + "': " + value.what + "; give a file whose name ends in " +
                     joined(value.of));
  check_output_file(text);
}

Arguments Arguments::read(const std::vector<std::string>& line, const Flags& flags, const Places& places,
                          const std::string& usage) {
  const po::variables_map read = taken_apart(line, flags, usage);
  Arguments out;
  out.flags_ = flags;
  if (read.contains("words")) out.words = read["words"].as<Words>();
  for (const Flag& flag : flags) {
    const po::variable_value& value = read[flag.name()];
    const auto& [of, takes, otherwise, shown, is_needed] = flag.argument;
    if (!value.empty())
      out.given_[flag.name()] = takes == Takes::nothing ? Words()
                                : takes == Takes::text  ? Words{value.as<std::string>()}
                                                        : value.as<Words>();
    else if (!otherwise.empty())
      out.otherwise_[flag.name()] = {otherwise};
  }
  if (out.has("help")) return out;
  check_number_of_words(out.words, places, usage);
  for (const Flag& flag : flags) {
    if (flag.argument.is_needed && !out.has(flag.name()))
      throw UsageError(with_usage(flag.shown() + " is missing: " + flag.help, usage));
    for (const std::string& text : out.texts(flag.name())) out.check(flag, text);
  }
  return out;
}

std::vector<std::string> words_of_line(const std::string& line) { return po::split_unix(line); }

}  // namespace nowsim

// Reading flags.
#include "tools/command.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <iterator>
#include <optional>
#include <thread>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tools/command_parts.hpp"
#include "tools/shipped_experiments.hpp"

namespace nowsim {

namespace po = boost::program_options;

namespace {

constexpr int kMostJobs = 1000;

Words long_flags(const po::options_description& description) {
  Words names;
  for (const auto& option : description.options()) names.push_back("--" + option->long_name());
  return names;
}

/// Why a flag is none, and what may be meant: another one, or a key of the experiment.
std::string no_flag(const std::string& name, const po::options_description& description) {
  const Words known = long_flags(description);
  const bool may_be_key = name.find('.') != std::string::npos && contains(known, "--set");
  return "there is no flag " + quoted(name) + (may_be_key ? "; keys are set by --set key=value" : did_you_mean(name, known));
}

/// A long flag with one dash would be read as a short one and its value: -replications as -r eplications.
void check_dashes(const std::vector<std::string>& words, const po::options_description& description) {
  constexpr std::size_t kShort = 2;
  const Words known = long_flags(description);
  for (const std::string& word : words) {
    const std::string flag = "-" + word.substr(0, word.find('='));
    if (word.starts_with('-') && flag.size() > kShort + 1 && contains(known, flag))
      throw UsageError("there is no flag " + quoted(flag.substr(1)) + "; did you mean " + quoted(flag) + "?");
  }
}

}  // namespace

ParsedFlags parse_flags(const std::vector<std::string>& words, const po::options_description& description,
                        std::size_t least_words, std::size_t most_words, const std::string& usage) {
  po::options_description all(description);
  all.add_options()("words", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("words", -1);
  check_dashes(words, description);
  ParsedFlags parsed;
  try {
    // No guessing: an abbreviated flag would change its meaning when another is added.
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(words).options(all).positional(positional).style(style).run(), parsed.flags);
    po::notify(parsed.flags);
  } catch (const po::unknown_option& e) {
    throw UsageError(no_flag(e.get_option_name(), description) + "; usage: " + usage);
  } catch (const po::error& e) {
    throw UsageError(std::string(e.what()) + "; usage: " + usage);
  }
  if (parsed.flags.count("words") > 0) parsed.words = parsed.flags["words"].as<std::vector<std::string>>();
  if (parsed.flags.count("help") > 0) return parsed;
  if (parsed.words.size() < least_words) throw UsageError("too few words; usage: " + usage);
  if (parsed.words.size() > most_words)
    throw UsageError(quoted(parsed.words[most_words]) + " is one word too many; usage: " + usage);
  return parsed;
}

namespace {

/// The command itself, whatever parts it has.
int carry_out_alone(const Command& command, const std::vector<std::string>& words, const Registries& registries) {
  const po::options_description description = flags_of(command);
  const ParsedFlags parsed = parse_flags(words, description, command.least_words, command.most_words, command.usage);
  if (parsed.flags.count("help") == 0) return command.run(parsed, registries);
  print_help(command, std::cout);
  return 0;
}

bool begins_with_flag(const std::vector<std::string>& words) { return !words.empty() && words.front().starts_with('-'); }

bool asks_for_help(const std::vector<std::string>& words) {
  return !words.empty() && (words.front() == "--help" || words.front() == "-h");
}

}  // namespace

po::options_description flags_of(const Command& command) {
  po::options_description description("flags");
  if (command.add_flags != nullptr) command.add_flags(description);
  description.add_options()("help,h", "this text");
  return description;
}

namespace {

/// On a terminal they break between words at any width, which Boost's own lines do not.
void print_flags(const po::options_description& flags, std::ostream& out) {
  if (columns_of(out) == 0) {
    out << flags;
    return;
  }
  DefinitionList lines;
  for (const auto& option : flags.options()) {
    const std::string value = option->format_parameter();
    lines.add(option->format_name() + (value.empty() ? "" : " " + value), option->description());
  }
  out << "flags:\n";
  lines.write(out);
}

}  // namespace

void print_help(const Command& command, std::ostream& out) {
  out << "usage: " << command.usage << "\n\n";
  print_parts(command.parts, out);
  if (!command.parts.empty() && command.run != nullptr) out << '\n';
  if (command.run != nullptr) print_flags(flags_of(command), out);
  out << command.more;
  if (const std::string page = command.page; !page.empty() && page != command.name)
    out << "\n'nowsim help " << page << "' tells more\n";
  if (!command.parts.empty())
    out << "\n'nowsim " << command.name << ' ' << command.parts.front().name << " --help' lists the flags of a part\n";
}

int carry_out(const Command& command, const std::vector<std::string>& words, const Registries& registries) {
  if (command.is_for_programs || (command.runs_program && !asks_for_help(words))) return command.run({{}, words}, registries);
  if (command.parts.empty()) return carry_out_alone(command, words, registries);
  if (asks_for_help(words)) {
    print_help(command, std::cout);
    return 0;
  }
  if (command.run != nullptr && (words.empty() || begins_with_flag(words)))
    return carry_out_alone(command, words, registries);
  if (words.empty()) {
    print_help(command, std::cerr);
    return 2;
  }
  return carry_out(part_named(command, words), {words.begin() + 1, words.end()}, registries);
}

void add_jobs_flag(po::options_description& description) {
  const std::string cores = std::to_string(std::max(1u, std::thread::hardware_concurrency()));
  description.add_options()("jobs,j", po::value<std::string>()->default_value(cores, "all cores"),
                            "processes that simulate at a time; results do not depend on it");
}

int parse_jobs(const std::string& text) {
  int jobs = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), jobs);
  if (error != std::errc() || end != text.data() + text.size() || jobs < 1 || jobs > kMostJobs)
    throw UsageError("--jobs " + text + ": a number from 1 to " + std::to_string(kMostJobs) + " is wanted");
  return jobs;
}

std::string shown_flag(const std::string& text) {
  const std::string shown = quoted(text);
  return shown.substr(1, shown.size() - 2);
}

double quantity_flag(const std::string& flag, const std::string& text, Dimension dimension) {
  try {
    return parse_quantity(text, dimension);
  } catch (const InputError& e) {
    throw UsageError("--" + flag + " " + shown_flag(text) + ": " + e.what());
  }
}

std::optional<std::string> text_flag(const po::variables_map& flags, const char* name) {
  if (flags.count(name) == 0) return {};
  return flags[name].as<std::string>();
}

std::optional<double> positive_flag(const po::variables_map& flags, const char* name, Dimension dimension) {
  const auto text = text_flag(flags, name);
  if (!text) return {};
  const double value = quantity_flag(name, *text, dimension);
  if (value > 0) return value;
  throw UsageError("--" + std::string(name) + " " + shown_flag(*text) + ": it must be more than 0");
}

std::vector<std::string> list_flag(const po::variables_map& flags, const char* name) {
  const auto text = text_flag(flags, name);
  if (!text) return {};
  std::vector<std::string> values;
  const std::string place = "--" + std::string(name) + " " + shown_flag(*text) + ": ";
  std::string rest = *text + ",";
  for (std::size_t comma; (comma = rest.find(',')) != std::string::npos; rest.erase(0, comma + 1)) {
    const std::string value{trimmed(std::string_view(rest).substr(0, comma))};
    if (value.empty()) throw UsageError(place + "values with commas between are wanted");
    if (std::ranges::count(values, value) > 0) throw UsageError(place + quoted(value) + " is named twice");
    values.push_back(value);
  }
  return values;
}

namespace {

/// "table, csv or json".
std::string format_names(const std::string& before_last) {
  Words names = words_in(formats());
  const std::string last = names.back();
  names.pop_back();
  return joined(names) + before_last + last;
}

}  // namespace

Format parse_format(const std::string& text) {
  for (const auto& info : formats())
    if (text == info.name) return info.format;
  throw UsageError("--format " + text + ": there are " + format_names(" and "));
}

void add_format_flag(po::options_description& description, const std::string& of) {
  description.add_options()("format,f", po::value<std::string>()->default_value("table"),
                            (of + format_names(" or ")).c_str());
}

void add_output_flags(po::options_description& description) {
  add_format_flag(description);
  description.add_options()("quiet,q", "no progress on the error stream");
}

OutputFlags output_flags(const po::variables_map& flags) {
  OutputFlags out{parse_format(flags["format"].as<std::string>()), flags.count("quiet") > 0};
  if (flags.count("jobs") > 0) out.jobs = parse_jobs(flags["jobs"].as<std::string>());
  return out;
}

void add_experiment_flags(po::options_description& description) {
  description.add_options()
      ("set,s", po::value<std::vector<std::string>>()->composing(), "key=value: sets any key of the experiment, once or more; a swept key is fixed")
      ("replications,r", po::value<std::string>(), "replications per point (with --precision or --decide: the most)")
      ("precision,p", po::value<std::string>(), "stop a point once tau's interval is within this share of tau, such as 1%")
      ("precision-of", po::value<std::string>(), "the metric whose interval --precision looks at, instead of tau")
      ("decide", po::value<std::string>(), "a swept key: points stop when its best value is told, or one within the indifference of it")
      ("decide-by", po::value<std::string>(), "the metric that --decide compares, instead of tau: RF")
      ("indifference", po::value<std::string>(), "what makes no difference to --decide: a share of the least tau, or a part of RF; instead of 1%")
      ("engine", po::value<std::string>(), "auto (direct wherever it can run, else simgrid), direct or simgrid")
      ("variance-reduction", po::value<std::string>(), "none, antithetic, control-variates or both")
      ("seed", po::value<std::string>(), "seed of the random streams");
}

namespace {

/// A flag that stands for a key of the experiment, and what its value must be; nothing to check where it is a word.
struct KeyFlag {
  const char* name;
  const char* key;
  std::optional<Dimension> dimension;
  double least = 0;
  bool open = false;  ///< `least` itself is not allowed
  const char* hint = "";
};
constexpr KeyFlag kKeyFlags[] = {
    {"replications", "run.replications", Dimension::count, 1},
    {"precision", "run.precision", Dimension::fraction, 0, true, " ('--set run.precision=0' runs all replications)"},
    {"precision-of", "run.precision_of", {}},
    {"decide", "run.decide", {}},
    {"decide-by", "run.decide_by", {}},
    {"indifference", "run.indifference", Dimension::fraction, 0, true},
    {"seed", "run.seed", Dimension::count},
    {"engine", "run.engine", {}},
    {"variance-reduction", "run.variance_reduction", {}}};

/// What is wrong with a flag is said of the flag, not of the key that it stands for. A formula is left to its reader.
void check_value(const KeyFlag& flag, const std::string& text) {
  if (!flag.dimension || text.starts_with('=')) return;
  const std::string place = "--" + std::string(flag.name) + " " + shown_flag(text) + ": ";
  double value = 0;
  try {
    value = parse_quantity(text, *flag.dimension);
  } catch (const InputError& e) {
    throw UsageError(place + e.what());
  }
  if (value < flag.least || (flag.open && value == flag.least))
    throw UsageError(place + "it must be " + (flag.open ? "more than " : "at least ") + short_number(flag.least) +
                     flag.hint);
}

}  // namespace

std::string key_of_flag(const std::string& flag) {
  const auto* const found = std::ranges::find(kKeyFlags, flag, &KeyFlag::name);
  return found == std::end(kKeyFlags) ? "" : found->key;
}

LoadOptions load_options(const po::variables_map& flags) {
  LoadOptions options;
  options.files.platforms = shipped_platforms_folder();
  if (flags.count("set") > 0) options.overrides = flags["set"].as<std::vector<std::string>>();
  for (const KeyFlag& flag : kKeyFlags) {
    if (flags.count(flag.name) == 0) continue;
    const std::string text = flags[flag.name].as<std::string>();
    check_value(flag, text);
    options.overrides.push_back(std::string(flag.key) + "=" + text);
  }
  return options;
}

void add_splits_flag(po::options_description& description) {
  description.add_options()("show-splits", "below the table, splits that were found by simulation: what each machine "
                                           "gets, what that wins, and how near it is to the best");
}

bool asks_for_splits(const po::variables_map& flags) { return flags.count("show-splits") > 0; }

void print_remarks(const Experiment& experiment) {
  for (const auto& remark : experiment.remarks) spdlog::warn("{}", remark);
}

}  // namespace nowsim

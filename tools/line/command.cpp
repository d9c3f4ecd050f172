// Reading flags.
#include "tools/line/command.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>
#include <thread>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/points/point.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/keys.hpp"
#include "sim/base/text.hpp"
#include "tools/line/command_parts.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {

namespace {

constexpr int kMostJobs = 1000;

/// The command itself, whatever parts it has.
int carry_out_alone(const Command& command, const std::vector<std::string>& words, const Registries& registries) {
  const Flags flags = flags_of(command);
  const ParsedFlags parsed = parse_flags(words, flags, command.places, command.usage);
  if (!parsed.flags.has("help")) return command.run(parsed, registries);
  print_help(command, std::cout);
  return 0;
}

bool begins_with_flag(const std::vector<std::string>& words) { return !words.empty() && words.front().starts_with('-'); }

bool asks_for_help(const std::vector<std::string>& words) {
  return !words.empty() && (words.front() == "--help" || words.front() == "-h");
}

}  // namespace

Flags flags_of(const Command& command) {
  Flags flags;
  if (command.add_flags != nullptr) command.add_flags(flags);
  flags.add({{"help,h", kSwitch, "this text"}});
  return flags;
}

void print_help(const Command& command, std::ostream& out) {
  out << "usage: " << command.usage << "\n\n";
  print_parts(command.parts, out);
  if (!command.parts.empty() && command.run != nullptr) out << '\n';
  if (command.run != nullptr) write_flags(flags_of(command), out);
  out << command.more;
  if (const std::string page = command.page; !page.empty() && page != command.name)
    out << "\n'nowsim help " << page << "' tells more\n";
  if (!command.parts.empty())
    out << "\n'nowsim " << command.name << ' ' << command.parts.front().name << " --help' lists the flags of a part\n";
}

bool asks_for_json(const Command& command, const std::vector<std::string>& words) {
  if (!words.empty())
    if (const auto part = std::ranges::find(command.parts, words.front(), &Command::name); part != command.parts.end())
      return asks_for_json(*part, {words.begin() + 1, words.end()});
  const Flags flags = flags_of(command);
  const Flag* const format = flags.named("format");
  for (auto word = words.begin(); format != nullptr && word != words.end(); ++word)
    if (flags.of_word(*word) == format)
      return own_value(*word).value_or(word + 1 == words.end() ? "" : *(word + 1)) == "json";
  return false;
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

void add_jobs_flag(Flags& flags) {
  const std::string cores = std::to_string(std::max(1u, std::thread::hardware_concurrency()));
  flags.add({{"jobs,j",
              {.value = Kind::count, .otherwise = cores, .shown = "all cores"},
              "processes that simulate at a time; results do not depend on it"}});
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

std::optional<std::string> text_flag(const GivenFlags& flags, const char* name) {
  const auto texts = flags.texts(name);
  return texts.empty() ? std::nullopt : std::optional(texts.front());
}

std::optional<double> positive_flag(const GivenFlags& flags, const char* name, Dimension dimension) {
  const auto text = text_flag(flags, name);
  if (!text) return {};
  const double value = quantity_flag(name, *text, dimension);
  if (value > 0) return value;
  throw UsageError("--" + std::string(name) + " " + shown_flag(*text) + ": it must be more than 0");
}

std::vector<std::string> list_flag(const GivenFlags& flags, const char* name) {
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

void add_format_flag(Flags& flags, const std::string& of) {
  flags.add(
      {{"format,f", {.value = {Kind::word, words_in(formats())}, .otherwise = "table"}, of + format_names(" or ")}});
}

void add_output_flags(Flags& flags) {
  add_format_flag(flags);
  flags.add({{"quiet,q", kSwitch, "no progress on the error stream"}});
}

OutputFlags output_flags(const GivenFlags& flags) {
  OutputFlags out{parse_format(flags.text("format")), flags.has("quiet")};
  if (const auto jobs = text_flag(flags, "jobs")) out.jobs = parse_jobs(*jobs);
  return out;
}

void add_experiment_flags(Flags& flags) {
  flags.add({{"set,s",
              {.value = Kind::setting, .takes = Takes::texts},
              "key=value: sets any key of the experiment, once or more; a swept key is fixed"},
             {"replications,r", taking(Kind::count), "replications per point (with --precision or --decide: the most)"},
             {"precision,p", taking(Kind::quantity),
              "stop a point once tau's interval is within this share of tau, such as 1%"},
             {"precision-of", taking(Kind::key_value, {"run.precision_of"}),
              "the metric whose interval --precision looks at, instead of tau"},
             {"decide", taking(Kind::swept_key),
              "a swept key: points stop when its best value is told, or one within the indifference of it"},
             {"decide-by", taking(Kind::word, words_in(deciding_metrics())),
              "the metric that --decide compares, instead of tau: RF"},
             {"indifference", taking(Kind::quantity),
              "what makes no difference to --decide: a share of the least tau, or a part of RF; instead of 1%"},
             {"engine", taking(Kind::key_value, {"run.engine"}),
              "auto (direct wherever it can run, else simgrid), direct or simgrid"},
             {"variance-reduction", taking(Kind::key_value, {"run.variance_reduction"}),
              "none, antithetic, control-variates or both"},
             {"seed", taking(Kind::count), "seed of the random streams"}});
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

LoadOptions load_options(const GivenFlags& flags) {
  LoadOptions options;
  options.files.platforms = shipped_platforms_folder();
  options.overrides = flags.texts("set");
  for (const KeyFlag& flag : kKeyFlags) {
    const auto text = text_flag(flags, flag.name);
    if (!text) continue;
    check_value(flag, *text);
    options.overrides.push_back(std::string(flag.key) + "=" + *text);
  }
  return options;
}

void add_splits_flag(Flags& flags) {
  flags.add({{"show-splits", kSwitch,
              "below the table, splits that were found by simulation: what each machine gets, what that wins, and how "
              "near it is to the best"}});
}

bool asks_for_splits(const GivenFlags& flags) { return flags.has("show-splits"); }

void print_remarks(const Experiment& experiment) {
  for (const auto& remark : experiment.remarks) spdlog::warn("{}", remark);
}

}  // namespace nowsim

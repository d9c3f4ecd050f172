// Tables: of usages' words, and of flags; files by the endings that usages and flags' help name.
#include "tools/completion/word_completion.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <set>

#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/reading/load_formats.hpp"
#include "experiments/driver/reading/shipped_files.hpp"
#include "experiments/driver/reports/papers.hpp"
#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/owners/load_series.hpp"
#include "tools/completion/described_experiment.hpp"
#include "tools/completion/setting_completion.hpp"
#include "tools/help/look_up.hpp"
#include "tools/shipped/catalogue.hpp"
#include "tools/shipped/manual.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

/// What a command's first word may be.
Words first_place(const Command& command) {
  const auto places = word_places(command);
  return places.empty() ? Words() : places.front();
}

/// All that a completion may look at.
struct Asked {
  const ShellLine& line;
  std::span<const Command> commands;
  const Registries& registries;

  /// The experiment of the line: its first word, and what flags set.
  [[nodiscard]] DescribedExperiment experiment() const {
    std::vector<std::string> overrides = line.values_of("set");
    for (const std::string& axis : line.values_of("sweep"))
      if (const auto equals = axis.find('='); equals != axis.npos)
        overrides.push_back("sweep." + axis.substr(0, equals) + "=[" + axis.substr(equals + 1) + "]");
    const Words place = line.command == nullptr ? Words() : first_place(*line.command);
    const bool names_one = contains(place, "SPEC.yaml") || contains(place, "EXPERIMENT");
    return described_experiment(names_one && !line.words.empty() ? line.words.front() : "", overrides);
  }
};

// ---- names

/// Of names with '/' in them the next part, as of paths; `about` is asked for whole names alone.
template <class About>
Candidates next_parts(const Words& names, const std::string& begin, const About& about) {
  Candidates candidates;
  std::set<std::string> folders;
  for (const std::string& name : names) {
    if (!name.starts_with(begin)) continue;
    const auto slash = name.find('/', begin.size());
    if (slash == name.npos)
      candidates.push_back({name, about(name)});
    else if (folders.insert(name.substr(0, slash + 1)).second)
      candidates.push_back({name.substr(0, slash + 1), ""});
  }
  for (Candidate& c : candidates)
    if (const Paper* paper = c.word.ends_with('/') ? paper_of_folder(c.word.substr(0, c.word.size() - 1)) : nullptr)
      c.about = paper->name;
  return candidates;
}

Completion experiments(const Asked& asked) {
  const fs::path folder = shipped_experiments_folder();
  const auto title = [&](const std::string& name) {
    return line_at_key((folder / (name + ".yaml")).string(), "title");
  };
  return {next_parts(shipped_experiments(), asked.line.last, title), WantedFiles{{".yaml"}}};
}

Completion platforms(const Asked& asked) {
  return {listed_names("platforms", asked.line.last, asked.registries), WantedFiles{{".xml"}}};
}

Completion papers(const Asked& asked) {
  return {listed_names("papers", asked.line.last, asked.registries), WantedFiles{{}, true}};
}

Completion labs(const Asked& asked) {
  const Words given = asked.line.values_of("labs");
  const fs::path folder = given.empty() ? shipped_labs_folder() : given.back();
  Completion found;
  for (const std::string& name : labs_in(folder.string()))
    if (name.starts_with(asked.line.last))
      found.candidates.push_back({name, line_at_key((folder / name / "lab.yaml").string(), "question")});
  return found;
}

Completion lists(const Asked& asked) {
  Completion found;
  const auto add = [&](const auto& list) {
    const std::string name(list.name);
    if (name.starts_with(asked.line.last)) found.candidates.push_back({name, std::string(list.summary)});
  };
  std::ranges::for_each(catalogue(), add);
  std::ranges::for_each(kFurtherLists, add);
  return found;
}

Completion blocks(const Asked& asked) {
  Completion found;
  if (asked.line.words.empty() || asked.line.words.front() != "keys") return found;
  for (const KeyBlock& block : key_blocks(asked.registries))
    if (block.name.starts_with(asked.line.last)) found.candidates.push_back({block.name, block.summary});
  return found;
}

Completion command_names_of(const Asked& asked) {
  Completion found;
  for (const Command& command : asked.commands)
    if (std::string(command.name).starts_with(asked.line.last) && !command.is_for_programs)
      found.candidates.push_back({command.name, command.summary});
  return found;
}

Completion parts(const Asked& asked) {
  Completion found;
  for (const Command& command : asked.commands)
    if (!asked.line.words.empty() && asked.line.words.front() == command.name)
      for (const Command& part : command.parts)
        if (std::string(part.name).starts_with(asked.line.last)) found.candidates.push_back({part.name, part.summary});
  return found;
}

/// Pages of the manual; once something is written, names out of all lists too.
Completion topics(const Asked& asked) {
  Completion found;
  const std::string& begin = asked.line.last;
  std::set<std::string> seen = {};
  for (const Command& command : asked.commands) seen.insert(command.name);
  const auto add = [&](const std::string& name, const std::string& about) {
    if (name.starts_with(begin) && seen.insert(name).second) found.candidates.push_back({name, about});
  };
  for (const HelpTopic& topic : help_topics(manual_pages()))
    for (const std::string& name : topic.names)
      if (!begin.empty() || name == topic.names.front()) add(name, std::string(topic.title));
  if (begin.empty()) return found;
  for (const CatalogueList& list : catalogue())
    for (const CatalogueEntry& entry : list.entries(asked.registries))
      add(entry.name, std::string(list.one) + ": " + entry.summary);
  for (const std::string& name : names_to_look_up(asked.registries))
    if (begin.find('.') != begin.npos || name.find('.') == name.npos) add(name, "a key");
  return found;
}

Completion keys(const Asked& asked) { return {swept_keys(asked.line.last, asked.experiment()), {}}; }
Completion folders(const Asked&) { return {{}, WantedFiles{{}, true}}; }
Completion any_file(const Asked&) { return {{}, WantedFiles{}}; }
Completion new_name(const Asked&) { return {}; }

/// What a usage's word stands for.
struct Placeholder {
  const char* word;
  Completion (*complete)(const Asked&);
};
constexpr Placeholder kPlaceholders[] = {{"SPEC.yaml", experiments},
                                         {"EXPERIMENT", experiments},
                                         {"PLATFORM", platforms},
                                         {"FIGURE", experiments},
                                         {"PAPER", papers},
                                         {"LAB", labs},
                                         {"LIST", lists},
                                         {"BLOCK", blocks},
                                         {"TOPIC", topics},
                                         {"COMMAND", command_names_of},
                                         {"PART", parts},
                                         {"KEY", keys},
                                         {"DIR", folders},
                                         {"FILE", any_file},
                                         {"IN", any_file},
                                         {"OUT", any_file},
                                         {"ARCHIVE", any_file},
                                         {"TRACE", any_file},
                                         {"PROGRAM", any_file},
                                         {"NAME", new_name}};

// ---- files that are told of

/// The endings in "FILE.svg, FILE.png or FILE.pdf: ...", "FILE.svg|.png|.pdf" or "MACHINE.csv ...".
Words endings_in(const std::string& text) {
  Words endings;
  for (const char* ending : {".yaml", ".xml", ".csv", ".json", ".svg", ".png", ".pdf", ".html", ".profile"}) {
    const std::string e = ending;
    for (auto at = text.find(e); at != text.npos; at = text.find(e, at + 1)) {
      const bool is_whole =
          at + e.size() == text.size() || std::isalnum(static_cast<unsigned char>(text[at + e.size()])) == 0;
      const bool is_behind_word =
          at > 0 && (std::isupper(static_cast<unsigned char>(text[at - 1])) != 0 || text[at - 1] == '|');
      if (is_whole && is_behind_word && !contains(endings, e)) endings.push_back(e);
    }
  }
  return endings;
}

std::optional<WantedFiles> files_told_of(const std::string& help) {
  if (const Words endings = endings_in(help); !endings.empty()) return WantedFiles{endings};
  for (const char* folder : {"the folder", "a folder", "FOLDER", "DIR"})
    if (help.find(folder) != help.npos) return WantedFiles{{}, true};
  for (const char* file : {"this file", "'s file", "another file", "FILE"})
    if (help.find(file) != help.npos) return WantedFiles{};
  return std::nullopt;
}

// ---- flags

Candidates beginning(const Words& words, const std::string& begin) {
  Candidates candidates;
  for (const std::string& word : words)
    if (word.starts_with(begin)) candidates.push_back({word, ""});
  return candidates;
}

Completion setting(const Asked& asked) {
  return complete_setting(asked.line.last, asked.experiment(), asked.registries);
}

/// Of `--sweep KEY=V1,V2`.
Completion axis(const Asked& asked) {
  const std::string& word = asked.line.last;
  if (word.find('=') == word.npos) return complete_setting(word, asked.experiment(), asked.registries);
  const std::string key = word.substr(0, word.find('=') + 1), values = word.substr(key.size());
  const auto comma = values.rfind(',');
  const std::string begin = comma == values.npos ? values : values.substr(comma + 1);
  const Candidates choices =
      complete_value(key.substr(0, key.size() - 1), begin, asked.experiment(), asked.registries).candidates;
  Completion found{behind_commas(values, choices), {}, true};
  for (Candidate& c : found.candidates) c.word = key + c.word;
  return found;
}

Completion metrics(const Asked& asked) {
  return {behind_commas(asked.line.last, listed_names("metrics", "", asked.registries)), {}, true};
}
Completion policies(const Asked& asked) {
  return {behind_commas(asked.line.last, listed_names("policies", "", asked.registries)), {}, true};
}
Completion formats_of_output(const Asked& asked) { return {beginning(words_in(formats()), asked.line.last), {}}; }
Completion formats_of_loads(const Asked& asked) {
  Completion found;
  for (const auto& format : load_formats())
    if (std::string(format.name).starts_with(asked.line.last))
      found.candidates.push_back({format.name, format.summary});
  return found;
}
Completion written_formats(const Asked& asked) {
  Completion found = formats_of_loads(asked);
  std::erase_if(found.candidates, [](const Candidate& c) {
    return std::ranges::none_of(load_formats(), [&](const auto& f) { return f.is_written && f.name == c.word; });
  });
  return found;
}
Completion measures(const Asked& asked) { return {beginning(load_measure_names(), asked.line.last), {}}; }
Completion gap_rules(const Asked& asked) { return {beginning(gap_rule_names(), asked.line.last), {}}; }
Completion invalid_rules(const Asked& asked) { return {beginning(invalid_rule_names(), asked.line.last), {}}; }
Completion lengths(const Asked& asked) {
  return {beginning({"uniform", "exponential", "constant"}, asked.line.last), {}};
}
Completion ends(const Asked& asked) { return {beginning({"lowest", "highest"}, asked.line.last), {}}; }
Completion efficiencies(const Asked& asked) { return {beginning({"eps", "eps_a", "E"}, asked.line.last), {}}; }
Completion swept(const Asked& asked) {
  return {behind_commas(asked.line.last, swept_keys("", asked.experiment())), {}, true};
}

/// Keys whose values are not asked for.
Completion key_names(const Asked& asked) {
  Completion found = complete_setting(asked.line.last, asked.experiment(), asked.registries);
  for (Candidate& c : found.candidates)
    if (c.word.ends_with('=')) c.word.pop_back();
  return found;
}

/// The values of the key that is the command's second word.
Completion values_of_key(const Asked& asked) {
  if (asked.line.words.size() < 2) return {};
  return {beginning(asked.experiment().values_of(asked.line.words[1]), asked.line.last), {}};
}

/// What a flag's value is, where it neither stands for a key nor is a file that its help tells of.
struct FlagValue {
  const char* command;  ///< "": any
  const char* flag;
  Completion (*complete)(const Asked&);
};
constexpr FlagValue kFlagValues[] = {{"", "set", setting},
                                     {"", "sweep", axis},
                                     {"", "format", formats_of_output},
                                     {"isoefficiency", "metric", efficiencies},
                                     {"", "metric", metrics},
                                     {"", "policies", policies},
                                     {"", "against", values_of_key},
                                     {"", "best", ends},
                                     {"", "along", swept},
                                     {"fit", "from", formats_of_loads},
                                     {"convert", "from", formats_of_loads},
                                     {"convert", "to", written_formats},
                                     {"", "measures", measures},
                                     {"", "gaps", gap_rules},
                                     {"", "invalid", invalid_rules},
                                     {"fit", "length", lengths},
                                     {"new", "from", experiments},
                                     {"isoefficiency", "size", key_names}};

/// What a flag's help says.
std::string help_of_flag(const ShellLine& line) {
  const Flags flags = flags_of(*line.command);
  const Flag* const flag = flags.named(line.flag);
  return flag == nullptr ? "" : flag->help;
}

/// What is not there yet.
template <class Thing>
void append_new(std::vector<Thing>& all, const std::vector<Thing>& more) {
  std::ranges::copy_if(more, std::back_inserter(all), [&](const Thing& t) { return std::ranges::count(all, t) == 0; });
}

void add(Completion& all, const Completion& more) {
  append_new(all.candidates, more.candidates);
  if (!more.files) return;
  if (!all.files)
    all.files = more.files;
  else if (!more.files->folders_alone)
    append_new(all.files->endings, more.files->endings);
}

}  // namespace

Completion complete_word(const ShellLine& line, std::span<const Command> commands, const Registries& registries) {
  const auto places = word_places(*line.command);
  if (places.empty()) return {};
  const std::size_t place = line.words.size();
  if (place >= places.size() && place >= line.command->most_words) return {};
  Completion all;
  for (const std::string& word : places[std::min(place, places.size() - 1)]) {
    const auto* const known = std::ranges::find(kPlaceholders, word, &Placeholder::word);
    if (known != std::end(kPlaceholders))
      add(all, known->complete({line, commands, registries}));
    else if (const auto files = files_told_of(word))
      add(all, {{}, files});
  }
  return all;
}

bool is_known_word(const std::string& word) {
  return std::ranges::count(kPlaceholders, word, &Placeholder::word) > 0 || !endings_in(word).empty();
}

Completion complete_flag_value(const ShellLine& line, const Registries& registries) {
  const auto is_meant = [&](const FlagValue& f) {
    return line.flag == f.flag && (*f.command == '\0' || std::string(f.command) == line.command->name);
  };
  const Asked asked{line, {}, registries};
  if (const auto* const known = std::ranges::find_if(kFlagValues, is_meant); known != std::end(kFlagValues))
    return known->complete(asked);
  if (const std::string key = key_of_flag(line.flag); !key.empty()) {
    Completion found = complete_value(key, line.last, asked.experiment(), registries);
    std::erase_if(found.candidates, [](const Candidate& c) { return c.about.starts_with("as it is now"); });
    return found;
  }
  return {{}, files_told_of(help_of_flag(line))};
}

}  // namespace nowsim

// A function for each kind, and the table of them.
#include "tools/completion/word_completion.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/reading/load_formats.hpp"
#include "experiments/driver/reading/shipped_files.hpp"
#include "experiments/driver/reports/papers.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "tools/completion/described_experiment.hpp"
#include "tools/completion/setting_completion.hpp"
#include "tools/help/look_up.hpp"
#include "tools/shipped/catalogue.hpp"
#include "tools/shipped/manual.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

/// All that a completion may look at.
struct Asked {
  const ShellLine& line;
  const std::vector<std::string>& of;  ///< the argument's
  std::span<const Command> commands;
  const Registries& registries;

  /// The experiment of the line: its first word, and what flags set.
  [[nodiscard]] DescribedExperiment experiment() const {
    std::vector<std::string> overrides = line.values_of("set");
    for (const std::string& axis : line.values_of("sweep"))
      if (const auto equals = axis.find('='); equals != axis.npos)
        overrides.push_back("sweep." + axis.substr(0, equals) + "=[" + axis.substr(equals + 1) + "]");
    const auto& places = line.command->places;
    const bool names_one = !line.words.empty() && !places.empty() &&
                           std::ranges::count(places.front().kinds, Kind::experiment, &Argument::kind) > 0;
    return described_experiment(names_one ? line.words.front() : "", overrides);
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

Completion command_names_of(const Asked& asked) { return {command_candidates(asked.line.last, asked.commands), {}}; }

Completion parts(const Asked& asked) {
  if (!asked.line.words.empty())
    for (const Command& command : asked.commands)
      if (asked.line.words.front() == command.name) return {command_candidates(asked.line.last, command.parts), {}};
  return {};
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
Completion files(const Asked& asked) { return {{}, WantedFiles{asked.of}}; }
Completion fixed_words(const Asked& asked) { return {words_of(asked.of, asked.line.last), {}}; }

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

Completion names_of_list(const Asked& asked) {
  if (asked.of.empty()) return {};
  return {behind_commas(asked.line.last, listed_names(asked.of.front(), "", asked.registries)), {}, true};
}
template <bool kIsWritten>
Completion formats_of_loads(const Asked& asked) {
  Completion found;
  for (const auto& format : load_formats())
    if (std::string(format.name).starts_with(asked.line.last) && (format.is_written || !kIsWritten))
      found.candidates.push_back({format.name, format.summary});
  return found;
}
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

Completion values_of_key(const Asked& asked) {
  return complete_value(asked.of.front(), asked.line.last, asked.experiment(), asked.registries);
}

/// The values of the key that is the command's second word.
Completion swept_values(const Asked& asked) {
  if (asked.line.words.size() < 2) return {};
  return {words_of(asked.experiment().values_of(asked.line.words[1]), asked.line.last), {}};
}

// ---- the table

/// What there is of a kind; of those that are not here nothing can be offered.
struct KindCompletion {
  Kind kind;
  Completion (*complete)(const Asked&);
};
constexpr KindCompletion kKinds[] = {{Kind::word, fixed_words},
                                     {Kind::text, fixed_words},
                                     {Kind::names, names_of_list},
                                     {Kind::setting, setting},
                                     {Kind::axis, axis},
                                     {Kind::key, key_names},
                                     {Kind::key_value, values_of_key},
                                     {Kind::swept_key, keys},
                                     {Kind::swept_keys, swept},
                                     {Kind::swept_value, swept_values},
                                     {Kind::experiment, experiments},
                                     {Kind::platform, platforms},
                                     {Kind::paper, papers},
                                     {Kind::lab, labs},
                                     {Kind::list, lists},
                                     {Kind::block, blocks},
                                     {Kind::topic, topics},
                                     {Kind::command, command_names_of},
                                     {Kind::part, parts},
                                     {Kind::load_format, formats_of_loads<false>},
                                     {Kind::written_load_format, formats_of_loads<true>},
                                     {Kind::file, files},
                                     {Kind::written, files},
                                     {Kind::folder, folders}};

/// What is not there yet.
template <class Thing>
void append_new(std::vector<Thing>& all, const std::vector<Thing>& more) {
  std::ranges::copy_if(more, std::back_inserter(all), [&](const Thing& t) { return std::ranges::count(all, t) == 0; });
}

/// Files that are wanted come with the folders on the way to them.
void add(WantedFiles& all, const WantedFiles& more) {
  if (more.folders_alone) return;
  if (!all.folders_alone && (all.endings.empty() || more.endings.empty()))
    all.endings.clear();  // any
  else
    append_new(all.endings, more.endings);
  all.folders_alone = false;
}

}  // namespace

Candidates command_candidates(const std::string& begin, std::span<const Command> commands) {
  Candidates candidates;
  for (const Command& command : commands)
    if (std::string(command.name).starts_with(begin) && !command.is_for_programs)
      candidates.push_back({command.name, command.summary});
  return candidates;
}

Completion complete_argument(const std::vector<Argument>& kinds, const ShellLine& line,
                             std::span<const Command> commands, const Registries& registries) {
  Completion all;
  for (const Argument& argument : kinds) {
    const auto* const known = std::ranges::find(kKinds, argument.kind, &KindCompletion::kind);
    if (known == std::end(kKinds)) continue;
    const Completion more = known->complete({line, argument.of, commands, registries});
    append_new(all.candidates, more.candidates);
    all.goes_on = all.goes_on || more.goes_on;
    if (more.files && all.files)
      add(*all.files, *more.files);
    else if (more.files)
      all.files = more.files;
  }
  return all;
}

}  // namespace nowsim

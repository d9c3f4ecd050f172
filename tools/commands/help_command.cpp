// `nowsim help`: the commands, one of them, a page of the manual, or what the tables know of a name.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <iterator>
#include <utility>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "tools/help/look_up.hpp"
#include "tools/help/man_pages.hpp"
#include "tools/help/markdown.hpp"
#include "tools/line/command_table.hpp"
#include "tools/shipped/manual.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHelpUsage = "nowsim help [TOPIC | COMMAND [PART]]";
constexpr const char* kMoreOnHelp =
    "\nTOPIC is a command, a page of the manual ('nowsim help' lists both), or anything that 'nowsim list' lists: a\n"
    "workload, metric, technique ...; a key or a block of an experiment's file, a value of such a key, or a flag.\n";

void add_help_flags(Flags& flags) {
  flags.add({{"man", taking(Kind::folder),
              "writes the manual pages there, in man1 and man5, as an installation has them"}});
}

std::vector<std::string> all_names(Session& session) {
  Words names = command_names();
  for (const HelpTopic& topic : help_topics(manual_pages()))
    names.insert(names.end(), topic.names.begin(), topic.names.end());
  std::ranges::copy(names_to_look_up(session.known), std::back_inserter(names));
  return names;
}

/// @throws UsageError saying what it may have been, or which pages speak of it.
[[noreturn]] void tell_of_unknown(const std::string& name, Session& session) {
  constexpr std::size_t kMostPages = 10;
  Words pages;
  for (const Mention& mention : mentions_of(name))
    if (pages.size() < kMostPages) pages.push_back(mention.topic);
  throw UsageError("there is no command, page or name '" + name + "'" + did_you_mean(name, all_names(session)) +
                   (pages.empty() ? "" : "; pages that speak of it: " + joined(pages)) +
                   " ('nowsim help' lists commands and pages)");
}

/// The folder on this machine of a page on shipped experiments, such as experiments/labs/README.md; "" of others.
std::string folder_of_experiments(const std::string& page) {
  const std::string above = "experiments/";
  if (!page.starts_with(above)) return "";
  const std::string name = fs::path(page.substr(above.size())).parent_path().string();
  const bool is_shipped = std::ranges::any_of(
      shipped_experiments(), [&](const std::string& experiment) { return experiment.starts_with(name + "/"); });
  return is_shipped ? (fs::path(shipped_experiments_folder()) / name).string() : "";
}

/// All that is known of a name: a command's flags, what it is in the tables, a page.
void help_of(const std::string& name, Session& session) {
  const Command* command = find_command(name);
  if (command != nullptr && command->is_for_programs) command = nullptr;
  if (command != nullptr) print_help(*command, session.out);
  bool is_first = command == nullptr;
  const auto begin = [&] { session.out << (std::exchange(is_first, false) ? "" : "\n"); };
  const std::string looked_up = command != nullptr ? "" : look_up(name, commands(), session.known);
  if (!looked_up.empty()) {
    begin();
    session.out << looked_up;
  }
  for (const HelpTopic& topic : help_topics(manual_pages()))
    if (contains(topic.names, name)) {
      begin();
      write_page(topic.text, session.out);
      if (const std::string folder = folder_of_experiments(std::string(topic.file)); !folder.empty())
        session.out << "\nThe files are in " << folder << '\n';
    }
  if (is_first) tell_of_unknown(name, session);
}

int help_of_part(Session& session, const std::string& name, const std::string& part) {
  const Command* command = find_command(name);
  if (command == nullptr || command->parts.empty())
    throw UsageError("'" + part + "' is one word too many; usage: " + kHelpUsage);
  print_help(part_named(*command, {part}), session.out);
  return 0;
}

/// Pages of an earlier version go: they are nowsim's own.
int write_man_pages(const std::string& folder, Session& session) {
  if (folder.empty()) throw UsageError("--man: the folder to write to is wanted");
  for (const ManPage& page : man_pages(commands(), session.known)) {
    const fs::path file =
        fs::path(folder) / ("man" + std::to_string(page.section)) / (page.name + "." + std::to_string(page.section));
    std::error_code error;
    fs::create_directories(file.parent_path(), error);  // what is wrong is said as the file is written
    check_output_file(file.string());
    write_output_file(
        file.string(), [&](std::ostream& out) { out << page.text; }, is_man_page);
  }
  return 0;
}

int do_help(const Arguments& arguments, Session& session) {
  if (const auto folder = arguments.text_or_none("man")) return write_man_pages(*folder, session);
  const auto& words = arguments.words;
  if (words.size() > 1) return help_of_part(session, words[0], words[1]);
  if (!words.empty() && words.front() != "help")
    help_of(words.front(), session);
  else
    print_overview(session.out);
  return 0;
}

}  // namespace

Command help_command() {
  return {.name = "help",
          .summary =
              "the commands, the flags of one, a page of the manual, or what a name is: nowsim help run, nowsim help TH",
          .usage = kHelpUsage,
          .places = Places{{.kinds = {Kind::topic, Kind::command}, .least = 0}, {.kinds = {Kind::part}, .least = 0}},
          .add_flags = add_help_flags,
          .run = do_help,
          .more = kMoreOnHelp};
}

}  // namespace nowsim

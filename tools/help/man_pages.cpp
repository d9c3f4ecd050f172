// Which sections each page has, and where they come from.
#include "tools/help/man_pages.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <utility>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "tools/help/markdown.hpp"
#include "tools/help/roff.hpp"
#include "tools/line/command_table.hpp"
#include "tools/shipped/manual.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

struct ExitStatus {
  int status;
  const char* meaning;
};
constexpr ExitStatus kExitStatuses[] = {
    {0, "Success."},
    {1, "A run failed, or not all of the answer was found in time."},
    {2, "Bad usage or bad input: a sentence on the error stream says what is wrong where."},
    {70, "A fault of nowsim itself; it says how to report it."},
    {130, "Stopped by Ctrl-C: 128 and the signal's number."},
};

struct Variable {
  const char* name;
  const char* meaning;
};
constexpr Variable kVariables[] = {
    {"COLUMNS", "At a terminal: how wide tables and texts are, in place of its own width."},
    {"LC_ALL, LC_CTYPE, LANG", "Where they name no UTF-8, +/- is written for ± at a terminal."},
    {"NO_COLOR", "Set to anything: messages without colours."},
    {"TMPDIR", "Where what is kept for a while goes; /tmp where it is not set."},
    {"XDG_CACHE_HOME", "The folder of measured costs and compiled traces; ~/.cache else."},
};

/// Of the front page what a reader of manual pages has not come for.
const Words kNotInOverview{"", "Two commands", "The house"};

bool is_for_developers(const std::string& heading) { return heading.starts_with("To add"); }

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.ends_with('.') ? text : text + '.';
}

std::string name_of(const std::string& page, int section) {
  return roff_bold(page) + "(" + std::to_string(section) + ")";
}

/// The pages of man that topics of the manual have become.
struct TopicPage {
  const char* topic;
  const char* name;
  int section;
};
constexpr TopicPage kTopicPages[] = {{"experiment", "nowsim-experiment", 5},
                                     {"keys", "nowsim-experiment", 5},
                                     {"platforms", "nowsim-platform", 5},
                                     {"commands", "nowsim", 1}};

class PageMaker {
 public:
  PageMaker(std::span<const Command> commands, const Registries& registries)
      : commands_(commands), registries_(registries), topics_(help_topics(manual_pages())) {}

  std::vector<ManPage> pages() {
    std::vector<ManPage> all{overview()};
    for (const Command& command : commands_)
      if (!command.is_for_programs) add_command(command, "nowsim-", all);
    all.push_back(of_experiments());
    all.push_back(of_platforms());
    return all;
  }

 private:
  // ---- pages

  ManPage overview() {
    RoffPage page = begun("nowsim", 1, "simulate parallel jobs on machines that others use too");
    page.heading("SYNOPSIS");
    page.paragraph(roff_bold("nowsim") + " \\fICOMMAND\\fR [\\fIWORD\\fR ...] [\\fIFLAG\\fR ...]");
    page.heading("DESCRIPTION");
    page.paragraph(roff_text(kWhatNowsimDoes));
    add_topic(page, "start", "nowsim", [](const std::string& heading) { return !contains(kNotInOverview, heading); });
    add_topic(page, "commands", "nowsim", [](const std::string& heading) { return heading == "What comes back"; });
    page.heading("COMMANDS");
    for (const Command& command : commands_)
      if (!command.is_for_programs)
        page.item(name_of("nowsim-" + std::string(command.name), 1), roff_text(sentence(command.summary)));
    page.heading("OPTIONS");
    page.item(roff_bold("-h") + ", " + roff_bold("--help"), "The commands, and the pages of the manual.");
    page.item(roff_bold("-v") + ", " + roff_bold("--version"), "The same as " + name_of("nowsim-version", 1) + ".");
    page.heading("MANUAL");
    page.paragraph("The manual is in the program: " + roff_bold("nowsim help") + " \\fINAME\\fR prints a page.");
    for (const HelpTopic& topic : topics_) page.item(roff_bold(topic.names.front()), roff_text(topic.title));
    add_exit_status(page);
    page.heading("ENVIRONMENT");
    for (const Variable& variable : kVariables) page.item(roff_bold(variable.name), roff_text(variable.meaning));
    page.heading("FILES");
    page.item("\\fIPREFIX\\fR" + roff_literal("/share/nowsim/experiments"),
              "Shipped experiments, which are run by name: " + roff_bold("nowsim list experiments") + ".");
    page.item("\\fIPREFIX\\fR" + roff_literal("/share/nowsim/experiments/labs"),
              "Labs, a folder each, with " + roff_literal("teacher.md") + ", the teacher's page.");
    page.item("\\fIPREFIX\\fR" + roff_literal("/share/nowsim/platforms"), "Shipped platforms.");
    add_see_also(page, {{"nowsim-experiment", 5}, {"nowsim-platform", 5}});
    page.paragraph("The package nowsim-doc has the manual for a browser, with its pictures: " +
                   roff_literal("/usr/share/doc/nowsim/html/index.html") + ".");
    return {"nowsim", 1, page.text()};
  }

  void add_command(const Command& command, const std::string& above, std::vector<ManPage>& all) {
    const std::string name = above + command.name;
    RoffPage page = begun(name, 1, command.summary);
    page.heading("SYNOPSIS");
    for (const std::string& usage : usages(command)) page.paragraph(roff_usage(usage));
    page.heading("DESCRIPTION");
    page.paragraph(roff_text(sentence(command.summary)));
    for (const Command& part : command.parts)
      page.item(name_of(name + "-" + part.name, 1), roff_text(sentence(part.summary)));
    add_more(page, command.more);
    if (command.run != nullptr) add_options(page, command);
    if (const std::string topic = command.page; !topic.empty()) add_whole_topic(page, topic, name);
    add_exit_status(page);
    std::vector<std::pair<std::string, int>> others{{"nowsim", 1}};
    if (above != "nowsim-") others.emplace_back(above.substr(0, above.size() - 1), 1);
    for (const Command& part : command.parts) others.emplace_back(name + "-" + part.name, 1);
    others.insert(others.end(), {{"nowsim-experiment", 5}, {"nowsim-platform", 5}});
    add_see_also(page, others);
    all.push_back({name, 1, page.text()});
    for (const Command& part : command.parts) add_command(part, name + "-", all);
  }

  ManPage of_experiments() {
    const std::string name = "nowsim-experiment";
    RoffPage page = begun(name, 5, "the file that describes an experiment, and all its keys");
    page.heading("DESCRIPTION");
    add_topic(page, "experiment", name, [](const std::string& heading) { return !is_for_developers(heading); });
    page.heading("KEYS");
    page.paragraph("Of each key: what stands there, and what counts without it. " + roff_bold("nowsim list keys") +
                   " \\fIBLOCK\\fR prints the same.");
    for (const KeyBlock& block : key_blocks(registries_)) add_block(page, block);
    add_see_also(page,
                 {{"nowsim", 1}, {"nowsim-run", 1}, {"nowsim-check", 1}, {"nowsim-list", 1}, {"nowsim-platform", 5}});
    return {name, 5, page.text()};
  }

  ManPage of_platforms() {
    const std::string name = "nowsim-platform";
    RoffPage page = begun(name, 5, "SimGrid platform files, and machines that are generated");
    page.heading("DESCRIPTION");
    add_topic(page, "platforms", name, [](const std::string& heading) { return !is_for_developers(heading); });
    page.heading("KEYS");
    for (const KeyBlock& block : key_blocks(registries_))
      if (block.name == "platform") add_block(page, block);
    add_see_also(page, {{"nowsim", 1}, {"nowsim-platform", 1}, {"nowsim-plan", 1}, {"nowsim-experiment", 5}});
    return {name, 5, page.text()};
  }

  // ---- sections

  static RoffPage begun(const std::string& name, int section, const std::string& summary) {
    RoffPage page(name, section, std::string("nowsim ") + version());
    page.heading("NAME");
    page.plain_line(roff_literal(name) + " \\- " + roff_text(summary));
    return page;
  }

  static Words usages(const Command& command) {
    if (command.parts.empty()) return {usage_of(command)};
    Words all;
    if (command.run != nullptr) all.push_back("nowsim " + std::string(command.name) + " [flags]");
    for (const Command& part : command.parts) all.push_back(usage_of(part));
    return all;
  }

  /// What is to be typed in bold, what stands for something else in italics.
  static std::string roff_usage(const std::string& usage) {
    std::string out, word;
    const auto end_word = [&] {
      const bool is_placeholder =
          std::ranges::any_of(word, [](unsigned char c) { return std::isupper(c) != 0; }) || word == "flags";
      if (!word.empty()) out += is_placeholder ? "\\fI" + roff_literal(word) + "\\fR" : roff_bold(word);
      word.clear();
    };
    for (const char c : usage) {
      if (std::string_view(" []|").find(c) == std::string_view::npos) {
        word += c;
        continue;
      }
      end_word();
      out += c;
    }
    end_word();
    return out;
  }

  static void add_options(RoffPage& page, const Command& command) {
    page.heading("OPTIONS");
    for (const Flag& flag : flags_of(command)) {
      std::string term = roff_bold("--" + flag.name()), text = roff_text(flag.help) + '.';
      if (!flag.brief().empty()) term = roff_bold(flag.brief()) + ", " + term;
      if (flag.takes_value()) term += " \\fI" + roff_literal(shown_name(flag.argument.value)) + "\\fR";
      if (!flag.shown_default().empty()) text += " Default: " + roff_text(flag.shown_default()) + ".";
      page.item(term, text);
    }
  }

  /// What help says below the flags: sentences, or lines that begin with blanks, as they are.
  static void add_more(RoffPage& page, const std::string& more) {
    std::istringstream in(more);
    std::string paragraph, as_it_is;
    const auto end = [&] {
      if (!trimmed(paragraph).empty()) page.paragraph(roff_text(trimmed(paragraph)));
      if (!as_it_is.empty()) page.lines(as_it_is);
      paragraph.clear();
      as_it_is.clear();
    };
    for (std::string line; std::getline(in, line);) {
      const bool is_as_it_is = line.starts_with(' ');
      if (line.empty() || is_as_it_is == as_it_is.empty()) end();
      if (is_as_it_is)
        as_it_is += line + '\n';
      else
        paragraph += line + ' ';
    }
    end();
  }

  static void add_exit_status(RoffPage& page) {
    page.heading("EXIT STATUS");
    for (const auto& [status, meaning] : kExitStatuses)
      page.item(roff_bold(std::to_string(status)), roff_text(meaning));
  }

  static void add_see_also(RoffPage& page, const std::vector<std::pair<std::string, int>>& others) {
    page.heading("SEE ALSO");
    std::string text;
    for (const auto& [name, section] : others) text += (text.empty() ? "" : ", ") + name_of(name, section);
    page.paragraph(text);
  }

  static void add_block(RoffPage& page, const KeyBlock& block) {
    page.subheading(roff_literal(block.name));
    page.paragraph(roff_text(sentence(block.summary)));
    for (const KeySection& section : block.sections) {
      if (!section.title.empty()) page.paragraph("\\fI" + roff_text(section.title) + "\\fR");
      for (const Key& key : section.keys) {
        const auto [type, fallback, help] = key_texts(key);
        page.item(roff_bold(key.name), "(" + roff_text(type) + (fallback.empty() ? "" : "; ") + roff_text(fallback) +
                                           ") " + roff_text(help) + '.');
      }
    }
  }

  // ---- the manual's pages

  [[nodiscard]] const HelpTopic* find_topic(const std::string& name) const {
    const auto found =
        std::ranges::find_if(topics_, [&](const HelpTopic& topic) { return contains(topic.names, name); });
    return found == topics_.end() ? nullptr : &*found;
  }

  void add_topic(RoffPage& page, const std::string& name, const std::string& own_name,
                 std::function<bool(const std::string&)> takes) const {
    const HelpTopic* const topic = find_topic(name);
    if (topic == nullptr) return;
    std::set<std::string> said{own_name};  // a page is named where it is first spoken of
    add_markdown(page, topic->text,
                 {std::move(takes), [&](const std::string& target) {
                    const std::string note = note_on_link(std::string(topic->file), target);
                    return note.empty() || !said.insert(note).second || note == own_name ? "" : " (" + note + ")";
                  }});
  }

  void add_whole_topic(RoffPage& page, const std::string& name, const std::string& own_name) const {
    const HelpTopic* const topic = find_topic(name);
    if (topic == nullptr) return;
    page.heading(roff_text(topic->title));
    add_topic(page, name, own_name, [](const std::string& heading) { return !is_for_developers(heading); });
  }

  /// The page of man that a link leads to, the page of the manual, or the file; "" for a place within the page.
  [[nodiscard]] std::string note_on_link(const std::string& from, const std::string& target) const {
    if (target.starts_with("https://")) return roff_literal(target);
    const std::string file =
        (fs::path(from).parent_path() / target.substr(0, target.find('#'))).lexically_normal().string();
    const auto topic = std::ranges::find(topics_, file, [](const HelpTopic& t) { return std::string(t.file); });
    if (file == from || target.starts_with('#')) return "";
    if (topic == topics_.end()) return roff_literal(file);
    for (const TopicPage& page : kTopicPages)
      if (contains(topic->names, page.topic)) return name_of(page.name, page.section);
    for (const Command& command : commands_)
      if (contains(topic->names, command.name)) return name_of("nowsim-" + std::string(command.name), 1);
    return roff_bold("nowsim help " + topic->names.front());
  }

  std::span<const Command> commands_;
  const Registries& registries_;
  std::vector<HelpTopic> topics_;
};

}  // namespace

std::vector<ManPage> man_pages(std::span<const Command> commands, const Registries& registries) {
  return PageMaker(commands, registries).pages();
}

bool is_man_page(const fs::path& there, const fs::path&) {
  std::ifstream in(there);
  std::string line;
  return std::getline(in, line) && line == kManPageMark;
}

}  // namespace nowsim

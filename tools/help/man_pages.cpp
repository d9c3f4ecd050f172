// Which sections each page has, and where they come from.
#include "tools/help/man_pages.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "tools/help/markdown.hpp"
#include "tools/line/command_table.hpp"
#include "tools/shipped/manual.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManPageMark = ".\\\" Made by nowsim: 'nowsim help --man DIR' writes it anew.";

constexpr const char* kExitStatus = R"(
# EXIT STATUS

| | |
|---|---|
| `0` | Success. |
| `1` | A run failed, or not all of the answer was found in time. |
| `2` | Bad usage or bad input: a sentence on the error stream says what is wrong where. |
| `70` | A fault of nowsim itself; it says how to report it. |
| `130` | Stopped by Ctrl-C: 128 and the signal's number. |
)";

constexpr const char* kOptionsAndManual = R"(
# OPTIONS

| | |
|---|---|
| `-h`, `--help` | The commands, and the pages of the manual. |
| `-v`, `--version` | The same as `nowsim-version`(1). |

# MANUAL

The manual is in the program: `nowsim help` *NAME* prints a page.
)";

constexpr const char* kEnvironmentAndFiles = R"(
# ENVIRONMENT

| | |
|---|---|
| `COLUMNS` | At a terminal: how wide tables and texts are, in place of its own width. |
| `LC_ALL, LC_CTYPE, LANG` | Where they name no UTF-8, +/- is written for ± at a terminal. |
| `NO_COLOR` | Set to anything: messages without colours. |
| `TMPDIR` | Where what is kept for a while goes; /tmp where it is not set. |
| `XDG_CACHE_HOME` | The folder of measured costs and compiled traces; ~/.cache else. |

# FILES

| | |
|---|---|
| *PREFIX*/share/nowsim/experiments | Shipped experiments, which are run by name: `nowsim list experiments`. |
| *PREFIX*/share/nowsim/experiments/labs | Labs, a folder each, with teacher.md, the teacher's page. |
| *PREFIX*/share/nowsim/platforms | Shipped platforms. |
)";

/// Of the front page what a reader of manual pages has not come for.
const Words kNotInOverview{"", "Two commands", "The house"};

bool is_for_users(const std::string& part) { return !part.starts_with("To add"); }

/// Running text as Markdown that says just this.
std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : text) out += std::string(std::ispunct(static_cast<unsigned char>(c)) != 0, '\\') + c;
  return out;
}

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return markdown_text(text.ends_with('.') ? text : text + '.');
}

/// A page of man, as others speak of it.
std::string name_of(const std::string& page, int section = 1) {
  return "`" + page + "`(" + std::to_string(section) + ")";
}

/// A table of terms and what is said of them.
std::string items(const auto& all, const auto& row_of) {
  std::string text = "\n| | |\n|---|---|\n";
  for (const auto& one : all) text += "| " + row_of(one) + " |\n";
  return text;
}

/// Of a command, or a part of one, below another.
auto row_below(const std::string& above) {
  return [above](const Command& command) {
    return name_of(above + "-" + command.name) + " | " + sentence(command.summary);
  };
}

std::string see_also(const Words& names) { return "\n# SEE ALSO\n\n" + joined(names) + '\n'; }

/// The page of a name and section, its text being roff.
ManPage made(const std::string& name, int section, const std::string& summary, const std::string& roff) {
  std::string title;
  for (const char c : name) title += c == '-' ? "\\-" : std::string(1, static_cast<char>(std::toupper(c)));
  const std::string head = kManPageMark + ("\n.TH " + title) + ' ' + std::to_string(section) + " \"\" \"nowsim " +
                           version() + "\" \"nowsim\"\n";
  const std::string manner = ".nr HY 0\n.nh\n.ad l\n";  // words that are typed stay whole: paragraphs look at HY
  return {name, section, head + manner + roff_of("# NAME\n\n" + name + " - " + markdown_text(summary)) + roff};
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
  /// Those commands for programs, which come last, have no pages.
  PageMaker(std::span<const Command> commands, const Registries& registries)
      : commands_(commands.begin(), std::ranges::find(commands, true, &Command::is_for_programs)),
        registries_(registries),
        topics_(help_topics(manual_pages())) {}

  std::vector<ManPage> pages() {
    std::vector<ManPage> all{overview()};
    for (const Command& command : commands_) add_command(command, "nowsim-", all);
    std::string keys, platform_keys;
    for (const KeyBlock& block : key_blocks(registries_)) {
      keys += keys_of(block);
      if (block.name == "platform") platform_keys = keys_of(block);
    }
    all.push_back(of_file("nowsim-experiment", "the file that describes an experiment, and all its keys", "experiment",
                          "Of each key: what stands there, and what counts without it. `nowsim list keys` *BLOCK* "
                          "prints the same.\n" +
                              keys,
                          {name_of("nowsim"), name_of("nowsim-run"), name_of("nowsim-check"), name_of("nowsim-list"),
                           name_of("nowsim-platform", 5)}));
    all.push_back(of_file(
        "nowsim-platform", "SimGrid platform files, and machines that are generated", "platforms", platform_keys,
        {name_of("nowsim"), name_of("nowsim-platform"), name_of("nowsim-plan"), name_of("nowsim-experiment", 5)}));
    return all;
  }

 private:
  // ---- pages

  ManPage overview() {
    const auto is_overview = [](const std::string& part) { return !contains(kNotInOverview, part); };
    const auto is_on_files = [](const std::string& part) { return part == "What comes back"; };
    const auto row_of = [](const HelpTopic& topic) {
      return '`' + topic.names.front() + "` | " + markdown_text(topic.title);
    };
    return made("nowsim", 1, "simulate parallel jobs on machines that others use too",
                roff_of("# SYNOPSIS\n\n`nowsim` *COMMAND* [*WORD* ...] [*FLAG* ...]\n\n# DESCRIPTION\n\n" +
                        markdown_text(kWhatNowsimDoes)) +
                    topic_text("start", is_overview) + topic_text("commands", is_on_files) +
                    roff_of("# COMMANDS\n" + items(commands_, row_below("nowsim")) + kOptionsAndManual +
                            items(topics_, row_of) + kExitStatus + kEnvironmentAndFiles +
                            see_also({name_of("nowsim-experiment", 5), name_of("nowsim-platform", 5)}) +
                            "\nThe package nowsim-doc has the manual for a browser, with its pictures: "
                            "/usr/share/doc/nowsim/html/index.html.\n"));
  }

  void add_command(const Command& command, const std::string& above, std::vector<ManPage>& all) {
    const std::string name = above + command.name;
    std::string text = "# SYNOPSIS\n\n";
    for (const std::string& usage : usages(command)) text += marked_usage(usage) + "\n\n";
    text += "# DESCRIPTION\n\n" + sentence(command.summary) + '\n' + items(command.parts, row_below(name)) +
            more_of(command);
    if (command.run != nullptr) text += "\n# OPTIONS\n" + items(flags_of(command), row_of_flag);
    Words others{name_of("nowsim")};
    if (above != "nowsim-") others.push_back(name_of(above.substr(0, above.size() - 1)));
    for (const Command& part : command.parts) others.push_back(name_of(name + "-" + part.name));
    others.insert(others.end(), {name_of("nowsim-experiment", 5), name_of("nowsim-platform", 5)});
    all.push_back(
        made(name, 1, command.summary,
             roff_of(text) + topic_text(command.page, is_for_users) + roff_of(kExitStatus + see_also(others))));
    for (const Command& part : command.parts) add_command(part, name + "-", all);
  }

  [[nodiscard]] ManPage of_file(const std::string& name, const std::string& summary, const std::string& topic,
                                const std::string& keys, const Words& others) const {
    return made(name, 5, summary,
                topic_text(topic, is_for_users, "# DESCRIPTION") + roff_of("# KEYS\n\n" + keys + see_also(others)));
  }

  // ---- sections, in Markdown

  static Words usages(const Command& command) {
    if (command.parts.empty()) return {usage_of(command)};
    Words all;
    if (command.run != nullptr) all.push_back("nowsim " + std::string(command.name) + " [flags]");
    for (const Command& part : command.parts) all.push_back(usage_of(part));
    return all;
  }

  /// What is to be typed as code, what stands for something else emphasised.
  static std::string marked_usage(const std::string& usage) {
    std::string out, word;
    for (const char c : usage + ' ') {
      if (std::string_view(" []|").find(c) == std::string_view::npos) {
        word += c;
        continue;
      }
      const bool is_placeholder =
          std::ranges::any_of(word, [](unsigned char letter) { return std::isupper(letter) != 0; }) || word == "flags";
      if (!word.empty()) out += is_placeholder ? '*' + markdown_text(word) + '*' : '`' + word + '`';
      word.clear();
      out += c;
    }
    return out;
  }

  static std::string row_of_flag(const Flag& flag) {
    const std::string fallback = flag.shown_default();
    return (flag.brief().empty() ? "" : '`' + flag.brief() + "`, ") + "`--" + flag.name() + '`' +
           (flag.takes_value() ? " *" + markdown_text(shown_name(flag.argument.value)) + '*' : "") + " | " +
           markdown_text(flag.help + '.' + (fallback.empty() ? "" : " Default: " + fallback + '.'));
  }

  static std::string row_of_key(const Key& key) {
    const auto [type, fallback, help] = key_texts(key);
    return '`' + key.name + "` | " +
           markdown_text('(' + type + (fallback.empty() ? "" : "; ") + fallback + ") " + help + '.');
  }

  /// What help says below the flags: sentences, or lines that begin with blanks, as they are.
  static std::string more_of(const Command& command) {
    std::istringstream in(command.more);
    std::string text = "\n";
    bool was_as_it_is = false;
    for (std::string line; std::getline(in, line);) {
      const bool is_as_it_is = line.starts_with(' ');
      if (is_as_it_is != std::exchange(was_as_it_is, is_as_it_is)) text += '\n';
      text += (is_as_it_is ? "    " + line : markdown_text(line)) + '\n';
    }
    return text;
  }

  static std::string keys_of(const KeyBlock& block) {
    std::string text = "\n## " + markdown_text(block.name) + "\n\n" + sentence(block.summary) + '\n';
    for (const KeySection& section : block.sections)
      text +=
          (section.title.empty() ? "" : "\n*" + markdown_text(section.title) + "*\n") + items(section.keys, row_of_key);
    return text;
  }

  // ---- the manual's pages

  /// Of a page of the manual the parts that `takes` wants, as roff; another title may stand in place of its own.
  [[nodiscard]] std::string topic_text(const std::string& name, const std::function<bool(const std::string&)>& takes,
                                       const std::string& title = "") const {
    const auto topic = std::ranges::find_if(topics_, [&](const HelpTopic& t) { return contains(t.names, name); });
    if (topic == topics_.end()) return "";
    std::set<std::string> said{""};  // a page is named where it is first spoken of
    return roff_of(title.empty() ? topic->text : title + topic->text.substr(topic->text.find('\n')),
                   {takes, [&](const std::string& target) {
                      const std::string note = note_on_link(std::string(topic->file), target);
                      return said.insert(note).second ? note : "";
                    }});
  }

  /// In Markdown, the page of man that a link leads to, the page of the manual, or the file; "" for a place within the
  /// page.
  [[nodiscard]] std::string note_on_link(const std::string& from, const std::string& target) const {
    if (target.starts_with("https://")) return markdown_text(target);
    const std::string file =
        (fs::path(from).parent_path() / target.substr(0, target.find('#'))).lexically_normal().string();
    const auto topic = std::ranges::find(topics_, file, [](const HelpTopic& t) { return std::string(t.file); });
    if (file == from || target.starts_with('#')) return "";
    if (topic == topics_.end()) return markdown_text(file);
    for (const TopicPage& page : kTopicPages)
      if (contains(topic->names, page.topic)) return name_of(page.name, page.section);
    for (const Command& command : commands_)
      if (contains(topic->names, command.name)) return name_of("nowsim-" + std::string(command.name));
    return "`nowsim help " + topic->names.front() + '`';
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

// The manual's pages, which are the folders' READMEs, built into the program; `nowsim help TOPIC` prints one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nowsim {

/// A Markdown file of the sources. Its first line is its title, and the one after it may name topics, the first one
/// being the one that is listed: <!-- nowsim help: owners, availability -->
struct ManualPage {
  std::string_view file;  ///< from the sources' root
  std::string_view text;
};

/// All pages.
std::span<const ManualPage> manual_pages();

/// What `nowsim help` can be asked for besides commands.
struct HelpTopic {
  std::vector<std::string> names;
  std::string_view title;
  std::string text;  ///< the page without its line of topics
  std::string_view file = {};  ///< ManualPage::file
};

/// The topics of these pages, in the order of their first names.
std::vector<HelpTopic> help_topics(std::span<const ManualPage> pages);

}  // namespace nowsim

// Topics out of pages: the line beneath the title.
#include "tools/shipped/manual.hpp"

#include <algorithm>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::string_view kBegin = "<!-- nowsim help: ", kEnd = " -->";

std::string_view line_from(std::string_view text, std::size_t begin) {
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = list.find(',');
    names.emplace_back(trimmed(list.substr(0, comma)));
    if (comma == list.npos) return names;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

std::vector<HelpTopic> help_topics(std::span<const ManualPage> pages) {
  std::vector<HelpTopic> topics;
  for (const ManualPage& page : pages) {
    const std::string_view title = line_from(page.text, 0);
    const std::size_t second = std::min(title.size() + 1, page.text.size());
    std::string_view line = line_from(page.text, second);
    if (!line.starts_with(kBegin) || !line.ends_with(kEnd)) continue;
    const std::string rest(page.text.substr(std::min(second + line.size() + 1, page.text.size())));
    line.remove_prefix(kBegin.size());
    line.remove_suffix(kEnd.size());
    topics.push_back({names_in(line), title.substr(title.find(' ') + 1), std::string(title) + '\n' + rest, page.file});
  }
  std::ranges::sort(topics, {}, [](const HelpTopic& topic) { return topic.names.front(); });
  return topics;
}

}  // namespace nowsim

// Expanding patterns and looking their names up.
#include "experiments/driver/reading/host_lists.hpp"

#include <sstream>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/host_patterns.hpp"

namespace nowsim {

/// A list as it grows.
class HostLists::Collection {
 public:
  explicit Collection(const HostLists& hosts) : hosts_(hosts), is_in_(hosts.places_.size(), false) {}

  /// A name, a pattern, or several of them.
  void add_item(const std::string& item) {
    if (hosts_.place_of(item)) return add_names({item}, item);
    std::istringstream words(item);
    if ((words >> std::ws).eof()) list_.problems.emplace_back("a name is missing: '" + item + "' names no workstation");
    for (std::string word; words >> word;) add_word(word);
  }
  [[nodiscard]] HostList list() { return std::move(list_); }

 private:
  void add_word(const std::string& word) {
    if (hosts_.place_of(word)) return add_names({word}, word);
    try {
      add_names(expand_host_pattern(word), word);
    } catch (const InputError& e) {
      list_.problems.emplace_back(e.what());
    }
  }

  void add_names(const Words& names, const std::string& word) {
    Words unknown, again;
    for (const auto& name : names) {
      const auto place = hosts_.place_of(name);
      if (!place) unknown.push_back(name);
      else if (is_in_[*place]) again.push_back(name);
      else add(*place);
    }
    if (!unknown.empty()) list_.problems.push_back(about_unknown(unknown, word));
    if (!again.empty())
      list_.problems.push_back("the workstation '" + again.front() + "' is named twice" + and_more(again, word));
  }
  void add(std::size_t place) {
    is_in_[place] = true;
    list_.machines.push_back(place);
  }

  [[nodiscard]] std::string about_unknown(const Words& unknown, const std::string& word) const {
    constexpr std::size_t kEnough = 100;  // more are not listed: they need no names that may be meant
    Words known;
    if (hosts_.unknown_++ < kEnough)
      for (const auto& w : hosts_.platform_.workstations) known.push_back(w.name);
    const std::string& first = unknown.front();
    return "there is no workstation '" + first + "' in " + hosts_.platform_.source +
           (first == word ? did_you_mean(first, known) : and_more(unknown, word));
  }
  /// One sentence for all names of a pattern; "" for a name that stands there itself.
  static std::string and_more(const Words& names, const std::string& word) {
    if (names.front() == word) return "";
    const std::string more = names.size() > 1 ? "; " + std::to_string(names.size() - 1) + " more like it" : "";
    return " (from '" + word + "'" + more + ")";
  }

  const HostLists& hosts_;
  HostList list_;
  std::vector<bool> is_in_;
};

HostLists::HostLists(const Platform& platform) : platform_(platform) {
  for (std::size_t i = 0; i < platform.workstations.size(); ++i) places_.emplace(platform.workstations[i].name, i);
}

std::optional<std::size_t> HostLists::place_of(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

HostList HostLists::find(const std::vector<std::string>& items) const {
  Collection found(*this);
  for (const auto& item : items) found.add_item(item);
  return found.list();
}

}  // namespace nowsim

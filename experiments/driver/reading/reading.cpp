// Gathering problems, and compiling formulas once.
#include "experiments/driver/reading/reading.hpp"

#include <algorithm>

namespace nowsim {

void Problems::add(const std::string& sentence) {
  ++found_;
  if (seen_.insert(sentence).second) list_.push_back(sentence);
}

bool Problems::found_again(const std::string& beginning) {
  const auto next = seen_.lower_bound(beginning);
  const bool is_known = next != seen_.end() && next->starts_with(beginning);
  found_ += is_known ? 1 : 0;
  return is_known;
}

namespace {

/// "a.csv: there is no such file, nor b.csv, c.csv, d.csv and 7 more."
std::string missing_text(const std::vector<std::string>& files) {
  constexpr std::size_t kMost = 4;
  std::string text = files.front() + ": there is no such file";
  for (std::size_t i = 1; i < std::min(files.size(), kMost); ++i) text += (i == 1 ? ", nor " : ", ") + files[i];
  return text + (files.size() > kMost ? " and " + std::to_string(files.size() - kMost) + " more." : ".");
}

}  // namespace

void Problems::add_missing(const Place& place, const std::string& file) {
  ++found_;
  if (!missing_.insert(file).second) return;
  const auto [here, is_new] = missing_at_.try_emplace(place.text(), MissingFiles{list_.size(), {}});
  if (is_new) list_.emplace_back();
  here->second.files.push_back(file);
  list_[here->second.position] = InputError(place, missing_text(here->second.files)).what();
}

const Formula& FormulaCache::get(const std::string& text) {
  const auto found = formulas_.find(text);
  return found != formulas_.end() ? found->second : formulas_.emplace(text, Formula(text)).first->second;
}

}  // namespace nowsim

// Gathering problems, and compiling formulas once.
#include "experiments/driver/reading/reading.hpp"

namespace nowsim {

void Problems::add(const std::string& sentence) {
  ++found_;
  if (seen_.insert(sentence).second) list_.push_back(sentence);
}

const Formula& FormulaCache::get(const std::string& text) {
  const auto found = formulas_.find(text);
  return found != formulas_.end() ? found->second : formulas_.emplace(text, Formula(text)).first->second;
}

}  // namespace nowsim

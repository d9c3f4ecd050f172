// Looking papers up.
#include "experiments/driver/reports/papers.hpp"

#include <algorithm>

namespace nowsim {
namespace {

template <class Rule>
const Paper* find_paper(const Rule& rule) {
  const auto found = std::ranges::find_if(kPapers, rule);
  return found == kPapers.end() ? nullptr : &*found;
}

}  // namespace

const Paper* paper_of_folder(std::string_view folder) {
  return find_paper([&](const Paper& p) { return p.folder == folder; });
}

const Paper* paper_of_source(std::string_view source) {
  return find_paper([&](const Paper& p) {
    return source.starts_with(p.letters) && source.substr(p.letters.size()).starts_with(' ');
  });
}

}  // namespace nowsim

// The papers whose experiments are shipped: their folder, the letters that sources of claims begin with, the reference.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace nowsim {

/// A paper.
struct Paper {
  std::string_view folder;   ///< of its experiments
  std::string_view letters;  ///< what `source:` begins with in a claim of it: HL
  std::string_view name;     ///< Huang & Lee 2007
  std::string_view authors, title, appeared;
};

inline constexpr auto kPapers = std::to_array<Paper>({
    {"huang-lee-2007", "HL", "Huang & Lee 2007", "Jun Huang, Soo-Young Lee",
     "A heterogeneity-aware approach to load balancing of computational tasks: a theoretical and simulation study",
     "Cluster Computing, 2007"},
    {"zhang-yan-1995", "ZY", "Zhang & Yan 1995", "Xiaodong Zhang, Yong Yan",
     "Modeling and characterizing parallel computing performance on heterogeneous networks of workstations",
     "IEEE Symposium on Parallel and Distributed Processing, 1995"},
    {"bazterra-2004", "BZ", "Bazterra et al. 2004",
     "Victor E. Bazterra, Martin Cuma, Marta B. Ferraro, Julio C. Facelli",
     "A general framework to understand parallel performance in heterogeneous clusters: analysis of a new adaptive "
     "parallel genetic algorithm",
     "Journal of Parallel and Distributed Computing, 2004"},
    {"bosque-2011", "BO", "Bosque et al. 2011", "Jose L. Bosque, Oscar D. Robles, Pablo Toharia, Luis Pastor",
     "Evaluating scalability in heterogeneous systems", "The Journal of Supercomputing, 2011"},
});

/// The paper of which something is so; null: none.
const Paper* find_paper(const auto& is_so) {
  const auto found = std::ranges::find_if(kPapers, is_so);
  return found == kPapers.end() ? nullptr : &*found;
}
/// The paper whose experiments this folder holds; null: none's.
inline const Paper* paper_of_folder(std::string_view folder) {
  return find_paper([&](const Paper& p) { return p.folder == folder; });
}
/// The paper that makes a claim, by its source: "HL Fig. 4, 5.2.1" is Huang & Lee's. Null: a claim of nowsim's own, as
/// those of "nowsim, of HL 5.2.6" and of every other source that does not begin with a paper's letters and a blank.
inline const Paper* paper_of_source(std::string_view source) {
  return find_paper([&](const Paper& p) {
    return source.starts_with(p.letters) && source.substr(p.letters.size()).starts_with(' ');
  });
}

}  // namespace nowsim

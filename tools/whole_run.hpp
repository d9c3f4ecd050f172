// How far a run of several experiments is as a whole, in words: each counts by what it is estimated to cost.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nowsim {

/// Knows shares and no clock: the time since the run began is given to it.
class WholeRun {
 public:
  struct Part {
    std::string name;
    double weight = 1;      ///< in any unit, the same for all
    bool searches = false;  ///< finds splits or sizes first, which count as half of it
  };
  explicit WholeRun(std::vector<Part> parts);

  /// Part k begins, from 0 on; those before it are over.
  void begin(std::size_t part);
  /// The part's search is so far, from 0 to 1.
  void searched(double share);
  /// The part is so far; `simulated` is the share that took time, the rest was stored.
  void ran(double share, double simulated);

  /// "experiment 12 of 47, huang-lee-2007/fig09: 45 %; whole: 31 %, about 4 min left". The time left is that of what
  /// was simulated so far; it is not told while next to nothing was.
  [[nodiscard]] std::string text(double elapsed_s) const;

 private:
  std::vector<Part> parts_;
  double total_ = 0;
  std::size_t part_ = 0;
  double before_ = 0, simulated_before_ = 0;  // weights of the parts that are over
  double share_ = 0, simulated_ = 0;          // of this part
};

}  // namespace nowsim

// How far a run of several experiments is as a whole, in words: each counts by what it is estimated to cost.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nowsim {

/// A time left for people, no more precise than it is: tens of seconds, minutes, tens of minutes.
std::string time_left_text(double seconds);

/// What an experiment may find by simulation before its points are run, in this order.
enum class Search { splits, sizes };

/// Knows shares and no clock: the time since the run began is given to it.
class OverallProgress {
 public:
  struct Part {
    std::string name;
    double weight = 1;                  ///< in any unit, the same for all
    std::vector<Search> searches = {};  ///< that come first
    double searching = 0.5;             ///< what these count as of it, all together
  };
  explicit OverallProgress(std::vector<Part> parts);

  /// Part k begins, from 0 on; those before it are over.
  void begin(std::size_t part);
  /// A search of the part is so far, from 0 to 1; `simulated` is the share that took time, the rest was stored. One
  /// that is never told of was stored as a whole.
  void searched(Search search, double share, double simulated);
  /// The part's points are so far, likewise; its searches are over.
  void ran(double share, double simulated);
  /// What of the part was simulated so far, as a share of all of it.
  [[nodiscard]] double simulated_of_part() const { return simulated_stages_ + simulated_of_stage(); }
  /// The part is over; so much of it was simulated, by a process that has this one's place in it.
  void end(double simulated);

  /// "experiment 12 of 47, huang-lee-2007/fig09: 45 %; whole: 31 %, about 4 min left". The time left is that of what
  /// was simulated so far; it is not told while next to nothing was.
  [[nodiscard]] std::string text(double elapsed_s) const;

 private:
  /// What a part's time goes to: one search after the other, then its points.
  struct Stage {
    std::size_t index = 0;
    double begins = 0, size = 1;  // of the part
  };
  [[nodiscard]] Stage stage(std::size_t index) const;
  void be_in(std::size_t index, double share, double simulated);
  /// What of the stage was simulated, as a share of all of it, once it is over.
  [[nodiscard]] double simulated_of_stage() const;

  std::vector<Part> parts_;
  double total_ = 0;
  std::size_t part_ = 0;
  double before_ = 0, simulated_before_ = 0;  // weights of the parts that are over
  double simulated_stages_ = 0;               // of this part, of its stages that are over
  Stage stage_;
  double share_ = 0, simulated_ = 0;  // of this stage
};

}  // namespace nowsim

// A search as whoever leads it sees it: generation after generation of individuals to be evaluated, at drawn costs.
#pragma once

#include <vector>

#include "sim/program/rank.hpp"
#include "workloads/genetic/genetic_job.hpp"

namespace nowsim {

/// Depends on the replication's streams alone, not on who evaluates what and when: rank 0's copy of the common stream
/// draws the evolution, its own stream a cost for each individual of each generation, evaluated or not.
class GeneticSearch {
 public:
  /// In generation 1.
  GeneticSearch(const GeneticJob& job, const Rank& leader);
  /// Those of this generation that have to be evaluated, in order.
  [[nodiscard]] const std::vector<Assignment>& assignments() const { return assignments_; }
  void note(const Evaluation& evaluation);
  /// Whether all of this generation are evaluated.
  [[nodiscard]] bool is_generation_over() const { return noted_ == assignments_.size(); }
  [[nodiscard]] bool is_last_generation() const { return generation_ == job_.generations; }
  /// The next generation, when this one is over and not the last.
  void evolve();
  /// Tells the job's sink, when the last generation is over.
  void end();

 private:
  void begin_generation();
  const GeneticJob& job_;
  Evolution evolution_;
  Stream costs_;
  std::vector<Assignment> assignments_;
  std::size_t noted_ = 0;
  int generation_ = 1;
  GeneticOutcome outcome_;
};

}  // namespace nowsim

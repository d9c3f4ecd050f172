// A program that was recorded several times: the same actions, computing that differs a little.
#pragma once

#include <vector>

#include "experiments/driver/studies/mpi_freezing.hpp"

namespace nowsim {

/// A recording: what each rank did.
using MpiRanks = std::vector<MpiRankTrace>;

/// How far repetitions differ: largest less smallest, of the median.
struct MpiSpread {
  std::vector<double> by_rank;  ///< of the flop of each rank
  double total = 0;             ///< of the flop of all
  double median_compute = 0;    ///< the median of the same of each compute
};

struct MpiMedian {
  MpiRanks ranks;    ///< each compute is the median of its repetitions
  MpiSpread spread;  ///< all 0 of one repetition
};

/// @pre at least one. @throws RunError where their actions are not the same: the program's control flow depends on
/// timing.
MpiMedian median_recording(std::vector<MpiRanks> repetitions);

double flop_of(const MpiRankTrace& rank);
double flop_of(const MpiRanks& ranks);
/// Every compute so many times as long. @pre 0 < factor < infinity.
void scale_flop(MpiRanks& ranks, double factor);
/// So that all flop together are so many; returns the factor. @throws InputError where nothing was computed.
double scale_to_total(MpiRanks& ranks, double total_flop);

}  // namespace nowsim

// The workload `genetic-algorithm`: for the registry, and made from its parameters.
#pragma once

#include <memory>

#include "workloads/genetic/genetic_job.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

enum class Dispatcher {
  adaptive,      ///< the paper's: individuals one by one, to whoever asks
  equal_numbers  ///< `static`: Cantu-Paz's
};

/// Rank 0 is the server, the others are clients; a rank alone is the sequential program. work_flop() is population ·
/// generations · the mean cost of an evaluation, an upper bound of the mean of what is really evaluated; shares are not
/// used.
std::shared_ptr<const Workload> make_genetic_algorithm(const GeneticJob& job, Dispatcher dispatcher);

WorkloadInfo genetic_algorithm();

}  // namespace nowsim

// MPI's collective operations by named algorithms, message by message.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "workloads/mpi/mpi_endpoint.hpp"

namespace nowsim {

/// What a rank calls a collective with; sizes in bytes.
struct MpiCollective {
  int root = 0;
  double send_bytes = 0;     ///< to each, where there are several
  double receive_bytes = 0;  ///< from each
  std::span<const double> counts = {};  ///< of the variants with a size per rank; of alltoallv sent, then received
};

/// A way to carry a collective out.
struct MpiAlgorithm {
  std::string name;
  std::string smpi_name;  ///< as SimGrid's option smpi/COLLECTIVE has it
  Task<> (*run)(MpiEndpoint&, MpiCollective);
};
/// A collective and its algorithms; the first is that of SMPI's default selector.
struct MpiAlgorithms {
  MpiCall call;
  std::string smpi_option;  ///< "" where SMPI has one way alone
  std::vector<MpiAlgorithm> known;
};
/// Of all collectives, in the order of MpiCall.
const std::vector<MpiAlgorithms>& mpi_algorithms();
inline std::size_t collective_number(MpiCall call) {
  return static_cast<std::size_t>(call) - static_cast<std::size_t>(MpiCall::barrier);
}

}  // namespace nowsim

// How many bytes MPI's predefined types have, by the numbers that SMPI gives them in a trace.
#pragma once

#include <optional>

namespace nowsim {

/// Bytes of an element of SMPI's type number `id` on x86-64, which traces are recorded on; nothing for another number:
/// -1 is what SMPI writes for all derived types.
std::optional<double> mpi_datatype_bytes(int id);

}  // namespace nowsim

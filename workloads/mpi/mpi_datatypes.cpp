// SimGrid's smpi_datatype.cpp numbers the types; C's and C++'s sizes are those of the System V ABI for x86-64.
#include "workloads/mpi/mpi_datatypes.hpp"

#include <array>
#include <cstddef>

namespace nowsim {

std::optional<double> mpi_datatype_bytes(int id) {
  // clang-format off
  static constexpr std::array<int, 60> kBytes{
      8, 4, 1, 2, 8, 4, 1, 8, 1, 1,        // DOUBLE INT CHAR SHORT LONG FLOAT BYTE LONG_LONG SIGNED_CHAR UNSIGNED_CHAR
      2, 4, 8, 8, 16,                      // UNSIGNED_SHORT UNSIGNED UNSIGNED_LONG UNSIGNED_LONG_LONG LONG_DOUBLE
      4, 1, 1, 2, 4, 8, 1, 2, 4, 8,        // WCHAR C_BOOL INT8_T INT16_T INT32_T INT64_T UINT8_T UINT16_T UINT32_T UINT64_T
      8, 16, 32, 8, 8,                     // C_FLOAT_COMPLEX C_DOUBLE_COMPLEX C_LONG_DOUBLE_COMPLEX AINT OFFSET
      8, 16, 16, 8, 8, 8, 16, 16,          // FLOAT_INT LONG_INT DOUBLE_INT SHORT_INT 2INT 2FLOAT 2DOUBLE 2LONG
      4, 4, 8, 16, 8, 16, 16,              // REAL REAL4 REAL8 REAL16 COMPLEX8 COMPLEX16 COMPLEX32
      4, 2, 4, 8, 16,                      // INTEGER1 (an int in SMPI) INTEGER2 INTEGER4 INTEGER8 INTEGER16
      32, 1, 8, 16, 32, 0, 0, 1, 8, 8};    // LONG_DOUBLE_INT CXX_BOOL CXX_*_COMPLEX UB LB PACKED PTR COUNT
  // clang-format on
  if (id < 0 || static_cast<std::size_t>(id) >= kBytes.size()) return std::nullopt;
  return kBytes[static_cast<std::size_t>(id)];
}

}  // namespace nowsim

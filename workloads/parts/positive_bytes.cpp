// A lower bound that readers of parameters do not know.
#include "workloads/parts/positive_bytes.hpp"

#include "sim/base/error.hpp"

namespace nowsim {

double positive_bytes(ParameterReader& read, const std::string& name, double fallback, const std::string& of_what) {
  const double bytes = read.bytes(name, fallback);
  if (!(bytes > 0)) throw InputError(name + " must be more than 0 bytes: it is the size of " + of_what);
  return bytes;
}

}  // namespace nowsim

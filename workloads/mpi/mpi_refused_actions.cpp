// By what SMPI leaves out of a line: the names are those of SimGrid's smpi_pmpi_*.cpp and ampi.cpp.
#include "workloads/mpi/mpi_refused_actions.hpp"

#include <algorithm>
#include <iterator>

namespace nowsim {
namespace {

struct RefusedMpiAction {
  std::string_view name;
  std::string_view what;
};

constexpr std::string_view kPersistent =
    "a persistent request: the trace says neither what it was made for nor whether it sends or receives";
constexpr std::string_view kTestsOfSeveral = "a test of several requests: the trace does not say of which";
constexpr std::string_view kOneSided =
    "one-sided communication: the trace does not say on which window, nor what waits for it";
constexpr std::string_view kFile = "reading or writing a file: the trace does not say which, nor where";
constexpr std::string_view kNonBlocking = "a non-blocking collective: the trace does not say which wait is for it";
constexpr std::string_view kBuffered =
    "a buffered send: the trace does not say when its buffer is free again, and SMPI's replay does not know it";

constexpr RefusedMpiAction kRefused[] = {
    {"Start", kPersistent},
    {"Startall", kPersistent},
    {"testany", kTestsOfSeveral},
    {"testall", kTestsOfSeveral},
    {"testsome", kTestsOfSeveral},
    {"bsend", kBuffered},
    {"ibsend", kBuffered},
    {"Put", kOneSided},
    {"Rput", kOneSided},
    {"Get", kOneSided},
    {"Rget", kOneSided},
    {"Accumulate", kOneSided},
    {"Raccumulate", kOneSided},
    {"Get_accumulate", kOneSided},
    {"Rget_accumulate", kOneSided},
    {"Compare_and_swap", kOneSided},
    {"IO", kFile},
    {"ibarrier", kNonBlocking},
    {"ibcast", kNonBlocking},
    {"ireduce", kNonBlocking},
    {"iallreduce", kNonBlocking},
    {"ialltoall", kNonBlocking},
    {"ialltoallv", kNonBlocking},
    {"igather", kNonBlocking},
    {"igatherv", kNonBlocking},
    {"iscatter", kNonBlocking},
    {"iscatterv", kNonBlocking},
    {"iallgather", kNonBlocking},
    {"iallgatherv", kNonBlocking},
    {"ireducescatter", kNonBlocking},
    {"iscan", kNonBlocking},
    {"iexscan", kNonBlocking},
    {"migrate", "a migration of Adaptive MPI: the trace does not say to which machine"},
    {"iteration_in", "a mark of Adaptive MPI's load balancer: the trace does not say what it decides"},
    {"iteration_out", "a mark of Adaptive MPI's load balancer: the trace does not say what it decides"},
    {"comm_split",
     "a communicator's split: the trace does not say which ranks go where, nor which of the later "
     "collectives are of which part"},
};

}  // namespace

std::string refused_mpi_action(std::string_view name) {
  if (name.starts_with("Win_")) return std::string(kOneSided);
  const auto* const found = std::ranges::find(kRefused, name, &RefusedMpiAction::name);
  return found == std::end(kRefused) ? "" : std::string(found->what);
}

}  // namespace nowsim

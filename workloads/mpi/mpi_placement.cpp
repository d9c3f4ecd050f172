// Names, one after another, and round again.
#include "workloads/mpi/mpi_placement.hpp"

#include <algorithm>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/base/host_patterns.hpp"

namespace nowsim {
namespace {

int found(const std::string& name, std::span<const Workstation> workstations) {
  const auto it = std::ranges::find(workstations, name, &Workstation::name);
  if (it == workstations.end())
    throw InputError("no workstation is called '" + name + "'; there are " +
                     std::to_string(workstations.size()) + ", the first is called '" + workstations.front().name + "'");
  return static_cast<int>(it - workstations.begin());
}

}  // namespace

std::vector<int> MpiPlacement::on(std::span<const Workstation> workstations) const {
  std::vector<int> places;
  for (const auto& word : machines)
    for (const auto& name : expand_host_pattern(word)) places.push_back(found(name, workstations));
  if (places.empty()) {
    places.resize(workstations.size());
    std::iota(places.begin(), places.end(), 0);
  }
  std::vector<int> out;
  for (int rank = 0; rank < ranks; ++rank)
    out.push_back(places[static_cast<std::size_t>(rank / per_machine) % places.size()]);
  return out;
}

}  // namespace nowsim

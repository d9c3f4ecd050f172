// The table of raw quantities.
#include "sim/program/quantity.hpp"

#include <algorithm>

#include "sim/owners/owner_jobs.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {
namespace {

bool has_owner_jobs(const Scenario& scenario) {
  return std::ranges::any_of(scenario.owners, [](const OwnerPtr& owner) { return owner->jobs() != nullptr; });
}

}  // namespace

const QuantityKind& quantity_kind(Quantity q) {
  static constexpr std::array<QuantityKind, kQuantities> kTable{{
      {"finish time", "s", true, false},
      {"work", "flop", true, false},
      {"computing time", "s", true, false},
      {"owner's time", "s", true, true},
      {"number of messages", "", true, true},
      {"number of bytes", "", true, true},
      {"number of owner jobs", "", false, true, has_owner_jobs},
      {"owner jobs' slowdowns", "", false, true, has_owner_jobs},
  }};
  static_assert(kTable.back().name != nullptr, "every quantity has a row");
  return kTable[static_cast<std::size_t>(q)];
}

}  // namespace nowsim

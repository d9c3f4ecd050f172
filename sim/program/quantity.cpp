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
      {"finish time", "finish", "s", true, false},
      {"work", "work", "flop", true, false},
      {"computing time", "active", "s", true, false},
      {"owner's time", "owner", "s", true, true},
      {"number of messages", "messages", "", true, true},
      {"number of bytes", "sent_bytes", "", true, true},
      {"number of owner jobs", "owner_jobs", "", false, true, has_owner_jobs},
      {"owner jobs' slowdowns", "owner_slowdowns", "", false, true, has_owner_jobs},
  }};
  static_assert(kTable.back().name != nullptr, "every quantity has a row");
  return kTable[static_cast<std::size_t>(q)];
}

}  // namespace nowsim

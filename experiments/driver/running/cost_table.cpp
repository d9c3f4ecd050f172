// The rows by name, and what nowsim ships with.
#include "experiments/driver/running/cost_table.hpp"

namespace nowsim {
namespace {

/// On one core of a virtual machine (an EPYC of the Zen 5 kind).
constexpr std::array<CostRow, kCosts> kRows{{{"replication", 40e-9},
                                             {"rank", 4e-9},
                                             {"wide-rank", 27e-9},
                                             {"interval", 0.35e-9},
                                             {"rank-step", 3e-9},
                                             {"lane", 3e-9},
                                             {"tree-step", 12e-9},
                                             {"alike-step", 1.5e-9},
                                             {"exponential", 0.9e-9},
                                             {"table", 1.1e-3},
                                             {"table-draw", 1.1e-9},
                                             {"control", 0.5e-9},
                                             {"message", 0.3e-6},
                                             {"process", 0.23e-6},
                                             {"turn", 0.2e-9},
                                             {"path-step", 17.5e-9},
                                             {"path", 70e-9},
                                             {"path-superstep", 15e-9},
                                             {"factor-step", 50e-9},
                                             {"owner-job", 54e-9},
                                             {"phase", 33e-9},
                                             {"meeting", 0.8e-6},
                                             {"routes", 3e-3},
                                             {"simgrid-batch", 3e-3},
                                             {"simgrid-message", 5e-6},
                                             {"simgrid-step", 0.8e-6},
                                             {"simgrid-rank", 5e-6},
                                             {"simgrid-phase", 2e-6},
                                             {"simgrid-meeting", 10e-6},
                                             {"worker", 6e-3},
                                             {"batch", 50e-6},
                                             {"stored", 100e-9},
                                             {"point", 40e-6},
                                             {"picture", 0.1}}};

}  // namespace

const CostRow& cost_row(Cost cost) { return kRows.at(static_cast<std::size_t>(cost)); }

const CostTable& shipped_costs() {
  static const CostTable table = [] {
    CostTable costs{};
    for (std::size_t k = 0; k < kCosts; ++k) costs.at(k) = kRows[k].shipped_s;
    return costs;
  }();
  return table;
}

}  // namespace nowsim

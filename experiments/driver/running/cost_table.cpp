// The rows by name, and what nowsim ships with.
#include "experiments/driver/running/cost_table.hpp"

namespace nowsim {
namespace {

/// On one core of a virtual machine (an EPYC of the Zen 5 kind).
constexpr std::array<CostRow, kCosts> kRows{{{"replication", 0.15e-6},
                                             {"rank", 15e-9},
                                             {"wide-rank", 60e-9},
                                             {"interval", 1e-9},
                                             {"rank-step", 3e-9},
                                             {"lane", 10e-9},
                                             {"exponential", 1e-9},
                                             {"table", 1.2e-3},
                                             {"table-draw", 1e-9},
                                             {"control", 1e-9},
                                             {"message", 0.3e-6},
                                             {"process", 0.2e-6},
                                             {"path-step", 40e-9},
                                             {"path", 0.2e-6},
                                             {"factor-step", 100e-9},
                                             {"owner-job", 0.1e-6},
                                             {"phase", 0.1e-6},
                                             {"meeting", 0.8e-6},
                                             {"routes", 15e-3},
                                             {"simgrid-batch", 3e-3},
                                             {"simgrid-message", 5e-6},
                                             {"simgrid-step", 0.8e-6},
                                             {"simgrid-rank", 5e-6},
                                             {"simgrid-phase", 2e-6},
                                             {"simgrid-meeting", 10e-6},
                                             {"worker", 1e-3},
                                             {"batch", 50e-6},
                                             {"point", 0.2e-3},
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

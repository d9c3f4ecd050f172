// What nowsim ships with.
#include "experiments/driver/running/cost_table.hpp"

namespace nowsim {

const CostTable& shipped_costs() {
  static const CostTable table = [] {
    CostTable t{};  // on one core of a virtual machine (an EPYC of the Zen 5 kind)
    t[Cost::replication] = 40e-9;
    t[Cost::rank] = 4e-9;
    t[Cost::wide_rank] = 27e-9;
    t[Cost::interval] = 0.35e-9;
    t[Cost::rank_step] = 3e-9;
    t[Cost::lane] = 3e-9;
    t[Cost::tree_step] = 12e-9;
    t[Cost::alike_step] = 1.5e-9;
    t[Cost::exponential] = 0.9e-9;
    t[Cost::table] = 1.1e-3;
    t[Cost::table_draw] = 1.1e-9;
    t[Cost::control] = 0.5e-9;
    t[Cost::message] = 0.3e-6;
    t[Cost::process] = 0.23e-6;
    t[Cost::turn] = 0.2e-9;
    t[Cost::path_step] = 17.5e-9;
    t[Cost::path] = 70e-9;
    t[Cost::path_superstep] = 15e-9;
    t[Cost::factor_step] = 50e-9;
    t[Cost::owner_job] = 54e-9;
    t[Cost::phase] = 33e-9;
    t[Cost::meeting] = 0.8e-6;
    t[Cost::routes] = 3e-3;
    t[Cost::simgrid_batch] = 3e-3;
    t[Cost::simgrid_message] = 5e-6;
    t[Cost::simgrid_step] = 0.8e-6;
    t[Cost::simgrid_rank] = 5e-6;
    t[Cost::simgrid_phase] = 2e-6;
    t[Cost::simgrid_meeting] = 10e-6;
    t[Cost::worker] = 6e-3;
    t[Cost::batch] = 50e-6;
    t[Cost::stored] = 100e-9;
    t[Cost::point] = 40e-6;
    t[Cost::picture] = 0.1;
    return t;
  }();
  return table;
}

}  // namespace nowsim

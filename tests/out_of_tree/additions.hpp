// Declares what this program adds to nowsim's own.
#pragma once

#include "sim/metrics/metrics.hpp"
#include "sim/owners/owner_model_info.hpp"
#include "sim/splitting/policies.hpp"
#include "workloads/parts/registry.hpp"

nowsim::OwnerModelInfo lunch();
nowsim::Policy by_memory();
nowsim::Metric longest();
nowsim::WorkloadInfo stencil();

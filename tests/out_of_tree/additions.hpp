// Declares what this program adds to nowsim's own.
#pragma once

#include "sim/metrics/metrics.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/splitting/policies.hpp"
#include "workloads/farm/self_scheduling.hpp"
#include "workloads/parts/registry.hpp"

nowsim::OwnerModelInfo lunch();
nowsim::Policy by_memory();
nowsim::Metric longest();
nowsim::Technique half_of_a_share();
nowsim::WorkloadInfo stencil();

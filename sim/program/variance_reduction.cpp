// Preparing scenarios.
#include "sim/program/variance_reduction.hpp"

#include <map>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/owners/owner.hpp"
#include "sim/program/control_variates.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {
namespace {

[[noreturn]] void refuse(const Scenario& s, std::size_t i, const VarianceReduction& how, const std::string& reason) {
  throw InputError("'" + std::string(how.name) + "' " + reason +
                   ": the owner models dedicated and intervals" +
                   (how.controls ? ", without correlation, diurnal and worth" : "") + ". Workstation " + s.platform->workstations[i].name +
                   " has another: " + s.owners[i]->describe());
}

/// Where it can be: links of other models are independent of each other in the two replications of a pair.
void make_antithetic(std::vector<OwnerPtr>& models) {
  std::map<OwnerPtr, OwnerPtr> made;  // equal workstations share theirs
  for (auto& model : models) {
    OwnerPtr& antithetic = made[model];
    if (!antithetic) antithetic = model->is_dedicated() || mirrored(*model) ? antithetic_owner(model) : model;
    model = antithetic;
  }
}

void check_owners(const Scenario& s, const VarianceReduction& how) {
  if ((how.antithetic || how.controls) && s.workload->program().own_time(rank_share(s, 0, s.share_flop[0])))
    throw InputError("'" + std::string(how.name) + "' works on what owners leave, and this program draws its times itself");
  if (how.controls && s.workload->program().ends_with_first_rank)
    throw InputError("'" + std::string(how.name) + "' needs every rank to end by itself; this job ends with rank 0");
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Owner& owner = *s.owners[i];
    if (how.antithetic && !owner.is_dedicated() && !mirrored(owner))
      refuse(s, i, how, "needs owners whose availability rises with every random number that is mirrored");
    if (how.controls && (!owner.renewal() || owner.is_measured()))
      refuse(s, i, how, "needs owners of whose paths an exact mean is known at the job's end");
  }
}

}  // namespace

void reduce_variance(Scenario& s, const VarianceReduction& how) {
  check_owners(s, how);
  s.variance_reduction = &how;
  if (how.antithetic)
    for (auto* models : {&s.owners, &s.bandwidth}) make_antithetic(*models);
  s.controls = how.controls ? std::make_shared<const ControlVariates>(s) : nullptr;
}

}  // namespace nowsim

// Owners who are busy together: availability on random intervals, with a factor that all workstations share.
#pragma once

#include "sim/owners/owner_model.hpp"

namespace nowsim {

/// Like intervals_owner(), with A(t) = F^-1(Phi(Z(t))), Z(t) = sqrt(w)·Z_c(t) + sqrt(1-w)·Z_i(t): F the law of values,
/// w the weight, Z_c and Z_i standard normal and constant on intervals of their own, with lengths of the one law, Z_c
/// the same on all workstations (CommonFactor). A path has a step wherever one of the two has.
///
/// At any moment A has the law F exactly, so that mean and TH are those of the uncorrelated model, and Z of
/// workstations with weights v and w the correlation sqrt(v·w). Z has the autocorrelation of the uncorrelated model,
/// r(s), the chance that no interval ends within s. That of A itself is a little lower, r² + r(1-r)(p(w) + p(1-w))
/// where p is the correlation of A for one of Z: for the uniform law p(1/2) = 0.483, so that over many exponential
/// intervals the sum of A has at most 1.7 % less variance than without correlation. Correlated workstations need one
/// law of lengths: with others, what they share is soon out of step.
///
/// With a stationary start Z_c and Z_i each are within an interval when a replication begins, Z_c in the same one on all
/// workstations.
///
/// A weight of 0 is intervals_owner() itself. @param label, identity as there, weight included.
/// @throws InputError unless 0 <= weight <= 1.
OwnerPtr correlated_owner(DistributionPtr value, DistributionPtr length_s, double weight, std::string label,
                          std::string identity = {}, OwnerStart start = OwnerStart::fresh);

}  // namespace nowsim

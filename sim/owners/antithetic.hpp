// Antithetic replications: an owner model whose replications come in pairs, the second with the first one's mirror
// image.
#pragma once

#include "sim/owners/owner_model.hpp"

namespace nowsim {

/// Replication 2k is the plain model's. Replication 2k + 1 draws from the same stream, keeps the lengths of intervals
/// and has the values' quantiles at 1 - u, so that its path is high where the other is low. Either has the law of the
/// plain model. A finish time falls where a path rises, whatever the lengths, so the two of a pair are negatively
/// correlated (Hammersley & Morton, Proc. Camb. Phil. Soc. 52, 1956). Lengths are kept because work done is the sum of
/// length times value: then the work done by a time is mirrored exactly where the law of values is symmetric. A
/// dedicated machine stays what it is. @throws InputError for a model without a counterpart.
OwnerPtr antithetic_owner(const OwnerPtr& owner);

}  // namespace nowsim

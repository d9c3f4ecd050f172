// The `solve:` block: which key is sought, by which metric, and where.
#pragma once

#include <memory>

#include "experiments/driver/points/size_task.hpp"
#include "experiments/driver/reading/reader.hpp"

namespace nowsim {

const KeyTable& solve_keys();

/// The block of one point, for the key that is sought. Null after a problem.
std::shared_ptr<const SizeTask> read_size_task(Reading& reading, const std::string& sought,
                                               const Registry<Metric>& metrics);
/// A size written in the unit in which the value of a key such as solve.to stands; "" where that has none.
std::string in_unit_of(const Reading& reading, const std::string& key, double size);

}  // namespace nowsim

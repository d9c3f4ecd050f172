// The `solve:` block: which key is sought, by which metric, and where.
#pragma once

#include <memory>

#include "experiments/reader.hpp"
#include "experiments/size_task.hpp"

namespace nowsim {

/// The block of one point, for the key that is sought. Null after a problem.
std::shared_ptr<const SizeTask> read_size_task(Reading& reading, const std::string& sought);

}  // namespace nowsim

// What is asked of the values of one swept key, as the experiment whose points are compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// The question: which value of a key is better, by some of the experiment's metrics, or others.
struct ContrastRequest {
  std::string file, key;
  std::string against;               ///< the value that all others are compared with; "": all with the best
  std::vector<std::string> metrics;  ///< none: the experiment's first
  Better best = Better::unknown;     ///< where the metric does not say, or is to be read the other way round
  LoadOptions options;
};

/// All of it as one text, which another question does not have.
std::string question_text(const ContrastRequest& request);

/// The experiment with these metrics alone, without its figure and claims.
/// @throws InputError, InputErrors naming the flag: of the key, the value and the metrics too.
Experiment contrast_experiment(const ContrastRequest& request, const Registries& registries);

/// What is better of a metric, as the request has it.
Better better_of(const ContrastRequest& request, const Metric& metric);

}  // namespace nowsim

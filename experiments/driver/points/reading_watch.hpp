// Looking on while an experiment is read: large sweeps and platforms take seconds.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// Told before each point is read: how many were, and how many there are. What it throws ends the reading.
using ReadingWatch = std::function<void(std::size_t read, std::size_t points)>;

/// load_experiment(), watched.
Experiment load_watched(const std::string& file, const LoadOptions& options, const Registries& registries,
                        const ReadingWatch& watch);
/// The same of a document that is no file's text.
Experiment load_watched(YamlNode document, const std::string& file, const LoadOptions& options,
                        const Registries& registries, const ReadingWatch& watch);

}  // namespace nowsim

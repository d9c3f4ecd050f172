// A lab's experiments with a problem's numbers: loaded, run, recorded.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// What a student's program is called as a technique, and how its file's name ends.
inline constexpr const char* kCodeTechnique = "student";
inline constexpr const char* kCodeEnding = ".py";

/// Whether what the experiment sets has the student's answer in it.
bool knows_answer(const LabExperiment& described);

/// The judge's, which no student has seen; or the file's own, as in what students are shown.
enum class Seed { of_judge, of_file };
/// What of the file the problem changes, key=value: its numbers in `let:`, what the lab sets, the judge's seed.
std::vector<std::string> own_overrides(Facts& facts, const LabExperiment& described);
/// Loaded with the problem's numbers in its `let:`, what the lab sets, and these metrics (none: the file's).
/// @throws InputError.
Experiment load_lab_experiment(Facts& facts, const LabExperiment& described, const std::vector<std::string>& metrics,
                               Seed seed);
/// With splits and sizes found, as it is run.
Experiment made_ready(Facts& facts, Experiment described);
/// Run with the metrics that any fact of the lab asks of it. @throws InputError, RunError.
ResultTable run_lab_experiment(Facts& facts, const LabExperiment& described);
/// One replication of its first point, with the file's own seed: what the student's chart shows.
Timeline lab_timeline(Facts& facts, const LabExperiment& described, std::uint64_t replication);
/// Where an experiment's file is.
std::string file_of(const Lab& lab, const LabExperiment& described);

}  // namespace nowsim

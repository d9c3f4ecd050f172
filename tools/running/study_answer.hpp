// What the commands share that answer a question by running an experiment of its own, into a store or without one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/output_files.hpp"
#include "tools/running/store_session.hpp"

namespace nowsim {

/// The flags --jobs, --out and --picture, --format and --quiet: what --out keeps, and what the picture shows.
void add_study_flags(Flags& flags, const std::string& kept, const std::string& shown);
/// How a question is answered, and where answers go.
struct StudyOutputs : OutputFlags {
  std::string folder;  ///< "": nothing is kept
  ShardRequest shards;
  PictureFile picture;
};
/// @throws UsageError, RunError where a picture is wanted and gnuplot is missing.
StudyOutputs study_outputs(const Arguments& arguments);

/// The flag --sweep, and the overrides that it stands for.
void add_sweep_flag(Flags& flags);
std::vector<std::string> sweep_overrides(const Arguments& arguments);

/// A question.
struct Study {
  const Experiment* described;
  std::string name;      ///< of its experiment and its files in a store
  std::string question;  ///< by which other questions of that name are told
};
/// The answer, from the experiment as it was run, splits and sizes found, and what it came to.
using AnswerOf = std::function<Answer(const Experiment& ready, const ResultTable& summary)>;

/// Runs the question's experiment, with progress; prints its answer, and draws the picture that is asked for. With a
/// folder everything simulated is kept there, and tables and pictures are written; those of another question are moved
/// aside. With --shard nothing is answered: see store_session.hpp. Returns the exit status. @throws Stopped (parting.hpp) on Ctrl-C.
int answer_study(Session& session, const Study& study, const StudyOutputs& outputs, const AnswerOf& answer_of);

}  // namespace nowsim

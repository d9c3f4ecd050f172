// Running a question's experiment, and writing what comes of it.
#include "tools/running/study_answer.hpp"

#include <ostream>
#include <sstream>

#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "sim/base/error.hpp"
#include "tools/running/prepare.hpp"
#include "tools/running/store_session.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/parting.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {

namespace {

/// `store` may be null: nothing is kept.
Answer run_study(Session& session, const Study& study, const StudyOutputs& outputs, const AnswerOf& answer_of, BatchStore* store) {
  const Experiment ready = ready_to_run(*study.described, store, outputs.jobs, outputs.quiet, interruption_requested);
  ProgressLine line;
  const RunContext context = shown_on(outputs.quiet ? nullptr : &line, outputs.jobs);
  const SweepOutcome outcome = store != nullptr ? sweep_into(*store, study.name, ready, {context})
                                                : SweepOutcome{summarise(ready, run_experiment(ready, context)), {}};
  line.clear();
  if (store != nullptr) report_outcome(session, outcome, study.name, outputs.folder, outputs.quiet);
  return answer_of(ready, outcome.summary);
}

/// Tables and pictures of a question that differs are no old versions of this one's.
void keep_others(Session& session, BatchStore& store, const Study& study, const Answer& answer) {
  std::vector<std::string> files;
  for (const auto& table : answer.tables) files.push_back(study.name + table.ending);
  for (const auto& [format, ending] : picture_endings()) files.push_back(study.name + ending);
  for (const auto& file : keep_other_answers(store, study.name, study.question, files))
    session.error << "note: " << file.path << " is of another question (other flags); it is now " << file.kept << '\n';
}

/// Tables and pictures beside the store; a user's own versions are kept.
void write_files(Session& session, BatchStore& store, const Study& study, const Answer& answer, bool quiet) {
  const auto write = [&](const std::string& ending, const std::string& text) {
    const WrittenFile file = write_file(store, study.name + ending, text);
    if (!quiet) session.error << "  " << file.path << '\n';
    report_kept(session, file);
  };
  for (const auto& [ending, head, rows] : answer.tables) {
    std::ostringstream csv;
    write_csv(head, rows, csv);
    write(ending, csv.str());
  }
  if (!answer.is_drawn_unasked) return;
  try {
    for (const auto& [format, ending] : picture_endings()) write(ending, draw_picture(answer.script(format)));
  } catch (const RunError& e) {
    session.error << "no picture: " << e.what() << '\n';
  }
}

int tell(Session& session, const Answer& answer, const StudyOutputs& outputs) {
  write_answer(answer, outputs.format, session.out);
  session.out.flush();
  write_picture(session, outputs.picture, answer.script, outputs.quiet);
  return answer.has_failures ? 1 : 0;
}

int answer_without_store(Session& session, const Study& study, const StudyOutputs& outputs, const AnswerOf& answer_of) {
  const InterruptionWatch watch;
  try {
    return tell(session, run_study(session, study, outputs, answer_of, nullptr), outputs);
  } catch (const Interrupted&) {
    throw Stopped(std::string(kNothingKept) + "; with --out what is done is, and the same command goes on",
                  watch.exit_status(), false, {"--out", "results/" + study.name});
  }
}

int answer_in_store(Session& session, const Study& study, const StudyOutputs& outputs, const AnswerOf& answer_of) {
  StoreSession stored(outputs.folder);
  report_taken_in(session, stored, outputs.quiet);
  BatchStore& store = stored.store();
  const Answer answer = run_study(session, study, outputs, answer_of, &store);
  keep_others(session, store, study, answer);
  write_files(session, store, study, answer, outputs.quiet);
  store.commit();
  return tell(session, answer, outputs);
}

}  // namespace

void add_study_flags(Flags& flags, const std::string& kept, const std::string& shown) {
  add_jobs_flag(flags);
  const std::string out = "the folder of a store: every " + kept + " is kept, tables and pictures are written there";
  flags.add({{"out,o", taking(Kind::folder), out}, {"picture", picture_file(), shown}});
  add_shard_flags(flags, "DIR/shards");
  add_output_flags(flags);
}

StudyOutputs study_outputs(const Arguments& arguments) {
  const std::string folder = arguments.text("out");
  return {output_flags(arguments), folder, shard_request(arguments, folder), picture_flag(arguments, "picture")};
}

void add_sweep_flag(Flags& flags) {
  flags.add({{"sweep",
              {.value = Kind::axis, .takes = Takes::texts},
              "sweeps a key of the experiment, once or more"}});
}

std::vector<std::string> sweep_overrides(const Arguments& arguments) {
  std::vector<std::string> out;
  for (const auto& axis : arguments.texts("sweep")) out.push_back(sweep_override(axis));
  return out;
}

int answer_study(Session& session, const Study& study, const StudyOutputs& outputs, const AnswerOf& answer_of) {
  if (outputs.folder.empty()) return answer_without_store(session, study, outputs, answer_of);
  if (const auto& shard = outputs.shards.shard)
    return run_shard_and_tell(session, {*study.described, study.name, outputs.folder, outputs.jobs, outputs.quiet,
                               outputs.shards.publish_every_s},
                              shard->first, shard->second);
  return run_into_store(outputs.folder, [&] { return answer_in_store(session, study, outputs, answer_of); });
}

}  // namespace nowsim

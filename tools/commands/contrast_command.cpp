// `nowsim contrast`: which value of a swept key is better, and by how much, on common random numbers.
#include "experiments/driver/studies/contrast.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/study_answer.hpp"
#include "tools/running/watched_reading.hpp"

namespace nowsim {

namespace {

constexpr const char* kContrastEnding = "-contrast";
constexpr const char* kMoreOnContrasts =
    "\nKEY is a key that SPEC sweeps. For each point of the other axes all its values are compared with --against, or\n"
    "with the best; all intervals of differences of one point hold together. Points see the same random numbers, and\n"
    "are compared replication by replication where these are known, which is said.\n"
    "--out keeps all replications, so that the same command, or one with more of them, goes on from there.\n"
    "Exit status: 0 also where nothing is told, 1 a run failed, 2 bad usage or bad input, 130 stopped by Ctrl-C.\n";

// ---- the question --------------------------------------------------------------------------------------------------

void add_contrast_flags(Flags& flags) {
  flags.add(
      {{"against,a", taking(Kind::swept_value),
        "the value that all others are compared with; by default all with the best"},
       {"metric,m", taking(Kind::names, {"metrics"}), "one or more, such as tau,RF; by default the first of SPEC's"},
       {"best", taking(Kind::word, {"lowest", "highest"}),
        "what is best, where metrics do not say, or say otherwise"}});
  add_sweep_flag(flags);
  add_experiment_flags(flags);
  add_study_flags(flags, "replication", "differences with their intervals, the best on top");
}

Better best_flag(const Arguments& arguments) {
  if (!arguments.has("best")) return Better::unknown;
  return arguments.text("best") == "lowest" ? Better::lower : Better::higher;
}

/// The question; its experiment and its key are the words. @throws InputError.
ContrastRequest contrast_request(const Arguments& arguments, const Session& session) {
  LoadOptions options = load_options(arguments);
  for (const auto& axis : sweep_overrides(arguments)) options.overrides.push_back(axis);
  const std::string file = named_experiment(arguments.words[0], session, options);
  return {{arguments.words[1], arguments.text("against"), arguments.names("metric"), best_flag(arguments)}, file,
          std::move(options)};
}

int do_contrast(const Arguments& arguments, Session& session) {
  const StudyOutputs outputs = study_outputs(arguments);
  const ContrastRequest request = contrast_request(arguments, session);
  const Experiment described = contrast_experiment(request, session.known);
  print_remarks(described);
  const std::string name = name_of_experiment(request.file, request.options) + kContrastEnding;
  return answer_study(session, {&described, name, question_text(request)}, outputs,
                      [&](const Experiment&, const ResultTable& summary) {
                        return contrast_answer(contrast_report(request, summary));
                      });
}

}  // namespace

Command contrast_command() {
  return {.name = "contrast",
          .summary = "which value of a swept key is better, and how sure: all compared with one, or with the best",
          .places = Places{{.kinds = {Kind::experiment}}, {.kinds = {Kind::swept_key}}},
          .main = {"against", "metric"},
          .add_flags = add_contrast_flags,
          .run = do_contrast,
          .more = kMoreOnContrasts,
          .page = "contrast"};
}

}  // namespace nowsim

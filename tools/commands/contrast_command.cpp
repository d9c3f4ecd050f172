// `nowsim contrast`: which value of a swept key is better, and by how much, on common random numbers.
#include <filesystem>

#include "experiments/driver/studies/contrast.hpp"
#include "tools/line/command.hpp"
#include "tools/running/study_answer.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {

namespace {

constexpr const char* kContrastEnding = "-contrast";
constexpr const char* kContrastUsage = "nowsim contrast SPEC.yaml KEY [--against VALUE] [--metric tau,RF] [flags]";
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
        "lowest or highest: what is best, where metrics do not say, or say otherwise"}});
  add_sweep_flag(flags);
  add_experiment_flags(flags);
  add_study_flags(flags, "replication", "differences with their intervals, the best on top");
}

/// @throws UsageError.
Better best_flag(const GivenFlags& flags) {
  const auto text = text_flag(flags, "best");
  if (!text) return Better::unknown;
  if (*text == "lowest") return Better::lower;
  if (*text == "highest") return Better::higher;
  throw UsageError("--best " + shown_flag(*text) + ": say lowest or highest");
}

/// The question; its experiment and its key are the words. @throws UsageError, InputError naming the flag.
ContrastRequest contrast_request(const ParsedFlags& parsed) {
  const GivenFlags& flags = parsed.flags;
  ContrastRequest request{
      {parsed.words[1], text_flag(flags, "against").value_or(""), list_flag(flags, "metric"), best_flag(flags)},
      find_experiment(parsed.words[0]),
      load_options(flags)};
  for (const auto& axis : sweep_overrides(flags)) request.options.overrides.push_back(axis);
  return request;
}

int do_contrast(const ParsedFlags& parsed, const Registries& registries) {
  const StudyOutputs outputs = study_outputs(parsed.flags);
  const ContrastRequest request = contrast_request(parsed);
  const Experiment described = contrast_experiment(request, registries);
  print_remarks(described);
  const std::string name = std::filesystem::path(request.file).stem().string() + kContrastEnding;
  return answer_study({&described, name, question_text(request)}, outputs,
                      [&](const Experiment&, const ResultTable& summary) {
                        return contrast_answer(contrast_report(request, summary));
                      });
}

}  // namespace

Command contrast_command() {
  return {"contrast", "which value of a swept key is better, and how sure: all compared with one, or with the best",
          kContrastUsage, Places{{.kinds = {Kind::experiment}}, {.kinds = {Kind::swept_key}}}, add_contrast_flags,
          do_contrast, kMoreOnContrasts, {}, "contrast"};
}

}  // namespace nowsim

// `nowsim contrast`: which value of a swept key is better, and by how much, on common random numbers.
#include <filesystem>
#include <iostream>
#include <sstream>
#include <vector>

#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/studies/contrast_output.hpp"
#include "experiments/driver/studies/contrast_picture.hpp"
#include "experiments/driver/studies/contrast_report.hpp"
#include "experiments/driver/studies/contrast_request.hpp"
#include "experiments/driver/studies/isoefficiency_request.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "tools/command.hpp"
#include "tools/interruption.hpp"
#include "tools/output_files.hpp"
#include "tools/prepare.hpp"
#include "tools/store_session.hpp"

namespace nowsim {

namespace po = boost::program_options;

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

void add_contrast_flags(po::options_description& description) {
  description.add_options()("against,a", po::value<std::string>(),
                            "the value that all others are compared with; by default all with the best")(
      "metric,m", po::value<std::string>(), "one or more, such as tau,RF; by default the first of SPEC's")(
      "best", po::value<std::string>(), "lowest or highest: what is best, where metrics do not say, or say otherwise")(
      "sweep", po::value<std::vector<std::string>>()->composing(),
      "KEY=V1,V2,...: sweeps a key of the experiment, once or more");
  add_experiment_flags(description);
  add_jobs_flag(description);
  description.add_options()("out,o", po::value<std::string>(),
                            "the folder of a store: every replication is kept, tables and pictures are written there")(
      "picture", po::value<std::string>(),
      "FILE.svg, FILE.png or FILE.pdf: differences with their intervals, the best on top");
  add_output_flags(description);
}

/// @throws UsageError.
Better best_flag(const po::variables_map& flags) {
  const auto text = text_flag(flags, "best");
  if (!text) return Better::unknown;
  if (*text == "lowest") return Better::lower;
  if (*text == "highest") return Better::higher;
  throw UsageError("--best " + shown_flag(*text) + ": say lowest or highest");
}

/// The question; its experiment and its key are the words. @throws UsageError, InputError naming the flag.
ContrastRequest contrast_request(const ParsedFlags& parsed) {
  const po::variables_map& flags = parsed.flags;
  ContrastRequest request{find_experiment(parsed.words[0]), parsed.words[1], text_flag(flags, "against").value_or(""),
                          list_flag(flags, "metric"),       best_flag(flags), load_options(flags)};
  if (flags.count("sweep") > 0)
    for (const auto& axis : flags["sweep"].as<std::vector<std::string>>())
      request.options.overrides.push_back(sweep_override(axis));
  return request;
}

// ---- the answer ----------------------------------------------------------------------------------------------------

/// How it is run, and where answers go.
struct ContrastOutputs : OutputFlags {
  std::string folder;  ///< "": nothing is kept
  PictureFile picture;
};

ContrastReport compare_values(const ContrastRequest& request, const Experiment& described, BatchStore* store,
                              const std::string& name, const ContrastOutputs& outputs) {
  const Experiment ready = ready_to_run(described, store, outputs.jobs, outputs.quiet, interruption_requested);
  const SweepOutcome outcome = with_progress(outputs.jobs, outputs.quiet, [&](const RunOptions& options) {
    if (store != nullptr) return sweep_into(*store, name, ready, options);
    return SweepOutcome{summarise(ready, execute(ready, plan_execution(ready), options)), {}};
  });
  if (store != nullptr) report_outcome(outcome, name, outputs.folder, outputs.quiet);
  return contrast_report(request, outcome.summary);
}

/// Tables and pictures of a question that differs are no old versions of this one's.
void keep_other_contrasts(BatchStore& store, const std::string& name, const std::string& question) {
  std::vector<std::string> files{name + ".csv"};
  for (const auto& [format, ending] : picture_endings()) files.push_back(name + ending);
  for (const auto& file : keep_other_answers(store, name, question, files))
    std::cerr << "note: " << file.path << " is of another question (other flags); it is now " << file.kept << '\n';
}

/// The table and pictures beside the store; a user's own versions are kept.
void write_contrast_files(BatchStore& store, const std::string& name, const ContrastReport& report, bool quiet) {
  const auto write = [&](const std::string& ending, const std::string& text) {
    const WrittenFile file = write_file(store, name + ending, text);
    if (!quiet) std::cerr << "  " << file.path << '\n';
    report_kept(file);
  };
  std::ostringstream rows;
  write_contrasts(report, Format::csv, rows);
  write(".csv", rows.str());
  try {
    for (const auto& [format, ending] : picture_endings()) write(ending, draw_picture(contrast_script(report, format)));
  } catch (const RunError& e) {
    std::cerr << "no picture: " << e.what() << '\n';
  }
}

int tell_contrasts(const ContrastReport& report, const ContrastOutputs& outputs) {
  write_contrasts(report, outputs.format, std::cout);
  std::cout.flush();
  write_picture(outputs.picture, [&](PictureFormat format) { return contrast_script(report, format); }, outputs.quiet);
  return report.summary.has_failures() ? 1 : 0;
}

int contrast_without_store(const ContrastRequest& request, const Experiment& described,
                           const ContrastOutputs& outputs) {
  const InterruptionWatch watch;
  try {
    return tell_contrasts(compare_values(request, described, nullptr, "", outputs), outputs);
  } catch (const Interrupted&) {
    std::cerr << "stopped; nothing was kept: with --out DIR the same command goes on from where it stops\n";
    return watch.exit_status();
  }
}

int contrast_in_store(const ContrastRequest& request, const Experiment& described, const ContrastOutputs& outputs) {
  const std::string name = std::filesystem::path(request.file).stem().string() + kContrastEnding;
  BatchStore store(outputs.folder, BatchStore::Access::write);
  return run_into_store(outputs.folder, [&] {
    const ContrastReport report = compare_values(request, described, &store, name, outputs);
    keep_other_contrasts(store, name, question_text(request));
    write_contrast_files(store, name, report, outputs.quiet);
    store.commit();
    return tell_contrasts(report, outputs);
  });
}

int do_contrast(const ParsedFlags& parsed, const Registries& registries) {
  const ContrastOutputs outputs{output_flags(parsed.flags), text_flag(parsed.flags, "out").value_or(""),
                                picture_flag(parsed.flags, "picture")};
  const ContrastRequest request = contrast_request(parsed);
  const Experiment described = contrast_experiment(request, registries);
  print_remarks(described);
  return outputs.folder.empty() ? contrast_without_store(request, described, outputs)
                                : contrast_in_store(request, described, outputs);
}

}  // namespace

Command contrast_command() {
  return {"contrast", "which value of a swept key is better, and how sure: all compared with one, or with the best",
          kContrastUsage, 2, 2, add_contrast_flags, do_contrast, kMoreOnContrasts};
}

}  // namespace nowsim

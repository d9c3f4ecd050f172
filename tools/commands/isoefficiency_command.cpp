// `nowsim isoefficiency`: how a problem has to grow with the machines to keep its efficiency.
#include <filesystem>
#include <iostream>
#include <sstream>
#include <vector>

#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"
#include "experiments/driver/studies/isoefficiency_request.hpp"
#include "experiments/driver/studies/isoefficiency_script.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "tools/command.hpp"
#include "tools/interruption.hpp"
#include "tools/output_files.hpp"
#include "tools/prepare.hpp"
#include "tools/store_session.hpp"

namespace nowsim {

namespace po = boost::program_options;

namespace {

/// Behind NAME-isoefficiency.
const std::string kFitsFileEnding = std::string(kFitsEnding).substr(std::string(kIsoefficiencyEnding).size()) + ".csv";

constexpr const char* kIsoefficiencyUsage = "nowsim isoefficiency SPEC.yaml --efficiency 0.5,0.7 [flags]";
constexpr const char* kMoreOnIsoefficiency =
    "\nSPEC's sweep is the family of growing systems: more machines, faster ones, or both; what else it sweeps makes\n"
    "curves of its own. Sizes that take more than an hour on one core are not tried, which is said where it matters.\n"
    "--out keeps all trials, so that the same command, or one with more efficiencies, goes on from there.\n"
    "Exit status: 0 also where an efficiency cannot be reached, 1 a run failed, 2 bad usage or bad input, 130 stopped\n"
    "by Ctrl-C.\n";

// ---- the question --------------------------------------------------------------------------------------------------

void add_isoefficiency_flags(po::options_description& description) {
  description.add_options()("efficiency,e", po::value<std::string>(), "what is to be kept, such as 0.5,0.7 or 50%,70%")(
      "metric,m", po::value<std::string>(), "the efficiency that is meant: eps (the default), eps_a, E, ...")(
      "size", po::value<std::string>(), "the key that is the problem's size; by default job.size, or else job.work")(
      "from", po::value<std::string>(), "the smallest size that is tried (1)")(
      "to", po::value<std::string>(), "the largest (1e9; of job.work 1e18)")(
      "tolerance", po::value<std::string>(), "how near the efficiency has to be, as a share of it (0.1%)")(
      "sweep", po::value<std::vector<std::string>>()->composing(),
      "KEY=V1,V2,...: sweeps a key of the experiment, once or more")(
      "along", po::value<std::string>(),
      "the swept key, or keys, along which the system grows; by default platform.workstations, or the first along "
      "which machines or their speeds change");
  add_experiment_flags(description);
  add_jobs_flag(description);
  description.add_options()("out,o", po::value<std::string>(),
                            "the folder of a store: every trial is kept, tables and pictures are written there")(
      "picture", po::value<std::string>(),
      "FILE.svg, FILE.png or FILE.pdf: sizes over the law that they tell (else p_T·log2 p), and over its classic "
      "counterpart");
  add_output_flags(description);
}

/// The question; its experiment is the first word. @throws UsageError, InputError naming the flag.
IsoefficiencyRequest isoefficiency_request(const ParsedFlags& parsed) {
  const po::variables_map& flags = parsed.flags;
  IsoefficiencyRequest request;
  request.file = find_experiment(parsed.words.front());
  request.targets = list_flag(flags, "efficiency");
  request.metric = text_flag(flags, "metric");
  request.key = text_flag(flags, "size");
  request.from = text_flag(flags, "from");
  request.to = text_flag(flags, "to");
  request.tolerance = text_flag(flags, "tolerance");
  request.along = list_flag(flags, "along");
  request.options = load_options(flags);
  if (flags.count("sweep") > 0)
    for (const auto& axis : flags["sweep"].as<std::vector<std::string>>())
      request.options.overrides.push_back(sweep_override(axis));
  return request;
}

// ---- the answer ----------------------------------------------------------------------------------------------------

/// How it is run, and where answers go.
struct Outputs : OutputFlags {
  std::string folder;  ///< "": nothing is kept
  PictureFile picture;
};

/// Finds the sizes and runs the points at them.
IsoefficiencyReport answer(const Experiment& described, const IsoefficiencyFamily& family, BatchStore* store,
                           const std::string& name, const Outputs& outputs) {
  const Experiment solved = ready_to_run(described, store, outputs.jobs, outputs.quiet, interruption_requested);
  const SweepOutcome outcome = with_progress(outputs.jobs, outputs.quiet, [&](const RunOptions& options) {
    if (store != nullptr) return sweep_into(*store, name, solved, options);
    return SweepOutcome{summarise(solved, execute(solved, plan_execution(solved), options)), {}};
  });
  if (store != nullptr) report_outcome(outcome, name, outputs.folder, outputs.quiet);
  return isoefficiency_report(family, described, solved, outcome.summary);
}

bool has_sizes(const IsoefficiencyReport& report) {
  for (const auto& curve : report.family.curves)
    for (const auto& point : curve.points)
      if (point.has_size) return true;
  return false;
}

/// Tables and pictures of a question that differs are no old versions of this one's.
void keep_others(BatchStore& store, const std::string& name, const std::string& question) {
  std::vector<std::string> files{name + ".csv", name + kFitsFileEnding};
  for (const auto& [format, ending] : picture_endings()) files.push_back(name + ending);
  for (const auto& file : keep_other_answers(store, name, question, files))
    std::cerr << "note: " << file.path << " is of another question (other flags); it is now " << file.kept << '\n';
}

/// Tables and pictures beside the store; a user's own versions are kept.
void write_files(BatchStore& store, const std::string& name, const IsoefficiencyReport& report, bool quiet) {
  const auto write = [&](const std::string& ending, const std::string& text) {
    const WrittenFile file = write_file(store, name + ending, text);
    if (!quiet) std::cerr << "  " << file.path << '\n';
    report_kept(file);
  };
  std::ostringstream points, fits;
  write_isoefficiency(report, Format::csv, points);
  write_growth_fits_csv(report, fits);
  write(".csv", points.str());
  write(kFitsFileEnding, fits.str());
  if (!has_sizes(report)) return;
  try {
    for (const auto& [format, ending] : picture_endings())
      write(ending, draw_picture(isoefficiency_script(report, format)));
  } catch (const RunError& e) {
    std::cerr << "no picture: " << e.what() << '\n';
  }
}

int tell(const IsoefficiencyReport& report, const Outputs& outputs) {
  write_isoefficiency(report, outputs.format, std::cout);
  std::cout.flush();
  write_picture(outputs.picture, [&](PictureFormat format) { return isoefficiency_script(report, format); },
                outputs.quiet);
  return report.summary.has_failures() ? 1 : 0;
}

int answer_without_store(const Experiment& described, const IsoefficiencyFamily& family, const Outputs& outputs) {
  const InterruptionWatch watch;
  try {
    return tell(answer(described, family, nullptr, "", outputs), outputs);
  } catch (const Interrupted&) {
    std::cerr << "stopped; nothing was kept: with --out DIR the same command goes on from where it stops\n";
    return watch.exit_status();
  }
}

int answer_in_store(const Experiment& described, const IsoefficiencyFamily& family, const std::string& name,
                    const std::string& question, const Outputs& outputs) {
  BatchStore store(outputs.folder, BatchStore::Access::write);
  return run_into_store(outputs.folder, [&] {
    const IsoefficiencyReport report = answer(described, family, &store, name, outputs);
    keep_others(store, name, question);
    write_files(store, name, report, outputs.quiet);
    store.commit();
    return tell(report, outputs);
  });
}

int do_isoefficiency(const ParsedFlags& parsed, const Registries& registries) {
  const Outputs outputs{output_flags(parsed.flags), text_flag(parsed.flags, "out").value_or(""),
                        picture_flag(parsed.flags, "picture")};
  const IsoefficiencyRequest request = isoefficiency_request(parsed);
  const Experiment described = isoefficiency_experiment(request, registries);
  const IsoefficiencyFamily family = family_of(described, request.along);
  print_remarks(described);
  if (outputs.folder.empty()) return answer_without_store(described, family, outputs);
  const std::string name = std::filesystem::path(request.file).stem().string() + kIsoefficiencyEnding;
  return answer_in_store(described, family, name, question_text(request), outputs);
}

}  // namespace

Command isoefficiency_command() {
  return {"isoefficiency", "how a problem has to grow with the machines to keep its efficiency",
          kIsoefficiencyUsage, 1, 1, add_isoefficiency_flags, do_isoefficiency, kMoreOnIsoefficiency};
}

}  // namespace nowsim

// `nowsim bundle`: results with all that they were made of, and the command that makes them again, in one archive.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <iterator>
#include <optional>

#include "experiments/driver/bundles/archive.hpp"
#include "experiments/driver/bundles/bundle.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/temporary_folder.hpp"
#include "experiments/driver/text/units.hpp"
#include "tools/commands/reproduce_run.hpp"
#include "tools/commands/reproduce_targets.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/store_session.hpp"
#include "tools/shipped/files_beside.hpp"
#include "tools/terminal/interruption.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kEndings{std::begin(kArchiveEndings), std::end(kArchiveEndings)};

void add_bundle_flags(Flags& flags) {
  flags.add(
      {{"out,o", taking(Kind::file, kEndings).called("NAME.tar.gz"),
        "the archive, NAME.tar.gz or NAME.zip; by default the folder's or experiment's name, .tar.gz, where you are"},
       {"check", kSwitch, "of an archive: whether all files in it are as they were bundled"},
       {"unpacked", quantity(Dimension::bytes),
        "with --check: what the files in it may come to, such as 20GB; by default 1GB, or 100 times the archive's "
        "size"},
       {"code",
        {.value = {Kind::file, {".py"}}, .takes = Takes::texts},
        "a file of Python code that the experiments name, to be taken along; 'python3 -m nowsim bundle' gives its "
        "--plugin"}});
  add_experiment_flags(flags);
  add_jobs_flag(flags);
  flags.add({{"quiet,q", kSwitch, "no progress, and no word about what was bundled"}});
}

/// The name of a folder as it is found, "." too; without an ending.
std::string name_of(const std::string& word) {
  std::error_code ignored;
  if (fs::is_directory(word, ignored)) return fs::canonical(word, ignored).filename().string();
  return fs::path(word).stem().string();
}

std::string archive_for(const Arguments& arguments) {
  std::string named = arguments.text("out");
  if (named.empty()) named = name_of(arguments.words.front()) + ".tar.gz";
  const std::string name = bundle_name(named);
  if (is_archive_name(named) && !name.empty() && name != "." && name != "..") return named;
  throw UsageError("--out " + named + ": the name of an archive is wanted, NAME.tar.gz or NAME.zip");
}

void print_bundled(Session& session, const Bundled& bundled, const BundleOrder& order) {
  const std::string name = bundle_name(order.archive);
  std::error_code ignored;
  const auto bytes = static_cast<double>(fs::file_size(order.archive, ignored));
  session.out << order.archive << ": " << counted(bundled.experiments, "experiment") << ", "
            << counted(bundled.read, "file") << (bundled.read == 1 ? " that was read, " : " that were read, ")
            << counted(bundled.results, "file") << " of results; " << format_quantity(bytes, Dimension::bytes)
            << "\nanywhere:  " << (order.archive.ends_with(".zip") ? "unzip " : "tar xf ")
            << shell_word(fs::path(order.archive).filename().string()) << " && " << shell_word(name + "/again.sh")
            << '\n';
}

int bundle(const BundleOrder& order, bool quiet, Session& session) {
  const Bundled bundled = write_bundle(order, session.known);
  for (const auto& remark : bundled.remarks) session.error << "note: " << remark << '\n';
  if (!quiet) print_bundled(session, bundled, order);
  return 0;
}

/// @throws InputError, with the folder of results that may be meant.
std::vector<Target> targets_to_bundle(const std::string& word) {
  const std::string kinds = "folder, figure, paper or file";
  try {
    return targets_of({word}, kinds);
  } catch (const InputError&) {
    const std::string folder = near_folder(word);
    if (folder.empty()) throw;
    throw InputError("there is no " + kinds + " '" + word + "'" + may_be_meant(folder));
  }
}

/// Simulates it first. What a stopped run had done is lost, as the help says.
int bundle_experiment(const Arguments& arguments, BundleOrder order, bool quiet, Session& session) {
  check_bundle_order(order);
  const TemporaryFolder results;
  ReproduceOrder run;
  run.out = order.folder = results.path().string();
  run.jobs = jobs_of(arguments);
  run.quiet = quiet;
  run.options = load_options(arguments);
  const auto targets = targets_to_bundle(arguments.words.front());
  const InterruptionWatch watch;
  try {
    const ReproduceResult made = reproduce_all(targets, run, session);
    const int status = bundle(order, quiet, session);
    return made.is_whole ? status : 1;
  } catch (const Interrupted&) {
    session.error << "stopped: nothing was bundled. 'nowsim reproduce " << shell_word(arguments.words.front())
              << " --out DIR' goes on where it is stopped, and 'nowsim bundle DIR' bundles that\n";
    return watch.exit_status();
  }
}

int check(Session& session, const std::string& archive, std::optional<double> most_bytes, bool quiet) {
  constexpr double kMost = 1e18;
  const std::size_t files = check_bundle(archive, static_cast<std::uint64_t>(std::min(most_bytes.value_or(0), kMost)));
  if (!quiet) session.out << archive << ": " << counted(files, "file") << ", all as they were bundled\n";
  return 0;
}

void refuse_flags_of_runs(const Arguments& arguments) {
  for (const Flag& flag : arguments.flags())
    if (arguments.has(flag.name()) && (flag.argument.value.kind == Kind::setting || !flag.key.empty()))
      throw UsageError(flag_place(flag.name(), arguments.text(flag.name())) +
                       ": results in a folder are bundled as they were simulated; flags that change an experiment "
                       "are for 'nowsim bundle EXPERIMENT'");
}

void refuse_flags_of_bundling(const Arguments& arguments) {
  const bool has_settings = !load_options(arguments).overrides.empty();
  if (has_settings || arguments.has("out") || arguments.has("code"))
    throw UsageError("--check looks into an archive that there is: flags of bundling and of experiments go without it");
}

int do_bundle(const Arguments& arguments, Session& session) {
  const bool quiet = arguments.has("quiet");
  const std::string& word = arguments.words.front();
  if (arguments.has("check")) {
    refuse_flags_of_bundling(arguments);
    return check(session, word, arguments.quantity("unpacked"), quiet);
  }
  if (arguments.has("unpacked")) throw UsageError("--unpacked is for --check, which unpacks an archive");
  BundleOrder order{word, archive_for(arguments), {}, word};
  order.code = arguments.texts("code");
  std::error_code ignored;
  if (!fs::is_directory(word, ignored)) return bundle_experiment(arguments, std::move(order), quiet, session);
  refuse_flags_of_runs(arguments);
  return bundle(order, quiet, session);
}

constexpr const char* kMoreOnBundles =
    "\nDIR holds results of 'nowsim sweep --out DIR' or 'nowsim reproduce --out DIR'. An EXPERIMENT is simulated first,\n"
    "all at once: what takes long is better reproduced into a DIR, which goes on where it is stopped. In the archive:\n"
    "descriptions, platforms and data as they were read, with their SHA-256; CSV, JSON, figures and verdicts; and\n"
    "again.sh, which simulates all of it again and says how far it is from what is there.\n";

}  // namespace

Command bundle_command() {
  return {.name = "bundle",
          .summary = "results with all that they were made of, in an archive: for others to make again",
          .usage = "nowsim bundle DIR | EXPERIMENT [--out NAME.tar.gz] [flags], or nowsim bundle --check ARCHIVE",
          .places = Places{{.kinds = {Kind::folder, Kind::experiment, {Kind::file, kEndings}}}},
          .add_flags = add_bundle_flags,
          .run = do_bundle,
          .more = kMoreOnBundles,
          .page = "bundles"};
}

}  // namespace nowsim

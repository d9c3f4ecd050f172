// `nowsim reproduce`: figures of papers, whole papers, or all of them: results, pictures and verdicts.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include "experiments/claim_output.hpp"
#include "experiments/reproduction.hpp"
#include "experiments/yaml_tree.hpp"
#include "sim/formula.hpp"
#include "tools/command.hpp"
#include "tools/interruption.hpp"
#include "tools/ready_to_run.hpp"
#include "tools/stored_run.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// An experiment to reproduce: where its file is, which folder below --out it belongs to, and its name there.
struct Target {
  std::string file, folder, name;
};

/// huang-lee-2007/fig05 -> folder huang-lee-2007, name fig05.
Target shipped_target(const std::string& name) {
  const fs::path path(name);
  return {find_experiment(name), path.parent_path().string(), path.filename().string()};
}

/// Teaching experiments belong to no paper, nor do those of questions of our own.
bool is_of_a_paper(const std::string& name) {
  constexpr const char* kNoPapers[] = {"labs/", "self-scheduling/"};
  return std::ranges::none_of(kNoPapers, [&](const char* folder) { return name.rfind(folder, 0) == 0; });
}

/// The folder of traces, beside an experiment's file, that the experiment replays and that is not there; "" where it
/// needs none, or the flags say where they are. Traces do not come with nowsim.
std::string missing_traces(const std::string& file, const LoadOptions& options) {
  const YamlNode root = read_yaml(file);
  const YamlNode* owner = root.find("owner");
  const YamlNode* folder = owner == nullptr ? nullptr : owner->find("folder");
  const auto is_said = [](const std::string& flag) { return flag.rfind("owner", 0) == 0; };
  if (folder == nullptr || std::ranges::any_of(options.overrides, is_said)) return "";
  std::error_code ignored;
  const fs::path path = fs::path(file).parent_path() / folder->text;
  return fs::exists(path, ignored) ? "" : path.lexically_normal().string();
}

/// Takes those out of a folder's experiments that cannot run for want of traces, and says so.
std::vector<Target> with_their_traces(std::vector<Target> targets, const LoadOptions& options) {
  if (targets.size() < 2) return targets;  // one that is asked for by name: it says itself what is missing
  std::erase_if(targets, [&](const Target& target) {
    const std::string folder = missing_traces(target.file, options);
    if (!folder.empty())
      std::cerr << (fs::path(target.folder) / target.name).string() << " is left out: its traces are not in " << folder
                << "; say where they are by --set owner.folder=DIR\n";
    return !folder.empty();
  });
  return targets;
}

/// What a word of the command line means: a shipped experiment, all of a paper, or a user's file.
std::vector<Target> targets_of(const std::string& word, const std::vector<std::string>& shipped) {
  std::vector<Target> found;
  std::string name = word;
  while (!name.empty() && name.back() == '/') name.pop_back();
  for (const auto& candidate : shipped)
    if (candidate == name || candidate.rfind(name + "/", 0) == 0) found.push_back(shipped_target(candidate));
  if (!found.empty()) return found;
  std::error_code ignored;
  if (fs::is_regular_file(word, ignored)) return {{word, "", fs::path(word).stem().string()}};
  std::vector<std::string> known = shipped;
  for (const auto& candidate : shipped) known.push_back(fs::path(candidate).parent_path().string());
  for (const auto& candidate : shipped)  // fig05, huang-lee-2007/fig05.yaml
    if (fs::path(candidate).filename() == name || candidate + ".yaml" == name || fs::path(candidate).filename().string() + ".yaml" == name)
      throw InputError("there is no figure, paper or file '" + word + "'; did you mean '" + candidate + "'?");
  const std::string near = nearest_name(name, known);
  throw InputError("there is no figure, paper or file '" + word + "'" + (near.empty() ? "; 'nowsim list experiments' names them" : "; did you mean '" + near + "'?"));
}

/// Two files of the same name in different folders would replace each other's results.
void check_distinct(const std::vector<Target>& targets) {
  for (std::size_t b = 0; b < targets.size(); ++b)
    for (std::size_t a = 0; a < b; ++a)
      if (targets[a].folder == targets[b].folder && targets[a].name == targets[b].name)
        throw InputError(targets[a].file + " and " + targets[b].file + " would both write " + targets[a].name +
                         ".csv; reproduce them one by one, each with an --out of its own");
}

std::vector<Target> read_targets(const ParsedFlags& parsed, const std::string& usage) {
  const auto shipped = shipped_experiments();
  std::vector<Target> targets;
  if (parsed.flags.count("all") > 0) {
    if (!parsed.words.empty()) throw UsageError("--all stands for every paper; '" + parsed.words.front() + "' is one word too many");
    for (const auto& name : shipped)
      if (is_of_a_paper(name)) targets.push_back(shipped_target(name));
    return targets;
  }
  if (parsed.words.empty()) throw UsageError("say which figure or paper, or --all; usage: " + usage);
  for (const auto& word : parsed.words)
    for (auto& target : targets_of(word, shipped))
      if (std::none_of(targets.begin(), targets.end(), [&](const Target& t) { return t.file == target.file; })) targets.push_back(std::move(target));
  check_distinct(targets);
  return targets;
}

/// Says what was made of an experiment; returns whether all of it was.
bool report(const Reproduction& made, const std::string& name, const std::string& folder, bool quiet) {
  report_outcome(made.sweep, name, folder, quiet);
  for (const auto& file : made.files) {
    if (!quiet) std::cerr << "  " << file.path << '\n';
    report_kept(file);
  }
  if (!quiet && made.no_picture.empty() && made.files.size() == 1)
    std::cerr << "  (" << name << " describes neither a figure nor claims)\n";
  if (!made.no_picture.empty()) std::cerr << "no picture of " << name << ": " << made.no_picture << '\n';
  return !made.sweep.summary.has_failures() && made.no_picture.empty();
}

}  // namespace

int reproduce_command(const CommandInput& input) {
  namespace po = boost::program_options;
  const std::string usage = "nowsim reproduce FIGURE|PAPER|SPEC.yaml... | --all [--out DIR] [flags]";
  po::options_description description("flags");
  add_experiment_flags(description);
  add_jobs_flag(description);
  description.add_options()
      ("all", "every figure of every paper")
      ("out,o", po::value<std::string>()->default_value("results"), "the folder for results, one folder per paper in it; continued where it is there")
      ("format,f", po::value<std::string>()->default_value("table"), "of the verdicts: table, csv or json")
      ("quiet,q", "no progress and no list of files on the error stream");
  const ParsedFlags parsed = parse_flags(input.words, description, 0, 1000, usage);
  if (print_help(parsed, usage, description)) return 0;
  const Format format = parse_format(parsed.flags["format"].as<std::string>());
  const int jobs = parse_jobs(parsed.flags["jobs"].as<std::string>());
  const bool quiet = parsed.flags.count("quiet") > 0;
  const std::string out = parsed.flags["out"].as<std::string>();
  const auto targets = with_their_traces(read_targets(parsed, usage), load_options(parsed.flags));
  std::vector<Experiment> experiments;  // all are read before the first is run
  for (const auto& target : targets) {
    experiments.push_back(load_experiment(target.file, load_options(parsed.flags), input.workloads));
    print_remarks(experiments.back());
  }
  return run_into_store(out, [&] {
    bool whole = true;
    std::vector<ClaimResult> claims;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      ResultStore store((fs::path(out) / targets[k].folder).lexically_normal().string(), ResultStore::Access::write);
      const Experiment experiment = ready_to_run(experiments[k], &store, jobs, quiet, interruption_requested);
      Reproduction made;
      with_progress(jobs, quiet, [&](const RunOptions& options) {
        made = reproduce(store, targets[k].name, experiment, options);
        return made.sweep;
      });
      whole &= report(made, targets[k].name, store.folder(), quiet);
      claims.insert(claims.end(), made.claims.begin(), made.claims.end());
    }
    if (!quiet && !claims.empty() && format == Format::table) std::cerr << '\n';
    if (!claims.empty() || format != Format::table) write_claims(claims, format, std::cout);
    return whole ? 0 : 1;
  });
}

}  // namespace nowsim

// One experiment after the other; what fails is noted in the page.
#include "tools/commands/reproduce_run.hpp"

#include <malloc.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>

#include "experiments/driver/pictures/draw_figure.hpp"
#include "experiments/driver/reports/report.hpp"
#include "experiments/driver/reports/reproduction.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/sweeps/prepare.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"
#include "tools/claim_listing.hpp"
#include "tools/command.hpp"
#include "tools/output_files.hpp"
#include "tools/prepare.hpp"
#include "tools/progress_line.hpp"
#include "tools/store_session.hpp"
#include "tools/watched_reading.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// Says what was made of an experiment; returns whether all of it was.
bool report_made(const Reproduction& made, const std::string& name, const std::string& folder, bool quiet) {
  report_outcome(made.sweep, name, folder, quiet);
  if (!quiet && !made.sweep.summary.remark.empty()) std::cerr << "  remark: " << made.sweep.summary.remark << '\n';
  for (const auto& file : made.files) {
    if (!quiet) std::cerr << "  " << file.path << '\n';
    report_kept(file);
  }
  if (!quiet && made.no_picture.empty() && made.files.size() == 1)
    std::cerr << "  (" << name << " describes neither a figure nor claims)\n";
  if (!made.no_picture.empty()) std::cerr << "no picture of " << name << ": " << made.no_picture << '\n';
  return !made.sweep.summary.has_failures() && made.no_picture.empty();
}

/// What an experiment does, for its share of the whole.
struct PartWork {
  WorkCounts searches{}, points{};
};

/// Of sizes few are rehearsed: the line corrects itself, and people wait.
PartWork work_of(const Experiment& experiment) {
  constexpr std::size_t kMostRehearsed = 4;
  PartWork work;
  WorkCounter counter;
  work.searches += splits_work(experiment, counter);
  work.searches += sizes_work(experiment, counter, kMostRehearsed).work;
  for (const auto& point : experiment.points) work.points += point_work(point, counter);
  work.points[Cost::point] += static_cast<double>(experiment.points.size());
  ++work.points[Cost::worker];
  ++work.points[Cost::picture];
  return work;
}

std::vector<Search> searches_of(const Experiment& experiment) {
  const PendingSearches open = pending_searches(experiment);
  std::vector<Search> searches;
  if (open.splits > 0) searches.push_back(Search::splits);
  if (open.sizes > 0) searches.push_back(Search::sizes);
  return searches;
}

/// A sentence whose words do not begin with this folder: a page is the same wherever it is made.
std::string without_folder(std::string sentence, const fs::path& folder) {
  if (folder.empty()) return sentence;
  const std::string prefix = (folder / "").string();
  for (std::size_t at = 0; (at = sentence.find(prefix, at)) != std::string::npos;)
    if (at == 0 || sentence[at - 1] == ' ')
      sentence.erase(at, prefix.size());
    else
      at += prefix.size();
  return sentence;
}

/// "" where it cannot be drawn: the page has the picture itself.
std::string thumbnail_of(const fs::path& folder, const std::string& name) try {
  return draw_thumbnail(folder, name);
} catch (const RunError&) {
  return "";
}

/// Workers are forked, and a fork copies a page table as large as the process: what is free goes back to the system.
void give_memory_back() { malloc_trim(0); }

class ReproductionRun {
 public:
  ReproductionRun(const std::vector<Target>& targets, const ReproduceOrder& order, const Registries& registries)
      : targets_(targets), order_(order), registries_(registries) {
    report_.version = version();
    report_.flags = order.options.overrides;
  }

  /// All are read before the first is run, and not kept: one of a million workstations would make every fork slow.
  void read() {
    std::size_t unreadable = 0;
    for (const auto& target : targets_) {
      try {
        const Experiment experiment = read_experiment(target.file, order_.options, registries_, order_.quiet);
        print_remarks(experiment);
        for (const auto& problem : lost_variants(experiment)) spdlog::warn("{}", problem);  // results do not need it
        const Experiment affordable = without_costly_points(experiment, order_.most_s);
        refuse_before_store(affordable, (fs::path(order_.out) / target.folder).string(), order_.jobs);  // others run for hours
        add_part(target, affordable);
        failures_.emplace_back();
      } catch (const InputError& e) {
        if (!order_.goes_on || ++unreadable == targets_.size()) throw;
        parts_.push_back({target.path(), 1});
        works_.emplace_back();
        failures_.emplace_back(e.what());
      }
    }
    weigh_parts();
    give_memory_back();
  }

  ReproduceResult run() {
    if (order_.has_page) make_folder_of_page();
    OverallProgress whole(parts_);
    ProgressLine line(targets_.size() > 1 ? &whole : nullptr);
    for (std::size_t k = 0; k < targets_.size(); ++k) {
      whole.begin(k);
      reproduce_one(k, line);
    }
    close_store();
    line.clear();
    if (order_.has_page) write_page();
    return std::move(result_);
  }

 private:
  void add_part(const Target& target, const Experiment& experiment) {
    const bool is_shown = targets_.size() > 1 && !order_.quiet;  // a whole of one is not told
    parts_.push_back({target.path(), 1, is_shown ? searches_of(experiment) : std::vector<Search>()});
    works_.push_back(is_shown ? work_of(experiment) : PartWork());
  }

  void weigh_parts() {
    constexpr double kLeast_s = 1e-3;
    const CostTable& costs = shipped_costs();
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const double searches_s = costs.seconds(works_[k].searches), points_s = costs.seconds(works_[k].points) + kLeast_s;
      parts_[k].weight = searches_s + points_s;
      parts_[k].searching = searches_s / parts_[k].weight;
    }
  }

  void reproduce_one(std::size_t k, ProgressLine& line) {
    const Target& target = targets_[k];
    ReportedExperiment told;
    told.folder = target.folder;
    told.name = target.name;
    if (order_.has_page) told.described = describe_file(target.file, order_.options.overrides);
    if (failures_[k].empty())
      run_one(k, line, told);
    else
      note_failure(k, failures_[k], line, told);
    give_memory_back();
    if (order_.has_page) report_.experiments.push_back(std::move(told));
  }

  void run_one(std::size_t k, ProgressLine& line, ReportedExperiment& told) {
    if (!order_.goes_on) return run_into_its_store(k, line, told);
    try {
      run_into_its_store(k, line, told);
    } catch (const InputError& e) {
      note_failure(k, e.what(), line, told);
    } catch (const RunError& e) {
      note_failure(k, e.what(), line, told);
    }
  }

  /// A store that cannot be opened is a failure of its experiments alone. It stays open for those of the same folder,
  /// since all of it is read whenever it is opened, to find damage.
  void run_into_its_store(std::size_t k, ProgressLine& line, ReportedExperiment& told) {
    const std::string folder = (fs::path(order_.out) / told.folder).lexically_normal().string();
    if (session_ && session_->store().folder() != folder) close_store();
    if (!session_) {
      session_ = std::make_unique<Session>(folder);
      report_taken_in(*session_, order_.quiet);
    }
    run_into(session_->store(), k, line, told);
  }

  void close_store() {
    const auto session = std::move(session_);
    if (session) session->store().commit();
  }

  void run_into(BatchStore& store, std::size_t k, ProgressLine& line, ReportedExperiment& told) {
    ProgressLine* shown = order_.quiet ? nullptr : &line;
    const Experiment described = read_experiment(targets_[k].file, order_.options, registries_, true);
    const RunContext context = shown_on(shown, order_.jobs, order_.most_s);
    const Experiment experiment = ready_to_run(described, &store, context, shown, shown != nullptr);
    const ExperimentChanges changes =
        described.claims.empty() ? ExperimentChanges()
                                 : changes_beside(file_of_claims(described), described, order_.options, registries_);
    RunOptions options{context};
    options.keeps_quick = session_->has_shards();  // which look for what is missing
    Reproduction made = reproduce(store, told.name, experiment, changes, options);
    line.clear();
    result_.is_whole &= report_made(made, told.name, store.folder(), order_.quiet);
    result_.claims.insert(result_.claims.end(), made.claims.begin(), made.claims.end());
    if (order_.has_page) tell(std::move(made), fs::path(targets_[k].file).parent_path(), told);
  }

  /// `home`: the folder of the experiment's file, which sentences may name.
  void tell(Reproduction made, const fs::path& home, ReportedExperiment& told) const {
    for (const auto& file : made.files) {
      const fs::path path(file.path);
      told.files.push_back((fs::path(told.folder) / path.filename()).generic_string());
      if (path.extension() == ".svg") told.svg = read_user_file(file.path, kMostDataBytes);
    }
    told.no_picture = without_folder(made.no_picture, order_.out);
    if (!told.svg.empty()) told.thumbnail = thumbnail_of(fs::path(order_.out) / told.folder, told.name);
    told.claims = std::move(made.claims);
    told.summary = std::move(made.sweep.summary);
    for (auto& row : told.summary.rows) {
      row.reason = without_folder(row.reason, home);
      row.makespans_s.reset();  // what claims and pictures had of each replication would stay until the page is written
      for (auto& estimates : row.estimates)
        for (auto& estimate : estimates) estimate.influence.reset();
    }
  }

  void note_failure(std::size_t k, const std::string& why, ProgressLine& line, ReportedExperiment& told) {
    try {
      close_store();
    } catch (const RunError& e) {
      std::cerr << e.what() << '\n';
    }
    line.clear();
    std::cerr << told.path() << " could not be reproduced: " << why << '\n';
    told.failure = without_folder(without_folder(why, order_.out), fs::path(targets_[k].file).parent_path());
    result_.is_whole = false;
  }

  /// Before the first run: without it all of them would fail, and the page too.
  void make_folder_of_page() const {
    std::error_code error;
    fs::create_directories(order_.out, error);
    if (error) throw InputError("the folder " + order_.out + " cannot be made: " + error.message());
  }

  void write_page() const {
    const std::string page = html_report(report_), path = (fs::path(order_.out) / kReportFile).string();
    tell_kept(path, write_report(order_.out, page));
    if (!order_.quiet)
      std::cerr << path << " (" << format_quantity(static_cast<double>(page.size()), Dimension::bytes) << ")\n";
  }

  const std::vector<Target>& targets_;
  const ReproduceOrder& order_;
  const Registries& registries_;
  std::vector<OverallProgress::Part> parts_;
  std::vector<PartWork> works_;        // likewise
  std::vector<std::string> failures_;  // why it could not be read
  Report report_;
  std::unique_ptr<Session> session_;  ///< of the folder at hand
  ReproduceResult result_;
};

/// Targets as sweeps in shards, one at a time: what each is read for is not kept.
template <typename Do>
void each_as_sharded(const std::vector<Target>& targets, const ReproduceOrder& order, const Registries& registries, Do&& work) {
  for (const auto& target : targets) {
    const Experiment described = read_experiment(target.file, order.options, registries, order.quiet);
    work(ShardedSweep{described, target.name, (fs::path(order.out) / target.folder).lexically_normal().string(), order.jobs, order.quiet,
                      order.publish_every_s, order.most_s});
  }
}

}  // namespace

void reproduce_shard(const std::vector<Target>& targets, const ReproduceOrder& order, const Registries& registries, std::size_t shard,
                     std::size_t shards) {
  each_as_sharded(targets, order, registries, [&](const ShardedSweep& sweep) { run_shard_and_tell(sweep, shard, shards); });
}

MissingWork missing_works(const std::vector<Target>& targets, const ReproduceOrder& order, const Registries& registries) {
  MissingWork all;
  each_as_sharded(targets, order, registries, [&](const ShardedSweep& sweep) {
    const MissingWork missing = missing_work(sweep);
    all.batches += missing.batches;
    all.seconds += missing.seconds;
  });
  return all;
}

ReproduceResult reproduce_all(const std::vector<Target>& targets, const ReproduceOrder& order,
                              const Registries& registries) {
  const auto begin = std::chrono::steady_clock::now();
  ReproductionRun run(targets, order, registries);
  run.read();
  ReproduceResult result = run.run();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (!order.quiet && targets.size() > 1)
    std::cerr << "whole: " << targets.size() << " experiments in " << duration_text(took.count()) << '\n';
  return result;
}

}  // namespace nowsim

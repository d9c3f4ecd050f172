// One experiment after the other, each in a process of its own; what fails is noted in the page.
#include "tools/commands/reproduce_run.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <ostream>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/reports/report.hpp"
#include "experiments/driver/reports/reproduction.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/user_file.hpp"
#include "sim/platform/worker_process.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/output_files.hpp"
#include "tools/running/prepare.hpp"
#include "tools/running/store_session.hpp"
#include "tools/running/watched_reading.hpp"
#include "tools/shipped/claim_listing.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// Says what was made of an experiment; returns whether all of it was.
bool report_made(Session& session, const Reproduction& made, const std::string& name, const std::string& folder, bool quiet) {
  report_outcome(session, made.sweep, name, folder, quiet);
  if (!quiet && !made.sweep.summary.remark.empty()) session.error << "  remark: " << made.sweep.summary.remark << '\n';
  for (const auto& file : made.files) {
    if (!quiet) session.error << "  " << file.path << '\n';
    report_kept(session, file);
  }
  if (!quiet && made.no_picture.empty() && made.files.size() == 1)
    session.error << "  (" << name << " describes neither a figure nor claims)\n";
  if (!made.no_picture.empty()) session.error << "no picture of " << name << ": " << made.no_picture << '\n';
  return !made.sweep.summary.has_failures() && made.no_picture.empty();
}

/// What is told of an experiment that was read.
struct ReadExperiment {
  double estimated_s = 0;    ///< on one core, of what is missing in its store
  std::string failure = {};  ///< why it could not be read

  template <class All>
  void fields(All& all) {
    all(estimated_s, failure);
  }
};

/// A store that cannot be read is as none here: whoever runs into it says why. Of sizes few are rehearsed: people wait.
double estimated_s(const Experiment& experiment, const std::string& folder) {
  constexpr std::size_t kMostRehearsed = 4;
  const auto estimate = [&](BatchStore* store) {
    return forecast_sweep(store, experiment, kMostRehearsed).seconds(shipped_costs()) + shipped_costs()[Cost::picture];
  };
  std::optional<BatchStore> store;
  try {
    store.emplace(folder, BatchStore::Access::read);
  } catch (const InputError&) {  // there is none yet
  }
  return estimate(store ? &*store : nullptr);
}

/// What is told of an experiment that was reproduced.
struct MadeExperiment {
  bool is_whole = true;
  std::vector<ClaimResult> claims = {};
  ExperimentArticle article = {};  ///< where a page is asked for
  ProgressLine::Clock::time_point next_line = {};

  template <class All>
  void fields(All& all) {
    all(is_whole, claims, article, next_line);
  }
};

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

/// Work in a process of its own: what it needs is gone with it, and its workers are forked from no more than that. What
/// asks this process to stop asks that one, which then ends in good order.
/// @throws Interrupted, and what else the work throws.
template <class Result>
Result in_own_process(const std::function<Result()>& work) {
  constexpr double kPatience_s = 0.5;
  enum class End : std::uint8_t { done, interrupted, input_error, fault };
  const auto told = [&] {
    heed_parent();
    try {
      return packed(End::done, work());
    } catch (const Interrupted&) {
      return packed(End::interrupted);
    } catch (const InputError& e) {
      return packed(End::input_error, e.problems());
    } catch (const RunError&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::length_error&) {
      throw std::bad_alloc();  // more elements than any memory holds
    } catch (const std::system_error&) {
      throw;
    } catch (const std::exception& e) {
      return packed(End::fault, std::string(e.what()));
    }
  };
  WorkerProcess process(told, WorkerProcess::Errors::shown);
  const WorkerProcess* const only = &process;
  std::optional<WorkerAnswer> answer;
  for (bool is_asked = false; !(answer = process.take());) {
    wait_for_news({&only, 1}, 0, kPatience_s);
    if (interruption_requested() && !std::exchange(is_asked, true)) process.ask_to_stop();
  }
  const ChildOutcome outcome{answer->kind, std::string(answer->text)};
  Deserializer in(outcome.get());
  switch (in.get<End>()) {
    case End::interrupted:
      if (!interruption_requested()) request_interruption();  // by a function of the user's, there alone
      throw Interrupted();
    case End::input_error: throw InputError(in.get<std::vector<InputProblem>>());
    case End::fault: throw std::runtime_error(in.get<std::string>());
    case End::done: break;
  }
  return in.get<Result>();
}

class ReproductionRun {
 public:
  ReproductionRun(const std::vector<Target>& targets, const ReproduceOrder& order, Session& session)
      : targets_(targets), order_(order), session_(session) {
    report_.version = version();
    report_.flags = order.options.overrides;
  }

  ReproduceResult run() {
    // All are read before the first is run: others may run for hours before one that cannot be read.
    read_ = in_own_process<std::vector<ReadExperiment>>([this] { return read_all(); });
    if (order_.has_page) make_folder_of_page();
    std::vector<OverallProgress::Part> parts;
    for (std::size_t k = 0; k < targets_.size(); ++k) parts.push_back({targets_[k].path(), read_[k].estimated_s});
    OverallProgress whole(std::move(parts), order_.jobs);
    ProgressLine line(targets_.size() > 1 ? &whole : nullptr);
    for (std::size_t k = 0; k < targets_.size(); ++k) reproduce_one(k, line);
    if (order_.has_page) write_page();
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::vector<ReadExperiment> read_all() const {
    std::vector<ReadExperiment> all;
    std::size_t unreadable = 0;
    for (const auto& target : targets_) {
      ReadExperiment& read = all.emplace_back();
      try {
        const Experiment described = read_experiment(target.file, order_.options, session_.known, order_.quiet);
        print_remarks(described);
        for (const auto& problem : lost_variants(described)) spdlog::warn("{}", problem.text());  // results do not need it
        const Experiment affordable = without_costly_points(described, order_.most_s);
        refuse_before_store(affordable, folder_of(target), order_.jobs);
        if (targets_.size() > 1 && !order_.quiet) read.estimated_s = estimated_s(affordable, folder_of(target));
      } catch (const InputError& e) {
        if (!order_.goes_on || ++unreadable == targets_.size()) throw;
        read.failure = e.what();
      }
    }
    return all;
  }

  [[nodiscard]] std::string folder_of(const Target& target) const {
    return (fs::path(order_.out) / target.folder).lexically_normal().string();
  }

  void reproduce_one(std::size_t k, ProgressLine& line) {
    if (!read_[k].failure.empty()) return note_failure(k, read_[k].failure);
    const auto fail = [&](const char* why) {  // which tells nothing of how fast the others are
      if (!order_.goes_on) throw;
      line.clear();
      note_failure(k, why);
    };
    try {
      line.begin(k);
      if (!order_.quiet) line.lend();
      MadeExperiment made = in_own_process<MadeExperiment>([&] {
        MadeExperiment here = make(k, line);
        here.next_line = line.next();
        return here;
      });
      line.end();
      line.wait_until(made.next_line);
      result_.is_whole &= made.is_whole;
      result_.claims.insert(result_.claims.end(), made.claims.begin(), made.claims.end());
      if (order_.has_page) report_.experiments.push_back(std::move(made.article));
    } catch (const InputError& e) {
      fail(e.what());
    } catch (const RunError& e) {
      fail(e.what());
    }
  }

  /// Whether none before it, of those that follow each other in one folder, has told what was taken in there.
  [[nodiscard]] bool is_first_there(std::size_t k) const {
    for (std::size_t before = k; before-- > 0 && targets_[before].folder == targets_[k].folder;)
      if (read_[before].failure.empty()) return false;
    return true;
  }

  [[nodiscard]] MadeExperiment make(std::size_t k, ProgressLine& line) const {
    const Target& target = targets_[k];
    ReportedExperiment told = reported(target);
    StoreSession stored(folder_of(target));
    if (is_first_there(k)) report_taken_in(session_, stored, order_.quiet);
    BatchStore& store = stored.store();
    ProgressLine* shown = order_.quiet ? nullptr : &line;
    const Experiment described = read_experiment(target.file, order_.options, session_.known, true);
    const RunContext context = shown_on(shown, order_.jobs, order_.most_s);
    const Experiment experiment = ready_to_run(described, &store, context, shown, shown != nullptr);
    const ExperimentChanges changes =
        described.claims.empty() ? ExperimentChanges()
                                 : changes_beside(file_of_claims(described), described, order_.options, session_.known);
    RunOptions options{context};
    options.keeps_quick = stored.has_shards();  // which look for what is missing
    Reproduction made = reproduce(store, told.name, experiment, changes, options);
    line.clear();
    MadeExperiment result{report_made(session_, made, told.name, store.folder(), order_.quiet), made.claims};
    if (!order_.has_page) return result;
    tell(std::move(made), fs::path(target.file).parent_path(), told);
    result.article = article_of(std::move(told));
    return result;
  }

  [[nodiscard]] ReportedExperiment reported(const Target& target) const {
    ReportedExperiment told;
    told.folder = target.folder;
    told.name = target.name;
    if (order_.has_page) told.described = describe_file(target.file, order_.options.overrides);
    return told;
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
    for (auto& row : told.summary.rows) row.reason = without_folder(row.reason, home);
  }

  void note_failure(std::size_t k, const std::string& why) {
    session_.error << targets_[k].path() << " could not be reproduced: " << why << '\n';
    result_.is_whole = false;
    if (!order_.has_page) return;
    ReportedExperiment told = reported(targets_[k]);
    told.failure = without_folder(without_folder(why, order_.out), fs::path(targets_[k].file).parent_path());
    report_.experiments.push_back(article_of(std::move(told)));
  }

  /// Before the first run: without it all of them would fail, and the page too.
  void make_folder_of_page() const {
    std::error_code error;
    fs::create_directories(order_.out, error);
    if (error) throw InputError("the folder " + order_.out + " cannot be made: " + error.message());
  }

  void write_page() const {
    const std::string page = html_report(report_), path = (fs::path(order_.out) / kReportFile).string();
    tell_kept(session_, path, write_report(order_.out, page));
    if (!order_.quiet)
      session_.error << path << " (" << format_quantity(static_cast<double>(page.size()), Dimension::bytes) << ")\n";
  }

  const std::vector<Target>& targets_;
  const ReproduceOrder& order_;
  Session& session_;
  std::vector<ReadExperiment> read_;
  Report report_;
  ReproduceResult result_;
};

/// Targets as sweeps in shards, one at a time: what each is read for is not kept.
template <typename Do>
void each_as_sharded(const std::vector<Target>& targets, const ReproduceOrder& order, Session& session, Do&& work) {
  for (const auto& target : targets) {
    const Experiment described = read_experiment(target.file, order.options, session.known, order.quiet);
    work(ShardedSweep{described, target.name, (fs::path(order.out) / target.folder).lexically_normal().string(), order.jobs, order.quiet,
                      order.publish_every_s, order.most_s});
  }
}

}  // namespace

void reproduce_shard(const std::vector<Target>& targets, const ReproduceOrder& order, Session& session, std::size_t shard,
                     std::size_t shards) {
  each_as_sharded(targets, order, session, [&](const ShardedSweep& sweep) { run_shard_and_tell(session, sweep, shard, shards); });
}

MissingWork missing_works(const std::vector<Target>& targets, const ReproduceOrder& order, Session& session) {
  MissingWork all;
  each_as_sharded(targets, order, session, [&](const ShardedSweep& sweep) {
    const MissingWork missing = missing_work(session, sweep);
    all.batches += missing.batches;
    all.seconds += missing.seconds;
  });
  return all;
}

ReproduceResult reproduce_all(const std::vector<Target>& targets, const ReproduceOrder& order,
                              Session& session) {
  const auto begin = std::chrono::steady_clock::now();
  ReproduceResult result = ReproductionRun(targets, order, session).run();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (!order.quiet && targets.size() > 1)
    session.error << "whole: " << targets.size() << " experiments in " << duration_text(took.count()) << '\n';
  return result;
}

}  // namespace nowsim

// `nowsim verify`: both engines on the same replications, and how far they are apart.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "experiments/driver/running/summary.hpp"
#include "experiments/driver/text/document.hpp"
#include "sim/engines/engine_agreement.hpp"
#include "tools/command.hpp"
#include "tools/prepare.hpp"

namespace nowsim {
namespace {

/// A scenario to be compared, and what it is called.
struct Case {
  std::string name;
  Experiment experiment;
  std::size_t point;
};

/// What verify runs by itself: labs/verification with each of these jobs and each of these owners, and, on links of which
/// something else is left all the time, with each of these bandwidths and a job that communicates.
struct Variant {
  const char* name;
  const char* setting;
};
constexpr Variant kJobs[] = {
    {"base-task", "job={workload: base-task, work: 400f}"},
    {"augmented-task", "job={workload: augmented-task, work: 400f, phases: 5, synchronise: both, barrier_cost: 10ms}"},
    {"ping-pong", "job={workload: ping-pong, rounds: 3, bytes: 700}"},
    {"all-to-all", "job={workload: all-to-all, work: 400f, rounds: 3, bytes: 0}"},  // longer ones meet on links
    {"ep", "job={workload: ep, size: 40, work_per_pair: 10f}"},
    {"edge-detection", "job={workload: edge-detection, size: 6, mask: 3}"},  // halo rows of later passes would meet
    {"merge-sort", "job={workload: merge-sort, size: 20}"},
    {"matrix-multiply", "job={workload: matrix-multiply, size: 10, spawn: 100ms}"},
    {"matrix-multiply rotating", "job={workload: matrix-multiply, size: 10, distribute: rotate}"},
    {"cholesky", "job={workload: cholesky, size: 12, block: 2, broadcast: binomial}"},  // buffered panels meet on links
    {"gauss", "job={workload: gauss, size: 9}"},
    {"gauss point-to-point, shrinking",
     "job={workload: gauss, size: 9, communication: point-to-point, rows: shrinking}"},
    {"gauss free", "job={workload: gauss, size: 9, rows: shrinking, steps: free}"},
    {"gauss point-to-point, free", "job={workload: gauss, size: 9, communication: point-to-point, steps: free}"},
    {"genetic-algorithm", "job={workload: genetic-algorithm, population: 9, generations: 4, evaluation: 10f}"},
    {"genetic-algorithm drawn costs",
     "job={workload: genetic-algorithm, population: 9, generations: 4, evaluation: 10f, law: exponential, evolve: 2f}"},
    {"genetic-algorithm static",
     "job={workload: genetic-algorithm, population: 9, generations: 4, evaluation: 10f, dispatcher: static}"},
    {"genetic-algorithm static, drawn costs",
     "job={workload: genetic-algorithm, population: 9, generations: 4, evaluation: 10f, law: exponential, "
     "dispatcher: static}"},
    {"task-farm SS", "job={workload: task-farm, tasks: 30, cost: 10f, law: uniform, technique: SS, request: 2B, input: "
                     "3B, result: 5B, overhead: 10ms}"},
    {"task-farm GSS", "job={workload: task-farm, tasks: 60, cost: 5f, law: exponential, technique: GSS, result: 1B}"},
    {"task-farm CSS", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: CSS, chunk: 7, request: "
                      "1B}"},
    {"task-farm TSS", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: TSS, request: 1B}"},
    {"task-farm FAC", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: FAC, request: 1B}"},
    {"task-farm FAC2", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: FAC2, request: 1B}"},
    {"task-farm WF", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: WF, request: 1B}"},
    {"task-farm AWF-B", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: AWF-B, request: 1B}"},
    {"task-farm AWF-C", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: AWF-C, request: 1B}"},
    {"task-farm AF", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: AF, request: 1B}"},
    {"task-farm static", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: static, input: 1B}"},
    {"task-farm SS with time-outs", "job={workload: task-farm, tasks: 40, cost: 10f, law: exponential, technique: SS, "
                                    "request: 3B, result: 2B, timeout: 15s}"}};
constexpr Variant kOwners[] = {
    {"dedicated", "owner={model: dedicated}"},
    {"intervals uniform", "owner={model: intervals, TH: 0.4, SH: 0.1, interval: 3s}"},
    {"intervals two-point", "owner={model: intervals, value: two-point, TH: 1, length: constant, interval: 2s}"},
    {"intervals beta, exponential",
     "owner={model: intervals, value: beta, TH: 0.6, length: exponential, interval: 5s}"},
    {"intervals normal, pareto",
     "owner={model: intervals, value: truncated-normal, TH: 0.5, length: pareto, shape: 3, interval: 5s}"},
    {"duty-cycle", "owner={model: duty-cycle, period: 7s, u: 30%}"},
    {"jobs, sharing", "owner={model: jobs, u: 40%, demand: 3s}"},
    {"jobs, priority", "owner={model: jobs, u: 40%, demand: 3s, discipline: preemptive-priority}"},
    {"profile", "owner={model: profile, file: FOLDER/uniform-th028.profile}"},
    {"trace", "owner={model: trace, file: FOLDER/lab-load.csv, column: load}"},
    {"correlated intervals",
     "owner={model: intervals, TH: 0.4, SH: 0.1, interval: 3s, length: exponential, correlation: 0.4}"},
    {"correlated duty-cycle", "owner={model: duty-cycle, period: 7s, u: 30%, correlation: 0.7}"},
    {"diurnal trace",
     "owner={model: trace, file: FOLDER/lab-load.csv, column: load, correlation: 0.5, diurnal: {hours: [0.9, 0.8, 0.7, "
     "0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.2, 0.3, 0.4, 0.5, 0.4, 0.3, 0.2, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]}}"},
    {"diurnal over correlated intervals",
     "owner={model: intervals, TH: 0.4, interval: 3s, correlation: 0.4, diurnal: {start: '17:59', hours: [1, 1, 1, 1, "
     "1, 1, 0.8, 0.5, 0.4, 0.3, 0.3, 0.3, 0.5, 0.3, 0.3, 0.3, 0.4, 0.2, 0.7, 0.7, 0.8, 0.9, 1, 1]}}"}};

/// Runs beside no owners.
constexpr Variant kDrawnTimes = {"stochastic-time, dedicated",
                                 "job={workload: stochastic-time, work: 400f, sd_first: 10s, sd_last: 30s, sd_at: 40s}"};
/// Tasks handed out to machines that fail; owners' jobs on such machines are a case for SimGrid alone.
constexpr const char* kFailures = "platform.failures={rate: 0.004, repair: 20s}";
constexpr Variant kFarms[] = {
    {"task-farm SS", "job={workload: task-farm, tasks: 40, cost: 10f, law: exponential, technique: SS, request: 3B, "
                     "result: 2B, timeout: 71s}"},
    {"task-farm FAC2", "job={workload: task-farm, tasks: 40, cost: 10f, law: exponential, technique: FAC2, request: 3B, "
                       "result: 2B, timeout: 37s, timeout_per_task: 41s}"},
    {"task-farm static", "job={workload: task-farm, tasks: 40, cost: 10f, law: exponential, technique: static, "
                         "request: 3B, result: 2B, timeout: 37s, timeout_per_task: 41s}"}};
constexpr const char* kCommunicating[] = {
    "platform.network=links", "owner={model: intervals, TH: 0.4, SH: 0.1, interval: 3s}",
    "job={workload: augmented-task, work: 400f, phases: 5, synchronise: both, barrier_cost: 10ms, bytes: 3kB}"};

std::string in_folder(std::string text, const std::string& folder) {
  const std::string mark = "FOLDER";
  if (const auto at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), folder);
  return text;
}

void add_points(std::vector<Case>& cases, const std::string& name, const Experiment& experiment) {
  const Summary summary{experiment.title, experiment.file, experiment.axes, {}, {}};
  for (std::size_t p = 0; p < experiment.points.size(); ++p) {
    SummaryRow row;
    row.values = experiment.points[p].values;
    const std::string where = point_text(summary, row);
    const std::string title = name.empty() && where.empty() ? experiment.title : name;
    if (experiment.points[p].simulated() == nullptr) continue;
    cases.push_back({title + (title.empty() || where.empty() ? "" : " ") + where, experiment, p});
  }
}

std::vector<Case> standard_cases(const LoadOptions& options, const Registries& registries) {
  const std::string file = find_experiment("labs/verification");
  const auto platforms = std::filesystem::absolute(file).parent_path() / "../../platforms";
  const std::string folder = platforms.lexically_normal().string();
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, std::vector<std::string> settings) {
    for (auto& setting : settings) setting = in_folder(setting, folder);
    settings.insert(settings.end(), options.overrides.begin(), options.overrides.end());
    add_points(cases, name, load_experiment(file, {settings}, registries));
  };
  for (const auto& job : kJobs)
    for (const auto& owner : kOwners) add(std::string(job.name) + ", " + owner.name, {job.setting, owner.setting});
  add(kDrawnTimes.name, {kDrawnTimes.setting});
  const auto has_jobs = [](const Variant& owner) {
    return std::string(owner.setting).find("model: jobs") != std::string::npos;
  };
  for (const auto& job : kFarms)
    for (const auto& owner : kOwners)
      if (!has_jobs(owner))
        add(std::string(job.name) + " with failures, " + owner.name, {kFailures, job.setting, owner.setting});
  for (const auto& model : kOwners) {
    if (has_jobs(model)) continue;  // of processors only
    const std::string setting = model.setting;
    std::vector<std::string> settings(std::begin(kCommunicating), std::end(kCommunicating));
    settings.push_back("bandwidth" + setting.substr(setting.find('=')));
    add(std::string("augmented-task with bytes, bandwidth ") + model.name, settings);
  }
  return cases;
}

Agreement compare(const Case& one) {
  const Point& point = one.experiment.points[one.point];
  const std::uint64_t size = batch_size(*point.scenario()), all = point.plan.replications;
  Agreement agreement;
  for (std::uint64_t first = 0; first < all; first += size)
    merge(agreement, compare_engines(*point.scenario(), {first, std::min(size, all - first)}));
  return agreement;
}

bool is_compared(const Agreement& a) {
  return a.kind == Agreement::Kind::agree || a.kind == Agreement::Kind::reordered || a.kind == Agreement::Kind::differ;
}

std::string number_of(double difference) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", difference);
  return difference == 0 ? "0" : text;
}

std::string difference_text(const Agreement& a) { return is_compared(a) ? number_of(a.largest) : "-"; }

std::string remark(const Agreement& a) {
  if (a.kind == Agreement::Kind::agree) return "";
  std::string text = a.largest > kEngineTolerance || !is_compared(a) ? a.where : "";
  if (a.reordered > 0)
    text += (text.empty() ? "" : "; ") + std::to_string(a.reordered) +
            " replications differ in the order of simultaneous events, by " + number_of(a.largest_reordered) + " at most";
  return text;
}

/// What all cases came to.
struct Totals {
  std::size_t cases = 0, compared = 0, differ = 0, failed = 0;
  double largest = 0;
  void add(const Agreement& a) {
    ++cases;
    differ += a.kind == Agreement::Kind::differ ? 1 : 0;
    failed += a.kind == Agreement::Kind::failed ? 1 : 0;
    if (!is_compared(a)) return;
    ++compared;
    largest = std::max(largest, a.largest);
  }
  [[nodiscard]] std::string text() const {
    const std::string of = " of " + std::to_string(cases) + " scenarios";
    const std::string fails = failed > 0 ? "; " + std::to_string(failed) + " failed" : "";
    if (compared == 0) return "0" + of + " run on both engines: nothing was compared" + fails;
    return std::to_string(compared) + of + " run on both engines; the largest relative difference is " +
           number_of(largest) + (differ > 0 ? ", more than 1e-09 allows in " + std::to_string(differ) : "") + fails;
  }
};

Fields agreement_fields(const std::string& name, const Agreement& a) {
  return {{"scenario", name},
          {"replications", std::uint64_t{a.replications}},
          {"largest_difference", is_compared(a) ? number_of(a.largest) : "", kInCsv},
          {"largest_difference", is_compared(a) ? a.largest : kNotKnown, kInJson},
          {"reordered", std::uint64_t{a.reordered}},
          {"verdict", std::string(agreement_name(a.kind))},
          {"remark", remark(a)}};
}

/// Compares case by case, each as its line is written.
class Verification {
 public:
  explicit Verification(std::vector<Case> cases) : cases_(std::move(cases)) {
    for (const auto& one : cases_) width_ = std::max(width_, one.name.size());
  }
  Document document() {
    const List rows{cases_.size(), [this](std::size_t i) -> Value {
                      return Object{agreement_fields(cases_[i].name, agreement(i))};
                    }, Lines::each};
    return {[this](std::ostream& out) { write_table(out); }, agreement_fields("", {}), rows, rows};
  }
  [[nodiscard]] bool is_whole() const { return totals_.differ + totals_.failed == 0; }

 private:
  Agreement agreement(std::size_t i) {
    std::cout.flush();  // it may take long
    const Agreement agreement = compare(cases_[i]);
    totals_.add(agreement);
    return agreement;
  }
  void write_table(std::ostream& out) {
    write_line(out, "scenario", "replications", "difference", "verdict", "");
    write_line(out, std::string(width_, '-'), "------------", "----------", "---------", "");
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const Agreement a = agreement(i);
      write_line(out, cases_[i].name, std::to_string(a.replications), difference_text(a), agreement_name(a.kind),
                 remark(a));
    }
    out << "\n" << totals_.text() << '\n';
  }
  void write_line(std::ostream& out, const std::string& name, const std::string& count, const std::string& difference,
                  const std::string& verdict, const std::string& more) const {
    const auto gap = [](const std::string& text, std::size_t width) {
      return std::string(width - std::min(width, text.size()), ' ');
    };
    out << "  " << name << gap(name, width_) << "  " << gap(count, 12) << count << "  " << gap(difference, 10)
        << difference << "  " << verdict << (more.empty() ? "" : gap(verdict, 9) + "  " + more) << '\n';
  }

  std::vector<Case> cases_;
  std::size_t width_ = 8;
  Totals totals_;
};

void add_verify_flags(boost::program_options::options_description& description) {
  add_experiment_flags(description);
  add_output_flags(description);
}

int do_verify(const ParsedFlags& parsed, const Registries& registries) {
  const OutputFlags how = output_flags(parsed.flags);
  const LoadOptions options = load_options(parsed.flags);
  std::vector<Case> cases;
  if (parsed.words.empty()) cases = standard_cases(options, registries);
  else {
    const Experiment described = load_experiment(find_experiment(parsed.words.front()), options, registries);
    add_points(cases, "", ready_to_run(described, nullptr, 1, how.quiet));
  }
  Verification verification(std::move(cases));
  write_document(verification.document(), how.format, std::cout);
  return verification.is_whole() ? 0 : 1;
}

}  // namespace

Command verify_command() {
  return {"verify", "run both engines on the same replications, and compare",
          "nowsim verify [SPEC.yaml] [flags]", 0, 1, add_verify_flags, do_verify};
}

}  // namespace nowsim

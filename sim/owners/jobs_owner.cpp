// The owner model `jobs`: owner jobs that arrive at random and compete with the task (HL 2.1.2), by its keys.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/owners/owner_keys.hpp"

namespace nowsim {
namespace {

const std::vector<std::string> kDisciplines{"processor-sharing", "preemptive-priority"};  // as in Discipline
enum Start : std::size_t { kFresh, kStationary, kRandom, kIndependent };  // and the others of trace_start_names()
/// Those of a log behind those of jobs that are drawn, as they stand there.
const std::vector<std::string> kStarts = [] {
  std::vector<std::string> all{"fresh", "stationary"};
  std::ranges::copy(trace_start_names(), std::back_inserter(all));
  return all;
}();

constexpr TimeLawKeys kDemandKeys{"demand_law", "shape", "demand_cv", "demand_file", "demand_formula"};
constexpr TimeLawKeys kArrivalKeys{"arrivals", "arrival_shape", "arrival_cv", "arrival_file", "arrival_formula"};

/// The mean time between owner jobs, as given or from the utilisation of all cores; infinity for no jobs at all, 0
/// after a problem.
double read_interarrival(KeyReader& read, double demand_s, int cores) {
  const bool by_interval = read.has("interarrival");
  if (read.has("u") == by_interval) {
    read.problem("u", by_interval ? "u and interarrival say the same in two ways: give one of them"
                                  : "this key is missing, or in its place interarrival, the mean time between "
                                    "owner jobs");
    return 0;
  }
  const double core_s = demand_s / cores;  // how long a job keeps all cores: shorter intervals are too much for them
  if (by_interval) {
    constexpr Bounds kSomeTime{0, std::numeric_limits<double>::max(), true};  // a problem gives half of that: few jobs
    const double interval_s = read.value_within("interarrival", kSomeTime);
    if (interval_s > core_s) return interval_s;
    read.problem("interarrival", "owner jobs would pile up without end: one that asks for " + short_number(demand_s) +
                                     " s comes every " + short_number(interval_s) + " s, on " + std::to_string(cores) +
                                     (cores == 1 ? " core" : " cores") + "; it must be more than " +
                                     short_number(core_s) + " s");
    return 0;
  }
  const double u = read.value("u");
  if (u < 1) return core_s / u;
  read.problem("u", number_text(u) +
                        " is out of range: it must be less than 1, or owner jobs would pile up without end");
  return 0;
}

/// The mean interval where something else says how often jobs come: hours, or the law of intervals itself; 0 after a
/// problem.
double given_interarrival(KeyReader& read, const TimeLaw& law, double demand_s, const OwnerContext& context) {
  refuse_keys(read, {"u", "interarrival"},
              context.by_hour ? std::string("the hours of diurnal say how often owner jobs come: this key is not wanted")
                              : "with arrivals: " + law.name + " the mean interval follows: this key is not wanted");
  if (!law.has_own_mean()) return 2 * demand_s / context.cores;  // or any other: hours change it
  if (!context.by_hour) return law.said.law->mean();
  read.problem("arrivals", "the hours of diurnal say how often owner jobs come, and so does '" + law.name +
                               "': give a law by its name");
  return 0;
}

OwnerPtr make_drawn_jobs(KeyReader& read, const OwnerContext& context) {
  const TimeLaw demand = read_time_law(read, context, kDemandKeys), arrivals = read_time_law(read, context, kArrivalKeys);
  if (demand.has_own_mean())
    refuse_keys(read, {"demand"},
                "with demand_law: " + demand.name + " the mean demand follows: this key is not wanted");
  const double demand_s = demand.has_own_mean() ? demand.said.law->mean() : read.value("demand");
  const std::size_t discipline = read.word("discipline");
  const bool is_given = context.by_hour || arrivals.has_own_mean();
  const double interarrival = is_given ? given_interarrival(read, arrivals, demand_s, context)
                                       : read_interarrival(read, demand_s, context.cores);
  if (!(interarrival > 0) || !std::isfinite(interarrival) || !(demand_s > 0)) return dedicated_owner();
  const bool is_plain = arrivals.name == "exponential";
  const std::size_t start = read.word("start");
  const bool is_stationary = start == kStationary || start == kRandom || start == kIndependent;
  if (start > kIndependent) read.problem("start", "'" + kStarts[start] + "' is of a log; of jobs that are drawn it is fresh or stationary");
  ToldKeys told;
  told += "jobs " + kDisciplines[discipline];
  if (!is_given) told += " interarrival=" + number_text(interarrival) + "s";
  if (!demand.has_own_mean()) told += " demand=" + number_text(demand_s) + "s";
  told += demand.told("demand_law");
  told += " cores=" + std::to_string(context.cores) + demand.spread_text;
  if (!is_plain) (told += arrivals.told("arrivals")) += arrivals.spread_text;
  if (is_stationary) told += " start=stationary";
  return context.shared.get<Owner>(told.exactly + (context.by_hour ? " by hour" : ""), [&] {
    return jobs_owner(renewal_jobs(arrivals.with_mean(interarrival), demand.with_mean(demand_s)),
                      static_cast<Discipline>(discipline), context.cores, told.label, told.exactly,
                      is_stationary ? OwnerStart::stationary : OwnerStart::fresh);
  });
}

OwnerPtr make_logged_jobs(KeyReader& read, const OwnerContext& context) {
  refuse_keys(read, {"interarrival", "demand", "demand_law", "arrivals"},
              "the log says when owner jobs come, and what they need: this key is not wanted");
  const std::string file = file_of_host(read, "log", context.host);
  const std::size_t word = read.has("start") ? read.word("start") : kRandom;
  if (word < kRandom)
    read.problem("start", "a log starts at random, independent, common, or beginning (of the log, without jobs), not " +
                              kStarts[word]);
  const auto start = static_cast<TraceStart>(word < kRandom ? 0 : word - kRandom);
  const std::size_t discipline = read.word("discipline");
  const bool is_scaled = read.has("u");
  const double u = is_scaled ? read.value("u") : 0;
  if (file.empty()) return dedicated_owner();
  if (!(u < 1)) read.problem("u", number_text(u) + " is out of range: it must be less than 1");
  if (!(u < 1) || (is_scaled && u == 0)) return dedicated_owner();
  const OwnerPtr made = noted(read, "log", [&] {
    const auto log =
        context.shared.get<JobLog>(file, [&] { return std::make_shared<const JobLog>(read_job_log(file)); });
    for (const auto& remark : log->remarks) context.shared.note(NoteOn::partial_jobs, file + ": " + remark);
    const double scale = is_scaled ? u * context.cores * log->total_s / log->demand_s : 1;
    const std::string rest = " cores=" + std::to_string(context.cores) + (is_scaled ? " u=" + number_text(u) : "") +
                             " start=" + trace_start_names()[static_cast<std::size_t>(start)];
    const std::string name = "jobs " + kDisciplines[discipline] + " log", label = name + " " + file + rest;
    return context.shared.get<Owner>(label, [&] {
      return jobs_owner(logged_jobs(log, scale, start, file), static_cast<Discipline>(discipline), context.cores, label,
                        name + rest, start == TraceStart::beginning ? OwnerStart::fresh : OwnerStart::stationary);
    });
  });
  return made ? made : dedicated_owner();
}

OwnerPtr make_jobs(KeyReader& read, const OwnerContext& context) {
  return read.has("log") ? make_logged_jobs(read, context) : make_drawn_jobs(read, context);
}

}  // namespace

OwnerModelInfo jobs_model() {
  KeyTable keys{
      {"u", KeyType::share, kMustBeGiven, "what owner jobs use of all cores, less than 1; or give interarrival"},
      {"interarrival", KeyType::time, kMustBeGiven, "mean time between owner jobs; or give u", kPositive},
      {"arrivals", KeyType::word, "exponential", "law of the times between owner jobs (exponential: a Poisson stream)", {},
       time_law_words()},
      {"demand", KeyType::time, kMustBeGiven, "mean CPU time of a job on one core", kPositive},
      {"demand_law", KeyType::word, "exponential", "law of the CPU times (uniform: on [0, 2 demand])", {},
       time_law_words()},
      {"log", KeyType::path, kMustBeGiven,
       "in place of these: times and demands, or an SWF log; {host} stands for the workstation's name"},
      {"start", KeyType::word, "stationary",
       "begin without owner jobs, or with those of a random moment; with log: where in it it begins",
       {}, kStarts},
      {"discipline", KeyType::word, "processor-sharing", "how jobs and task share the cores", {}, kDisciplines}};
  std::ranges::move(time_law_rows(kDemandKeys), std::back_inserter(keys));
  std::ranges::move(time_law_rows(kArrivalKeys), std::back_inserter(keys));
  return {"jobs", "owner jobs arrive and share the CPU with the task, which slows them down (HL 2.1.2)", keys, make_jobs,
          false};
}

}  // namespace nowsim

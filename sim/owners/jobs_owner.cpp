// The owner model `jobs`: owner jobs that arrive at random and compete with the task (HL 2.1.2), by its keys.
#include <cmath>

#include "sim/base/text.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/owners/owner_models.hpp"

namespace nowsim {
namespace {

const std::vector<std::string> kDisciplines{"processor-sharing", "preemptive-priority"};  // as in Discipline

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
  if (by_interval) return read.value_within("interarrival", {core_s, kNoBound, true});
  const double u = read.value("u");
  if (u < 1) return core_s / u;
  read.problem("u", number_text(u) +
                        " is out of range: it must be less than 1, or owner jobs would pile up without end");
  return 0;
}

OwnerPtr make_jobs(KeyReader& read, const OwnerContext& context) {
  const double demand = read.value("demand");
  const std::string law{length_laws()[read.word("demand_law")].name};
  const double shape = law == "pareto" ? read.value("shape") : 3;
  const std::size_t discipline = read.word("discipline");
  const double interarrival = read_interarrival(read, demand, context.cores);
  if (!(interarrival > 0) || !std::isfinite(interarrival) || !(demand > 0)) return dedicated_owner();
  std::string label = "jobs " + kDisciplines[discipline] + " interarrival=" + number_text(interarrival) +
                      "s demand=" + number_text(demand) + "s demand_law=" + law +
                      " cores=" + std::to_string(context.cores);
  if (law == "pareto") label += " shape=" + number_text(shape);
  return context.shared.get<OwnerModel>(label, [&] {
    return std::make_shared<const OwnerJobs>(exponential(interarrival), make_length_law(law, demand, shape),
                                             static_cast<Discipline>(discipline), context.cores, label);
  });
}

}  // namespace

OwnerModelInfo jobs_model() {
  return {"jobs",
          "owner jobs arrive at random and share the CPU with the task, which slows them down (HL 2.1.2)",
          {{"u", KeyType::share, kMustBeGiven, "what owner jobs use of all cores, less than 1; or give interarrival"},
           {"interarrival", KeyType::time, kMustBeGiven, "mean time between owner jobs; or give u"},
           {"demand", KeyType::time, kMustBeGiven, "mean CPU time of a job on one core", kPositive},
           {"demand_law", KeyType::word, "exponential", "law of the CPU times (uniform: on [0, 2 demand])", {},
            words_in(length_laws())},
           shape_key("shape", "demand_law"),
           {"discipline", KeyType::word, "processor-sharing", "how jobs and task share the cores", {}, kDisciplines}},
          make_jobs,
          false};
}

}  // namespace nowsim

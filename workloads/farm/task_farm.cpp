// A loop of independent tasks: rank 0 serves chunks of them, by a self-scheduling technique or all at once.
#include <functional>
#include <map>
#include <memory>

#include "sim/base/error.hpp"
#include "workloads/farm/farm_client.hpp"
#include "workloads/farm/farm_parameters.hpp"
#include "workloads/farm/farm_server.hpp"
#include "workloads/farm/task_farm.hpp"

namespace nowsim {
namespace {

/// Where a formula fails, as many as tasks: that it fails is told when it does so in a run.
double chunks_of(const FarmParameters& farm, int clients) {
  try {
    return about_chunks(*farm.technique, farm.for_technique, farm.costs.tasks(), clients);
  } catch (const RunError&) {
    return static_cast<double>(farm.costs.tasks());
  }
}

/// A request and a chunk, or the end, each; of a static split a chunk and its results.
double messages_of(const FarmParameters& farm, int clients) {
  if (clients == 0) return 0;
  if (farm.is_static()) return 2 * clients;
  return 2 * (clients + chunks_of(farm, clients));
}

/// Estimates ask for it more than once, and a technique that never ends takes its time.
std::function<double(int)> remembered(const std::function<double(int)>& function) {
  return [function, known = std::make_shared<std::map<int, double>>()](int ranks) {
    const auto found = known->find(ranks);
    return found != known->end() ? found->second : known->emplace(ranks, function(ranks)).first->second;
  };
}

void check_that_work_survives(const FarmParameters& farm, const RankShare& rank) {
  if (rank.count == 1 || !rank.host.extras->state_profile) return;
  const std::string who = "workstation " + rank.host.name;
  if (rank.index == 0)
    throw InfeasibleError("a farm's server has to stay on, but " + who + ", the first, switches off");
  if (!farm.recovers())
    throw InfeasibleError(who + " switches off, and what it has then is lost: a farm that hands it out again needs a "
                          "'timeout'");
}

class TaskFarm final : public Workload {
 public:
  explicit TaskFarm(const FarmParameters& p)
      : Workload({.work_flop = static_cast<double>(p.costs.tasks()) * p.costs.mean_flop(),
                  .communicates = true,
                  .uses_shares = p.technique->uses_shares,
                  .usual_policy = p.technique->weighs_speeds ? "proportional" : "",
                  .first_worker = 1,
                  .ends_with_first_rank = p.recovers(),
                  .messages = remembered([p](int ranks) { return messages_of(p, ranks - 1); }),
                  .check_share = [p](const RankShare& rank) { check_that_work_survives(p, rank); },
                  .user_code = p.technique->user_code}),
        p_(p) {}

  Process run(Rank& self) const override {
    if (self.count() == 1) return compute_all(self);
    return self.index() == 0 ? farm_server(self, p_) : farm_client(self, p_);
  }

 private:
  Process compute_all(Rank& self) const { co_await self.compute(p_.costs.costs(self.common_random()).all_flop()); }

  FarmParameters p_;
};

}  // namespace

WorkloadInfo task_farm(const Registry<Technique>& techniques) {
  return {"task-farm", "a server hands a loop's tasks out to clients: self-scheduling, or a static split",
          farm_keys(techniques),
          [techniques](KeyReader& read) { return std::make_shared<TaskFarm>(read_farm(read, techniques)); }};
}

}  // namespace nowsim

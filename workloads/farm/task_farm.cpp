// A loop of independent tasks: rank 0 serves chunks of them, by a self-scheduling technique or all at once.
#include "workloads/farm/task_farm.hpp"

#include "sim/base/error.hpp"
#include "workloads/farm/chunk_count.hpp"
#include "workloads/farm/farm_client.hpp"
#include "workloads/farm/farm_parameters.hpp"
#include "workloads/farm/farm_server.hpp"
#include "workloads/farm/recovering_farm.hpp"
#include "workloads/farm/static_farm.hpp"

namespace nowsim {
namespace {

class TaskFarm final : public Workload {
 public:
  explicit TaskFarm(FarmParameters parameters) : p_(std::move(parameters)) {}
  double work_flop() const override { return static_cast<double>(p_.costs.tasks()) * p_.costs.mean_flop(); }
  bool communicates() const override { return true; }
  /// A request and a chunk, or the end, each; of a static split a chunk and its results.
  double messages(int ranks) const override {
    const int clients = ranks - 1;
    if (clients == 0) return 0;
    if (p_.is_static()) return 2 * clients;
    return 2 * (clients + about_chunks(*p_.technique, p_.for_technique, p_.costs.tasks(), clients));
  }
  bool uses_shares() const override { return p_.technique->uses_shares; }
  int first_worker() const override { return 1; }
  bool ends_with_first_rank() const override { return p_.recovers(); }

  void check_share(const RankShare& rank) const override {
    if (rank.count == 1 || !rank.host.state_profile) return;
    const std::string who = "workstation " + rank.host.name;
    if (rank.index == 0)
      throw InfeasibleError("a farm's server has to stay on, but " + who + ", the first, switches off");
    if (!p_.recovers())
      throw InfeasibleError(who + " switches off, and what it has then is lost: a farm that hands it out again needs a "
                            "'timeout'");
  }

  Process run(Rank& self) const override {
    if (self.count() == 1) return compute_all(self);
    if (p_.recovers()) return self.index() == 0 ? recovering_server(self, p_) : recovering_client(self, p_);
    if (p_.is_static()) return static_farm(self, p_);
    return self.index() == 0 ? farm_server(self, p_) : farm_client(self, p_);
  }

 private:
  Process compute_all(Rank& self) const { co_await self.compute(p_.costs.costs(self.common_random()).all_flop()); }

  FarmParameters p_;
};

}  // namespace

WorkloadInfo task_farm() {
  return {"task-farm", "a server hands a loop's tasks out to clients: self-scheduling, or a static split",
          "tasks, cost, law, cv, costs, technique, chunk, min_chunk, first, last, request, input, result, overhead, "
          "timeout, timeout_per_task",
          [](ParameterReader& read) { return std::make_shared<TaskFarm>(read_farm(read)); }};
}

}  // namespace nowsim

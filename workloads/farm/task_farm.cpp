// A loop of independent tasks: rank 0 serves chunks of them, by a self-scheduling technique or all at once; the others
// ask, compute, and ask again with the results. Or the server is none of the ranks, and all compute.
#include <any>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "sim/base/error.hpp"
#include "workloads/farm/farm_client.hpp"
#include "workloads/farm/farm_server.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {
namespace {

/// The size of the message with a chunk's results: the request's and the results'.
double results_bytes(const FarmParameters& farm, const FarmChunk& chunk) {
  return farm.request_bytes + farm.result_bytes * static_cast<double>(chunk.tasks);
}

/// Computes chunks until there are no more. In a farm that recovers one whose machine comes back begins anew, and what
/// fails with the network is said again.
Process ask_for_chunks(Rank& self, const FarmParameters& farm) {
  FarmResults done;
  bool has_results = false;  // that the server has not got yet
  double bytes = farm.request_bytes;
  for (;;) {
    std::optional<Message> answer;
    std::any results;
    if (has_results) results = done;
    const double asked_s = self.now();
    try {
      co_await self.send(0, bytes, std::move(results));
      self.keep_work();
      has_results = false;
      bytes = farm.request_bytes;
      answer = co_await self.receive(0);
    } catch (const CommunicationFailed&) {
      if (!farm.recovers()) throw;
    }
    if (!answer) {  // the network has failed, since the server stays on
      co_await self.sleep_until(self.now() + farm.timeout_s);
      continue;
    }
    const auto* chunk = std::any_cast<FarmChunk>(&answer->content);
    if (chunk == nullptr) co_return;
    co_await compute_chunk(self, farm, *chunk, done);
    done.report.whole_s = self.now() - asked_s;
    has_results = true;
    bytes = results_bytes(farm, *chunk);
  }
}

/// Of a static split it gets one, and asks for nothing.
Process do_part(Rank& self, const FarmParameters& farm) {
  if (!(self.share() > 0)) co_return;
  const Message message = co_await self.receive(0);
  const auto* chunk = std::any_cast<FarmChunk>(&message.content);
  if (chunk == nullptr) co_return;
  FarmResults done;
  co_await compute_chunk(self, farm, *chunk, done);
  const double bytes = results_bytes(farm, *chunk);
  co_await self.send(0, bytes, done);
}

/// A request and a chunk, or the end, each; of a static split a chunk and its results. Where a formula fails, as many
/// chunks as tasks: that it fails is told when it does so in a run.
double messages_of(const FarmParameters& farm, int clients) {
  if (clients == 0) return 0;
  if (farm.is_static()) return 2 * clients;
  try {
    return 2 * (clients + about_chunks(*farm.technique, farm.for_technique, farm.costs.tasks(), clients));
  } catch (const RunError&) {
    return 2 * (clients + static_cast<double>(farm.costs.tasks()));
  }
}

/// Estimates ask for it more than once, and a technique that never ends takes its time.
std::function<double(int)> remembered(const std::function<double(int)>& function) {
  return [function, known = std::make_shared<std::map<int, double>>()](int ranks) {
    const auto found = known->find(ranks);
    return found != known->end() ? found->second : known->emplace(ranks, function(ranks)).first->second;
  };
}

void check_that_work_survives(const FarmParameters& farm, const RankShare& rank) {
  if (!rank.host.extras->state_profile) return;
  if (farm.is_server_outside)
    throw InfeasibleError("workstation " + rank.host.name + " switches off, and 'server: outside' hands nothing out again");
  if (rank.count == 1) return;
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
                  .communicates = !p.is_server_outside,
                  .uses_shares = p.technique->uses_shares,
                  .usual_policy = p.technique->weighs_speeds ? "proportional" : "",
                  .first_worker = p.first_client(),
                  .ends_with_first_rank = p.recovers(),
                  .messages = remembered([p](int ranks) { return messages_of(p, ranks - p.first_client()); }),
                  .check_share = [p](const RankShare& rank) { check_that_work_survives(p, rank); },
                  .user_code = p.technique->user_code}),
        p_(p) {}

  Process run(Rank& self) const override {
    if (p_.is_server_outside) return fetch_chunks(self, p_);
    if (self.count() == 1) return compute_all(self);
    if (self.index() == 0) return farm_server(self, p_);
    return p_.is_static() && !p_.recovers() ? do_part(self, p_) : ask_for_chunks(self, p_);
  }

 private:
  Process compute_all(Rank& self) const { co_await self.compute(p_.costs.costs(self.common_random()).all_flop()); }

  FarmParameters p_;
};

}  // namespace

/// Whose `technique` is any of these; it keeps them.
WorkloadInfo task_farm(const Registry<Technique>& techniques) {
  WorkloadInfo info{"task-farm", "a server hands a loop's tasks out to clients: self-scheduling, or a static split",
                    farm_keys(techniques),
                    [techniques](KeyReader& read) { return std::make_shared<TaskFarm>(read_farm(read, techniques)); }};
  info.later = {"start", "server"};
  return info;
}

}  // namespace nowsim

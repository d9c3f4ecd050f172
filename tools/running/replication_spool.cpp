// Running into a temporary store, and the file made from it.
#include "tools/running/replication_spool.hpp"

#include <utility>

#include "experiments/driver/running/replication_rows.hpp"
#include "tools/running/output_files.hpp"

namespace nowsim {

ReplicationSpool::ReplicationSpool() : store_(folder_.path().string(), BatchStore::Access::write) {}

std::vector<PointOutcome> ReplicationSpool::run(const Experiment& experiment, const RunContext& context) {
  const ExecutionPlan execution = plan_execution(experiment);
  interrupted_ = context.interrupted;
  stored_ = store_.add_scenarios(execution);
  return execute(experiment, execution, {context, &store_, &stored_});
}

void ReplicationSpool::write(Session& session, const std::string& file, ResultTable summary, const std::vector<PointOutcome>& outcomes,
                             bool quiet) {
  for (std::size_t p = 0; p < outcomes.size(); ++p)
    if (const auto& series = outcomes[p].series) summary.rows[p].stored_scenario = stored_[*series].id;
  const auto rows = [&](std::ostream& out) { write_replications(store_, summary, out, interrupted_); };
  write_and_tell(session, file, rows, "replications", quiet);
}

}  // namespace nowsim

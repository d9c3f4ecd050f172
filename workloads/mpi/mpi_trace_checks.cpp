// Ranks one by one, then their channels, then their collectives.
#include "workloads/mpi/mpi_trace_checks.hpp"

#include "sim/base/error.hpp"
#include "workloads/mpi/mpi_channels.hpp"
#include "workloads/mpi/mpi_collective_checks.hpp"
#include "workloads/mpi/mpi_rank_checks.hpp"
#include "workloads/mpi/mpi_trace_text.hpp"

namespace nowsim {
namespace {

void add_warnings(const MpiRequestsLeftOpen& open, MpiTraceFacts& facts) {
  const auto warn = [&facts](std::uint64_t count, const std::string& sentence) {
    if (count > 0) facts.warnings.push_back(std::to_string(count) + " " + sentence);
  };
  const auto calls = [&facts](MpiCall call) { return facts.calls[static_cast<std::size_t>(call)]; };
  warn(facts.any_source_receives,
       "receives take a message from any source: which one comes first here need not have come first when the program "
       "was recorded.");
  warn(facts.tests,
       "tests are replayed as often as they were recorded: how often a program asks depends on its speed.");
  warn(facts.waitanys,
       "waits for any of several requests take the first that is done here, and the program went on as "
       "it was recorded.");
  warn(calls(MpiCall::sendrecv),
       "sendrecvs have lost their tags, which SMPI does not write: 0 stands for all of them.");
  warn(open.narrow_waitalls,
       "waits for all of some requests are for fewer than are outstanding, and the trace does not "
       "say which: they wait for all, as in SMPI's replay.");
  warn(open.unwaited,
       "requests have no wait of their own: the end of the program waits for them, as in SMPI's replay.");
}

}  // namespace

void MpiTraceView::refuse(std::size_t rank, const MpiAction& action, const std::string& sentence) const {
  throw InputError({files[rank], static_cast<int>(action.line), ""},
                   "rank " + std::to_string(rank) + "'s '" + mpi_call_name(action.call) + "': " + sentence);
}

MpiTraceFacts check_mpi_trace(const MpiTraceView& trace) {
  MpiTraceFacts facts;
  MpiRequestsLeftOpen open;
  MpiChannels channels;
  for (std::size_t rank = 0; rank < trace.actions.size(); ++rank) check_mpi_rank(trace, rank, facts, channels, open);
  channels.check(trace);
  check_mpi_collectives(trace);
  add_warnings(open, facts);
  return facts;
}

}  // namespace nowsim

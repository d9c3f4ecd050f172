// Ranks one by one, then their channels, then their collectives.
#include "workloads/mpi/mpi_trace_checks.hpp"

#include "sim/base/error.hpp"
#include "workloads/mpi/mapped_file.hpp"
#include "workloads/mpi/mpi_channels.hpp"
#include "workloads/mpi/mpi_collective_checks.hpp"
#include "workloads/mpi/mpi_rank_checks.hpp"
#include "workloads/mpi/mpi_trace_text.hpp"

namespace nowsim {
namespace {

void add_warnings(const MpiRequestsLeftOpen& open, MpiTraceFacts& facts) {
  const auto warn = [&facts](std::uint64_t count, const std::string& what, const std::string& sentence) {
    if (count > 0) facts.warnings.push_back(what + " (" + std::to_string(count) + "): " + sentence);
  };
  const auto calls = [&facts](MpiCall call) { return facts.calls[static_cast<std::size_t>(call)]; };
  warn(facts.any_source_receives,
       "receives from any source",
       "which message comes first here need not have come first when the program was recorded, and what follows is as it "
       "was then");
  warn(facts.tests,
       "tests", "they find what they find here, and what follows is as it was recorded");
  warn(facts.waitanys,
       "waits for any of several", "they end with the first that is over here, and what follows is as it was recorded");
  warn(calls(MpiCall::sendrecv),
       "sendrecvs", "SMPI does not write their tags, for which 0 stands");
  warn(open.narrow_waitalls,
       "waits for fewer requests than are outstanding",
       "the trace does not say for which, so they wait for all, as in SMPI's replay");
  warn(open.unwaited,
       "requests that nothing waits for", "the end of the program waits for them, as in SMPI's replay");
}

}  // namespace

void MpiTraceView::forget(std::span<const MpiAction> part) const {
  if (mapped != nullptr) mapped->forget(part.data(), part.size_bytes());
}

void refuse_mpi_action(const std::string& file, std::size_t rank, const MpiAction& action, const std::string& sentence) {
  throw InputError({file, static_cast<int>(action.line), ""},
                   "rank " + std::to_string(rank) + "'s '" + mpi_call_name(action.call) + "': " + sentence);
}

void MpiTraceView::refuse(std::size_t rank, const MpiAction& action, const std::string& sentence) const {
  refuse_mpi_action(files[rank], rank, action, sentence);
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

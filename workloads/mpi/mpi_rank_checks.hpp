// One rank of a trace by itself: its beginning and end, its requests, and what it adds to the facts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "workloads/mpi/mpi_channels.hpp"
#include "workloads/mpi/mpi_trace_checks.hpp"
#include "workloads/mpi/mpi_trace_facts.hpp"

namespace nowsim {

/// What waits leave open, of all ranks so far.
struct MpiRequestsLeftOpen {
  std::uint64_t narrow_waitalls = 0;  ///< those of fewer requests than are outstanding
  std::uint64_t unwaited = 0;         ///< requests that no wait, waitall or waitany is for
};

/// The actions of one rank, one after another: while their text is read, so that it is read no further than to the
/// first that is wrong, and of what it was compiled into.
class MpiRankCheck {
 public:
  /// `file` is what its lines stand in, for sentences; `facts` and `open` get what the rank adds. They outlive it.
  MpiRankCheck(std::size_t rank, const std::string& file, MpiTraceFacts& facts, MpiRequestsLeftOpen& open)
      : rank_(rank), self_(static_cast<std::int32_t>(rank)), file_(&file), facts_(&facts), open_(&open) {}
  /// The next one, whose call and ranks are sound. @throws InputError where the first is no init, a later one is, one
  /// comes behind finalize, or waits for what was not asked for.
  void take(const MpiAction& action);
  /// Behind the last one, of which there is at least one. @throws InputError where it was no finalize.
  void end() const;
  /// How many messages it sends and receives in each channel.
  void hand_over(MpiChannels& channels) const;

 private:
  /// The non-blocking messages to or from a peer under a tag.
  struct OwnChannel {
    std::uint64_t messages = 0;  ///< blocking ones too
    std::uint64_t unwaited = 0;  ///< requests less waits for them alone
    /// Requests since the waitall number `epoch`; of them, perhaps done by a test.
    std::uint64_t outstanding = 0, tested = 0;
    std::uint64_t epoch = 0;
  };

  void check_order(const MpiAction& action);
  OwnChannel& count_send(const MpiAction& action);
  OwnChannel& count_receive(std::int32_t from, std::int32_t tag);
  void make_request(OwnChannel& channel);
  void bring_up_to_date(OwnChannel& channel) const;
  OwnChannel& asked_for(const MpiAction& action);
  void test(const MpiAction& action);
  void wait(const MpiAction& action);
  void wait_for_all(const MpiAction& action);
  void wait_for_any(const MpiAction& action);
  [[nodiscard]] double surely_outstanding() const;
  [[noreturn]] void refuse(const MpiAction& action, const std::string& sentence) const {
    refuse_mpi_action(*file_, rank_, action, sentence);
  }

  std::size_t rank_;
  std::int32_t self_;
  const std::string* file_;
  MpiTraceFacts* facts_;
  MpiRequestsLeftOpen* open_;
  MpiAction last_;  ///< of those so far
  std::uint64_t actions_ = 0;
  std::unordered_map<std::uint64_t, OwnChannel> channels_;
  std::uint64_t outstanding_ = 0, perhaps_done_ = 0;  ///< since the last waitall
  std::uint64_t epoch_ = 0;
  double flop_ = 0;
};

/// All of a rank of a compiled trace, of which nothing is believed. @throws InputError also where an action is unsound.
void check_mpi_rank(const MpiTraceView& trace, std::size_t rank, MpiTraceFacts& facts, MpiChannels& channels,
                    MpiRequestsLeftOpen& open);

}  // namespace nowsim

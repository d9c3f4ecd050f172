// What every rank of a trace does is held against what the others do, and against itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/mpi/compiled_mpi_trace.hpp"

namespace nowsim {

enum class MpiSide : std::uint8_t { send, receive };

/// How many messages go from a rank to another under a tag, and how many receives ask for them, kAnySource and kAnyTag
/// as they are asked for.
struct MpiChannel {
  std::int32_t to = 0, from = 0, tag = 0;
  std::uint64_t sent = 0, received = 0;
};

/// The actions of one rank, one after another: while their text is read, so that it is read no further than to the
/// first that is wrong, and of what it was compiled into.
class MpiRankCheck {
 public:
  /// `file` is what its lines stand in, for sentences; `facts` gets what the rank adds. Both outlive it.
  MpiRankCheck(std::int32_t rank, const std::string& file, MpiTraceFacts& facts)
      : self_(rank), file_(&file), facts_(&facts) {}
  /// The next one, whose call and ranks are sound. @throws InputError where the first is no init, a later one is, one
  /// comes behind finalize, or waits for what was not asked for.
  void take(const MpiAction& action);
  /// Behind the last one, of which there is at least one. @throws InputError where it was no finalize.
  void end() const;
  /// Adds how many messages it sends and receives in each channel.
  void hand_over(std::vector<MpiChannel>& channels) const;

 private:
  /// The non-blocking messages to or from a peer under a tag.
  struct OwnChannel {
    MpiChannel all;              ///< blocking ones too
    std::uint64_t unwaited = 0;  ///< requests less waits for them alone
    /// Requests since the waitall number `epoch`; of them, perhaps done by a test.
    std::uint64_t outstanding = 0, tested = 0;
    std::uint64_t epoch = 0;
  };

  OwnChannel& count(MpiSide side, std::int32_t peer, const MpiAction& action);
  void make_request(OwnChannel& channel);
  void bring_up_to_date(OwnChannel& channel) const;
  OwnChannel& asked_for(const MpiAction& action);
  void test(const MpiAction& action);
  void wait(const MpiAction& action);
  void wait_for_any(const MpiAction& action);
  [[nodiscard]] double surely_outstanding() const;
  [[noreturn]] void refuse(const MpiAction& action, const std::string& sentence) const;

  std::int32_t self_;
  const std::string* file_;
  MpiTraceFacts* facts_;
  MpiAction last_;  ///< of those so far
  std::uint64_t actions_ = 0;
  std::unordered_map<std::uint64_t, OwnChannel> channels_;
  std::uint64_t outstanding_ = 0, perhaps_done_ = 0;  ///< since the last waitall
  std::uint64_t epoch_ = 0;
  double flop_ = 0;
};

/// All of a compiled trace, of which nothing is believed: goes once through all actions, and once more in step through
/// their collectives. Memory is in proportion to ranks and to channels (of a sender, a receiver and a tag), not to
/// actions. @throws InputError naming rank, file and line of the first action that no run of a program can have.
MpiTraceFacts check_mpi_trace(const MpiTrace& trace);

}  // namespace nowsim

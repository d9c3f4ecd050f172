// A rank of an MPI program: sends and receives as MPI has them, and collective operations by named algorithms.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sim/program/rank.hpp"
#include "workloads/mpi/mpi_action.hpp"

namespace nowsim {

/// How messages travel, as SMPI's settings say it.
struct MpiMessages {
  double envelope_bytes = 16;      ///< what MPI sends with each message
  double eager_below_bytes = 0;    ///< smpi/async-small-thresh: shorter ones travel at once
  double rendezvous_bytes = 65536; ///< smpi/send-is-detached-thresh: senders wait for these and longer ones
  [[nodiscard]] SendMode mode(double bytes) const {
    return bytes < eager_below_bytes ? SendMode::eager : bytes < rendezvous_bytes ? SendMode::detached : SendMode::rendezvous;
  }
};

/// What collectives and the replay are written against. Messages are those of the call at hand, and have its tag.
class MpiEndpoint {
 public:
  MpiEndpoint(Rank& rank, const MpiMessages& how) : rank_(rank), how_(how) {}

  [[nodiscard]] int index() const { return rank_.index(); }
  [[nodiscard]] int count() const { return rank_.count(); }
  /// For coroutines, which keep their frames with the rank.
  [[nodiscard]] FramePool* frames() const { return rank_.frames(); }
  [[nodiscard]] Rank& rank() { return rank_; }

  /// What follows is part of this call. Collectives have tags of their own, which no receive of a program takes.
  void begin(MpiCall call, int tag) {
    call_ = call;
    tag_ = tag;
  }
  static int tag_of(MpiCall collective) { return -2 - static_cast<int>(collective); }

  auto send(int to, double bytes, SendMode mode) {
    note();
    return rank_.send_tagged(to, tag_, bytes + how_.envelope_bytes, mode);
  }
  auto send(int to, double bytes) { return send(to, bytes, how_.mode(bytes)); }
  auto receive(int from) {
    note();
    return rank_.receive_tagged(from, tag_);
  }
  auto post_send(int to, double bytes, SendMode mode) {
    return rank_.post_send(to, tag_, bytes + how_.envelope_bytes, mode);
  }
  auto post_send(int to, double bytes) { return post_send(to, bytes, how_.mode(bytes)); }
  auto post_receive(int from) { return rank_.post_receive(from, tag_); }
  auto finish(RequestId request, const Awaited& shown) {
    note();
    return rank_.finish(request, shown);
  }
  /// Of a message that was received: without its envelope.
  [[nodiscard]] double payload(const Exchanged& message) const { return message.bytes - how_.envelope_bytes; }

  /// Sends to one rank and receives from another at the same time: what it got. A rank's exchange with itself is a copy.
  Task<Exchanged> exchange(int to, double bytes, int from);
  /// A request that finish_posted() waits for.
  void posted(RequestId request, int peer, bool is_send) {
    if (request != kNoRequest) posted_.push_back({request, {is_send ? Activity::send : Activity::receive, peer}});
  }
  Task<> finish_posted();

  /// Tells who watches which call the next operation is part of.
  void note() const { note_next(rank_, {.call = static_cast<int>(call_)}); }

 private:
  struct Posted {
    RequestId request;
    Awaited shown;
  };
  Rank& rank_;
  const MpiMessages& how_;
  MpiCall call_ = MpiCall::init;
  int tag_ = 0;
  std::vector<Posted> posted_;
};

/// What a rank calls a collective with; sizes in bytes.
struct MpiCollective {
  int root = 0;
  double send_bytes = 0;     ///< to each, where there are several
  double receive_bytes = 0;  ///< from each
  std::span<const double> counts = {};  ///< of the variants with a size per rank; of alltoallv sent, then received
};

/// A way to carry a collective out.
struct MpiAlgorithm {
  std::string name;
  std::string smpi_name;  ///< as SimGrid's option smpi/COLLECTIVE has it
  Task<> (*run)(MpiEndpoint&, MpiCollective);
};
/// A collective and its algorithms; the first is that of SMPI's default selector.
struct MpiAlgorithms {
  MpiCall call;
  std::string smpi_option;  ///< "" where SMPI has one way alone
  std::vector<MpiAlgorithm> known;
};
/// Of all collectives, in the order of MpiCall.
const std::vector<MpiAlgorithms>& mpi_algorithms();
inline std::size_t collective_number(MpiCall call) {
  return static_cast<std::size_t>(call) - static_cast<std::size_t>(MpiCall::barrier);
}

}  // namespace nowsim

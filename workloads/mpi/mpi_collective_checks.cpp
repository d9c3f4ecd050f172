// In step through all ranks: the k-th collective of one is held against the k-th of the others.
#include "workloads/mpi/mpi_collective_checks.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/text.hpp"
#include "workloads/mpi/mpi_trace_text.hpp"

namespace nowsim {
namespace {

constexpr const char* kSubCommunicators =
    "collectives of sub-communicators cannot be told from a time-independent trace, and SMPI's replay would run them "
    "on "
    "all ranks.";

bool has_root(MpiCall call) {
  return call == MpiCall::bcast || call == MpiCall::reduce || call == MpiCall::gather || call == MpiCall::gatherv ||
         call == MpiCall::scatter || call == MpiCall::scatterv;
}

/// "1st", "2nd", "3rd", "11th".
std::string ordinal(std::uint64_t n) {
  const std::uint64_t last = n % 10;
  const bool is_teen = n % 100 / 10 == 1;
  return std::to_string(n) + (is_teen || last == 0 || last > 3 ? "th" : last == 1 ? "st" : last == 2 ? "nd" : "rd");
}

class CollectivesInStep {
 public:
  explicit CollectivesInStep(const MpiTraceView& trace) : trace_(trace), at_(trace.actions.size()) {
    for (std::size_t rank = 0; rank < at_.size(); ++rank) at_[rank] = trace_.actions[rank].data();
  }
  void check() {
    while (move_on()) {
      ++number_;
      for (std::size_t rank = 1; rank < at_.size(); ++rank) check_alike(rank);
      check_sizes();
    }
  }

 private:
  [[nodiscard]] const MpiAction* end_of(std::size_t rank) const {
    return trace_.actions[rank].data() + trace_.actions[rank].size();
  }
  /// Every rank to its next collective; false where rank 0 has none, and then nobody may.
  bool move_on() {
    for (std::size_t rank = 0; rank < at_.size(); ++rank)
      at_[rank] = trace_.find(rank, at_[rank] + (number_ > 0 ? 1 : 0),
                              [](const MpiAction& action) { return action.call >= MpiCall::barrier; });
    const bool is_over = at_[0] == end_of(0);
    for (std::size_t rank = 1; rank < at_.size(); ++rank) {
      if ((at_[rank] == end_of(rank)) == is_over) continue;
      const std::size_t longer = is_over ? rank : 0, shorter = is_over ? 0 : rank;
      trace_.refuse(longer, *at_[longer],
                    "this is rank " + std::to_string(longer) + "'s " + ordinal(number_ + 1) + " collective, and rank " +
                        std::to_string(shorter) + " has " + std::to_string(number_) + ": " + kSubCommunicators);
    }
    return !is_over;
  }

  void check_alike(std::size_t rank) const {
    const MpiAction &own = *at_[rank], &first = *at_[0];
    const bool is_rooted = has_root(own.call);
    if (own.call == first.call && (!is_rooted || own.peer == first.peer)) return;
    const auto text = [&](std::size_t of) {
      const MpiAction& action = *at_[of];
      const std::string root =
          action.call == (of == 0 ? own : first).call ? " with root " + std::to_string(action.peer) : "";
      return mpi_call_name(action.call) + root + " (" + trace_.place(of, action) + ")";
    };
    trace_.refuse(rank, own,
                  "rank " + std::to_string(rank) + "'s " + ordinal(number_) + " collective is " + text(rank) +
                      " where rank 0's is " + text(0) + ": " + kSubCommunicators);
  }

  /// What `rank` tells of its part against what `other` tells of the same bytes.
  void agree(std::size_t rank, double bytes, std::string_view what, std::size_t other, double others,
             std::string_view theirs) const {
    if (bytes == others) return;
    trace_.refuse(rank, *at_[rank],
                  "in its " + ordinal(number_) + " collective it " + std::string(what) + " " + number_text(bytes) +
                      " bytes where rank " + std::to_string(other) + " " + std::string(theirs) + " " +
                      number_text(others) + " (" + trace_.place(other, *at_[other]) + "); " + kSubCommunicators);
  }
  [[nodiscard]] double count(std::size_t rank, std::size_t i) const {
    const auto counts = counts_of(*at_[rank], static_cast<int>(at_.size()), trace_.counts);
    if (i >= counts.size()) trace_.refuse(rank, *at_[rank], "its sizes are not all there.");
    return counts[i];
  }

  void check_sizes() const {
    switch (at_[0]->call) {
      case MpiCall::barrier:
        return;
      case MpiCall::gather:
        return for_leaves([this](std::size_t i, std::size_t root) {
          agree(i, at_[i]->amount, "sends", root, at_[root]->second, "receives");
        });
      case MpiCall::scatter:
        return for_leaves([this](std::size_t i, std::size_t root) {
          agree(i, at_[i]->second, "receives", root, at_[root]->amount, "sends");
        });
      case MpiCall::gatherv:
        return for_leaves([this](std::size_t i, std::size_t root) {
          agree(i, at_[i]->amount, "sends", root, count(root, i), "receives from it");
        });
      case MpiCall::scatterv:
        return for_leaves([this](std::size_t i, std::size_t root) {
          agree(i, at_[i]->amount, "receives", root, count(root, i), "sends to it");
        });
      case MpiCall::allgather:
      case MpiCall::alltoall:
        for (std::size_t i = 0; i < at_.size(); ++i) {
          agree(i, at_[i]->amount, "sends", 0, at_[0]->second, "receives from each");
          agree(i, at_[i]->second, "receives from each", 0, at_[0]->amount, "sends");
        }
        return;
      case MpiCall::allgatherv:
        return for_pairs([this](std::size_t i, std::size_t j) {
          agree(i, at_[i]->amount, "sends", j, count(j, i), "receives from it");
        });
      case MpiCall::alltoallv:
        return for_pairs([this](std::size_t i, std::size_t j) {
          agree(i, count(i, j), "sends", j, count(j, at_.size() + i), "receives from it");
        });
      case MpiCall::reducescatter:
        return for_pairs([this](std::size_t i, std::size_t j) {
          agree(j, count(j, i), "takes part with", 0, count(0, i), "does with");
        });
      default:
        for (std::size_t i = 1; i < at_.size(); ++i)
          agree(i, at_[i]->amount, "takes part with", 0, at_[0]->amount, "does with");
    }
  }
  /// All but the root, whose own part may be in place already and not told.
  template <class Check>
  void for_leaves(const Check& check) const {
    const auto root = static_cast<std::size_t>(at_[0]->peer);
    if (root >= at_.size()) trace_.refuse(0, *at_[0], "there is no such root.");
    for (std::size_t i = 0; i < at_.size(); ++i)
      if (i != root) check(i, root);
  }
  template <class Check>
  void for_pairs(const Check& check) const {
    for (std::size_t i = 0; i < at_.size(); ++i)
      for (std::size_t j = 0; j < at_.size(); ++j) check(i, j);
  }

  const MpiTraceView& trace_;
  std::vector<const MpiAction*> at_;  ///< each rank's collective
  std::uint64_t number_ = 0;          ///< which one that is, counted from 1
};

}  // namespace

void check_mpi_collectives(const MpiTraceView& trace) { CollectivesInStep(trace).check(); }

}  // namespace nowsim

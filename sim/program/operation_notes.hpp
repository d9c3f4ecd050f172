// What a program says of its next operation, for people who look at one replication: what it is for, and which chunk of
// tasks it computes. No result depends on it.
#pragma once

#include <cstdint>

#include "sim/program/rank.hpp"

namespace nowsim {

/// What an operation is for, where its kind does not tell: work for a message is computed, and a rank sleeps while tasks
/// are started.
enum class Meant { itself, message_work, spawn };

struct OperationNote {
  Meant meant = Meant::itself;
  std::int64_t chunk = -1;  ///< the number of the chunk of tasks that is computed; -1: none
  std::int64_t tasks = 0;   ///< how many it has
  int call = -1;            ///< the number of the call of its program that it is part of; -1: of none
};

/// An observer that hears notes.
class NoteObserver : public RankObserver {
 public:
  /// The rank's next operation is this.
  virtual void next_is(int rank, const OperationNote& note) = 0;
};

/// Tells who watches, which normally nobody does.
inline void note_next(const Rank& rank, const OperationNote& note) {
  RankObserver* const observer = rank.observer();
  if (observer == nullptr) [[likely]]
    return;
  if (auto* hears = dynamic_cast<NoteObserver*>(observer)) hears->next_is(rank.index(), note);
}

}  // namespace nowsim

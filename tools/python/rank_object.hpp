// A rank as programs in Python see it: an object that is asked for operations, each of which is to be yielded.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>

#include "sim/program/collectives.hpp"
#include "sim/program/rank.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

/// What a program asks its rank for.
enum class Operation {
  none,
  compute,
  sleep_until,
  barrier,
  transfer,
  send,
  send_within,
  isend,
  receive,
  broadcast,
  scatter,
  gather,
  reduce,
};

/// An operation with what it was called with.
struct Asked {
  Operation what = Operation::none;
  int peer = Rank::kAnyRank;  ///< to whom, from whom; the root
  double amount = 0;          ///< flop, bytes, a date or what a barrier costs
  double timeout_s = kInfinity;
  double flop = 0;            ///< of combining
  Tree tree = Tree::binomial;
  pybind11::object content, combine;
};

/// It serves for as long as its rank's generator; `rank` is null after that.
struct RankState {
  explicit RankState(Rank& of) : rank(&of) {}
  Rank* rank;
  bool is_ending = false;  ///< the generator is being closed: it may yield, which ends that
  Asked asked;             ///< and not yet awaited
  pybind11::object host;   ///< once it has been asked for
  std::optional<Stream> random, common_random;
};

struct RankObject {
  PyObject_HEAD
  RankState state;
};

/// The types Rank and Message, and the exceptions of programs. Made by bind_programs().
struct ProgramTypes {
  pybind11::object rank, message;
  pybind11::object communication_failed, misuse, endless;
};
ProgramTypes& program_types();

/// Types without anything that programs could make themselves.
pybind11::object make_rank_type();
pybind11::object make_message_type();

pybind11::object new_rank_object(Rank& rank);
/// What a receive gives.
pybind11::object new_message(const Message& message);
/// What a message holds: None where that is nothing.
pybind11::object content_of(const std::any& content);

/// The rank behind an object; null, with an exception set, when its run is over.
Rank* live_rank(const RankState& state);
/// The methods that ask for operations, and those that do not: a table with an empty last line.
PyMethodDef* rank_methods();
/// "compute": as methods are called.
const char* operation_name(Operation operation);

}  // namespace nowsim

// What programs call of their rank: each operation is noted with its arguments, and gives the rank, to be yielded.
#include <array>
#include <climits>
#include <cstddef>
#include <string>

#include "tools/python/rank_object.hpp"

namespace nowsim {
namespace {

namespace py = pybind11;

using Given = PyObject* const*;

RankState& state_behind(PyObject* self) { return reinterpret_cast<RankObject*>(self)->state; }

/// What calls get wrong: an exception in the program, where it calls.
bool is_wrong(PyObject* type, const std::string& sentence) {
  PyErr_SetString(type, sentence.c_str());
  return false;
}

// ---- arguments ----------------------------------------------------------------------------------------------------

bool to_number(PyObject* given, double& to) {
  to = PyFloat_CheckExact(given) ? PyFloat_AS_DOUBLE(given) : PyFloat_AsDouble(given);
  return to != -1.0 || PyErr_Occurred() == nullptr;
}

/// Where it is given, and not None.
bool to_number_if_given(PyObject* given, double& to) {
  return given == nullptr || given == Py_None || to_number(given, to);
}

bool to_rank(const RankState& state, PyObject* given, int& to) {
  const Py_ssize_t number = PyNumber_AsSsize_t(given, nullptr);  // the largest there is for one beyond
  if (number == -1 && PyErr_Occurred() != nullptr) return false;
  if (number < 0 || number >= state.rank->count())
    return is_wrong(PyExc_ValueError, "there is no rank " + std::to_string(number) + ": there are ranks 0 to " +
                                          std::to_string(state.rank->count() - 1));
  to = static_cast<int>(number);
  return true;
}

py::object object_or_none(PyObject* given) {
  return given == nullptr ? py::none() : py::reinterpret_borrow<py::object>(given);
}

bool to_tree(PyObject* given, Tree& to) {
  to = Tree::binomial;
  if (given == nullptr) return true;
  const char* name = PyUnicode_Check(given) ? PyUnicode_AsUTF8(given) : nullptr;
  const auto tree = tree_named(name != nullptr ? name : "");
  if (!tree) return is_wrong(PyExc_ValueError, "tree must be 'linear' or 'binomial'");
  to = *tree;
  return true;
}

struct Names {
  const char* method;
  const char* const* names;
  std::size_t count, needed;
};

std::size_t place_of(const Names& of, PyObject* keyword) {
  for (std::size_t k = 0; k < of.count; ++k)
    if (PyUnicode_CompareWithASCIIString(keyword, of.names[k]) == 0) return k;
  return of.count;
}

/// Puts arguments where their names are; null where none is given.
bool place_arguments(const Names& of, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords, PyObject** to) {
  const auto positional = static_cast<std::size_t>(count);
  if (positional > of.count)
    return is_wrong(PyExc_TypeError, std::string(of.method) + "() takes at most " + std::to_string(of.count) +
                                         " arguments, not " + std::to_string(positional));
  for (std::size_t k = 0; k < positional; ++k) to[k] = arguments[k];
  const Py_ssize_t named = keywords != nullptr ? PyTuple_GET_SIZE(keywords) : 0;
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* keyword = PyTuple_GET_ITEM(keywords, k);
    const std::size_t place = place_of(of, keyword);
    if (place == of.count || to[place] != nullptr)
      return is_wrong(PyExc_TypeError, std::string(of.method) + "() has no use for an argument " +
                                           py::cast<std::string>(py::handle(keyword)));
    to[place] = arguments[count + k];
  }
  for (std::size_t k = 0; k < of.needed; ++k)
    if (to[k] == nullptr)
      return is_wrong(PyExc_TypeError, std::string(of.method) + "() needs an argument " + of.names[k]);
  return true;
}

// ---- operations: their names, their arguments, and how these are noted --------------------------------------------

struct Compute {
  static constexpr Operation kWhat = Operation::compute;
  static constexpr std::array kNames{"flop"};
  static constexpr std::size_t kNeeded = 1;
  static bool note(RankState& s, Given given) { return to_number(given[0], s.asked.amount); }
};

struct SleepUntil {
  static constexpr Operation kWhat = Operation::sleep_until;
  static constexpr std::array kNames{"date"};
  static constexpr std::size_t kNeeded = 1;
  static bool note(RankState& s, Given given) { return to_number(given[0], s.asked.amount); }
};

struct Barrier {
  static constexpr Operation kWhat = Operation::barrier;
  static constexpr std::array kNames{"cost"};
  static constexpr std::size_t kNeeded = 0;
  static bool note(RankState& s, Given given) {
    s.asked.amount = 0;
    return to_number_if_given(given[0], s.asked.amount);
  }
};

struct Transfer {
  static constexpr Operation kWhat = Operation::transfer;
  static constexpr std::array kNames{"bytes"};
  static constexpr std::size_t kNeeded = 1;
  static bool note(RankState& s, Given given) { return to_number(given[0], s.asked.amount); }
};

bool note_message(RankState& s, Given given) {
  s.asked.content = given[2] == nullptr ? py::object() : py::reinterpret_borrow<py::object>(given[2]);
  return to_rank(s, given[0], s.asked.peer) && to_number(given[1], s.asked.amount);
}

struct Send {
  static constexpr Operation kWhat = Operation::send;
  static constexpr std::array kNames{"to", "bytes", "content"};
  static constexpr std::size_t kNeeded = 2;
  static bool note(RankState& s, Given given) {
    s.asked.timeout_s = kInfinity;
    return note_message(s, given);
  }
};

struct ISend {
  static constexpr Operation kWhat = Operation::isend;
  static constexpr std::array kNames{"to", "bytes", "content"};
  static constexpr std::size_t kNeeded = 2;
  static bool note(RankState& s, Given given) { return note_message(s, given); }
};

struct SendWithin {
  static constexpr Operation kWhat = Operation::send_within;
  static constexpr std::array kNames{"timeout", "to", "bytes", "content"};
  static constexpr std::size_t kNeeded = 3;
  static bool note(RankState& s, Given given) {
    return to_number(given[0], s.asked.timeout_s) && note_message(s, given + 1);
  }
};

struct Receive {
  static constexpr Operation kWhat = Operation::receive;
  static constexpr std::array kNames{"source", "timeout"};
  static constexpr std::size_t kNeeded = 1;
  static bool note(RankState& s, Given given) {
    s.asked.timeout_s = kInfinity;
    return to_rank(s, given[0], s.asked.peer) && to_number_if_given(given[1], s.asked.timeout_s);
  }
};

struct ReceiveAny {
  static constexpr Operation kWhat = Operation::receive;
  static constexpr std::array kNames{"timeout"};
  static constexpr std::size_t kNeeded = 0;
  static bool note(RankState& s, Given given) {
    s.asked.peer = Rank::kAnyRank;
    s.asked.timeout_s = kInfinity;
    return to_number_if_given(given[0], s.asked.timeout_s);
  }
};

bool note_collective(RankState& s, PyObject* root, PyObject* bytes, PyObject* content, PyObject* tree) {
  s.asked.content = object_or_none(content);
  return to_rank(s, root, s.asked.peer) && to_number(bytes, s.asked.amount) && to_tree(tree, s.asked.tree);
}

template <Operation what>
struct Collective {
  static constexpr Operation kWhat = what;
  static constexpr std::array kNames{"root", "bytes", "content", "tree"};
  static constexpr std::size_t kNeeded = 2;
  static bool note(RankState& s, Given given) { return note_collective(s, given[0], given[1], given[2], given[3]); }
};

/// The contents, one for each rank, where it is the root.
struct Scatter {
  static constexpr Operation kWhat = Operation::scatter;
  static constexpr std::array kNames{"root", "bytes", "contents", "tree"};
  static constexpr std::size_t kNeeded = 2;
  static bool note(RankState& s, Given given) {
    if (!note_collective(s, given[0], given[1], given[2], given[3])) return false;
    if (s.asked.content.is_none() || s.asked.peer != s.rank->index()) return true;
    PyObject* contents = PySequence_Tuple(s.asked.content.ptr());
    if (contents == nullptr) return false;
    s.asked.content = py::reinterpret_steal<py::object>(contents);
    return PyTuple_GET_SIZE(contents) == s.rank->count() ||
           is_wrong(PyExc_ValueError, "scatter() wants a content for each of the " + std::to_string(s.rank->count()) +
                                          " ranks, not " + std::to_string(PyTuple_GET_SIZE(contents)));
  }
};

struct Reduce {
  static constexpr Operation kWhat = Operation::reduce;
  static constexpr std::array kNames{"root", "bytes", "content", "combine", "flop", "tree"};
  static constexpr std::size_t kNeeded = 4;
  static bool note(RankState& s, Given given) {
    s.asked.combine = py::reinterpret_borrow<py::object>(given[3]);
    s.asked.flop = 0;
    return note_collective(s, given[0], given[1], given[2], given[5]) && to_number_if_given(given[4], s.asked.flop);
  }
};

bool is_free(const RankState& state, Operation next) {
  if (live_rank(state) == nullptr) return false;
  if (state.asked.what == Operation::none) return true;
  return is_wrong(program_types().misuse.ptr(), std::string("calls ") + operation_name(next) + "() before it has yielded " +
                                                    operation_name(state.asked.what) +
                                                    "(): 'yield rank." + operation_name(state.asked.what) +
                                                    "(...)' is how it is awaited");
}

template <class Call>
PyObject* ask(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  RankState& state = state_behind(self);
  if (state.is_ending) [[unlikely]] return Py_NewRef(self);
  std::array<PyObject*, Call::kNames.size()> given{};
  const Names names{operation_name(Call::kWhat), Call::kNames.data(), Call::kNames.size(), Call::kNeeded};
  if (!is_free(state, Call::kWhat) || !place_arguments(names, arguments, count, keywords, given.data()) ||
      !Call::note(state, given.data()))
    return nullptr;
  state.asked.what = Call::kWhat;
  Py_INCREF(self);
  return self;
}

// ---- what takes no time -------------------------------------------------------------------------------------------

PyObject* keep_work(PyObject* self, PyObject*) {
  Rank* rank = live_rank(state_behind(self));
  if (rank == nullptr) return nullptr;
  rank->keep_work();
  Py_RETURN_NONE;
}

PyObject* draw(PyObject* self, std::optional<Stream>& stream, Stream (Rank::*begin)(Purpose) const) {
  const Rank* rank = live_rank(state_behind(self));
  if (rank == nullptr) return nullptr;
  if (!stream) stream.emplace((rank->*begin)(Purpose::workload));
  return PyFloat_FromDouble(stream->uniform());
}
PyObject* draw_random(PyObject* self, PyObject*) { return draw(self, state_behind(self).random, &Rank::random); }
PyObject* draw_common_random(PyObject* self, PyObject*) {
  return draw(self, state_behind(self).common_random, &Rank::common_random);
}

template <class Call>
PyMethodDef asking(const char* name, const char* help) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(ask<Call>)), METH_FASTCALL | METH_KEYWORDS,
          help};
}

}  // namespace

const char* operation_name(Operation operation) {
  static constexpr std::array kNames{"nothing", "compute", "sleep_until", "barrier",   "transfer", "send",  "send_within",
                                     "isend",   "receive", "broadcast",   "scatter", "gather",   "reduce"};
  return kNames[static_cast<std::size_t>(operation)];
}

PyMethodDef* rank_methods() {
  static PyMethodDef methods[] = {
      asking<Compute>("compute", "yield rank.compute(flop): computes, on one core, at what the owner leaves"),
      asking<SleepUntil>("sleep_until", "yield rank.sleep_until(date): waits until a time since the start [s]"),
      asking<Barrier>("barrier", "yield rank.barrier(cost=0): waits until all ranks have called it as often"),
      asking<Transfer>("transfer", "yield rank.transfer(bytes): moves bytes over the workstation's own path"),
      asking<Send>("send", "yield rank.send(to, bytes, content=None): a rendezvous, over when both have it behind them"),
      asking<SendWithin>("send_within", "yield rank.send_within(timeout, to, bytes, content=None): a send that gives up, "
                                        "False, when nobody receives it in time [s]; else True"),
      asking<ISend>("isend", "yield rank.isend(to, bytes, content=None): buffers, and goes on at once"),
      asking<Receive>("receive", "m = yield rank.receive(source, timeout=None): the next message from a rank; None when "
                                 "none comes in time [s]"),
      asking<ReceiveAny>("receive_any", "m = yield rank.receive_any(timeout=None): the message that is there first"),
      asking<Collective<Operation::broadcast>>(
          "broadcast", "x = yield rank.broadcast(root, bytes, content=None, tree='binomial'): the root's content"),
      asking<Scatter>("scatter", "x = yield rank.scatter(root, bytes, contents=None, tree='binomial'): this rank's of "
                                 "the root's contents"),
      asking<Collective<Operation::gather>>(
          "gather", "xs = yield rank.gather(root, bytes, content=None, tree='binomial'): all contents, at the root"),
      asking<Reduce>("reduce", "x = yield rank.reduce(root, bytes, content, combine, flop=0, tree='binomial'): contents "
                               "combined by combine(a, b), at the root"),
      {"keep_work", keep_work, METH_NOARGS, "what has been computed counts as done, whatever the machine does later"},
      {"random", draw_random, METH_NOARGS, "the next number of the rank's own stream, uniform on [0, 1)"},
      {"common_random", draw_common_random, METH_NOARGS, "the next number of a stream that all ranks have the same"},
      {}};
  return methods;
}

}  // namespace nowsim

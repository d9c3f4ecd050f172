// The types Rank and Message, and what a rank tells of itself.
#include "tools/python/rank_object.hpp"

#include <structmember.h>

#include <memory>
#include <new>
#include <string>

namespace nowsim {
namespace {

namespace py = pybind11;

struct MessageObject {
  PyObject_HEAD
  int source;
  double bytes;
  PyObject* content;
};

/// Objects of types that are made at run time hold their type.
void free_object(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

void free_message(PyObject* self) {
  Py_XDECREF(reinterpret_cast<MessageObject*>(self)->content);
  free_object(self);
}

PyObject* message_text(PyObject* self) {
  const auto* m = reinterpret_cast<MessageObject*>(self);
  const py::float_ bytes(m->bytes);
  return PyUnicode_FromFormat("Message(source=%d, bytes=%R, content=%R)", m->source, bytes.ptr(), m->content);
}

RankState& state_of(PyObject* self) { return reinterpret_cast<RankObject*>(self)->state; }

void free_rank(PyObject* self) {
  std::destroy_at(&state_of(self));
  free_object(self);
}

/// Where it is asked of a rank that is at work.
template <class Ask>
PyObject* told(PyObject* self, const Ask& ask) {
  RankState& state = state_of(self);
  const Rank* rank = live_rank(state);
  if (rank == nullptr) return nullptr;
  try {
    return ask(state, *rank);
  } catch (py::error_already_set& e) {
    e.restore();
    return nullptr;
  }
}

PyObject* rank_text(PyObject* self) {
  const Rank* rank = state_of(self).rank;
  return rank == nullptr ? PyUnicode_FromString("a rank whose run is over")
                         : PyUnicode_FromFormat("rank %d of %d", rank->index(), rank->count());
}

PyObject* get_index(PyObject* self, void*) {
  return told(self, [](RankState&, const Rank& rank) { return PyLong_FromLong(rank.index()); });
}
PyObject* get_count(PyObject* self, void*) {
  return told(self, [](RankState&, const Rank& rank) { return PyLong_FromLong(rank.count()); });
}
PyObject* get_now(PyObject* self, void*) {
  return told(self, [](RankState&, const Rank& rank) { return PyFloat_FromDouble(rank.now()); });
}
PyObject* get_share(PyObject* self, void*) {
  return told(self, [](RankState&, const Rank& rank) { return PyFloat_FromDouble(rank.share()); });
}
/// A tuple: the program may keep it for longer than the numbers are there.
PyObject* get_shares(PyObject* self, void*) {
  return told(self, [](RankState&, const Rank& rank) {
    py::tuple shares(rank.shares().size());
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = py::float_(rank.shares()[i]);
    return shares.release().ptr();
  });
}

py::object host_of(const Workstation& host) {
  py::dict properties;
  for (const auto& [name, value] : host.extras->properties) properties[py::str(name)] = value;
  const auto& memory = host.extras->memory_bytes;
  const py::object bytes = memory ? py::object(py::float_(*memory)) : py::none();
  return py::module_::import("nowsim.programs").attr("Host")(host.name, host.speed_flops, host.cores, bytes, properties);
}
PyObject* get_host(PyObject* self, void*) {
  return told(self, [](RankState& state, const Rank& rank) {
    if (!state.host) state.host = host_of(rank.host());
    return py::object(state.host).release().ptr();
  });
}

PyGetSetDef rank_getters[] = {
    {"index", get_index, nullptr, "this rank's number, 0 to count - 1", nullptr},
    {"count", get_count, nullptr, "how many ranks there are", nullptr},
    {"now", get_now, nullptr, "the simulated time since the start [s]", nullptr},
    {"share", get_share, nullptr, "the work that the policy gave this rank [flop]", nullptr},
    {"shares", get_shares, nullptr, "the work that the policy gave each rank [flop]", nullptr},
    {"host", get_host, nullptr, "the workstation: name, speed [flop/s], cores, memory [bytes], properties", nullptr},
    {}};

PyMemberDef message_members[] = {
    {"source", T_INT, offsetof(MessageObject, source), READONLY, "the rank that sent it"},
    {"bytes", T_DOUBLE, offsetof(MessageObject, bytes), READONLY, "its size"},
    {"content", T_OBJECT, offsetof(MessageObject, content), READONLY, "what was sent: the object itself"},
    {}};

py::object make_type(const char* name, std::size_t size, PyType_Slot* slots) {
  PyType_Spec spec{name, static_cast<int>(size), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(type);
}

PyTypeObject* as_type(const py::object& type) { return reinterpret_cast<PyTypeObject*>(type.ptr()); }

}  // namespace

ProgramTypes& program_types() {
  static auto* types = new ProgramTypes;  // lasts as long as the interpreter does
  return *types;
}

py::object make_rank_type() {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(free_rank)},
                         {Py_tp_repr, reinterpret_cast<void*>(rank_text)},
                         {Py_tp_methods, rank_methods()},
                         {Py_tp_getset, rank_getters},
                         {}};
  return make_type("nowsim.Rank", sizeof(RankObject), slots);
}

py::object make_message_type() {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(free_message)},
                         {Py_tp_repr, reinterpret_cast<void*>(message_text)},
                         {Py_tp_members, message_members},
                         {}};
  return make_type("nowsim.Message", sizeof(MessageObject), slots);
}

py::object new_rank_object(Rank& rank) {
  auto* self = PyObject_New(RankObject, as_type(program_types().rank));
  if (self == nullptr) throw py::error_already_set();
  std::construct_at(&self->state, rank);
  return py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(self));
}

py::object content_of(const std::any& content) {
  const auto* object = std::any_cast<py::object>(&content);
  return object != nullptr && *object ? *object : py::none();
}

py::object new_message(const Message& message) {
  auto* self = PyObject_New(MessageObject, as_type(program_types().message));
  if (self == nullptr) throw py::error_already_set();
  self->source = message.from;
  self->bytes = message.bytes;
  self->content = content_of(message.content).release().ptr();
  return py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(self));
}

Rank* live_rank(const RankState& state) {
  if (state.rank == nullptr) PyErr_SetString(PyExc_RuntimeError, "this rank's run is over");
  return state.rank;
}

}  // namespace nowsim

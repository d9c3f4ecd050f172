// Driving a generator: it is resumed with what its operation gave, and asked for the next one.
#include "tools/python/python_program.hpp"

#include <stdexcept>
#include <utility>

#include "tools/python/raised.hpp"
#include "tools/python/rank_object.hpp"

namespace nowsim {
namespace {

namespace py = pybind11;

/// Sentences that need more of Python than this: nowsim.failures has a function for each.
template <class... Arguments>
[[noreturn, gnu::cold, gnu::noinline]] void stop_with(const char* sentence, Arguments&&... arguments) {
  const py::object text = py::module_::import("nowsim.failures").attr(sentence)(std::forward<Arguments>(arguments)...);
  throw std::runtime_error(text.cast<std::string>());
}

[[noreturn]] void stop_with_exception(const std::string& program) {
  throw std::runtime_error(take_raised_text(program));
}

/// As many operations at one moment as no program needs that ends, for each rank that it may speak to.
std::uint64_t most_at_once(int ranks) { return 1'000'000 + 10 * static_cast<std::uint64_t>(ranks); }

/// A rank's generator, and what it is to be told when it goes on.
class GeneratorRun {
 public:
  GeneratorRun(const PythonProgram& program, Rank& rank)
      : program_(program), rank_(rank), object_(new_rank_object(rank)), answer_(py::none()),
        most_at_once_(most_at_once(rank.count())) {
    step_watch().allow(program.call().step_limit_s);
    generator_ = program.begin(object_);
  }
  /// A generator that is not through is ended where it is.
  ~GeneratorRun() {
    state().rank = nullptr;
    if (!is_through_) close();
  }
  GeneratorRun(const GeneratorRun&) = delete;

  /// Whether it asks for another operation, which asked() then is. @throws std::runtime_error where it does anything else
  /// than that, or than to end.
  bool goes_on() {
    PyObject* yielded = nullptr;
    step_watch().enter();
    const PySendResult how = thrown_ ? throw_into(&yielded) : PyIter_Send(generator_.ptr(), answer_.ptr(), &yielded);
    step_watch().leave();
    is_through_ = how != PYGEN_NEXT;
    const auto result = py::reinterpret_steal<py::object>(yielded);
    if (how != PYGEN_NEXT || result.ptr() != object_.ptr() || asked().what == Operation::none) [[unlikely]]
      return ends(how, result);
    if (const double now_s = rank_.now(); now_s != since_s_) since_s_ = now_s, at_once_ = 0;
    else if (++at_once_ > most_at_once_) [[unlikely]] stop_with("timeless_text", program_.call().name, generator_, at_once_);
    answer_ = py::none();
    return true;
  }
  Asked& asked() { return state().asked; }
  /// It has begun: the program may ask for the next.
  void is_awaited() { asked().what = Operation::none; }
  void answer(py::object with) { answer_ = std::move(with); }
  void fail(const py::object& type, const char* sentence) { thrown_ = type(sentence); }
  void fail(py::object exception) { thrown_ = std::move(exception); }

 private:
  /// What it raises then is of no interest, as with all generators in Python; but it must not go on for ever. Operations
  /// are given, to be yielded: who swallows all exceptions would ask a rank that refuses them again and again.
  [[gnu::cold, gnu::noinline]] void close() {
    const ProgramCall& call = program_.call();
    state().is_ending = true;
    step_watch().allow(call.step_limit_s, "letting itself be ended");
    const WatchedStep step;
    const auto closed = py::reinterpret_steal<py::object>(PyObject_CallMethod(generator_.ptr(), "close", nullptr));
    const bool is_endless = !closed && PyErr_ExceptionMatches(program_types().endless.ptr()) != 0;
    if (is_endless) program_.goes_on_for_ever(take_raised_text(call.name));
    PyErr_Clear();
    generator_ = {};  // Python closes again what has yielded meanwhile
    step_watch().allow(call.step_limit_s);
  }

  RankState& state() { return reinterpret_cast<RankObject*>(object_.ptr())->state; }

  PySendResult throw_into(PyObject** yielded) {
    static PyObject* const name = PyUnicode_InternFromString("throw");
    const py::object thrown = std::exchange(thrown_, {});
    *yielded = PyObject_CallMethodOneArg(generator_.ptr(), name, thrown.ptr());
    if (*yielded != nullptr) return PYGEN_NEXT;
    if (PyErr_ExceptionMatches(PyExc_StopIteration) == 0) return PYGEN_ERROR;
    PyErr_Clear();
    return PYGEN_RETURN;
  }
  [[gnu::cold, gnu::noinline]] bool ends(PySendResult how, const py::object& result) {
    const std::string& name = program_.call().name;
    if (how == PYGEN_ERROR) stop_with_exception(name);
    const std::string forgotten = asked().what == Operation::none ? "" : operation_name(asked().what);
    if (how == PYGEN_NEXT) stop_with("yielded_text", name, generator_, result, forgotten);
    if (!forgotten.empty()) stop_with("forgotten_text", name, program_.call().function, forgotten);
    return false;
  }

  const PythonProgram& program_;
  Rank& rank_;
  py::object object_, generator_, answer_, thrown_;
  double since_s_ = -1;
  std::uint64_t at_once_ = 0, most_at_once_;
  bool is_through_ = false;
};

py::object list_of(const std::vector<std::any>& contents) {
  py::list list(contents.size());
  for (std::size_t i = 0; i < contents.size(); ++i) list[i] = content_of(contents[i]);
  return list;
}

std::any any_of(py::object content) { return content ? std::any(std::move(content)) : std::any(); }

std::vector<std::any> parts_of(const py::object& contents) {
  std::vector<std::any> parts;
  if (!contents.is_none() && py::isinstance<py::tuple>(contents))
    for (const py::handle content : contents) parts.push_back(any_of(py::reinterpret_borrow<py::object>(content)));
  return parts;
}

/// What a collective gives this rank.
Task<py::object> collective(Rank& self, Asked asked) {
  const double bytes = asked.amount;
  if (asked.what == Operation::broadcast) {
    const std::any content = co_await broadcast(self, asked.peer, bytes, any_of(asked.content), asked.tree);
    co_return content_of(content);
  }
  if (asked.what == Operation::scatter) {
    const std::any content = co_await scatter(self, asked.peer, bytes, parts_of(asked.content), asked.tree);
    co_return content_of(content);
  }
  if (asked.what == Operation::gather) {
    const std::vector<std::any> contents = co_await gather(self, asked.peer, bytes, any_of(asked.content), asked.tree);
    co_return self.index() == asked.peer ? list_of(contents) : py::none();
  }
  const auto combine = [with = asked.combine](std::any a, std::any b) {
    const WatchedStep step;
    return any_of(with(content_of(a), content_of(b)));
  };
  const std::any content =
      co_await reduce(self, asked.peer, bytes, any_of(asked.content), combine, asked.flop, asked.tree);
  co_return self.index() == asked.peer ? content_of(content) : py::none();
}

/// Operations that are given back to the program as its own mistakes: exceptions of Python in its yield.
Process drive(const PythonProgram& program, Rank& self) {
  GeneratorRun run(program, self);
  while (run.goes_on()) {
    Asked& asked = run.asked();
    const Operation what = asked.what;
    run.is_awaited();
    try {
      switch (what) {
        case Operation::none: break;
        case Operation::compute: co_await self.compute(asked.amount); break;
        case Operation::sleep_until: co_await self.sleep_until(asked.amount); break;
        case Operation::barrier: co_await self.barrier(asked.amount); break;
        case Operation::transfer: co_await self.transfer(asked.amount); break;
        case Operation::isend:
          co_await self.isend(asked.peer, asked.amount, any_of(std::move(asked.content)));
          break;
        case Operation::send:
          co_await self.send(asked.peer, asked.amount, any_of(std::move(asked.content)));
          break;
        case Operation::send_within: {
          const bool is_sent =
              co_await self.send_within(asked.timeout_s, asked.peer, asked.amount, any_of(std::move(asked.content)));
          run.answer(py::bool_(is_sent));
          break;
        }
        case Operation::receive: {
          const std::optional<Message> message = co_await self.receive(asked.peer, asked.timeout_s);
          if (message) run.answer(new_message(*message));
          break;
        }
        default: {
          asked.what = what;
          Asked whole = std::exchange(asked, {});
          py::object given = co_await collective(self, std::move(whole));
          run.answer(std::move(given));
          break;
        }
      }
    } catch (const CommunicationFailed& e) {
      run.fail(program_types().communication_failed, e.what());
    } catch (const std::invalid_argument& e) {
      run.fail(py::reinterpret_borrow<py::object>(PyExc_ValueError), e.what());
    } catch (const py::error_already_set& e) {  // of what combines
      run.fail(caught(e));
    }
  }
}

}  // namespace

PythonProgram::PythonProgram(ProgramDescription program, ProgramCall call)
    : Workload(std::move(program)), call_(std::move(call)), arguments_(1) {
  py::list names;
  for (const auto& [name, value] : call_.arguments) {
    names.append(name);
    arguments_.push_back(value.ptr());
  }
  names_ = py::tuple(names);
}

PythonProgram::~PythonProgram() {
  const py::gil_scoped_acquire interpreter;
  call_.function = {};
  call_.arguments = py::reinterpret_steal<py::dict>(nullptr);
  names_ = {};
}

void PythonProgram::check_ended() const {
  if (!endless_.empty()) throw std::runtime_error(std::exchange(endless_, {}));
}

Process PythonProgram::run(Rank& self) const { return drive(*this, self); }

py::object PythonProgram::begin(const py::object& rank) const {
  std::vector<PyObject*> arguments = arguments_;
  arguments.front() = rank.ptr();
  step_watch().enter();
  const auto generator = py::reinterpret_steal<py::object>(
      PyObject_Vectorcall(call_.function.ptr(), arguments.data(), 1, names_.ptr()));
  step_watch().leave();
  if (!generator) stop_with_exception(call_.name);
  if (!PyGen_CheckExact(generator.ptr())) stop_with("no_generator_text", call_.name, call_.function, generator);
  return generator;
}

}  // namespace nowsim

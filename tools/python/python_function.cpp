// Calls by position, as fast as Python has them; exceptions become sentences.
#include "tools/python/python_function.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "tools/python/kept.hpp"
#include "tools/python/raised.hpp"

namespace nowsim {

namespace py = pybind11;

PythonFunction::PythonFunction(const py::object& described)
    : described_(described), function_(described.attr("function")), by_(described.attr("by")().cast<std::string>()),
      step_limit_s_(described.attr("step_limit").cast<double>()) {
  for (const py::handle name : described.attr("variables")) variables_.push_back(name.cast<std::string>());
  for (const py::handle key : described.attr("keys")) keys_.emplace_back(key);
  for (const py::handle place : described.attr("order")) order_.push_back(place.cast<int>());
  if (const py::tuple names = described.attr("keywords"); !names.empty()) keywords_ = names;
}

std::string PythonFunction::text(const char* attribute) const { return described_.attr(attribute).cast<std::string>(); }

std::string PythonFunction::code() const { return described_.attr("code")().cast<std::string>(); }

KeyTable PythonFunction::key_table() const {
  KeyTable table;
  for (const PythonKey& it : keys_) table.push_back(it.key());
  return table;
}

template <class Step>
py::object PythonFunction::watched(const char* end, const Step& step) const {
  step_watch().allow(step_limit_s_, end);
  step_watch().enter();
  PyObject* const given = step();
  step_watch().leave();
  if (given == nullptr && PyErr_Occurred() != nullptr) stop_with_raised(by_);
  return py::reinterpret_steal<py::object>(given);
}

py::object PythonFunction::iterator(const py::object& given) const {
  return watched("returning", [&] { return PyObject_GetIter(given.ptr()); });
}

py::object PythonFunction::call(std::span<const py::object> variables, std::span<const py::object> keys) const {
  std::vector<PyObject*> arguments;
  arguments.reserve(order_.size());
  for (const int place : order_)
    arguments.push_back((place >= 0 ? variables[static_cast<std::size_t>(place)] : keys[static_cast<std::size_t>(-1 - place)]).ptr());
  const std::size_t named = keywords_ ? py::len(keywords_) : 0;
  return watched("returning", [&] {
    return PyObject_Vectorcall(function_.ptr(), arguments.data(), arguments.size() - named, keywords_.ptr());
  });
}

py::object PythonFunction::next(const py::object& generator) const {
  return watched("yielding anything", [&] { return PyIter_Next(generator.ptr()); });
}

void PythonFunction::close(py::object& generator) const {
  step_watch().allow(step_limit_s_, "letting itself be ended");
  const WatchedStep step;
  generator = {};
}

double PythonFunction::number(const py::object& given, const char* wanted,
                              const std::function<std::string()>& state) const {
  if (PyFloat_Check(given.ptr())) return PyFloat_AS_DOUBLE(given.ptr());
  const double value = PyUnicode_Check(given.ptr()) ? -1 : PyFloat_AsDouble(given.ptr());
  const bool is_none = PyUnicode_Check(given.ptr()) || (value == -1 && PyErr_Occurred() != nullptr);
  if (!is_none) return value;
  PyErr_Clear();
  refuse(given, wanted, state());
}

void PythonFunction::refuse(const py::object& given, const char* wanted, const std::string& state) const {
  const std::string what = py::module_::import("reprlib").attr("repr")(given).cast<std::string>();
  throw RunError(by_ + " gives " + what + (state.empty() ? "" : " with " + state) + "; wanted is " + wanted);
}

PythonFunctionPtr python_function(const py::object& described) {
  return kept(PythonFunction(described));
}

const std::vector<py::object>& KeyObjects::of(std::span<const double> values) {
  if (std::ranges::equal(values, values_)) return objects_;
  values_.assign(values.begin(), values.end());
  objects_.clear();
  for (std::size_t k = 0; k < values.size(); ++k) objects_.push_back(function_->keys()[k].object(values[k]));
  return objects_;
}

}  // namespace nowsim

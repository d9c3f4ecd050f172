// What Python says of a key, and what it gets of one's value.
#include "tools/python/python_keys.hpp"

#include <pybind11/stl.h>

#include <cmath>
#include <map>

#include "experiments/driver/reading/reader.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

KeyType type_named(const std::string& kind) {
  static const std::map<std::string, KeyType> types{{"number", KeyType::number}, {"count", KeyType::count},
                                                    {"time", KeyType::time},     {"work", KeyType::work},
                                                    {"bytes", KeyType::bytes},   {"word", KeyType::word}};
  return types.at(kind);
}

}  // namespace

PythonKey::PythonKey(const py::handle& said)
    : key_{.name = said.attr("name").cast<std::string>(),
           .type = type_named(said.attr("kind").cast<std::string>()),
           .fallback = said.attr("default").cast<std::optional<std::string>>(),
           .help = said.attr("help").cast<std::string>(),
           .bounds = {said.attr("least").cast<double>(), said.attr("most").cast<double>()},
           .words = said.attr("words").cast<std::vector<std::string>>()},
      is_flag_(said.attr("is_flag").cast<bool>()) {
  if (!key_.fallback || key_.type == KeyType::word) return;
  fallback_ = parse_quantity(*key_.fallback, dimension_of(key_.type));
  if (*fallback_ < key_.bounds.least || *fallback_ > key_.bounds.most)
    throw InputError(*key_.fallback + " is out of bounds, which are " + number_text(key_.bounds.least) + " and " +
                     number_text(key_.bounds.most));
}

Key PythonKey::plain() const {
  Key key = key_;
  if (fallback_) key.fallback = number_text(*fallback_);
  return key;
}

double PythonKey::read(KeyReader& from) const {
  if (key_.type == KeyType::word) return static_cast<double>(from.word(key_.name));
  if (key_.type == KeyType::count) return static_cast<double>(from.whole(key_.name));
  return from.value(key_.name);
}

py::object PythonKey::object(double value) const {
  if (key_.type == KeyType::count) return py::int_(std::llround(value));
  if (key_.type != KeyType::word) return py::float_(value);
  const std::string& word = key_.words.at(static_cast<std::size_t>(value));
  return is_flag_ ? py::object(py::bool_(word == "true")) : py::object(py::str(word));
}

}  // namespace nowsim

// A table of kinds: how each is read, and what Python gets.
#include "tools/python/python_keys.hpp"

#include <pybind11/stl.h>

#include <cmath>
#include <map>
#include <vector>

#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

py::object number_object(const Key&, double value) { return py::float_(value); }
py::object whole_object(const Key&, double value) { return py::int_(std::llround(value)); }
py::object word_object(const Key& key, double value) { return py::str(key.words.at(static_cast<std::size_t>(value))); }

}  // namespace

struct PythonKey::Kind {
  KeyType type;
  Dimension dimension;
  py::object (*object)(const Key&, double value) = number_object;
};

const PythonKey::Kind& PythonKey::kind_of(const std::string& name) {
  static const std::map<std::string, Kind> kinds{
      {"number", {KeyType::number, Dimension::number}},
      {"count", {KeyType::count, Dimension::count, whole_object}},
      {"time", {KeyType::time, Dimension::time}},
      {"work", {KeyType::work, Dimension::work}},
      {"bytes", {KeyType::bytes, Dimension::bytes}},
      {"word", {KeyType::word, Dimension::number, word_object}}};
  return kinds.at(name);
}

PythonKey::PythonKey(const py::handle& said)
    : kind_(&kind_of(said.attr("kind").cast<std::string>())), is_flag_(said.attr("is_flag").cast<bool>()) {
  key_ = {.name = said.attr("name").cast<std::string>(),
          .type = kind_->type,
          .fallback = said.attr("default").cast<std::optional<std::string>>(),
          .help = said.attr("help").cast<std::string>(),
          .bounds = {said.attr("least").cast<double>(), said.attr("most").cast<double>()},
          .words = said.attr("words").cast<std::vector<std::string>>()};
  if (!key_.fallback || key_.type == KeyType::word) return;
  fallback_ = parse_quantity(*key_.fallback, kind_->dimension);
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
  const py::object made = kind_->object(key_, value);
  return is_flag_ ? py::bool_(made.cast<std::string>() == "true") : made;
}

}  // namespace nowsim

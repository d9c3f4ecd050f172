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

using Fallback = std::optional<double>;

std::optional<std::int64_t> whole(const Fallback& value) {
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

py::object number_object(const Key&, double value) { return py::float_(value); }
py::object whole_object(const Key&, double value) { return py::int_(std::llround(value)); }
py::object word_object(const Key& key, double value) { return py::str(key.words.at(static_cast<std::size_t>(value))); }

double read_number(ParameterReader& from, const Key& key, const Fallback& fallback) {
  return from.number(key.name, fallback, key.bounds.least, key.bounds.most);
}
double read_count(ParameterReader& from, const Key& key, const Fallback& fallback) {
  return static_cast<double>(from.count(key.name, whole(fallback), static_cast<std::int64_t>(key.bounds.least)));
}
double read_word(ParameterReader& from, const Key& key, const Fallback&) {
  const auto first = key.fallback ? std::optional<std::size_t>(0) : std::nullopt;
  return static_cast<double>(from.choice(key.name, key.words, first));
}
template <double (ParameterReader::*quantity)(const std::string&, std::optional<double>)>
double read_quantity(ParameterReader& from, const Key& key, const Fallback& fallback) {
  return (from.*quantity)(key.name, fallback);
}

}  // namespace

struct PythonKey::Kind {
  KeyType type;
  Dimension dimension;
  double (*read)(ParameterReader&, const Key&, const Fallback&);
  py::object (*object)(const Key&, double value) = number_object;
};

const PythonKey::Kind& PythonKey::kind_of(const std::string& name) {
  static const std::map<std::string, Kind> kinds{
      {"number", {KeyType::number, Dimension::number, nowsim::read_number}},
      {"count", {KeyType::count, Dimension::count, nowsim::read_count, whole_object}},
      {"time", {KeyType::time, Dimension::time, read_quantity<&ParameterReader::time>}},
      {"work", {KeyType::work, Dimension::work, read_quantity<&ParameterReader::work>}},
      {"bytes", {KeyType::bytes, Dimension::bytes, read_quantity<&ParameterReader::bytes>}},
      {"word", {KeyType::word, Dimension::number, nowsim::read_word, word_object}}};
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

double PythonKey::read(ParameterReader& from) const { return kind_->read(from, key_, fallback_); }

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

// The keys that a user's functions have, read as those of built-in things are.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>

#include "sim/base/keys.hpp"

namespace nowsim {

/// A key as nowsim.keys.Key says it.
class PythonKey {
 public:
  explicit PythonKey(const pybind11::handle& said);
  [[nodiscard]] const Key& key() const { return key_; }
  /// The same, with a fallback in SI.
  [[nodiscard]] Key plain() const;
  /// What stands there, in SI; of a word its position.
  double read(KeyReader& from) const;
  /// What a function gets of that value: a number or a whole one, a word's text, or of a flag true or false.
  [[nodiscard]] pybind11::object object(double value) const;

 private:
  Key key_;
  std::optional<double> fallback_;
  bool is_flag_;
};

}  // namespace nowsim

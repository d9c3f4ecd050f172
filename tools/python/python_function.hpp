// A function of the user's that is called with numbers: by whom, with what, and what is said where it goes wrong.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/python/python_keys.hpp"

namespace nowsim {

/// What describes it is an object of nowsim.number_functions. It is called where the interpreter is held.
class PythonFunction {
 public:
  explicit PythonFunction(const pybind11::object& described);

  [[nodiscard]] const pybind11::object& described() const { return described_; }
  [[nodiscard]] std::string text(const char* attribute) const;  ///< name, summary
  [[nodiscard]] const std::string& by() const { return by_; }   ///< "policy mine (mine.py, line 3)"
  [[nodiscard]] std::string code() const;  ///< tells it from what it was before; looks anew, and may give another one
  [[nodiscard]] const std::vector<std::string>& variables() const { return variables_; }
  [[nodiscard]] const std::vector<PythonKey>& keys() const { return keys_; }
  [[nodiscard]] KeyTable key_table() const;

  /// Values of variables() and of keys(), each in their order. @throws RunError where it raises, or computes for ever;
  /// Interrupted where the user stops it.
  [[nodiscard]] pybind11::object call(std::span<const pybind11::object> variables,
                                      std::span<const pybind11::object> keys) const;
  /// What iterates over something that it gave. @throws as call().
  [[nodiscard]] pybind11::object iterator(const pybind11::object& given) const;
  /// What such, or a generator that it gave, yields next; null at its end. @throws as call().
  [[nodiscard]] pybind11::object next(const pybind11::object& generator) const;
  /// Ends a generator, which may have code for that.
  void close(pybind11::object& generator) const;
  /// What it gives, as a number. `state` says in which situation, and `wanted` what. @throws RunError where it is none.
  [[nodiscard]] double number(const pybind11::object& given, const char* wanted,
                              const std::function<std::string()>& state) const;
  /// @throws RunError: it gives what is not wanted.
  [[noreturn]] void refuse(const pybind11::object& given, const char* wanted, const std::string& state) const;

 private:
  template <class Step>
  pybind11::object watched(const char* end, const Step& step) const;

  pybind11::object described_, function_;
  std::string by_;
  double step_limit_s_;
  std::vector<std::string> variables_;
  std::vector<PythonKey> keys_;
  std::vector<int> order_;  ///< per parameter: a variable from 0 on, or a key, -1 - its position
  pybind11::object keywords_;  ///< the last parameters' names, where they have to be named
};

/// Shared by whatever calls it. It goes when the last of these does, wherever that is.
using PythonFunctionPtr = std::shared_ptr<const PythonFunction>;
PythonFunctionPtr python_function(const pybind11::object& described);

/// The values of keys, made objects once for as long as they stay the same.
class KeyObjects {
 public:
  explicit KeyObjects(PythonFunctionPtr function) : function_(std::move(function)) {}
  /// @param values one per key
  const std::vector<pybind11::object>& of(std::span<const double> values);

 private:
  PythonFunctionPtr function_;
  std::vector<double> values_;
  std::vector<pybind11::object> objects_;
};

}  // namespace nowsim

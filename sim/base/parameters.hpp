// How a model or a program gets its parameters: typed, with defaults and bounds, from wherever they were written.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/formula.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {

/// Hands out parameters by name, in SI units, already checked. A parameter without a default must be given. Values
/// that are missing, malformed, negative or unknown are reported by the reader, with their place.
class ParameterReader {
 public:
  virtual ~ParameterReader() = default;
  /// Work [flop], 0 or more.
  virtual double work(const std::string& name, std::optional<double> fallback = {}) = 0;
  /// Bytes, 0 or more.
  virtual double bytes(const std::string& name, std::optional<double> fallback = {}) = 0;
  /// A time [s], 0 or more.
  virtual double time(const std::string& name, std::optional<double> fallback = {}) = 0;
  /// A whole number, at least `least`.
  virtual std::int64_t count(const std::string& name, std::optional<std::int64_t> fallback = {},
                             std::int64_t least = 0) = 0;
  /// One of a list of words; returns its position.
  virtual std::size_t choice(const std::string& name, const std::vector<std::string>& words,
                             std::optional<std::size_t> fallback = {}) = 0;
  /// A plain number (0.28 or 28%) from least to most.
  virtual double number(const std::string& name, std::optional<double> fallback = {}, double least = 0,
                        double most = kInfinity) = 0;
  /// The numbers of a text file, 0 or more each and one at least, as many in a line as there are; '#' begins a comment.
  virtual std::vector<double> numbers_of_file(const std::string& name) = 0;
  /// The path of a file or folder, which has to be there. What of it results depend on is the program's to say
  /// (ProgramDescription::data_identity).
  virtual std::string path(const std::string& name) { throw std::logic_error("no path can be read at " + name); }
  /// A list of texts; empty where it is left out.
  virtual std::vector<std::string> texts(const std::string& name) {
    throw std::logic_error("no texts can be read at " + name);
  }
  /// A formula in these variables and in full keys, whose values it brings. Null where it is left out and may be.
  virtual WrittenFormula formula(const std::string& name, const std::vector<std::string>& variables,
                                 bool must_be_given) = 0;

  /// Bytes, more than 0: the size of what `of_what` says ("an element of the matrices"). @throws InputError for 0.
  double positive_bytes(const std::string& name, double fallback, const std::string& of_what) {
    const double value = bytes(name, fallback);
    if (!(value > 0)) throw InputError(name + " must be more than 0 bytes: it is the size of " + of_what);
    return value;
  }
};

}  // namespace nowsim

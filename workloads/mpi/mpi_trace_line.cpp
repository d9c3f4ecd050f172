// What SMPI writes for MPI's constants, and which of its numbers make no sense.
#include "workloads/mpi/mpi_trace_line.hpp"

#include <charconv>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/number_from_chars.hpp"
#include "sim/base/text.hpp"
#include "workloads/mpi/mpi_datatypes.hpp"

namespace nowsim {
namespace {

/// MPI_UNDEFINED, as which SMPI writes the rank of MPI_ANY_SOURCE and MPI_PROC_NULL, which have none.
constexpr std::int32_t kSmpiUndefined = -333;
constexpr std::int32_t kSmpiAnySource = -555, kSmpiAnyTag = -444;

/// Up to where all whole numbers are doubles.
constexpr double kMostElements = 9007199254740992.0;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void MpiTraceLine::refuse(const std::string& sentence) const {
  throw InputError({rank.file, static_cast<int>(number), ""},
                   "rank " + std::to_string(rank.rank) + "'s '" + std::string(name) + "': " + sentence);
}

std::optional<std::int32_t> MpiTraceLine::integer(std::size_t i) const {
  constexpr std::size_t kPlainDigits = 9;  // what nearly all have: a third of the time of std::from_chars
  const std::string_view word = values[i];
  std::int32_t value = 0;
  std::size_t digits = 0;
  for (; digits < word.size() && digits < kPlainDigits && is_digit(word[digits]); ++digits)
    value = 10 * value + (word[digits] - '0');
  if (digits == word.size()) return value;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

double MpiTraceLine::amount(std::size_t i) const {
  const std::string_view word = values[i];
  double value = 0;
  const auto [end, error] = number_from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value) || value < 0)
    refuse("a number from 0 up is needed where " + quoted(word) + " stands.");
  return value;
}

double MpiTraceLine::elements(std::size_t i) const {
  constexpr std::size_t kPlainDigits = 15;
  const std::string_view word = values[i];
  std::uint64_t plain = 0;
  std::size_t digits = 0;
  for (; digits < word.size() && digits < kPlainDigits && is_digit(word[digits]); ++digits)
    plain = 10 * plain + static_cast<std::uint64_t>(word[digits] - '0');
  if (digits == word.size()) return static_cast<double>(plain);
  const double value = std::trunc(amount(i));
  if (value > kMostElements) refuse(quoted(word) + " elements are more than a program can have (9e15).");
  return value;
}

std::int32_t MpiTraceLine::tag(std::size_t i) const {
  const auto value = integer(i);
  if (!value || *value < 0)
    refuse("a tag is needed, a whole number from 0 up, where " + quoted(values[i]) + " stands.");
  return *value;
}

std::int32_t MpiTraceLine::wanted_tag(std::size_t i) const { return integer(i) == kSmpiAnyTag ? kAnyTag : tag(i); }

std::int32_t MpiTraceLine::partner(std::size_t i) const {
  const auto value = integer(i);
  if (!value) refuse("the number of a rank is needed where " + quoted(values[i]) + " stands.");
  if (*value < 0 || *value >= ranks)
    refuse("there is no rank " + std::to_string(*value) + ": the trace has the ranks 0 to " +
           std::to_string(ranks - 1) + ".");
  return *value;
}

std::int32_t MpiTraceLine::source(std::size_t i) const {
  const auto value = integer(i);
  return value == kSmpiUndefined || value == kSmpiAnySource ? kAnySource : partner(i);
}

bool MpiTraceLine::is_nobody(std::size_t i) const { return integer(i) == kSmpiUndefined; }

/// SMPI writes a type's number into every line that has room for one: a trace with and without them is one of a program
/// with types of its own. One with none at all is of TAU or MPE, and counts in bytes or doubles.
double MpiTraceLine::type_bytes(std::size_t i) const {
  constexpr const char* kUnknownSize =
      "is a type of the program's own (a derived one), and the trace does not say how many bytes it has: record the "
      "program with predefined types (MPI_BYTE, say).";
  const auto refuse_mixed = [&](std::uint32_t typed, std::uint32_t untyped) {
    refuse("line " + std::to_string(typed) + " tells a type and line " + std::to_string(untyped) +
           " does not, so that the latter's " + kUnknownSize);
  };
  if (i < values.size()) {
    const auto id = integer(i);
    const auto bytes = id ? mpi_datatype_bytes(*id) : std::nullopt;
    if (id == -1) refuse(std::string("the type -1 ") + kUnknownSize);
    if (!bytes) refuse("SMPI's types have the numbers 0 to 59, and " + quoted(values[i]) + " is none.");
    if (rank.first_typed == 0) rank.first_typed = number;
    if (rank.first_untyped != 0 && !rank.may_mix_types) refuse_mixed(number, rank.first_untyped);
    return *bytes;
  }
  if (ends_in_blank && !rank.may_mix_types)
    refuse(std::string("the type that should stand behind the blank at the line's end ") + kUnknownSize);
  if (rank.first_untyped == 0) rank.first_untyped = number;
  if (rank.first_typed != 0 && !rank.may_mix_types) refuse_mixed(rank.first_typed, number);
  return rank.default_bytes;
}

double MpiTraceLine::unused_type_bytes(std::size_t i) const {
  if (i >= values.size()) return rank.default_bytes;
  const auto id = integer(i);
  return id ? mpi_datatype_bytes(*id).value_or(0) : 0;
}

void MpiTraceLine::add_counts(std::size_t i, double bytes_each) const {
  for (std::size_t j = 0; j < static_cast<std::size_t>(ranks); ++j) counts.push_back(elements(i + j) * bytes_each);
}

}  // namespace nowsim

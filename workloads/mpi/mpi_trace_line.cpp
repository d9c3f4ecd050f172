// What SMPI writes for MPI's constants, and which of its numbers make no sense.
#include "workloads/mpi/mpi_trace_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// MPI_UNDEFINED, as which SMPI writes the rank of MPI_ANY_SOURCE and MPI_PROC_NULL, which have none.
constexpr std::int32_t kSmpiUndefined = -333;
constexpr std::int32_t kSmpiAnySource = -555, kSmpiAnyTag = -444;

/// Up to where all whole numbers are doubles.
constexpr double kMostElements = 9007199254740992.0;

/// A word of so few digits, and nothing else, in a third of the time of std::from_chars: what nearly all are.
template <class T, std::size_t kMostDigits>
std::optional<T> plain_number(std::string_view word) {
  T value = 0;
  for (const char c : word.substr(0, kMostDigits)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + static_cast<T>(c - '0');
  }
  return word.size() <= kMostDigits ? std::optional(value) : std::nullopt;
}

/// Bytes of an element of SMPI's type number `id` on x86-64, which traces are recorded on; nothing for another number:
/// -1 is what SMPI writes for all derived types. SimGrid's smpi_datatype.cpp numbers the types; C's and C++'s sizes are
/// those of the System V ABI.
std::optional<double> mpi_datatype_bytes(int id) {
  // clang-format off
  static constexpr std::array<int, 60> kBytes{
      8, 4, 1, 2, 8, 4, 1, 8, 1, 1,        // DOUBLE INT CHAR SHORT LONG FLOAT BYTE LONG_LONG SIGNED_CHAR UNSIGNED_CHAR
      2, 4, 8, 8, 16,                      // UNSIGNED_SHORT UNSIGNED UNSIGNED_LONG UNSIGNED_LONG_LONG LONG_DOUBLE
      4, 1, 1, 2, 4, 8, 1, 2, 4, 8,        // WCHAR C_BOOL INT8_T INT16_T INT32_T INT64_T UINT8_T UINT16_T UINT32_T UINT64_T
      8, 16, 32, 8, 8,                     // C_FLOAT_COMPLEX C_DOUBLE_COMPLEX C_LONG_DOUBLE_COMPLEX AINT OFFSET
      8, 16, 16, 8, 8, 8, 16, 16,          // FLOAT_INT LONG_INT DOUBLE_INT SHORT_INT 2INT 2FLOAT 2DOUBLE 2LONG
      4, 4, 8, 16, 8, 16, 16,              // REAL REAL4 REAL8 REAL16 COMPLEX8 COMPLEX16 COMPLEX32
      4, 2, 4, 8, 16,                      // INTEGER1 (an int in SMPI) INTEGER2 INTEGER4 INTEGER8 INTEGER16
      32, 1, 8, 16, 32, 0, 0, 1, 8, 8};    // LONG_DOUBLE_INT CXX_BOOL CXX_*_COMPLEX UB LB PACKED PTR COUNT
  // clang-format on
  if (id < 0 || static_cast<std::size_t>(id) >= kBytes.size()) return std::nullopt;
  return kBytes[static_cast<std::size_t>(id)];
}

/// By what SMPI leaves out of a line: the names are those of SimGrid's smpi_pmpi_*.cpp and ampi.cpp.
struct RefusedMpiAction {
  std::string_view name;
  std::string_view what;
};

constexpr std::string_view kPersistent =
    "a persistent request: the trace says neither what it was made for nor whether it sends or receives";
constexpr std::string_view kTestsOfSeveral = "a test of several requests: the trace does not say of which";
constexpr std::string_view kOneSided =
    "one-sided communication: the trace does not say on which window, nor what waits for it";
constexpr std::string_view kFile = "reading or writing a file: the trace does not say which, nor where";
constexpr std::string_view kNonBlocking = "a non-blocking collective: the trace does not say which wait is for it";
constexpr std::string_view kBuffered =
    "a buffered send: the trace does not say when its buffer is free again, and SMPI's replay does not know it";

constexpr RefusedMpiAction kRefused[] = {
    {"Start", kPersistent},
    {"Startall", kPersistent},
    {"testany", kTestsOfSeveral},
    {"testall", kTestsOfSeveral},
    {"testsome", kTestsOfSeveral},
    {"bsend", kBuffered},
    {"ibsend", kBuffered},
    {"Put", kOneSided},
    {"Rput", kOneSided},
    {"Get", kOneSided},
    {"Rget", kOneSided},
    {"Accumulate", kOneSided},
    {"Raccumulate", kOneSided},
    {"Get_accumulate", kOneSided},
    {"Rget_accumulate", kOneSided},
    {"Compare_and_swap", kOneSided},
    {"IO", kFile},
    {"ibarrier", kNonBlocking},
    {"ibcast", kNonBlocking},
    {"ireduce", kNonBlocking},
    {"iallreduce", kNonBlocking},
    {"ialltoall", kNonBlocking},
    {"ialltoallv", kNonBlocking},
    {"igather", kNonBlocking},
    {"igatherv", kNonBlocking},
    {"iscatter", kNonBlocking},
    {"iscatterv", kNonBlocking},
    {"iallgather", kNonBlocking},
    {"iallgatherv", kNonBlocking},
    {"ireducescatter", kNonBlocking},
    {"iscan", kNonBlocking},
    {"iexscan", kNonBlocking},
    {"migrate", "a migration of Adaptive MPI: the trace does not say to which machine"},
    {"iteration_in", "a mark of Adaptive MPI's load balancer: the trace does not say what it decides"},
    {"iteration_out", "a mark of Adaptive MPI's load balancer: the trace does not say what it decides"},
    {"comm_split",
     "a communicator's split: the trace does not say which ranks go where, nor which of the later "
     "collectives are of which part"},
};

}  // namespace

void MpiTraceLine::refuse(const std::string& sentence) const {
  throw InputError({rank.file, static_cast<int>(number), ""},
                   "rank " + std::to_string(rank.rank) + "'s '" + std::string(name) + "': " + sentence);
}

std::optional<std::int32_t> MpiTraceLine::integer(std::size_t i) const {
  const std::string_view word = values[i];
  if (const auto plain = plain_number<std::int32_t, 9>(word)) return plain;
  std::int32_t value = 0;
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
  const std::string_view word = values[i];
  if (const auto plain = plain_number<std::uint64_t, 15>(word)) return static_cast<double>(*plain);
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
double MpiTraceLine::type_bytes(std::size_t i, bool is_used) const {
  if (!is_used) {
    const auto id = i < values.size() ? integer(i) : std::nullopt;
    return i >= values.size() ? rank.default_bytes : id ? mpi_datatype_bytes(*id).value_or(0) : 0;
  }
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

void MpiTraceLine::add_counts(std::size_t i, double bytes_each) const {
  for (std::size_t j = 0; j < static_cast<std::size_t>(ranks); ++j) counts.push_back(elements(i + j) * bytes_each);
}

std::string refused_mpi_action(std::string_view name) {
  if (name.starts_with("Win_")) return std::string(kOneSided);
  const auto* const found = std::ranges::find(kRefused, name, &RefusedMpiAction::name);
  return found == std::end(kRefused) ? "" : std::string(found->what);
}

}  // namespace nowsim

// A line's words as numbers, what SMPI writes for MPI's constants, a table of the actions that SMPI's replay knows, and
// those that SMPI writes and its replay does not.
#include "workloads/mpi/mpi_trace_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

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
std::optional<double> datatype_bytes(std::optional<std::int32_t> id) {
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
  if (!id || *id < 0 || static_cast<std::size_t>(*id) >= kBytes.size()) return std::nullopt;
  return kBytes[static_cast<std::size_t>(*id)];
}

/// A line and what its parser needs to know; values are counted from 0, behind the action's name.
struct MpiLine {
  MpiRankText& rank;
  std::uint32_t number;
  int ranks;
  std::string_view name;
  std::span<const std::string_view> values;
  bool ends_in_blank;  ///< SMPI wrote an empty word there
  std::vector<double>& counts;

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw InputError({rank.file, static_cast<int>(number), ""},
                     "rank " + std::to_string(rank.rank) + "'s '" + std::string(name) + "': " + sentence);
  }

  /// A number at least 0 and finite: flop, or seconds.
  [[nodiscard]] double amount(std::size_t i) const {
    const std::string_view word = values[i];
    double value = 0;
    const auto [end, error] = number_from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || !is_quantity(value))
      refuse("a number from 0 up is needed where " + quoted(word) + " stands.");
    return value;
  }
  /// A whole number at least 0; as SMPI's replay reads it, 5e4 is one, and digits behind a point are left out.
  [[nodiscard]] double elements(std::size_t i) const {
    const std::string_view word = values[i];
    if (const auto plain = plain_number<std::uint64_t, 15>(word)) return static_cast<double>(*plain);
    const double value = std::trunc(amount(i));
    if (value > kMostElements) refuse(quoted(word) + " elements are more than a program can have (9e15).");
    return value;
  }
  /// A message's tag.
  [[nodiscard]] std::int32_t tag(std::size_t i) const {
    const auto value = integer(i);
    if (!value || *value < 0)
      refuse("a tag is needed, a whole number from 0 up, where " + quoted(values[i]) + " stands.");
    return *value;
  }
  /// The same, where it may be any.
  [[nodiscard]] std::int32_t wanted_tag(std::size_t i) const { return integer(i) == kSmpiAnyTag ? kAnyTag : tag(i); }
  /// A rank of the program, as partner or root.
  [[nodiscard]] std::int32_t partner(std::size_t i) const {
    const auto value = integer(i);
    if (!value) refuse("the number of a rank is needed where " + quoted(values[i]) + " stands.");
    if (*value < 0 || *value >= ranks)
      refuse("there is no rank " + std::to_string(*value) + ": the trace has the ranks 0 to " +
             std::to_string(ranks - 1) + ".");
    return *value;
  }
  /// The same, where it may be any.
  [[nodiscard]] std::int32_t source(std::size_t i) const {
    const auto value = integer(i);
    return value == kSmpiUndefined || value == kSmpiAnySource ? kAnySource : partner(i);
  }
  /// Whether it is what SMPI writes for MPI_PROC_NULL, to whom nothing is sent.
  [[nodiscard]] bool is_nobody(std::size_t i) const { return integer(i) == kSmpiUndefined; }
  /// The root of a collective: rank 0 where the line has no such value.
  [[nodiscard]] std::int32_t root(std::size_t i) const { return i < values.size() ? partner(i) : 0; }
  /// Bytes of an element of the type that value i names; the default where the line has no such value. SMPI writes a
  /// type's number into every line that has room for one: a trace with and without them is one of a program with types
  /// of its own. One with none at all is of TAU or MPE, and counts in bytes or doubles.
  /// @param is_used false of a type that means nothing on this rank, and may be any.
  [[nodiscard]] double type_bytes(std::size_t i, bool is_used = true) const {
    const bool is_told = i < values.size();
    const auto id = is_told ? integer(i) : std::nullopt;
    const auto bytes = is_told ? datatype_bytes(id) : rank.default_bytes;
    if (!is_used) return bytes.value_or(0);
    constexpr const char* kUnknownSize =
        "is a type of the program's own (a derived one), and the trace does not say how many bytes it has: record the "
        "program with predefined types (MPI_BYTE, say).";
    if (id == -1) refuse(std::string("the type -1 ") + kUnknownSize);
    if (!bytes) refuse("SMPI's types have the numbers 0 to 59, and " + quoted(values[i]) + " is none.");
    if (!is_told && ends_in_blank && !rank.may_mix_types)
      refuse(std::string("the type that should stand behind the blank at the line's end ") + kUnknownSize);
    std::uint32_t& first = is_told ? rank.first_typed : rank.first_untyped;
    if (first == 0) first = number;
    if (rank.first_typed != 0 && rank.first_untyped != 0 && !rank.may_mix_types)
      refuse("line " + std::to_string(rank.first_typed) + " tells a type and line " +
             std::to_string(rank.first_untyped) + " does not, so that the latter's " + kUnknownSize);
    return *bytes;
  }
  /// Appends the bytes of as many counts as there are ranks, from value i on.
  void add_counts(std::size_t i, double bytes_each) const {
    for (std::size_t j = 0; j < static_cast<std::size_t>(ranks); ++j) counts.push_back(elements(i + j) * bytes_each);
  }

 private:
  [[nodiscard]] std::optional<std::int32_t> integer(std::size_t i) const {
    const std::string_view word = values[i];
    if (const auto plain = plain_number<std::int32_t, 9>(word)) return plain;
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
  }
};

/// How a kind of line is read.
using LineParser = void(const MpiLine& line, MpiAction& action);

void parse_nothing(const MpiLine&, MpiAction&) {}

/// "default MPE datatype" with an argument, "default TAU datatype" without, says SMPI's replay.
void parse_init(const MpiLine& line, MpiAction&) {
  constexpr double kDoubleBytes = 8;
  line.rank.may_mix_types = !line.values.empty();
  line.rank.default_bytes = line.values.empty() ? 1 : kDoubleBytes;
}

void parse_amount(const MpiLine& line, MpiAction& action) { action.amount = line.amount(0); }

void parse_send(const MpiLine& line, MpiAction& action) {
  action.peer = line.partner(0);
  action.tag = line.tag(1);
  action.amount = line.elements(2) * line.type_bytes(3);
}

void parse_receive(const MpiLine& line, MpiAction& action) {
  action.peer = line.source(0);
  action.tag = line.wanted_tag(1);
  const double type_bytes = line.type_bytes(3);
  action.amount = line.values[2] == "-1" ? kAnyBytes : line.elements(2) * type_bytes;
}

void parse_wait(const MpiLine& line, MpiAction& action) {
  action.peer = line.source(0);
  action.other = line.partner(1);
  action.tag = line.wanted_tag(2);
}

void parse_waitall(const MpiLine& line, MpiAction& action) {
  line.rank.requests_to_nobody = 0;
  action.amount = line.values.empty() ? 0 : line.elements(0);
}

void parse_waitany(const MpiLine& line, MpiAction& action) {
  action.amount = line.elements(0);
  if (action.amount < 1) line.refuse("it waits for one of " + quoted(line.values[0]) + " requests; 1 is the least.");
  if (line.rank.requests_to_nobody > 0)
    line.refuse("which requests it is for is not told, and one that was sent to MPI_PROC_NULL may be among them.");
}

void parse_sendrecv(const MpiLine& line, MpiAction& action) {
  action.peer = line.partner(1);
  action.other = line.source(3);
  action.amount = line.elements(0) * line.type_bytes(4);
  action.second = line.elements(2) * line.type_bytes(5);
}

void parse_bcast(const MpiLine& line, MpiAction& action) {
  action.peer = line.root(1);
  action.amount = line.elements(0) * line.type_bytes(2);
}

void parse_reduce(const MpiLine& line, MpiAction& action) {
  action.second = line.amount(1);
  action.peer = line.root(2);
  action.amount = line.elements(0) * line.type_bytes(3);
}

/// Also scan and exscan.
void parse_allreduce(const MpiLine& line, MpiAction& action) {
  action.second = line.amount(1);
  action.amount = line.elements(0) * line.type_bytes(2);
}

/// The received size of a gather, scatter, allgather or alltoall, and where the values behind the sizes stand. SMPI
/// leaves the received size out where it is 0: of a line with all other values, that is what the missing one is.
std::pair<double, std::size_t> received_and_behind(const MpiLine& line, std::size_t all_values, bool may_be_0 = true) {
  if (may_be_0 && line.values.size() + 1 == all_values && !line.rank.may_mix_types) return {0, 1};
  return {line.elements(1), 2};
}

/// Also scatter: of what the root sends or receives, the type means nothing on others.
void parse_gather(const MpiLine& line, MpiAction& action) {
  const auto [received, behind] = received_and_behind(line, 5);
  action.peer = line.root(behind);
  const bool is_root = action.peer == line.rank.rank, scatters = action.call == MpiCall::scatter;
  action.amount = line.elements(0) * line.type_bytes(behind + 1, is_root || !scatters);
  action.second = received * line.type_bytes(behind + 2, is_root || scatters);
}

/// Also alltoall. With three values the second is a size or a type: SMPI leaves out a size of 0 alone, and then the one
/// that is sent is 0 too.
void parse_allgather(const MpiLine& line, MpiAction& action) {
  const bool sends_nothing = line.elements(0) == 0;
  const auto [received, behind] = received_and_behind(line, 4, sends_nothing);
  action.amount = line.elements(0) * line.type_bytes(behind);
  action.second = received * line.type_bytes(behind + 1);
}

void parse_gatherv(const MpiLine& line, MpiAction& action) {
  const auto n = static_cast<std::size_t>(line.ranks);
  action.peer = line.root(1 + n);
  const bool is_root = action.peer == line.rank.rank;
  action.amount = line.elements(0) * line.type_bytes(2 + n);
  line.add_counts(1, line.type_bytes(3 + n, is_root));
}

void parse_scatterv(const MpiLine& line, MpiAction& action) {
  const auto n = static_cast<std::size_t>(line.ranks);
  action.peer = line.root(1 + n);
  const bool is_root = action.peer == line.rank.rank;
  line.add_counts(0, line.type_bytes(2 + n, is_root));
  action.amount = line.elements(n) * line.type_bytes(3 + n);
}

/// Behind the counts there may be two types, and behind those or without them as many displacements as there are ranks,
/// which nobody's time depends on.
void parse_allgatherv(const MpiLine& line, MpiAction& action) {
  const auto n = static_cast<std::size_t>(line.ranks), given = line.values.size();
  const bool has_types = given <= n + 3 || given == 2 * n + 3;
  const std::size_t types = has_types ? 1 + n : given;
  if (given > n + 3 && given != 2 * n + 1 && given != 2 * n + 3)
    line.refuse("behind the " + std::to_string(n) + " sizes that it receives there may be two types and " +
                std::to_string(n) + " displacements, but not " + std::to_string(given - n - 1) + " values.");
  action.amount = line.elements(0) * line.type_bytes(types);
  line.add_counts(1, line.type_bytes(types + 1));
}

/// The first and the middle value are the buffers' sizes, which nobody's time depends on.
void parse_alltoallv(const MpiLine& line, MpiAction& action) {
  const auto n = static_cast<std::size_t>(line.ranks);
  line.add_counts(1, line.type_bytes(2 + 2 * n));
  line.add_counts(2 + n, line.type_bytes(3 + 2 * n));
  action.amount = std::accumulate(line.counts.begin(), line.counts.begin() + line.ranks, 0.0);
}

/// MPI_Reduce_scatter_block comes as as many zeros as it has elements, and a blank at the end that no other has.
void parse_reducescatter(const MpiLine& line, MpiAction& action) {
  const auto n = static_cast<std::size_t>(line.ranks);
  const auto zeros = line.values.first(line.values.empty() ? 0 : line.values.size() - 1);
  if (line.ends_in_blank && std::ranges::all_of(zeros, [](std::string_view word) { return word == "0"; }))
    line.refuse("this is an MPI_Reduce_scatter_block, whose sizes SMPI does not write: use MPI_Reduce_scatter.");
  if (line.values.size() != n + 1 && line.values.size() != n + 2)
    line.refuse("a program of " + std::to_string(n) + " ranks needs " + std::to_string(n) +
                " sizes, the flop, and perhaps a type; here are " + std::to_string(line.values.size()) + " values.");
  action.amount = line.amount(n);
  line.add_counts(0, line.type_bytes(n + 1));
}

constexpr std::size_t kAnyNumber = std::size_t{1} << 30U;

/// A kind of line; how many values it may have is a number, and one more for so many of each rank.
struct KnownMpiAction {
  std::string_view name;
  MpiCall call;
  std::size_t least, most;
  std::size_t least_each, most_each;
  LineParser* parse;  ///< null: the line does nothing
  std::string_view values;
};

/// In the order of their names, for a binary search.
constexpr KnownMpiAction kKnown[] = {
    {"ISsend", MpiCall::issend, 3, 4, 0, 0, parse_send, "partner tag count [type]"},
    {"Ssend", MpiCall::ssend, 3, 4, 0, 0, parse_send, "partner tag count [type]"},
    {"allgather", MpiCall::allgather, 2, 4, 0, 0, parse_allgather, "sent received [types]"},
    {"allgatherv", MpiCall::allgatherv, 1, 3, 1, 2, parse_allgatherv, "sent received... [types] [displacements...]"},
    {"allreduce", MpiCall::allreduce, 2, 3, 0, 0, parse_allreduce, "count flop [type]"},
    {"alltoall", MpiCall::alltoall, 2, 4, 0, 0, parse_allgather, "sent received [types]"},
    {"alltoallv", MpiCall::alltoallv, 2, 4, 2, 2, parse_alltoallv, "buffer sent... buffer received... [types]"},
    {"barrier", MpiCall::barrier, 0, 0, 0, 0, parse_nothing, "nothing"},
    {"bcast", MpiCall::bcast, 1, 3, 0, 0, parse_bcast, "count [root] [type]"},
    {"comm_dup", MpiCall::init, 0, kAnyNumber, 0, 0, nullptr, ""},
    {"comm_size", MpiCall::init, 0, kAnyNumber, 0, 0, nullptr, ""},
    {"compute", MpiCall::compute, 1, 1, 0, 0, parse_amount, "flop"},
    {"exscan", MpiCall::exscan, 2, 3, 0, 0, parse_allreduce, "count flop [type]"},
    {"finalize", MpiCall::finalize, 0, 0, 0, 0, parse_nothing, "nothing"},
    {"gather", MpiCall::gather, 2, 5, 0, 0, parse_gather, "sent received [root] [types]"},
    {"gatherv", MpiCall::gatherv, 1, 4, 1, 1, parse_gatherv, "sent received... [root] [types]"},
    {"init", MpiCall::init, 0, kAnyNumber, 0, 0, parse_init, ""},
    {"irecv", MpiCall::irecv, 3, 4, 0, 0, parse_receive, "partner tag count [type]"},
    {"isend", MpiCall::isend, 3, 4, 0, 0, parse_send, "partner tag count [type]"},
    {"location", MpiCall::init, 0, kAnyNumber, 0, 0, nullptr, ""},
    {"recv", MpiCall::recv, 3, 4, 0, 0, parse_receive, "partner tag count [type]"},
    {"reduce", MpiCall::reduce, 2, 4, 0, 0, parse_reduce, "count flop [root] [type]"},
    {"reducescatter", MpiCall::reducescatter, 0, kAnyNumber, 0, 0, parse_reducescatter, ""},
    {"scan", MpiCall::scan, 2, 3, 0, 0, parse_allreduce, "count flop [type]"},
    {"scatter", MpiCall::scatter, 2, 5, 0, 0, parse_gather, "sent received [root] [types]"},
    {"scatterv", MpiCall::scatterv, 1, 4, 1, 1, parse_scatterv, "sent... received [root] [types]"},
    {"send", MpiCall::send, 3, 4, 0, 0, parse_send, "partner tag count [type]"},
    {"sendRecv", MpiCall::sendrecv, 4, 6, 0, 0, parse_sendrecv, "sent partner received partner [types]"},
    {"sleep", MpiCall::sleep, 1, 1, 0, 0, parse_amount, "seconds"},
    {"test", MpiCall::test, 3, 3, 0, 0, parse_wait, "sender receiver tag"},
    {"wait", MpiCall::wait, 3, 3, 0, 0, parse_wait, "sender receiver tag"},
    {"waitAny", MpiCall::waitany, 1, 1, 0, 0, parse_waitany, "requests"},
    {"waitall", MpiCall::waitall, 0, 1, 0, 0, parse_waitall, "[requests]"},
};
static_assert(std::ranges::is_sorted(kKnown, {}, &KnownMpiAction::name));

/// What SMPI writes, and no trace says enough of: the names are those of SimGrid's smpi_pmpi_*.cpp and ampi.cpp.
struct RefusedMpiActions {
  const char* what;
  std::array<std::string_view, 15> names;
};
constexpr RefusedMpiActions kRefused[] = {
    {"a persistent request: the trace says neither what it was made for nor whether it sends or receives",
     {"Start", "Startall"}},
    {"a test of several requests: the trace does not say of which", {"testany", "testall", "testsome"}},
    {"a buffered send: the trace does not say when its buffer is free again, and SMPI's replay does not know it",
     {"bsend", "ibsend"}},
    {"one-sided communication: the trace does not say on which window, nor what waits for it",
     {"Win_", "Put", "Rput", "Get", "Rget", "Accumulate", "Raccumulate", "Get_accumulate", "Rget_accumulate",
      "Compare_and_swap"}},
    {"reading or writing a file: the trace does not say which, nor where", {"IO"}},
    {"a non-blocking collective: the trace does not say which wait is for it",
     {"ibarrier", "ibcast", "ireduce", "iallreduce", "ialltoall", "ialltoallv", "igather", "igatherv", "iscatter",
      "iscatterv", "iallgather", "iallgatherv", "ireducescatter", "iscan", "iexscan"}},
    {"a migration of Adaptive MPI: the trace does not say to which machine", {"migrate"}},
    {"a mark of Adaptive MPI's load balancer: the trace does not say what it decides",
     {"iteration_in", "iteration_out"}},
    {"a communicator's split: the trace does not say which ranks go where, nor which of the later collectives are of "
     "which part",
     {"comm_split"}},
};

[[noreturn]] void refuse_name(const MpiLine& line) {
  const std::string_view name = line.name.starts_with("Win_") ? "Win_" : line.name;
  for (const auto& [what, names] : kRefused)
    if (std::ranges::count(names, name) > 0)
      line.refuse(std::string("this is ") + what + ", so that nothing can be simulated.");
  std::vector<std::string> known;
  for (const KnownMpiAction& action : kKnown) known.emplace_back(action.name);
  const std::string near = nearest_name(std::string(name), known);
  line.refuse("no action of SMPI's time-independent traces has this name" +
              (near.empty() ? "." : "; '" + near + "' is one."));
}

void check_number_of_values(const MpiLine& line, const KnownMpiAction& known) {
  const auto n = static_cast<std::size_t>(line.ranks), given = line.values.size();
  const std::size_t least = known.least + known.least_each * n, most = known.most + known.most_each * n;
  if (given >= least && given <= most) return;
  const std::string numbers = std::to_string(least) + (least == most ? "" : " to " + std::to_string(most));
  const bool depends_on_ranks = known.most_each > 0;
  line.refuse("behind it stand " + std::to_string(given) + " values rather than " + numbers + " (" +
              std::string(known.values) + ")" +
              (depends_on_ranks ? ", as a program of " + std::to_string(n) +
                                      " ranks needs them. Was it a collective of a sub-communicator? Those cannot be "
                                      "told from a time-independent trace."
                                : "."));
}

/// Whether it is a message to MPI_PROC_NULL, or a wait for one or a test: nothing is done. Counts the requests.
bool is_for_nobody(const MpiLine& line, const KnownMpiAction& known) {
  const bool sends = known.parse == parse_send, waits = known.parse == parse_wait;
  if ((!sends && !waits) || !line.is_nobody(sends ? 0 : 1)) return false;
  std::uint32_t& requests = line.rank.requests_to_nobody;
  if (known.call == MpiCall::isend || known.call == MpiCall::issend) ++requests;
  if (known.call == MpiCall::wait && requests > 0) --requests;
  return true;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Cuts a line without blanks at its ends into its words.
void split(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  const char* at = line.data();
  const char* const end = at + line.size();
  while (at != end) {
    const char* const word = at;
    while (at != end && !is_blank(*at)) ++at;
    words.emplace_back(word, static_cast<std::size_t>(at - word));
    while (at != end && is_blank(*at)) ++at;
  }
}

}  // namespace

std::string mpi_call_name(MpiCall call) {
  const auto is_it = [call](const KnownMpiAction& known) { return known.call == call && known.parse != nullptr; };
  const auto* const found = std::ranges::find_if(kKnown, is_it);
  return found == std::end(kKnown) ? "unknown call" : std::string(found->name);
}

std::string_view mpi_trace_line(std::string_view line) {
  while (!line.empty() && (is_blank(line.back()) || line.back() == '\r')) line.remove_suffix(1);
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  return line.starts_with('#') ? std::string_view() : line;
}

int rank_of_mpi_line(std::string_view line, const std::string& file, std::uint32_t number) {
  line = mpi_trace_line(line);
  int rank = -1;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), rank);
  const bool is_word = end == line.data() + line.size() || is_blank(*end);
  if (error != std::errc{} || !is_word || rank < 0)
    throw InputError({file, static_cast<int>(number), ""},
                     "a line of a time-independent trace begins with the number of its rank, this one with " +
                         quoted(line.substr(0, line.find_first_of(" \t"))) + ".");
  return rank;
}

bool MpiTraceText::read(MpiRankText& rank, std::string_view line, std::uint32_t number, MpiAction& action) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const bool ends_in_blank = !line.empty() && is_blank(line.back());
  split(mpi_trace_line(line), words_);
  counts_.clear();
  const bool is_cut_off = words_.size() < 2;
  const auto values = std::span<const std::string_view>(words_).subspan(is_cut_off ? words_.size() : 2);
  const MpiLine read{rank, number, ranks_, is_cut_off ? "" : words_[1], values, ends_in_blank, counts_};
  if (is_cut_off)
    read.refuse("the line ends behind the rank's number, where an action's name should stand: was the file cut off?");
  const auto* const known = std::ranges::lower_bound(kKnown, read.name, {}, &KnownMpiAction::name);
  if (known == std::end(kKnown) || known->name != read.name) refuse_name(read);
  check_number_of_values(read, *known);
  if (known->parse == nullptr || is_for_nobody(read, *known)) return false;
  action = {.call = known->call, .line = number};
  known->parse(read, action);
  return true;
}

}  // namespace nowsim

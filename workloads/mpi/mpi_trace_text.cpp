// A table of the actions that SMPI's replay knows, and those that SMPI writes and its replay does not.
#include "workloads/mpi/mpi_trace_text.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Line = MpiTraceLine;

/// How a kind of line is read: false where nothing is done.
using LineParser = bool(const Line& line, MpiAction& action);

bool parse_nothing(const Line&, MpiAction&) { return true; }

bool parse_skipped(const Line&, MpiAction&) { return false; }

/// "default MPE datatype" with an argument, "default TAU datatype" without, says SMPI's replay.
bool parse_init(const Line& line, MpiAction&) {
  constexpr double kDoubleBytes = 8;
  line.rank.may_mix_types = !line.values.empty();
  line.rank.default_bytes = line.values.empty() ? 1 : kDoubleBytes;
  return true;
}

bool parse_amount(const Line& line, MpiAction& action) {
  action.amount = line.amount(0);
  return true;
}

bool parse_send(const Line& line, MpiAction& action) {
  if (line.is_nobody(0)) {
    const bool makes_request = action.call == MpiCall::isend || action.call == MpiCall::issend;
    if (makes_request) ++line.rank.requests_to_nobody;
    return false;
  }
  action.peer = line.partner(0);
  action.tag = line.tag(1);
  action.amount = line.elements(2) * line.type_bytes(3);
  return true;
}

bool parse_receive(const Line& line, MpiAction& action) {
  action.peer = line.source(0);
  action.tag = line.wanted_tag(1);
  const double type_bytes = line.type_bytes(3);
  action.amount = line.values[2] == "-1" ? kAnyBytes : line.elements(2) * type_bytes;
  return true;
}

bool parse_wait(const Line& line, MpiAction& action) {
  if (line.is_nobody(1)) {
    if (action.call == MpiCall::wait && line.rank.requests_to_nobody > 0) --line.rank.requests_to_nobody;
    return false;
  }
  action.peer = line.source(0);
  action.other = line.partner(1);
  action.tag = line.wanted_tag(2);
  return true;
}

bool parse_waitall(const Line& line, MpiAction& action) {
  line.rank.requests_to_nobody = 0;
  action.amount = line.values.empty() ? 0 : line.elements(0);
  return true;
}

bool parse_waitany(const Line& line, MpiAction& action) {
  action.amount = line.elements(0);
  if (action.amount < 1) line.refuse("it waits for one of " + quoted(line.values[0]) + " requests; 1 is the least.");
  if (line.rank.requests_to_nobody > 0)
    line.refuse("which requests it is for is not told, and one that was sent to MPI_PROC_NULL may be among them.");
  return true;
}

bool parse_sendrecv(const Line& line, MpiAction& action) {
  action.peer = line.partner(1);
  action.other = line.source(3);
  action.amount = line.elements(0) * line.type_bytes(4);
  action.second = line.elements(2) * line.type_bytes(5);
  return true;
}

bool parse_bcast(const Line& line, MpiAction& action) {
  action.peer = line.root(1);
  action.amount = line.elements(0) * line.type_bytes(2);
  return true;
}

bool parse_reduce(const Line& line, MpiAction& action) {
  action.second = line.amount(1);
  action.peer = line.root(2);
  action.amount = line.elements(0) * line.type_bytes(3);
  return true;
}

/// Also scan and exscan.
bool parse_allreduce(const Line& line, MpiAction& action) {
  action.second = line.amount(1);
  action.amount = line.elements(0) * line.type_bytes(2);
  return true;
}

/// Where the values of a gather, scatter, allgather or alltoall stand that come behind the sizes. SMPI leaves the
/// received size out where it is 0: of a line with all other values, that is what the missing one is.
struct SizesOfExchange {
  double received;
  std::size_t behind;
};
SizesOfExchange sizes_of_exchange(const Line& line, std::size_t values_with_both) {
  const bool is_left_out = line.values.size() + 1 == values_with_both && !line.rank.may_mix_types;
  return is_left_out ? SizesOfExchange{0, 1} : SizesOfExchange{line.elements(1), 2};
}

bool parse_gather(const Line& line, MpiAction& action) {
  const auto [received, behind] = sizes_of_exchange(line, 5);
  action.peer = line.root(behind);
  action.amount = line.elements(0) * line.type_bytes(behind + 1);
  const bool is_root = action.peer == line.rank.rank;
  action.second = received * line.type_bytes(behind + 2, is_root);
  return true;
}

bool parse_scatter(const Line& line, MpiAction& action) {
  const auto [received, behind] = sizes_of_exchange(line, 5);
  action.peer = line.root(behind);
  const bool is_root = action.peer == line.rank.rank;
  action.amount = line.elements(0) * line.type_bytes(behind + 1, is_root);
  action.second = received * line.type_bytes(behind + 2);
  return true;
}

/// Also alltoall. With three values the second is a size or a type: SMPI leaves out a size of 0 alone, and then the one
/// that is sent is 0 too.
bool parse_allgather(const Line& line, MpiAction& action) {
  const bool sends_nothing = line.elements(0) == 0;
  const auto [received, behind] = sends_nothing ? sizes_of_exchange(line, 4) : SizesOfExchange{line.elements(1), 2};
  action.amount = line.elements(0) * line.type_bytes(behind);
  action.second = received * line.type_bytes(behind + 1);
  return true;
}

bool parse_gatherv(const Line& line, MpiAction& action) {
  const auto n = static_cast<std::size_t>(line.ranks);
  action.peer = line.root(1 + n);
  const bool is_root = action.peer == line.rank.rank;
  action.amount = line.elements(0) * line.type_bytes(2 + n);
  line.add_counts(1, line.type_bytes(3 + n, is_root));
  return true;
}

bool parse_scatterv(const Line& line, MpiAction& action) {
  const auto n = static_cast<std::size_t>(line.ranks);
  action.peer = line.root(1 + n);
  const bool is_root = action.peer == line.rank.rank;
  line.add_counts(0, line.type_bytes(2 + n, is_root));
  action.amount = line.elements(n) * line.type_bytes(3 + n);
  return true;
}

/// Behind the counts there may be two types, and behind those or without them as many displacements as there are ranks,
/// which nobody's time depends on.
bool parse_allgatherv(const Line& line, MpiAction& action) {
  const auto n = static_cast<std::size_t>(line.ranks), given = line.values.size();
  const bool has_types = given <= n + 3 || given == 2 * n + 3;
  const std::size_t types = has_types ? 1 + n : given;
  if (given > n + 3 && given != 2 * n + 1 && given != 2 * n + 3)
    line.refuse("behind the " + std::to_string(n) + " sizes that it receives there may be two types and " +
                std::to_string(n) + " displacements, but not " + std::to_string(given - n - 1) + " values.");
  action.amount = line.elements(0) * line.type_bytes(types);
  line.add_counts(1, line.type_bytes(types + 1));
  return true;
}

/// The first and the middle value are the buffers' sizes, which nobody's time depends on.
bool parse_alltoallv(const Line& line, MpiAction& action) {
  const auto n = static_cast<std::size_t>(line.ranks);
  line.add_counts(1, line.type_bytes(2 + 2 * n));
  line.add_counts(2 + n, line.type_bytes(3 + 2 * n));
  action.amount = 0;
  for (std::size_t i = 0; i < n; ++i) action.amount += line.counts[i];
  return true;
}

/// MPI_Reduce_scatter_block comes as as many zeros as it has elements, and a blank at the end that no other has.
bool parse_reducescatter(const Line& line, MpiAction& action) {
  const auto n = static_cast<std::size_t>(line.ranks);
  const auto zeros = line.values.first(line.values.empty() ? 0 : line.values.size() - 1);
  if (line.ends_in_blank && std::ranges::all_of(zeros, [](std::string_view word) { return word == "0"; }))
    line.refuse("this is an MPI_Reduce_scatter_block, whose sizes SMPI does not write: use MPI_Reduce_scatter.");
  if (line.values.size() != n + 1 && line.values.size() != n + 2)
    line.refuse("a program of " + std::to_string(n) + " ranks needs " + std::to_string(n) +
                " sizes, the flop, and perhaps a type; here are " + std::to_string(line.values.size()) + " values.");
  action.amount = line.amount(n);
  line.add_counts(0, line.type_bytes(n + 1));
  return true;
}

constexpr std::size_t kAnyNumber = std::size_t{1} << 30U;

/// A kind of line; how many values it may have is a number, and one more for so many of each rank.
struct KnownMpiAction {
  std::string_view name;
  MpiCall call;
  std::size_t least, most;
  std::size_t least_each, most_each;
  LineParser* parse;
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
    {"comm_dup", MpiCall::init, 0, kAnyNumber, 0, 0, parse_skipped, ""},
    {"comm_size", MpiCall::init, 0, kAnyNumber, 0, 0, parse_skipped, ""},
    {"compute", MpiCall::compute, 1, 1, 0, 0, parse_amount, "flop"},
    {"exscan", MpiCall::exscan, 2, 3, 0, 0, parse_allreduce, "count flop [type]"},
    {"finalize", MpiCall::finalize, 0, 0, 0, 0, parse_nothing, "nothing"},
    {"gather", MpiCall::gather, 2, 5, 0, 0, parse_gather, "sent received [root] [types]"},
    {"gatherv", MpiCall::gatherv, 1, 4, 1, 1, parse_gatherv, "sent received... [root] [types]"},
    {"init", MpiCall::init, 0, kAnyNumber, 0, 0, parse_init, ""},
    {"irecv", MpiCall::irecv, 3, 4, 0, 0, parse_receive, "partner tag count [type]"},
    {"isend", MpiCall::isend, 3, 4, 0, 0, parse_send, "partner tag count [type]"},
    {"location", MpiCall::init, 0, kAnyNumber, 0, 0, parse_skipped, ""},
    {"recv", MpiCall::recv, 3, 4, 0, 0, parse_receive, "partner tag count [type]"},
    {"reduce", MpiCall::reduce, 2, 4, 0, 0, parse_reduce, "count flop [root] [type]"},
    {"reducescatter", MpiCall::reducescatter, 0, kAnyNumber, 0, 0, parse_reducescatter, ""},
    {"scan", MpiCall::scan, 2, 3, 0, 0, parse_allreduce, "count flop [type]"},
    {"scatter", MpiCall::scatter, 2, 5, 0, 0, parse_scatter, "sent received [root] [types]"},
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

[[noreturn]] void refuse_name(const Line& line) {
  const std::string name(line.name), refused = refused_mpi_action(name);
  if (!refused.empty()) line.refuse("this is " + refused + ", so that nothing can be simulated.");
  std::vector<std::string> known;
  for (const KnownMpiAction& action : kKnown) known.emplace_back(action.name);
  const std::string near = nearest_name(name, known);
  line.refuse("no action of SMPI's time-independent traces has this name" +
              (near.empty() ? "." : "; '" + near + "' is one."));
}

const KnownMpiAction& known_action(const Line& line) {
  const auto* const found = std::ranges::lower_bound(kKnown, line.name, {}, &KnownMpiAction::name);
  if (found == std::end(kKnown) || found->name != line.name) refuse_name(line);
  return *found;
}

void check_number_of_values(const Line& line, const KnownMpiAction& known) {
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
  const auto is_it = [call](const KnownMpiAction& known) { return known.call == call && known.parse != parse_skipped; };
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
  const auto words = std::span<const std::string_view>(words_);
  counts_.clear();
  const Line read{rank,
                  number,
                  ranks_,
                  words.size() < 2 ? "" : words[1],
                  words.subspan(std::min<std::size_t>(2, words.size())),
                  ends_in_blank,
                  counts_};
  if (words.size() < 2) read.refuse("the line ends behind the rank's number, where an action's name should stand: was the file cut off?");
  const KnownMpiAction& known = known_action(read);
  check_number_of_values(read, known);
  action = {};
  action.call = known.call;
  action.line = number;
  return known.parse(read, action);
}

}  // namespace nowsim

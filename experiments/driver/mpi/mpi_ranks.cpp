// What of recordings takes no SMPI: traces that can be replayed, of SMPI's, line by line, each beside its note; the median
// of repetitions; where a trace comes from, as JSON.
#include "experiments/driver/mpi/mpi_recording.hpp"

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <nlohmann/json.hpp>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {

std::vector<std::vector<MpiNote>> read_mpi_notes(const std::string& text, std::size_t ranks) {
  std::vector<std::vector<MpiNote>> notes(ranks);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::size_t rank = ranks;
    MpiNote note;
    words >> rank >> note.word;
    if (note.word == "compute")
      words >> note.flop;
    else
      for (std::int64_t value = 0; words >> value;) note.values.push_back(value);
    if (rank >= ranks || !words.eof()) throw RunError("the notes of the recording are damaged: " + quoted(line));
    notes[rank].push_back(std::move(note));
  }
  return notes;
}

namespace {

constexpr std::int64_t kOpenSource = 1, kOpenTag = 2, kNoPartner = 4;
constexpr std::int64_t kThisRankAlone = 1, kOtherRanks = 2;
constexpr const char* kByteType = "6";

const Words& noted_words() {
  static const Words words = {"send",     "Ssend",     "isend",         "ISsend",   "irecv",     "recv",
                              "sendRecv", "wait",      "waitall",       "waitAny",  "test",      "testall",
                              "testany",  "testsome",  "barrier",       "bcast",    "reduce",    "allreduce",
                              "gather",   "gatherv",   "scatter",       "scatterv", "allgather", "allgatherv",
                              "alltoall", "alltoallv", "reducescatter", "scan",     "exscan"};
  return words;
}

Words words_of(const std::string& line) {
  std::istringstream in(line);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string line_of(const Words& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

class Freezing {
 public:
  Freezing(std::size_t rank, std::span<const MpiNote> notes, const MpiRegions& regions)
      : rank_(rank), notes_(notes), regions_(regions) {}

  MpiRankTrace run(const std::string& trace) {
    std::istringstream lines(trace);
    for (std::string line; std::getline(lines, line); ++line_) read(words_of(line));
    pass_lineless();
    if (next_ < notes_.size()) refuse_notes("'" + notes_[next_].word + "' without a line");
    if (out_.lines.empty() || out_.lines.back().text != "finalize")
      throw RunError("rank " + std::to_string(rank_) + " ended without MPI_Finalize: the recording is not complete");
    return std::move(out_);
  }

 private:
  /// A request that is under way.
  struct Pending {
    std::size_t line;  ///< that began it
    bool receives;
  };

  [[noreturn]] void refuse_notes(const std::string& what) const {
    throw RunError("SMPI's trace and what was noted beside it do not fit: rank " + std::to_string(rank_) + ", line " +
                   std::to_string(line_) + ": " + what + "; this version of SimGrid may write traces otherwise");
  }

  void read(Words words) {
    if (words.size() < 2) return;
    words.erase(words.begin());  // the rank
    const std::string word = words.front();
    if (word == "location") {
      place_ = words.size() == 3 ? words[1] + ":" + words[2] : "";
      out_.tells_places |= !place_.empty();
    } else if (word == "compute") {
      read_compute(words);
    } else {
      read_call(words);
    }
  }

  void read_call(Words& words) {
    ++calls_;
    region_.clear();
    if (words.front() == "sleep" && is_probes_own()) return;
    if (contains(noted_words(), words.front()))
      use(words, note_for(words));
    else
      add(line_of(words));
  }

  void read_compute(const Words& words) {
    const auto written = words.size() > 1 ? to_number(words[1]) : std::nullopt;
    if (!written) refuse_notes("a compute without a number");
    pass_probes();
    if (next_ < notes_.size() && notes_[next_].word == "compute" &&
        short_number(notes_[next_].flop) == words[1])  // as SMPI writes it
      return add_compute(notes_[next_++].flop);
    const auto region = regions_.find(place_);
    if (region == regions_.end()) return add_compute(*written);
    out_.regions.insert(place_);
    add_compute(region_ == place_ ? 0 : region->second);  // some calls stop the computing twice
    region_ = place_;
  }

  void pass_probes() {
    for (; next_ < notes_.size() && notes_[next_].word == "probe"; ++next_) {
      ++out_.timing.probes;
      region_.clear();
    }
  }
  bool is_probes_own() {
    pass_probes();
    const bool is_own = next_ < notes_.size() && notes_[next_].word == "polled";
    if (is_own) ++next_;
    return is_own;
  }
  /// Notes that have no line.
  void pass_lineless() {
    for (; next_ < notes_.size(); ++next_)
      if (notes_[next_].word == "probe")
        ++out_.timing.probes;
      else if (notes_[next_].word != "compute")
        return;
  }

  const MpiNote& note_for(const Words& words) {
    pass_lineless();
    if (next_ == notes_.size()) refuse_notes("'" + words.front() + "' without a note");
    const MpiNote& note = notes_[next_++];
    const bool is_marker = note.word == "waitsome" && words.front() == "waitall";
    if (note.word != words.front() && !is_marker)
      refuse_notes("'" + words.front() + "' there, '" + note.word + "' here");
    return note;
  }

  void use(Words& words, const MpiNote& note) {
    const std::string& word = note.word;
    if (word == "send" || word == "Ssend")
      send(words, note);
    else if (word == "isend" || word == "ISsend" || word == "irecv")
      start(words, note);
    else if (word == "recv")
      receive(words, note);
    else if (word == "sendRecv")
      send_receive(words, note);
    else if (word.starts_with("wait") || word.starts_with("test"))
      complete(words, note);
    else
      collective(words, note);
  }

  std::int64_t value(const MpiNote& note, std::size_t i) const {
    if (i >= note.values.size()) refuse_notes("the note of '" + note.word + "' is too short");
    return note.values[i];
  }

  void add(std::string text) { out_.lines.push_back({std::move(text), 0}); }
  void add_compute(double flop) {
    if (!out_.lines.empty() && out_.lines.back().is_compute())
      out_.lines.back().flop += flop;
    else
      out_.lines.push_back({"", flop});
  }

  /// Where the words hold how many elements and of which type, puts bytes where the type is derived.
  /// @returns the bytes.
  double put_bytes(Words& words, std::size_t count, std::size_t type, std::int64_t element) const {
    if (words.size() <= type) refuse_notes("'" + line_of(words) + "' is too short");
    const auto elements = to_number(words[count]);
    if (!elements) refuse_notes("'" + line_of(words) + "': " + words[count] + " is no number");
    const double bytes = *elements * static_cast<double>(element < 0 ? -element : element);
    if (element <= 0) {
      words[count] = std::to_string(static_cast<std::int64_t>(bytes));
      words[type] = kByteType;
    }
    return bytes;
  }

  void count_scope(std::int64_t scope) {
    if (scope == kOtherRanks) ++out_.messages_among_others;
  }
  void count_open(std::int64_t open) {
    if ((open & kOpenSource) != 0) ++out_.timing.any_source;
    if ((open & kOpenTag) != 0) ++out_.timing.any_tag;
  }
  void count_sent(double bytes) {
    ++out_.messages;
    out_.message_bytes += bytes;
  }

  // send PEER TAG COUNT TYPE, and likewise receives.
  static constexpr std::size_t kPeer = 1, kTag = 2, kCount = 3, kType = 4;

  void send(Words& words, const MpiNote& note) {
    count_sent(put_bytes(words, kCount, kType, value(note, 0)));
    count_scope(value(note, 1));
    add(line_of(words));
  }

  void receive(Words& words, const MpiNote& note) {
    put_bytes(words, kCount, kType, value(note, 0));
    count_scope(value(note, 1));
    count_open(value(note, 2));
    words[kPeer] = std::to_string(value(note, 3));
    words[kTag] = std::to_string(value(note, 4));
    add(line_of(words));
  }

  void start(Words& words, const MpiNote& note) {
    const std::int64_t open = value(note, 2), request = value(note, 3);
    if ((open & kNoPartner) != 0) {
      without_partner_.insert(request);
      return;
    }
    const bool receives = words.front() == "irecv";
    const double bytes = put_bytes(words, kCount, kType, value(note, 0));
    if (!receives)
      count_sent(bytes);
    else
      count_open(open);
    count_scope(value(note, 1));
    pending_[request] = {out_.lines.size(), receives};
    add(line_of(words));
  }

  /// sendRecv COUNT TO COUNT FROM TYPE TYPE.
  void send_receive(Words& words, const MpiNote& note) {
    constexpr std::size_t kSent = 1, kTo = 2, kReceived = 3, kSentType = 5, kReceivedType = 6;
    if (words.size() <= kReceivedType) refuse_notes("'" + line_of(words) + "' is too short");
    count_sent(put_bytes(words, kSent, kSentType, value(note, 0)));
    put_bytes(words, kReceived, kReceivedType, value(note, 1));
    count_scope(value(note, 2));
    count_open(value(note, 3));
    const std::string from = std::to_string(value(note, 5)), tag = std::to_string(value(note, 6));
    add(line_of({"irecv", from, tag, words[kReceived], words[kReceivedType]}));
    add(line_of({"send", words[kTo], std::to_string(value(note, 4)), words[kSent], words[kSentType]}));
    add(line_of({"wait", from, std::to_string(rank_), tag}));
  }

  /// What of several requests has completed becomes a wait for each.
  void complete(const Words& words, const MpiNote& note) {
    constexpr std::size_t kEach = 3;  // request, source, tag
    const std::string& word = note.word;
    if (word.starts_with("test")) {
      ++out_.timing.tests;
      if (note.values.empty()) ++out_.timing.failed_tests;
    }
    if (word == "waitAny" || word == "waitsome") ++out_.timing.wait_any;
    for (std::size_t i = 0; i < note.values.size(); i += kEach)
      if (note.values[i] == 0) return add(line_of(words));  // a reader refuses what began it
    std::vector<std::string> waits;
    const std::size_t under_way = pending_.size();
    for (std::size_t i = 0; i < note.values.size(); i += kEach)
      wait_for(note.values[i], value(note, i + 1), value(note, i + 2), waits);
    if (word == "waitall" && waits.size() > 1 && waits.size() == under_way)
      return add("waitall " + std::to_string(waits.size()));
    for (auto& wait : waits) add(std::move(wait));
  }

  void wait_for(std::int64_t request, std::int64_t source, std::int64_t tag, std::vector<std::string>& waits) {
    if (without_partner_.erase(request) > 0) return;
    const auto found = pending_.find(request);
    if (found == pending_.end()) refuse_notes("a request that nothing began");
    std::string& began = out_.lines[found->second.line].text;
    Words words = words_of(began);
    const std::string here = std::to_string(rank_);
    if (found->second.receives) {
      words[kPeer] = std::to_string(source);
      words[kTag] = std::to_string(tag);
      began = line_of(words);
      waits.push_back(line_of({"wait", words[kPeer], here, words[kTag]}));
    } else {
      waits.push_back(line_of({"wait", here, words[kPeer], words[kTag]}));
    }
    pending_.erase(found);
  }

  void collective(const Words& words, const MpiNote& note) {
    const std::int64_t scope = value(note, 0);
    if (scope == kThisRankAlone) return;
    if (scope == kOtherRanks && out_.collectives_of_others++ == 0)
      out_.first_of_others = note.word + " of rank " + std::to_string(rank_) +
                             (place_.empty() ? ", its MPI call " + std::to_string(calls_) : " at " + place_);
    ++out_.collectives;
    if (note.values.size() == 1) return add(line_of(words));
    std::string text = note.word;
    for (std::size_t i = 1; i < note.values.size(); ++i) text += ' ' + std::to_string(note.values[i]);
    add(std::move(text));
  }

  std::size_t rank_;
  std::span<const MpiNote> notes_;
  const MpiRegions& regions_;
  std::size_t next_ = 0, line_ = 1, calls_ = 0;
  std::string region_;  ///< its flop are added, and no call has ended since
  std::string place_;   ///< of the call that is being read, "" where the program does not tell
  std::unordered_map<std::int64_t, Pending> pending_;
  std::unordered_set<std::int64_t> without_partner_;
  MpiRankTrace out_;
};

}  // namespace

MpiTimingCounts& MpiTimingCounts::operator+=(const MpiTimingCounts& other) {
  for (const auto& [name, count] : kMpiTimingCounts) this->*count += other.*count;
  return *this;
}

MpiRankTrace freeze_rank(std::size_t rank, const std::string& trace, std::span<const MpiNote> notes,
                         const MpiRegions& regions) {
  return Freezing(rank, notes, regions).run(trace);
}

std::string mpi_trace_text(std::size_t rank, std::span<const MpiLine> lines) {
  const std::string before = std::to_string(rank) + ' ';
  std::string text;
  for (const auto& line : lines)
    text += before + (line.is_compute() ? "compute " + number_text(line.flop) : line.text) + '\n';
  return text;
}

namespace {

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double spread_of(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double median = median_of(values);
  return median > 0 ? (*most - *least) / median : 0;
}

std::string told(const std::vector<MpiLine>& lines, std::size_t i) {
  if (i >= lines.size()) return "nothing more";
  return lines[i].is_compute() ? "'compute'" : "'" + lines[i].text + "'";
}

void check_alike(std::size_t rank, const std::vector<MpiLine>& first, const std::vector<MpiLine>& other,
                 std::size_t k) {
  std::size_t i = 0;
  while (i < first.size() && i < other.size() && first[i].text == other[i].text) ++i;
  if (i == first.size() && i == other.size()) return;
  throw RunError("the program's course depends on timing: rank " + std::to_string(rank) + " does " + told(first, i) +
                 " in line " + std::to_string(i + 1) + " of its trace the first time, and " + told(other, i) +
                 " in repetition " + std::to_string(k + 1) + "; without --repeat one of its courses is recorded");
}

/// What each repetition says.
template <class Tell>
std::vector<double> of_each(const std::vector<MpiRanks>& repetitions, Tell tell) {
  std::vector<double> values;
  for (const auto& ranks : repetitions) values.push_back(tell(ranks));
  return values;
}

}  // namespace

MpiMedian median_recording(std::vector<MpiRanks> repetitions) {
  MpiMedian out;
  std::vector<double> of_computes;
  out.ranks = repetitions.front();
  for (std::size_t r = 0; r < out.ranks.size(); ++r) {
    auto& lines = out.ranks[r].lines;
    for (std::size_t k = 1; k < repetitions.size(); ++k) check_alike(r, lines, repetitions[k][r].lines, k);
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i].is_compute()) {
        const auto flop = of_each(repetitions, [&](const MpiRanks& ranks) { return ranks[r].lines[i].flop; });
        lines[i].flop = median_of(flop);
        of_computes.push_back(spread_of(flop));
      }
    out.spread.by_rank.push_back(spread_of(of_each(repetitions, [&](const MpiRanks& all) { return flop_of(all[r]); })));
  }
  out.spread.total = spread_of(of_each(repetitions, [](const MpiRanks& all) { return flop_of(all); }));
  out.spread.median_compute = median_of(std::move(of_computes));
  return out;
}

double flop_of(const MpiRankTrace& rank) {
  double sum = 0;
  for (const auto& line : rank.lines) sum += line.flop;
  return sum;
}

double flop_of(const MpiRanks& ranks) {
  double sum = 0;
  for (const auto& rank : ranks) sum += flop_of(rank);
  return sum;
}

void scale_flop(MpiRanks& ranks, double factor) {
  for (auto& rank : ranks)
    for (auto& line : rank.lines) line.flop *= factor;
}

double scale_to_total(MpiRanks& ranks, double total_flop) {
  const double there = flop_of(ranks);
  if (!(there > 0))
    throw InputError(
        "the recording has no computing that could be scaled: with --explicit a program says by "
        "smpi_execute_flops() what it computes");
  scale_flop(ranks, total_flop / there);
  return total_flop / there;
}

namespace {

using Json = nlohmann::ordered_json;

MpiProvenance provenance_in(const Json& json) {
  MpiProvenance p;
  p.program = json.at("program");
  p.program_sha256 = json.at("program_sha256");
  p.arguments = json.at("arguments").get<std::vector<std::string>>();
  p.ranks = json.at("ranks");
  p.host_speed_flops = json.at("host_speed_flops");
  p.is_explicit = json.at("computing") == "explicit";
  p.repetitions = json.at("repetitions");
  const Json& spread = json.at("spread");
  p.spread.total = spread.at("total");
  p.spread.median_compute = spread.at("median_compute");
  p.spread.by_rank = spread.at("by_rank").get<std::vector<double>>();
  p.flop_scale = json.at("flop_scale");
  for (const auto& [place, flop] : json.at("regions_flop").items()) p.regions[place] = flop;
  for (const auto& [name, count] : kMpiTimingCounts) p.timing.*count = json.at("timing").at(name);
  p.messages_among_others = json.at("messages_on_other_communicators");
  p.simgrid = json.at("simgrid");
  p.nowsim = json.at("nowsim");
  p.command = json.at("command");
  return p;
}

}  // namespace

std::string MpiProvenance::timing_text() const {
  std::string text;
  const auto add = [&](std::uint64_t count, const std::string& one, const std::string& many) {
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + ' ' + (count == 1 ? one : many);
  };
  add(timing.any_source, "receive from any source", "receives from any source");
  add(timing.any_tag, "receive of any tag", "receives of any tag");
  add(timing.tests, "test", "tests");
  if (timing.failed_tests > 0) text += " (" + std::to_string(timing.failed_tests) + " found nothing)";
  add(timing.wait_any, "wait for any of several", "waits for any of several");
  add(timing.probes, "probe", "probes");
  return text;
}

std::string json_of(const MpiProvenance& p) {
  Json timing;
  for (const auto& [name, count] : kMpiTimingCounts) timing[name] = p.timing.*count;
  const Json json = {
      {"format", 1},
      {"program", p.program},
      {"program_sha256", p.program_sha256},
      {"arguments", p.arguments},
      {"ranks", p.ranks},
      {"host_speed_flops", p.host_speed_flops},
      {"computing", p.is_explicit ? "explicit" : "measured"},
      {"repetitions", p.repetitions},
      {"spread",
       {{"total", p.spread.total}, {"median_compute", p.spread.median_compute}, {"by_rank", p.spread.by_rank}}},
      {"flop_scale", p.flop_scale},
      {"regions_flop", p.regions},
      {"timing", timing},
      {"messages_on_other_communicators", p.messages_among_others},
      {"simgrid", p.simgrid},
      {"nowsim", p.nowsim},
      {"command", p.command}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<MpiProvenance> read_mpi_provenance(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kMpiProvenanceFile;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return {};
  try {
    return provenance_in(Json::parse(read_user_file(file.string(), kMostDescriptionBytes)));
  } catch (const Json::exception&) {
    throw InputError({file.string(), 0, ""}, "this is not what 'nowsim trace mpi' writes: record the program again.");
  }
}

}  // namespace nowsim

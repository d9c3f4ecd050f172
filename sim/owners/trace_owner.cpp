// The owner model `trace`: a measured load series, from a random moment on or from its beginning, with others or alone.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <numeric>
#include <system_error>
#include <utility>

#include "sim/base/clock_text.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/owners/diurnal.hpp"
#include "sim/owners/load_table.hpp"
#include "sim/owners/owner_keys.hpp"
#include "sim/owners/path.hpp"

namespace nowsim {
/// The moments at which series that are replayed together are nearest, in the mean, to what is seen of each: where they
/// go on from there, likely futures are (a nearest-neighbour bootstrap, as Lall & Sharma's, Water Resour. Res. 32,
/// 1996).
class LikeMoments {
 public:
  struct Seen {
    const LoadSeries* trace;
    double availability;
  };
  explicit LikeMoments(const std::vector<Seen>& seen) {
    std::vector<double> begin_s;  // where each row of any begins, and then the end
    for (const auto& [trace, availability] : seen)
      begin_s.insert(begin_s.end(), trace->start_s.begin(), trace->start_s.end());
    std::ranges::sort(begin_s);
    const auto again = std::ranges::unique(begin_s);
    begin_s.erase(again.begin(), again.end());
    std::vector<double> off(begin_s.size());
    for (const auto& [trace, availability] : seen) {
      const auto values = values_at(*trace, begin_s.size(), [&](std::size_t i) { return begin_s[i]; });
      for (std::size_t i = 0; i < off.size(); ++i) off[i] += std::abs(values[i] - availability);
    }
    begin_s.push_back(seen.front().trace->total_s);
    std::vector<std::size_t> rows(off.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::ranges::stable_sort(rows, {}, [&](std::size_t i) { return off[i]; });
    double sum_s = 0, last = 0;
    for (const std::size_t i : rows) {
      if (until_s_.size() >= kLeastRows && sum_s >= kShare * begin_s.back() && off[i] > last)
        break;  // all that are as near
      from_s_.push_back(begin_s[i]);
      until_s_.push_back(sum_s += begin_s[i + 1] - begin_s[i]);
      last = off[i];
    }
  }
  /// A moment of the series [s], for u in [0, 1).
  [[nodiscard]] double at(double u) const {
    const double t_s = u * until_s_.back();
    const auto k = static_cast<std::size_t>(std::ranges::upper_bound(until_s_, t_s) - until_s_.begin());
    return from_s_[std::min(k, until_s_.size() - 1)] + (t_s - (k == 0 ? 0 : until_s_[k - 1]));
  }

 private:
  static constexpr std::size_t kLeastRows = 10;
  static constexpr double kShare = 0.05;
  std::vector<double> from_s_, until_s_;  // of the rows that count, the nearest first: where, and how much up to its end
};

namespace {

/// From moments like what is seen on; `what` says what that is, exactly.
SeriesOwner like_seen(SeriesOwner owner, std::shared_ptr<const LikeMoments> moments, const std::string& what) {
  owner.like = std::move(moments);
  owner.beginning = ", at first about " + what;
  return owner;
}

/// Of a stamp, since midnight before Monday, 5 January 1970, by the clock on the wall. @throws InputError where stamps are by
/// no calendar.
double calendar_s(const Stamp& stamp, const TimeZone* zone) {
  constexpr std::int64_t kFirstMonday = 4;  // in days since 1970
  const auto moment = wall_clock(stamp, zone);
  if (!moment || !moment->day)
    throw InputError("its stamps are seconds from a beginning of their own, which say no hour and no day");
  return static_cast<double>(*moment->day - kFirstMonday) * kDay_s + moment->of_day_s;
}

/// Working days are alike, and Saturdays, and Sundays.
int kind_of_day(std::int64_t day) {
  const auto weekday = static_cast<int>(((day % 7) + 7) % 7);
  return std::max(0, weekday - 4);
}

/// Whether a job that begins on a day like this weekday may as well begin on that day: the next day counts too.
bool is_like(const ClockMoment& at, std::int64_t day) {
  return !at.weekday || (kind_of_day(*at.weekday) == kind_of_day(day) && kind_of_day(*at.weekday + 1) == kind_of_day(day + 1));
}

/// A moment of the clock where spans are closed up; nothing where it is in none of them.
std::optional<double> closed_up_s(const ClockSpans& spans, double clock_s) {
  double before_s = 0;
  for (const auto& [from_s, to_s] : spans) {
    if (clock_s >= from_s && clock_s < to_s) return before_s + clock_s - from_s;
    before_s += to_s - from_s;
  }
  return std::nullopt;
}

/// The first moment of closed-up spans at which the clock stands as at their end, of a week and more on the same weekday; 0
/// where there is none.
double resume_s_of(const ClockSpans& spans) {
  const double first_s = spans.front().from_s, last_s = spans.back().to_s, round_s = last_s - first_s >= kWeek_s ? kWeek_s : kDay_s;
  for (double again_s = last_s - std::floor((last_s - first_s) / round_s) * round_s; again_s < last_s; again_s += round_s)
    if (const auto resume_s = closed_up_s(spans, again_s)) return *resume_s;
  return 0;
}

/// Null where there is none. @param first_s by the clock, of the moment from which the spans count. @param zone by whose
/// clock the stamp `first` of UTC is, which may be put forward or back meanwhile; null: it is not.
std::shared_ptr<const ReplayedDays> days_to_begin(const ClockMoment& at, double first_s, const ClockSpans& spans, const Stamp& first,
                                                  const TimeZone* zone) {
  constexpr std::int64_t kFirstMonday_s = 4 * 86400;
  const auto since_first_s = [&](double wall_s) {
    if (zone == nullptr || first.kind == StampKind::civil) return wall_s - first_s;
    const LocalMoments moments = zone->moments_at(kFirstMonday_s + static_cast<std::int64_t>(std::floor(wall_s)));
    return static_cast<double>(moments.first_s - first.whole_s) + (wall_s - std::floor(wall_s)) - first.rest_s;
  };
  ReplayedDays out{at, first_s, {}, {}, resume_s_of(spans)};
  auto day = static_cast<std::int64_t>(std::floor((first_s + spans.front().from_s) / kDay_s)) - 1;
  for (double moment_s; (moment_s = since_first_s(static_cast<double>(day) * kDay_s + at.of_day_s)) < spans.back().to_s; ++day) {
    const auto begin_s = is_like(at, day) ? closed_up_s(spans, moment_s) : std::nullopt;
    if (!begin_s) continue;
    out.begin_s.push_back(*begin_s);
    out.day.push_back(day);
  }
  return out.begin_s.empty() ? nullptr : std::make_shared<const ReplayedDays>(std::move(out));
}

/// Those of a recording's days that begin within spans that are kept of it, where these are closed up; null where none does.
std::shared_ptr<const ReplayedDays> days_within(const ReplayedDays& days, const ClockSpans& own, const ClockSpans& kept) {
  ReplayedDays out{days.at, days.first_s, {}, {}, resume_s_of(kept)};
  const auto by_clock = [&](double in_series_s) {
    double before_s = 0;
    for (const auto& [from_s, to_s] : own) {
      if (in_series_s < before_s + (to_s - from_s)) return from_s + in_series_s - before_s;
      before_s += to_s - from_s;
    }
    return own.back().to_s;
  };
  for (std::size_t k = 0; k < days.begin_s.size(); ++k)
    if (const auto begin_s = closed_up_s(kept, by_clock(days.begin_s[k]))) {
      out.begin_s.push_back(*begin_s);
      out.day.push_back(days.day[k]);
    }
  return out.begin_s.empty() ? nullptr : std::make_shared<const ReplayedDays>(std::move(out));
}

/// Read where there is memory for the text, and then by its rows: each takes more than its few characters.
LoadTable read_table(const std::string& file, const TableReading& reading, const MostUnpacked& unpacked) {
  constexpr double kLarge = 1e8, kGrowing = 2;
  constexpr double kBytesPerRow = 115;  // its sample and step, while vectors of them grow
  const auto require = [&](double bytes) {
    if (bytes > kLarge) require_memory(bytes, "the trace " + file);
  };
  std::error_code is_no_file;
  const auto size = static_cast<double>(std::filesystem::file_size(file, is_no_file));
  if (!is_no_file) require(kGrowing * size);
  const std::string text = read_user_file(file, kMostDataBytes, unpacked);
  require(kBytesPerRow * static_cast<double>(std::ranges::count(text, '\n')));
  return {text, file, reading};
}

/// How the keys say that the file is to be read.
TableReading reading_of(KeyReader& read) {
  TableReading reading;
  reading.column = read.text("column");
  const auto measure = static_cast<LoadMeasure>(read.word("measures"));
  if (read.has("measures")) reading.measure = measure;
  reading.gaps = static_cast<GapRule>(read.word("gaps"));
  reading.invalid = static_cast<InvalidRule>(read.word("invalid"));
  reading.columns = read.text("columns");
  if (read.has("step")) reading.interval_s = read.value("step");
  return reading;
}

/// Differs for files and for ways to read them.
std::string name_of_reading(const std::string& file, const TableReading& reading) {
  return file + "\n" + reading.column + "\n" + reading.columns + "\n" +
         (reading.measure ? info_of(*reading.measure).name : "") + std::to_string(static_cast<int>(reading.gaps)) +
         std::to_string(static_cast<int>(reading.invalid)) + number_text(reading.interval_s) +
         (reading.zone ? " zone " + reading.zone->name() : "");
}

/// The machine whose rows count: the one that is named, or the only one. "" after a problem.
std::string machine_of(KeyReader& read, const LoadTable& table, const std::string& file, const std::string& host) {
  if (!read.has("machine")) {
    if (table.machines().size() <= 1) return table.machines().empty() ? "" : table.machines().front();
    read.problem("machine", file + " holds rows of " + std::to_string(table.machines().size()) + " machines (" +
                                some_names(table.machines()) +
                                "): name one, or say machine: \"{host}\" for the workstation's own");
    return "";
  }
  const std::string pattern = read.text("machine"), machine = with_host(pattern, host);
  if (table.has(machine)) return machine;
  if (table.names_machines())
    throw MissingOfHost("machine", file + " holds no rows of", machine, "; it holds those of " + some_names(table.machines()));
  read.problem("machine", "no column of " + file + " is called as one of machines is (host, machine, node, vm_id)");
  return "";
}

/// By one clock, where both do not say by whose.
bool is_same_time(ClockMoment a, const ClockMoment& b) {
  if (a.zone.empty() || b.zone.empty()) a.zone = b.zone;
  return a == b;
}

/// Where a replication begins: by a word, or by the clock; where nothing is said, as the run does.
struct SaidStart {
  TraceStart start;
  std::optional<ClockMoment> at;
};
SaidStart start_of(KeyReader& read, const OwnerContext& context) {
  if (!read.has("start")) return {TraceStart::random, context.start};
  const std::string text = read.text("start");
  const auto& words = trace_start_names();
  if (const auto found = std::ranges::find(words, text); found != words.end())
    return {static_cast<TraceStart>(found - words.begin()), std::nullopt};
  if (!is_about_clock(text)) {
    read.problem("start", quoted(text) + " is neither one of " + some_names(words) + " nor a moment by the clock, such as '18:00' or 'Fri 18:00'");
    return {TraceStart::random, std::nullopt};
  }
  const auto at = noted(read, "start", [&] { return std::optional(lasting_moment(read_clock_text(text), text)); });
  if (at && context.start && !is_same_time(*at, *context.start))
    read.problem("start", quoted(text) + " is another moment than run.start, '" + clock_moment_text(*context.start) + "'");
  return {TraceStart::random, at};
}

OwnerPtr make_trace(KeyReader& read, const OwnerContext& context) {
  const std::string file = read_file_of_host(read, context.host);
  TableReading reading = reading_of(read);
  auto zone = noted(read, "zone", [&] {
    return read.has("zone") ? std::optional(TimeZone::named(read.text("zone"))) : std::nullopt;
  });
  reading.zone = zone;
  MostUnpacked unpacked{0, "say by 'unpacked' how large it may be, such as 1GiB"};
  if (read.has("unpacked"))
    unpacked.bytes = static_cast<std::uint64_t>(std::min(read.value("unpacked"), static_cast<double>(kMostDataBytes)));
  auto [start, at] = start_of(read, context);
  const bool is_own = start == TraceStart::random || start == TraceStart::independent;
  const double correlation = read_correlation_of_start(read, "start", is_own);
  if (file.empty()) return dedicated_owner();
  const std::string name = name_of_reading(file, reading);
  const auto table = context.shared.get<LoadTable>(
      name, [&] { return std::make_shared<const LoadTable>(read_table(file, reading, unpacked)); });
  const std::string machine = machine_of(read, *table, file, context.host);
  if (!table->has(machine)) {
    if (table->machines().empty()) static_cast<void>(table->series());  // says what the file lacks
    return dedicated_owner();
  }
  const std::string of_machine = table->names_machines() ? " " + machine : "";
  const auto trace = context.shared.get<LoadSeries>(
      name + "\n" + machine, [&] { return std::make_shared<const LoadSeries>(table->series(machine)); });
  if (const std::string doubt = table->doubt(" in " + file, "measures: "); !doubt.empty())
    read.problem("measures", doubt);
  if (!read.has("gaps") && trace->gaps.left_out_s > 0)
    context.shared.note(NoteOn::gaps, file + of_machine + ": " + gaps_text(trace->gaps) +
                        "; gaps: off, left-out or hold says what the machine was doing then");
  if (at && !read.has("start") && !wall_clock(trace->first)) {
    context.shared.note(NoteOn::clocks, file + ": its stamps say no hour and no day, so that it is replayed from random moments on, whenever the run starts");
    at.reset();
  }
  const bool is_of_utc = clock_of(trace->first).kind == RecordingClock::Kind::utc && !trace->first.offset_s;
  if (at && !zone && !at->zone.empty() && is_of_utc) zone = TimeZone::named(at->zone);
  if (at) at->zone.clear();  // said by `zone`, or by the stamps
  if (at && !zone && is_of_utc)
    context.shared.note(NoteOn::clocks, file + ": its stamps are UTC, and so is " + clock_moment_text(*at) + " there; 'zone: Europe/Berlin', or run.start '18:00 Europe/Berlin', says whose clock it is");
  const auto make = [&] { return trace_owner(trace, start, "trace " + file + of_machine, correlation, file, at, zone ? &*zone : nullptr); };
  const OwnerPtr owner = noted(read, "start", make);
  return owner ? owner : dedicated_owner();
}

}  // namespace

std::unique_ptr<Path> SeriesOwner::path(const StreamKey& key) const {
  if (of_series.mean == 0) return constant_path(0);
  const LoadSeries& t = *series;
  const double offset = offset_s(key);
  const auto after = std::upper_bound(t.start_s.begin(), t.start_s.end(), offset);
  const auto index = static_cast<std::size_t>(after - t.start_s.begin()) - 1;
  const double first = t.start_s[index] + t.duration_s[index] - offset, resume_s = days ? days->resume_s : 0;
  return drawn_path([trace = series, i = index, left_s = first, started = false, resume_s]() mutable {
    const std::size_t at = i;
    const double duration = started ? trace->duration_s[at] : std::max(left_s, 0.0);
    started = true;
    i = (i + 1) % trace->duration_s.size();
    if (i == 0 && resume_s > 0) {
      i = static_cast<std::size_t>(std::ranges::upper_bound(trace->start_s, resume_s) - trace->start_s.begin()) - 1;
      left_s = trace->start_s[i] + trace->duration_s[i] - resume_s;
      started = false;
    }
    return Step{duration, trace->availability[at]};
  });
}

/// Where in the series a replication starts [s].
double SeriesOwner::offset_s(const StreamKey& key) const {
  if (start == TraceStart::beginning) return later_s;
  const double u = set() ? drawn_start_of_set(key, *set()) : moment.draw(key);
  if (days) {
    const auto& begin_s = days->begin_s;
    const auto day = static_cast<std::size_t>(u * static_cast<double>(begin_s.size()));
    const double at_s = begin_s[std::min(day, begin_s.size() - 1)] + later_s, end_s = series->total_s;
    return at_s < end_s ? at_s : days->resume_s + std::fmod(at_s - end_s, end_s - days->resume_s);
  }
  return like ? like->at(u) : u * series->total_s;
}

std::optional<std::uint64_t> SeriesOwner::set() const {
  return start == TraceStart::common ? std::optional(decided.value_or(0)) : std::nullopt;
}

std::optional<double> SeriesOwner::expected_left_s(double seconds) const {
  if (begins_at_random() && !like && !days) return std::nullopt;
  const double rounds = std::floor(seconds / series->total_s);
  return rounds * series->total_s * of_series.mean +
         sampled_left_s([this](const StreamKey& key) { return path(key); }, seconds - rounds * series->total_s, !like);
}

double SeriesOwner::replayed_after_s() const { return series->total_s; }

std::optional<SeriesOwner> SeriesOwner::under_way(const OwnerSight& sight) const {
  if (begins_at_random() && !days) {
    if (!sight.availability) return std::nullopt;
    return like_seen(
        *this, std::make_shared<const LikeMoments>(std::vector<LikeMoments::Seen>{{series.get(), *sight.availability}}),
        number_text(*sight.availability));
  }
  SeriesOwner later = *this;
  later.later_s = later_s + sight.elapsed_s;
  if (!days) later.later_s = std::fmod(later.later_s, series->total_s);
  later.beginning = ", " + number_text(later.later_s) + "s later";
  return later;
}

Dependence SeriesOwner::dependence() const {
  const bool is_common = start == TraceStart::common || moment.is_correlated();
  return {is_common ? Dependence::Kind::start : Dependence::Kind::none};
}

std::string SeriesOwner::identity() const {
  std::string text = "trace start=" + (set() ? "common " + std::to_string(*set()) : is_own() ? "own" : "beginning") +
                     moment.text() + beginning;
  if (days) {
    text += " days";
    for (const double begin_s : days->begin_s) text += " " + number_text(begin_s);
    text += " resume " + number_text(days->resume_s);
  }
  for (std::size_t i = 0; i < series->duration_s.size(); ++i)
    text += " " + number_text(series->duration_s[i]) + ":" + number_text(series->availability[i]);
  return text;
}

std::optional<RecordedSeries> SeriesOwner::recording() const {
  const bool is_asked_for = start == TraceStart::common;
  const bool is_open = is_asked_for || (start == TraceStart::random && !moment.is_correlated());
  if (!is_open || decided || like) return std::nullopt;
  const Stamp& first = series->first;
  return RecordedSeries{clock_of(first, file, is_asked_for), first, spans_of(*series), series, is_asked_for};
}

std::uint64_t SeriesOwner::content_hash() const { return hash_of(series->availability, hash_of(series->duration_s)); }

std::optional<SeriesOwner> SeriesOwner::replayed_together(const ClockSpans& kept, std::uint64_t of_set,
                                                          SharedParts& shared) const {
  constexpr double kAll = 1 - 1e-9;
  auto trace = series;
  const bool is_whole = length_s(kept) >= kAll * series->total_s;
  if (!is_whole) {
    std::string name = "cut " + std::to_string(reinterpret_cast<std::uintptr_t>(series.get()));  // NOLINT: one there is
    for (const auto& [from_s, to_s] : kept) name += " " + number_text(from_s) + " " + number_text(to_s);
    trace = shared.get<LoadSeries>(name, [&] { return std::make_shared<const LoadSeries>(in_spans(*series, kept)); });
  }
  SeriesOwner together{{},   trace,      TraceStart::common,           label + (is_whole ? "" : ", what all recorded"),
                       file, {0, false}, {trace->mean(), trace->sd()}, of_set};
  if (days) together.days = days_within(*days, spans_of(*series), kept);
  if (days && !together.days) return std::nullopt;
  return together;
}

OwnerPtr trace_owner(std::shared_ptr<const LoadSeries> trace, TraceStart start, std::string label, double correlation,
                     std::string file, const std::optional<ClockMoment>& at, const TimeZone* zone) {
  const bool is_own = start == TraceStart::random || start == TraceStart::independent;
  const OwnerMoments moments{trace->mean(), trace->sd()};
  SeriesOwner owner{{}, std::move(trace), start, std::move(label), std::move(file), {correlation, is_own}, moments};
  if (at) {
    const double first_s = calendar_s(owner.series->first, zone);
    owner.days = days_to_begin(*at, first_s, spans_of(*owner.series), owner.series->first, zone);
    if (!owner.days) throw InputError(at->weekday ? "the recording has no such day with data at that moment" : "the recording has no data at that moment of any day");
    owner.label += ", from a day's " + clock_moment_text(*at) + " on";
  }
  return std::make_shared<const Owner>(Owner{std::move(owner)});
}

void see_together(std::vector<OwnerPtr>& owners, const std::vector<OwnerPtr>& before,
                  const std::vector<OwnerSight>& sights) {
  struct Set {
    std::vector<std::size_t> members;
    std::vector<LikeMoments::Seen> seen;
    std::string text;
  };
  std::map<std::pair<std::uint64_t, long long>, Set> sets;  // of one length: sums of cut steps differ by rounding
  for (std::size_t i = 0; i < owners.size(); ++i) {
    constexpr double kPerSecond = 1000;
    const auto* owner = before[i]->hours ? nullptr : std::get_if<SeriesOwner>(&before[i]->kind);
    if (owner == nullptr || !owner->set()) continue;
    Set& set = sets[{*owner->set(), std::llround(kPerSecond * owner->series->total_s)}];
    set.members.push_back(i);
    if (!sights[i].availability) continue;
    set.seen.push_back({owner->series.get(), *sights[i].availability});
    set.text += (set.text.empty() ? "" : " ") + std::to_string(i) + ":" + number_text(*sights[i].availability);
  }
  for (const auto& [number, set] : sets) {
    if (set.seen.empty()) continue;
    const auto moments = std::make_shared<const LikeMoments>(set.seen);
    for (const std::size_t i : set.members)
      owners[i] =
          std::make_shared<const Owner>(Owner{like_seen(std::get<SeriesOwner>(before[i]->kind), moments, set.text)});
  }
}

OwnerModelInfo trace_model() {
  return {"trace",
          "a measured load series from a CSV file",
          {file_key("the series"),
           folder_key(),
           {"column", KeyType::text, "",
            "the column of the values; without it value, one that is called as loads are, or the only one"},
           word_key("measures", load_measure_names(),
                    "what the values are, where the column's name does not say it (availability, idle, ...)"),
           {"columns", KeyType::text, "",
            "of a file without a header: its first columns' names, as in \"host,time,-,value\""},
           {"machine", KeyType::text, kMustBeGiven,
            "of a file of several machines, whose rows; {host} stands for the workstation's name"},
           {"step", KeyType::time, kMustBeGiven, "of a file without stamps: how long each value lasts", kPositive},
           word_key("invalid", invalid_rule_names(), "what becomes of rows whose value is missing or out of range"),
           {"unpacked",
            KeyType::bytes,
            "",
            "of a compressed file: how large it may be, by default 16MiB, or 32 times its size",
            {1, kInfinity}},
           {"start", KeyType::text, trace_start_names().front(),
            "where a replication begins: random, independent, common, beginning; or on a day like it, 'Fri 18:00'"},
           {"zone", KeyType::text, "", "whose clock stamps and a start by the clock are by, such as Europe/Berlin"},
           word_key("gaps", gap_rule_names(), "what the machine was in gaps of more than five steps (drop: of any)"),
           correlation_key()},
          make_trace};
}

}  // namespace nowsim

// A measured load series: reading it from CSV with errors that name the line, and its moments over time.
#include "sim/owners/trace.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

// --- Fields ---

/// One field from position `at` on, which ends up at the comma or the end behind it.
std::string quoted_field(std::string_view line, std::size_t& at, const Place& place) {
  std::string field;
  for (++at; at < line.size(); ++at) {
    if (line[at] != '"') {
      field += line[at];
    } else if (at + 1 < line.size() && line[at + 1] == '"') {
      field += line[at++];  // "" is a quotation mark
    } else {
      const std::size_t end = std::min(line.find(',', ++at), line.size());
      if (!trimmed(line.substr(at, end - at)).empty())
        throw InputError(
            place, "a field goes on after its closing quotation mark; a quotation mark inside a field is doubled.");
      at = end;
      return field;
    }
  }
  throw InputError(place,
                   "a quotation mark opens a field here and never closes it on this line; close it or remove it.");
}

std::vector<std::string> fields_of(std::string_view line, const Place& place) {
  std::vector<std::string> fields;
  for (std::size_t at = 0;; ++at) {
    const std::size_t comma = std::min(line.find(',', at), line.size());
    const std::string_view plain = trimmed(line.substr(at, comma - at));
    if (plain.starts_with('"')) {
      at = line.find('"', at);
      fields.emplace_back(trimmed(quoted_field(line, at, place)));
    } else {
      fields.emplace_back(plain);
      at = comma;
    }
    if (at == line.size()) return fields;
  }
}

// --- Stamps ---

/// A moment in two parts, so that fractions of a second survive the 1.4e9 s since 1970.
struct Stamp {
  using Kind = StampKind;
  Kind kind;
  std::int64_t whole_s;
  double rest_s;
};

double seconds_between(const Stamp& a, const Stamp& b) {
  return static_cast<double>(b.whole_s - a.whole_s) + (b.rest_s - a.rest_s);
}

const char* name_of(Stamp::Kind kind) {
  switch (kind) {
    case Stamp::Kind::seconds:
      return "plain seconds";
    case Stamp::Kind::civil:
      return "a date and time without Z";
    case Stamp::Kind::utc:
      break;
  }
  return "a date and time with Z";
}

/// The digits of `text` where `pattern` has a '0', with every other character as in the pattern ('T' matches ' ' too).
bool matches(std::string_view text, std::string_view pattern) {
  return std::equal(text.begin(), text.end(), pattern.begin(), pattern.end(), [](char c, char p) {
    if (p == '0') return c >= '0' && c <= '9';
    return c == p || (p == 'T' && c == ' ');
  });
}

int digits(std::string_view text, std::size_t at, std::size_t count) {
  int n = 0;
  for (const char c : text.substr(at, count)) n = 10 * n + (c - '0');
  return n;
}

/// ".25" behind the seconds as 0.25, nothing as 0.
std::optional<double> fraction_of_second(std::string_view text) {
  if (text.empty()) return 0.0;
  if (text.size() < 2 || text.front() != '.' || text.find_first_not_of("0123456789", 1) != text.npos)
    return std::nullopt;
  return to_number("0" + std::string(text));
}

std::optional<Stamp> civil_stamp(std::string_view text) {
  constexpr std::string_view kPattern = "0000-00-00T00:00:00";
  const bool utc = text.ends_with('Z');
  if (utc) text.remove_suffix(1);
  const bool has_seconds = text.size() != 16;  // YYYY-MM-DD HH:MM
  const std::string_view date_time = text.substr(0, kPattern.size());
  if (!matches(date_time, has_seconds ? kPattern : kPattern.substr(0, 16))) return std::nullopt;
  const auto fraction = fraction_of_second(text.substr(date_time.size()));
  using namespace std::chrono;
  const auto day_number = [text](std::size_t at) { return static_cast<unsigned>(digits(text, at, 2)); };
  const year_month_day date{year{digits(text, 0, 4)}, month{day_number(5)}, day{day_number(8)}};
  const int h = digits(text, 11, 2), m = digits(text, 14, 2), s = has_seconds ? digits(text, 17, 2) : 0;
  if (!fraction || !date.ok() || h > 23 || m > 59 || s > 59) return std::nullopt;
  const std::int64_t days = sys_days{date}.time_since_epoch().count();
  return Stamp{utc ? Stamp::Kind::utc : Stamp::Kind::civil, 86400 * days + 3600 * h + 60 * m + s, *fraction};
}

std::optional<Stamp> parse_stamp(std::string_view text) {
  constexpr double kMost =
      1e15;  // 30 million years: what lies beyond is no time, and its differences would lose seconds
  const auto seconds = to_number(text);
  if (!seconds) return civil_stamp(text);
  if (std::abs(*seconds) > kMost) return std::nullopt;
  return Stamp{Stamp::Kind::seconds, 0, *seconds};
}

// --- Values ---

struct Measure {
  double most;  ///< the values go from 0 to this
  const char* name;
  bool owner;  ///< the value is the owner's share, not what is left
};
Measure measure_of(TraceMeasure measure) {
  switch (measure) {
    case TraceMeasure::utilisation_percent:
      return {100, "a utilisation in per cent", true};
    case TraceMeasure::utilisation:
      return {1, "a utilisation", true};
    case TraceMeasure::availability:
      break;
  }
  return {1, "an availability", false};
}

double availability_of(std::string_view text, const Measure& measure, const Place& place) {
  const std::string wanted = std::string(measure.name) + " is a number from 0 to " + number_text(measure.most);
  if (text.empty()) throw InputError(place, "the value is missing; " + wanted + ".");
  const auto x = to_number(text);
  if (!x) throw InputError(place, "the value " + quoted(text) + " is not a finite number; " + wanted + ".");
  if (*x < 0 || *x > measure.most) {
    const bool percent = measure.most == 1 && *x > 1 && *x <= 100;
    throw InputError(place, "the value " + quoted(text) + " is out of range; " + wanted +
                                (percent ? ", and per cent are another measure." : "."));
  }
  return measure.owner ? 1 - *x / measure.most : *x;
}

// --- Rows ---

struct TraceSample {
  int line;
  double time_s;  ///< since the first
  double availability;
};

class Reader {
 public:
  Reader(const std::string& file, const std::string& column, const Measure& measure)
      : file_(file), column_(column), measure_(measure) {}

  void read(int line, std::string_view text) {
    if (trimmed(text).empty()) return;
    const auto fields = fields_of(text, place(line));
    if (width_ == 0)
      header(line, fields);
    else
      row(line, fields);
  }

  /// The first row's; there is one after finish().
  [[nodiscard]] const Stamp& first() const { return *first_; }

  std::vector<TraceSample> finish() {
    if (width_ == 0)
      throw InputError(place(0), "this file is empty; a header line and at least two samples are needed.");
    if (samples_.size() < 2)
      throw InputError(place(0), "this file holds a header and " +
                                     std::string(samples_.empty() ? "no sample" : "one sample") +
                                     "; at least two samples are needed.");
    return std::move(samples_);
  }

 private:
  [[nodiscard]] Place place(int line, const std::string& key = "") const { return {file_, line, key}; }

  void header(int line, const std::vector<std::string>& names) {
    if (parse_stamp(names.front()))
      throw InputError(place(line),
                       "the first line is data already; it has to name the columns, as in 'timestamp,value'.");
    const auto values = names.begin() + 1;
    const auto count = std::count(values, names.end(), column_);
    if (count == 0) unknown_column(line, names);
    if (count > 1)
      throw InputError(place(line), "there are " + std::to_string(count) + " columns " + quoted(column_) +
                                        "; each column needs a name of its own.");
    width_ = names.size();
    index_ = static_cast<std::size_t>(std::find(values, names.end(), column_) - names.begin());
  }

  [[noreturn]] void unknown_column(int line, const std::vector<std::string>& names) const {
    if (names.size() == 1)
      throw InputError(place(line), "the only column is " + quoted(names.front()) +
                                        "; stamps and values are needed, separated by commas.");
    if (column_ == names.front())
      throw InputError(place(line), "the column " + quoted(column_) +
                                        " comes first and so holds the stamps; values are in " + listed(names) + ".");
    throw InputError(place(line), "there is no column " + quoted(column_) + "; values are in " + listed(names) + ".");
  }

  static std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 20;
    std::string out;
    for (std::size_t i = 1; i < names.size() && i <= kMost; ++i) out += (i > 1 ? ", " : "") + quoted(names[i]);
    if (names.size() > kMost + 1) out += " and " + std::to_string(names.size() - kMost - 1) + " more";
    return out;
  }

  void row(int line, const std::vector<std::string>& fields) {
    if (fields.size() != width_)
      throw InputError(place(line), "this row has " + std::to_string(fields.size()) +
                                        (fields.size() == 1 ? " field" : " fields") + " where the header names " +
                                        std::to_string(width_) + ".");
    const double time = time_of(line, fields.front());
    samples_.push_back({line, time, availability_of(fields[index_], measure_, place(line, column_))});
  }

  double time_of(int line, const std::string& text) {
    const auto stamp = parse_stamp(text);
    if (!stamp)
      throw InputError(place(line),
                       "the stamp " + quoted(text) +
                           " is neither a moment that exists, as in 2014-02-14 14:30:00, nor a number of seconds.");
    if (!first_) first_ = stamp;
    if (stamp->kind != first_->kind)
      throw InputError(place(line), "the stamp " + quoted(text) + " is " + name_of(stamp->kind) +
                                        " while the first one is " + name_of(first_->kind) +
                                        "; all stamps have to be of one kind.");
    const double time = seconds_between(*first_, *stamp);
    if (!samples_.empty() && time <= samples_.back().time_s) out_of_order(line, text, time);
    return time;
  }

  [[noreturn]] void out_of_order(int line, const std::string& text, double time) const {
    const TraceSample& before = samples_.back();
    throw InputError(place(line), "the stamp " + quoted(text) +
                                      (time == before.time_s ? " repeats" : " is earlier than") + " the one of line " +
                                      std::to_string(before.line) +
                                      "; each sample has to be later than the one before.");
  }

  std::string file_, column_;
  Measure measure_;
  std::size_t width_ = 0;  ///< fields per row; 0 before the header
  std::size_t index_ = 0;  ///< of the column of values
  std::optional<Stamp> first_;
  std::vector<TraceSample> samples_;
};

// --- Steps ---

/// Of two middle values, their mean.
double median(std::vector<double> x) {
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return x.size() % 2 == 1 ? *middle : (*middle + *std::max_element(x.begin(), middle)) / 2;
}

constexpr double kGap = 1.5;  ///< times the median step

/// How long each sample's value lasts: to the next sample, the last one's for a median step.
std::vector<double> durations(const std::vector<TraceSample>& samples, GapRule gaps, const std::string& file) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < samples.size(); ++i) steps.push_back(samples[i].time_s - samples[i - 1].time_s);
  const double usual = median(steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] <= kGap * usual || gaps == GapRule::hold) continue;
    if (gaps == GapRule::fail)
      throw InputError({file, samples[i + 1].line, ""},
                       "there is a gap of " + number_text(steps[i]) +
                           " s before this sample, where samples come every " + number_text(usual) +
                           " s; hold the last value through gaps, drop them, or mend the file.");
    steps[i] = usual;
  }
  steps.push_back(usual);
  return steps;
}

}  // namespace

Trace read_trace(const std::string& file, const std::string& column, TraceMeasure measure, GapRule gaps) {
  return parse_trace(read_user_file(file, kMostDataBytes), file, column, measure, gaps);
}

Trace parse_trace(const std::string& text, const std::string& file, const std::string& column, TraceMeasure measure,
                  GapRule gaps) {
  Reader reader(file, column, measure_of(measure));
  int line = 0;
  for (const std::string_view content : text_lines(text, file)) reader.read(++line, content);
  const std::vector<TraceSample> samples = reader.finish();
  Trace trace;
  const Stamp& first = reader.first();
  trace.stamps = first.kind;
  trace.first_s = first.whole_s;
  trace.first_rest_s = first.rest_s;
  trace.duration_s = durations(samples, gaps, file);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    trace.availability.push_back(samples[i].availability);
    trace.start_s.push_back(trace.total_s);
    trace.total_s += trace.duration_s[i];
  }
  return trace;
}

std::vector<std::string> trace_columns(const std::string& text, const std::string& file) {
  int line = 0;
  for (const std::string_view content : text_lines(text, file)) {
    ++line;
    if (trimmed(content).empty()) continue;
    auto names = fields_of(content, {file, line, ""});
    if (parse_stamp(names.front())) return {};
    names.erase(names.begin());
    return names;
  }
  return {};
}

std::string stamp_text(StampKind kind, std::int64_t whole_s, double rest_s) {
  if (kind == StampKind::seconds) return number_text(static_cast<double>(whole_s) + rest_s);
  constexpr double kMicrosecond = 1e6;  // finer, the sum of many steps is noise
  const double whole = std::floor(rest_s);
  auto micros = static_cast<std::int64_t>(std::llround((rest_s - whole) * kMicrosecond));
  std::int64_t second = whole_s + static_cast<std::int64_t>(whole) + micros / 1'000'000;
  micros %= 1'000'000;
  using namespace std::chrono;
  const auto day = floor<days>(sys_seconds{seconds{second}});
  const year_month_day date{day};
  second -= day.time_since_epoch().count() * 86400;
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%04d-%02u-%02u%c%02d:%02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                kind == StampKind::utc ? 'T' : ' ',
                static_cast<int>(second / 3600), static_cast<int>(second / 60 % 60), static_cast<int>(second % 60));
  std::string text = buffer;
  if (micros > 0) {
    std::snprintf(buffer, sizeof buffer, ".%06d", static_cast<int>(micros));
    text += buffer;
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text + (kind == StampKind::utc ? "Z" : "");
}

double median_step_s(const Trace& trace) { return median(trace.duration_s); }

std::size_t count_gaps(const Trace& trace) {
  const double most = kGap * median_step_s(trace);
  return static_cast<std::size_t>(
      std::count_if(trace.duration_s.begin(), trace.duration_s.end(), [most](double d) { return d > most; }));
}

double Trace::mean() const {
  double sum = 0;
  for (std::size_t i = 0; i < duration_s.size(); ++i) sum += duration_s[i] * availability[i];
  return sum / total_s;
}

double Trace::sd() const {
  const double m = mean();
  double sum = 0;
  for (std::size_t i = 0; i < duration_s.size(); ++i)
    sum += duration_s[i] * (availability[i] - m) * (availability[i] - m);
  return std::sqrt(sum / total_s);
}

const std::vector<std::string>& trace_measure_names() {
  static const std::vector<std::string> names{"utilisation-percent", "utilisation", "availability"};
  return names;
}

const std::vector<std::string>& gap_rule_names() {
  static const std::vector<std::string> names{"hold", "drop", "fail"};
  return names;
}

}  // namespace nowsim

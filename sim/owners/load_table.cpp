// Rows of a table of loads, machine by machine, with errors that name the line.
#include "sim/owners/load_table.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// What is written with per cent signs, and with decimal commas, where these are.
std::optional<double> written_number(std::string_view text, bool has_decimal_commas) {
  if (const auto x = to_number(text); x || !has_decimal_commas || std::ranges::count(text, ',') != 1) return x;
  std::string with_point(text);
  std::ranges::replace(with_point, ',', '.');
  return to_number(with_point);
}

/// What is beyond its range by less than this part of it is so by how it was written, or computed.
constexpr double kWrittenRounding = 1e-6;

/// @param by_name whether the name of the column alone says what the value is.
double number_of(std::string_view text, const MeasureInfo& measure, bool by_name, bool has_decimal_commas, const Place& place) {
  const auto wanted = [&] {
    return (by_name ? "by the name of its column it is " : "") + std::string(measure.what) + (by_name ? "," : " is") +
           " a number from 0 to " + number_text(measure.most);
  };
  if (text.empty()) throw InputError(place, "the value is missing; " + wanted() + ".");
  const bool has_sign = text.ends_with('%');
  auto x = written_number(trimmed(text.substr(0, text.size() - (has_sign ? 1 : 0))), has_decimal_commas);
  if (!x) throw InputError(place, "the value " + quoted(text) + " is not a finite number; " + wanted() + ".");
  if (has_sign) *x *= measure.most / 100;
  if (*x < -kWrittenRounding * measure.most || *x > (1 + kWrittenRounding) * measure.most) {
    const bool percent = measure.most == 1 && *x > 1 && *x <= 100;
    throw InputError(place, "the value " + quoted(text) + " is out of range; " + wanted() +
                                (percent ? ", and per cent are another measure." : "."));
  }
  return std::clamp(*x, 0.0, measure.most);
}

/// Seconds since 1970 have ten digits, for as long as anyone measures; milliseconds and finer have thirteen and more.
void refuse_milliseconds(const std::string& text, const Place& place) {
  constexpr double kMost_s = 1e11, kMostNanoseconds = 1e20;  // the year 5138
  const double number = std::abs(to_number(text).value_or(0));
  if (number >= kMost_s && number < kMostNanoseconds)
    throw InputError(place, "the stamp " + quoted(text) +
                                " is beyond the year 5000 if it is in seconds, as stamps have to be: divide what is "
                                "in milliseconds by 1000.");
}

/// Whether a value's field is its column's name: a word, and none that stands for a missing value.
bool is_name_of_values(const std::string& field) {
  constexpr std::string_view kMissing[] = {"nan", "na", "n/a", "null", "none"};
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  return std::ranges::any_of(field, is_letter) && std::ranges::count(kMissing, lower_case(field)) == 0;
}

constexpr const char* kPutBack =
    "If clocks were put back there at the end of daylight saving, say in which zone the stamps are (--zone Europe/Berlin, "
    "or 'zone' in an owner block).";

[[noreturn]] void refuse_order(const LoadSample& before, const LoadSample& sample, const std::string& file) {
  const bool repeats = seconds_between(before.stamp, sample.stamp) == 0;
  throw InputError({file, sample.line, ""},
                   "the stamp " + quoted(stamp_text(sample.stamp)) +
                       (repeats ? " repeats" : " is earlier than") + " the one of line " + std::to_string(before.line) +
                       "; each sample has to be later than the one before." +
                       (goes_back_by_an_hour(before.stamp, sample.stamp) ? std::string(" ") + kPutBack : ""));
}

bool is_earlier(const LoadSample& a, const LoadSample& b) { return seconds_between(a.stamp, b.stamp) > 0; }

bool is_job_line(std::string_view line) {
  constexpr std::size_t kLongest = 4096;  // 18 numbers
  if (line.size() > kLongest) return false;
  std::size_t fields = 0;
  for (auto word = next_word(line); !word.empty(); word = next_word(line), ++fields)
    if (!to_number(word)) return false;
  return fields == kWorkloadFields;
}

}  // namespace

/// Reads line by line into a table.
class LoadTableReader {
 public:
  LoadTableReader(LoadTable& table, const TableReading& reading, char separator)
      : table_(table), reading_(reading), separator_(separator), wanted_(reading.machines.begin(), reading.machines.end()) {
    if (!reading.columns.empty()) names_ = comma_fields(reading.columns, {});
    table.has_header_ = reading.columns.empty();
    table.gaps_ = reading.gaps;
  }

  void read(int line, std::string_view text) {
    if (trimmed(text).empty() || (columns_.width == 0 && text.starts_with("sep="))) return;
    // Between values that come at an interval a blank line is one that is missing.
    for (int blank = last_row_ + 1; last_row_ > 0 && blank < line; ++blank) row(blank, Fields(columns_.width));
    const auto fields = comma_fields(text, place(line), separator_);
    if (columns_.width == 0 && begin(line, fields)) return;
    if (first_row_ == 0) first_row_ = line;
    if (reading_.invalid == InvalidRule::fail) return row(line, fields);
    try {
      row(line, fields);
    } catch (const CutOff&) {
      ++table_.cut_off_;
    }
  }
  /// The line that the first row stands on; 0: there is none.
  [[nodiscard]] int first_row() const { return first_row_; }
  /// Whether rows, three at least, go from the newest to the oldest: they are to be read the other way round.
  [[nodiscard]] bool is_newest_first() const { return first_earlier_ && rows_back_ > 1; }

  /// What can be said once all is read.
  void finish() const {
    if (columns_.width == 0)
      throw InputError(place(0), "this file is empty; a header line and at least two samples are needed.");
    if (contradicting_ > 0 && 2 * contradicting_ >= values_) std::rethrow_exception(first_contradicting_);
    if (first_earlier_ && !is_newest_first()) std::rethrow_exception(first_earlier_);
    if (!table_.names_machines_ && table_.machines_.empty()) {
      table_.machines_.emplace_back();
      table_.samples_[""];
    }
  }

 private:
  using Fields = std::vector<std::string>;
  /// Of a row that has no value or no stamp where they should be.
  struct CutOff {};
  [[nodiscard]] Place place(int line, const std::string& key = "") const { return {table_.file_, line, key}; }
  [[nodiscard]] bool has_interval() const { return reading_.interval_s > 0; }

  /// Takes the columns from the first line; whether it is a header.
  bool begin(int line, const Fields& fields) {
    const bool is_header = take_names(line, fields);
    columns_ = LoadColumns::of(names_, reading_.column, has_interval(), place(is_header ? line : 0));
    if (fields.size() < columns_.width)
      refuse_width(line, fields, std::to_string(columns_.width) + " columns are named.");
    columns_.width = fields.size();
    take_measure();
    is_each_a_machine_ = reading_.column == kEachColumn;
    table_.names_machines_ = columns_.machine || is_each_a_machine_;
    if (is_each_a_machine_) take_machines(place(is_header ? line : 0));
    table_.is_header_replaced_ = !is_header && is_other_header(fields);
    return is_header || table_.is_header_replaced_;
  }
  void take_machines(const Place& place) {
    const std::string& first = names_[columns_.values.front()];
    std::set<std::string> known;
    for (const std::size_t column : columns_.values) {
      if (!known.insert(machine_of_column(names_[column])).second)
        throw InputError(place, "two columns are of the machine " + quoted(machine_of_column(names_[column])) +
                                    "; say which column holds the load.");
      if (!reading_.measure && measure_of_column(names_[column]) != measure_of_column(first))
        throw InputError(place, "by their names the columns " + quoted(first) + " and " + quoted(names_[column]) +
                                    " do not hold the same; say which column holds the load, or what all hold (measures, --measures).");
    }
  }
  /// As it is said, or by the column's name. What `trace record` writes is beyond doubt.
  void take_measure() {
    const std::string& column = names_[columns_.values.front()];
    const auto by_name = reading_.measure ? std::nullopt : measure_of_column(column);
    table_.measure_ = reading_.measure.value_or(by_name.value_or(LoadMeasure::utilisation_percent));
    if (by_name) table_.named_by_ = column;
    table_.is_measure_sure_ =
        reading_.measure || (by_name && column != "availability" && std::ranges::count(names_, "availability") > 0);
  }
  /// The columns' names, where they are not given; whether the first line has them.
  bool take_names(int line, const Fields& fields) {
    if (!names_.empty()) return false;
    table_.has_header_ = !has_interval() || fields.size() != 1 || !number_in(fields.front());
    if (table_.has_header_ && !has_interval() && parse_stamp(fields.front())) refuse_data_as_header(place(line));
    names_ = table_.has_header_ ? fields : Fields{reading_.column};
    return table_.has_header_;
  }
  [[nodiscard]] std::optional<double> number_in(std::string_view field) const {
    return written_number(field.substr(0, field.size() - (field.ends_with('%') ? 1 : 0)), has_decimal_commas());
  }
  /// Commas that separate columns do not stand in numbers.
  [[nodiscard]] bool has_decimal_commas() const { return separator_ != ','; }
  /// Whether this first line names columns, which have been given other names: it has no numbers, and words for values.
  [[nodiscard]] bool is_other_header(const Fields& fields) const {
    if (std::ranges::any_of(fields, [&](const auto& field) { return number_in(field).has_value(); })) return false;
    return columns_.time ? !parse_stamp(fields[*columns_.time]) : is_name_of_values(fields[columns_.values.front()]);
  }
  [[noreturn]] void refuse_width(int line, const Fields& fields, const std::string& wanted) const {
    throw InputError(place(line), "this row has " + std::to_string(fields.size()) +
                                      (fields.size() == 1 ? " field" : " fields") + " where " + wanted);
  }

  void row(int line, const Fields& fields) {
    const double since_first_s = next_interval_s(line, fields);
    const bool may_skip = reading_.invalid == InvalidRule::skip;
    if (fields.size() != columns_.width && may_skip) throw CutOff();
    if (fields.size() != columns_.width)
      refuse_width(line, fields, (table_.has_header_ ? "the header names " : "the first row has ") +
                                     std::to_string(columns_.width) + ".");
    if (is_each_a_machine_) return row_of_machines(line, fields, since_first_s);
    const std::string machine = columns_.machine ? fields[*columns_.machine] : "";
    if (columns_.machine && !is_wanted(machine)) return;
    Stamp stamp = stamp_in(line, fields, machine);
    stamp.rest_s += since_first_s;
    is_restarted_ = is_restarted_ || std::ranges::binary_search(reading_.after_restart, line);
    auto& samples = samples_of(machine);
    const std::optional<double> value = value_of(line, fields[columns_.values.front()], columns_.values.front());
    if (value) add(samples, {line, std::exchange(is_restarted_, false), stamp, *value});
  }
  /// Where the row's interval begins, after its machine's first one [s]; 0 of rows with stamps. Rows that cannot be read
  /// last as long as others.
  double next_interval_s(int line, const Fields& fields) {
    if (!has_interval()) return 0;
    if (!columns_.machine) last_row_ = line;
    const bool is_cut = fields.size() < columns_.width;
    if (columns_.machine && is_cut && *columns_.machine + 1 >= fields.size()) return 0;  // perhaps half of a name
    return static_cast<double>(rows_[columns_.machine ? fields[*columns_.machine] : ""]++) * reading_.interval_s;
  }
  /// Of each machine that has a value there.
  void row_of_machines(int line, const Fields& fields, double since_first_s) {
    for (const std::size_t column : columns_.values) {
      const std::string machine = machine_of_column(names_[column]);
      if (!is_wanted(machine)) continue;
      auto& samples = samples_of(machine);
      if (fields[column].empty()) {
        ++table_.blank_;
        continue;
      }
      Stamp stamp = stamp_in(line, fields, machine);
      stamp.rest_s += since_first_s;
      if (const auto value = value_of(line, fields[column], column)) add(samples, {line, false, stamp, *value});
    }
  }
  [[nodiscard]] bool is_wanted(const std::string& machine) const { return wanted_.empty() || wanted_.contains(machine); }
  std::vector<LoadSample>& samples_of(const std::string& machine) {
    const auto [found, is_new] = table_.samples_.try_emplace(machine);
    if (is_new) table_.machines_.push_back(machine);
    return found->second;
  }
  Stamp stamp_in(int line, const Fields& fields, const std::string& machine) {
    if (!columns_.time) return {};
    if (reading_.invalid == InvalidRule::fail) return stamp_of(line, fields[*columns_.time], machine);
    try {
      return stamp_of(line, fields[*columns_.time], machine);
    } catch (const InputError&) {
      throw CutOff();
    }
  }

  void add(std::vector<LoadSample>& samples, const LoadSample& sample) {
    if (is_hour_again(samples, sample)) {
      ++rows_back_;
    } else if (!samples.empty() && !is_earlier(samples.back(), sample)) {
      if (!table_.names_machines_) return add_earlier(samples, sample);
      table_.is_unsorted_ = true;
      if (table_.put_back_.empty() && goes_back_by_an_hour(samples.back().stamp, sample.stamp))
        table_.put_back_ = stamp_text(sample.stamp);
    } else if (first_earlier_) {
      std::rethrow_exception(first_earlier_);
    }
    samples.push_back(sample);
  }
  /// Whether rows from the newest to the oldest come once into the hour for the second time that clocks put back: reading
  /// them the other way round tells whether it is that one.
  bool is_hour_again(const std::vector<LoadSample>& samples, const LoadSample& sample) {
    if (!first_earlier_ || is_hour_again_ || !reading_.zone || first_->kind != StampKind::civil || rows_back_ + 1 != samples.size()) return false;
    constexpr double kPutBack_s = 3600;
    const double forward_s = seconds_between(samples.back().stamp, sample.stamp);
    return is_hour_again_ = forward_s >= 0 && forward_s <= kPutBack_s;
  }
  /// Rows may go from the newest to the oldest, but only all of them.
  void add_earlier(std::vector<LoadSample>& samples, const LoadSample& sample) {
    if (!first_earlier_) try {
        refuse_order(samples.back(), sample, table_.file_);
      } catch (const InputError&) {
        first_earlier_ = std::current_exception();
      }
    const bool goes_on = is_earlier(sample, samples.back()) && rows_back_ + 1 == samples.size();
    if (!goes_on) std::rethrow_exception(first_earlier_);
    ++rows_back_;
    samples.push_back(sample);
  }

  /// Nothing of a row that is to be left out.
  std::optional<double> value_of(int line, const std::string& text, std::size_t column) {
    const auto fault = place(line, columns_.width > 1 || table_.has_header_ ? names_[column] : "");
    ++values_;
    const MeasureInfo& measure = info_of(table_.measure_);
    try {
      const double x = number_of(text, measure, !table_.named_by_.empty(), has_decimal_commas(), fault);
      table_.is_measure_sure_ = table_.is_measure_sure_ || text.ends_with('%');
      table_.most_ = std::max(table_.most_, x);
      return measure.is_owners ? 1 - x / measure.most : x / measure.most;
    } catch (const InputError&) {
      if (reading_.invalid == InvalidRule::fail) throw;
      // Whether it is of per cent where a name alone says that they are fractions.
      const double x = to_number(text).value_or(0);
      const bool contradicts_name = !table_.named_by_.empty() && measure.most == 1 && x > 1 && x <= 100;
      if (contradicts_name && contradicting_++ == 0) first_contradicting_ = std::current_exception();
      ++table_.invalid_;
      return std::nullopt;
    }
  }

  Stamp stamp_of(int line, const std::string& text, const std::string& machine) {
    if (!reading_.has_milliseconds) refuse_milliseconds(text, place(line));
    auto stamp = parse_stamp(text);
    constexpr double kMillisecond = 1e-3;
    if (stamp && stamp->kind == StampKind::seconds && reading_.has_milliseconds) stamp->rest_s *= kMillisecond;
    if (!stamp)
      throw InputError(place(line),
                       "the stamp " + quoted(text) +
                           " is neither a moment that exists, as in 2014-02-14 14:30:00, nor a number of seconds.");
    if (!first_) first_ = stamp;
    if (stamp->kind != first_->kind)
      throw InputError(place(line), "the stamp " + quoted(text) + " is " + name_of(stamp->kind) +
                                        " while the first one is " + name_of(first_->kind) +
                                        "; all stamps have to be of one kind.");
    return reading_.zone ? in_zone(line, *stamp, machine) : *stamp;
  }

  Stamp in_zone(int line, const Stamp& stamp, const std::string& machine) {
    try {
      return zoned_.try_emplace(machine, *reading_.zone).first->second.next(stamp);
    } catch (const InputError& e) {
      throw InputError(place(line), e.sentence() + ".");
    }
  }

  LoadTable& table_;
  const TableReading& reading_;
  char separator_;
  std::set<std::string> wanted_;    ///< machines; none: all
  std::vector<std::string> names_;  ///< of columns
  LoadColumns columns_;            ///< of width 0 before the first row
  bool is_each_a_machine_ = false;
  int first_row_ = 0;
  std::exception_ptr first_earlier_;  ///< that a row is earlier than the one before, of one machine
  std::size_t rows_back_ = 0;         ///< such rows
  int last_row_ = 0;                ///< its line, where blank ones behind it are missing values
  bool is_restarted_ = false;       ///< since the last sample
  bool is_hour_again_ = false;      ///< is_hour_again() has been true
  std::size_t values_ = 0, contradicting_ = 0;  ///< what the column's name says
  std::exception_ptr first_contradicting_;
  std::optional<Stamp> first_;
  std::map<std::string, ZonedStamps> zoned_;  ///< by machine, where a zone is given
  std::map<std::string, std::size_t> rows_;  ///< of each machine, read so far, where each lasts an interval
};

LoadTable::LoadTable(const std::string& text, const std::string& file, const TableReading& reading) : file_(file) {
  refuse_workload_log(text, file);
  const char separator = separator_of(text, file);
  LoadTableReader reader(*this, reading, separator);
  int line = 0;
  for (const std::string_view content : TextLines(text, file)) reader.read(++line, content);
  reader.finish();
  if (reader.is_newest_first()) read_backwards(text, reading, separator, reader.first_row());
}

void LoadTable::read_backwards(const std::string& text, const TableReading& reading, char separator, int first_row) {
  const std::string file = std::move(file_);
  *this = LoadTable();
  file_ = file;
  is_newest_first_ = true;
  LoadTableReader reader(*this, reading, separator);
  std::vector<std::string_view> lines;
  for (const std::string_view content : TextLines(text, file)) lines.push_back(content);
  for (int line = 1; line < first_row; ++line) reader.read(line, lines[static_cast<std::size_t>(line) - 1]);
  for (auto line = static_cast<int>(lines.size()); line >= first_row; --line)
    reader.read(line, lines[static_cast<std::size_t>(line) - 1]);
  reader.finish();
}

LoadSeries LoadTable::series(const std::string& machine) const {
  const auto found = samples_.find(machine);
  std::vector<LoadSample> ordered;
  if (names_machines_ && found != samples_.end()) {
    ordered = found->second;
    std::ranges::stable_sort(ordered, is_earlier);
    const auto is_again = [](const LoadSample& a, const LoadSample& b) {
      return seconds_between(a.stamp, b.stamp) == 0 && a.availability == b.availability;
    };
    ordered.erase(std::unique(ordered.begin(), ordered.end(), is_again), ordered.end());
  }
  const auto& samples = names_machines_ || found == samples_.end() ? ordered : found->second;  // a copy takes memory
  if (samples.size() < 2)
    throw InputError({file_, 0, ""}, "this file holds " + std::string(has_header_ ? "a header and " : "") +
                                         (samples.empty() ? "no sample" : "one sample") +
                                         (names_machines_ ? " of " + quoted(machine) : "") +
                                         "; at least two samples are needed.");
  for (std::size_t i = 1; i < samples.size(); ++i)
    if (!is_earlier(samples[i - 1], samples[i])) refuse_order(samples[i - 1], samples[i], file_);
  return series_of_samples(samples, gaps_, file_);
}

LoadSeries LoadTable::series() const {
  if (machines_.size() == 1) return series(machines_.front());
  throw InputError({file_, 0, ""}, machines_.empty()
                                       ? "this file holds a header and no sample; at least two samples are needed."
                                       : "this file holds rows of " + std::to_string(machines_.size()) + " machines, " +
                                             some_names(machines_) + "; one of them is needed.");
}

std::vector<std::string> LoadTable::remarks() const {
  std::vector<std::string> sentences;
  if (is_header_replaced_) sentences.emplace_back("the first line names columns, which are called otherwise here");
  if (is_unsorted_) sentences.emplace_back("rows of a machine are put in the order of time, and rows with the same stamp and value are kept once");
  if (!put_back_.empty())
    sentences.push_back("rows of a machine go back by an hour or less to " + put_back_ + ". " + kPutBack);
  if (is_newest_first_) sentences.emplace_back("rows go from the newest to the oldest, and are read the other way round");
  if (blank_ > 0)
    sentences.push_back((blank_ == 1 ? "1 cell is" : std::to_string(blank_) + " cells are") +
                        std::string(" blank, where a machine has no sample"));
  if (cut_off_ > 0)
    sentences.push_back((cut_off_ == 1 ? "1 row is left out that is cut off, or whose stamp" : std::to_string(cut_off_) +
                                                     " rows are left out that are cut off, or whose stamps") +
                        std::string(" cannot be read"));
  if (invalid_ > 0)
    sentences.push_back((invalid_ == 1 ? "1 row is left out whose value is" : std::to_string(invalid_) + " rows are left out whose values are") +
                        std::string(" missing or out of range"));
  return sentences;
}

std::string LoadTable::doubt(const std::string& place, const std::string& flag) const {
  const MeasureInfo& taken = info_of(measure_);
  if (is_measure_sure_ || taken.most <= 1 || most_ <= 0 || most_ > 1) return "";
  return (named_by_.empty() ? "" : "the column " + quoted(named_by_) + " is taken for " + taken.what + ", but ") +
         "no value" + place + " is above 1: say whether they are per cent (" + flag + taken.name + ") or fractions (" +
         (taken.is_owners ? "utilisation, availability" : "availability") + ")";
}

void refuse_workload_log(const std::string& text, const std::string& file) {
  for (TextLines::Iterator line(text); line != std::default_sentinel; ++line) {
    const std::string_view content = trimmed(*line);
    if (content.empty() || content.starts_with(';')) continue;
    if (!is_job_line(content)) return;
    throw InputError({file, 0, ""},
                     "this is a log of jobs in the Standard Workload Format (when each was submitted, how long it ran, on "
                     "how many processors), no trace of what a machine has left; the owner model 'jobs' replays it: "
                     "{model: jobs, log: FILE, u: 0.4}.");
  }
}

}  // namespace nowsim

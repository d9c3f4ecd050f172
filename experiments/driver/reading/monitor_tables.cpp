// Words in rows under a header that may repeat: what sar, mpstat, sadf, vmstat and dstat write differs in data alone.
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "experiments/driver/reading/monitor_clock.hpp"
#include "experiments/driver/reading/monitor_rows.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/recordings.hpp"

namespace nowsim {
namespace {

/// Where a row's stamp is.
enum class StampsOf {
  times_in_front,  ///< a time of day before the columns, whose date a head line says
  dates_behind,    ///< a date and a time behind the columns, under one name
  a_column,        ///< one of the columns
};

struct TableForm {
  char separator;          ///< ' ': words between blanks
  const char* header;      ///< for people
  const char* recorded_by;
  Words idle, wait;        ///< what the columns are called; of several the first that is there counts
  const char* cpu;         ///< the column of the core, where there is one
  Words all_cores;         ///< what stands in it for all of them
  StampsOf stamps;
  Words stamp_columns;
  Words assumptions;
};

const TableForm& sadf_form() {
  static const TableForm form{
      ';', "# hostname;interval;timestamp;CPU;...", "sadf -d FILE -- -u", {"%idle"}, {"%iowait"}, "CPU", {"-1", "all"},
      StampsOf::a_column, {"timestamp"},
      {kIowait, kAllCores, "stamps are the ends of their intervals; the first row gives no more than where the next begins"}};
  return form;
}
const TableForm& sar_form() {
  static const TableForm form{' ', "CPU %user ... %idle", "sar -u 10", {"%idle"}, {"%iowait"}, "CPU", {"all", "-1"},
                              StampsOf::times_in_front, {}, {kIowait, kAllCores}};
  return form;
}
const TableForm& vmstat_form() {
  static const TableForm form{
      ' ', "r b swpd free ...", "vmstat -t 10", {"id"}, {"wa"}, nullptr, {}, StampsOf::dates_behind, {},
      {kIowait, kAllCores, "the first row, since the start of the machine, gives no more than where the next begins"}};
  return form;
}
const TableForm& dstat_form() {
  static const TableForm form{
      ',', "usr,sys,idl,wai,stl", "dstat -T -c --output FILE 10", {"idl"}, {"wai"}, nullptr, {}, StampsOf::a_column, {"epoch", "time"},
      {kIowait, kAllCores, "the first row, since the start of the machine, gives no more than where the next begins"}};
  return form;
}

/// The place of the first name that is there, without what stands before its last ':'.
std::optional<std::size_t> column_place(const Words& names, const Words& wanted) {
  for (const auto& name : wanted)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (std::string_view(names[i]).substr(names[i].rfind(':') + 1) == name) return i;
  return std::nullopt;
}

bool has_number(const Words& words) {
  return std::ranges::any_of(words, [](const std::string& word) {
    std::string plain = word;
    std::ranges::replace(plain, ',', '.');
    return to_number(plain).has_value();
  });
}

bool tells_restart(std::string_view line) {
  return line.find("LINUX RESTART") != line.npos || line.find("LINUX-RESTART") != line.npos;
}

class TableReader {
 public:
  TableReader(const TableForm& form, const std::string& file, const MonitorReading& reading)
      : form_(form), place_{file, 0, ""}, reading_(reading) {}

  MonitorRows read(const std::string& text) {
    for (const std::string_view line : TextLines(text, place_.file)) {
      ++place_.line;
      if (const Words fields = fields_of(line); !fields.empty()) read_line(line, fields);
      rows_.end_line();
    }
    if (!has_table_) refuse_without_table();
    Words assumptions = form_.assumptions;
    if (restarts_ > 0) assumptions.push_back("restarts of the machine in it: " + std::to_string(restarts_));
    if (!of_core_.empty()) assumptions.push_back("idle time is that of " + quoted(of_core_) + ", the only core that is told");
    if (passed_over_ > 0) assumptions.emplace_back("the first row's value is missing or out of range, which does not matter");
    if (!clock_.assumption().empty()) assumptions.push_back(clock_.assumption());
    if (form_.stamps == StampsOf::times_in_front && !clock_.has_date())
      assumptions.emplace_back("no date is told: stamps are seconds since the first midnight");
    return {rows_.csv(), assumptions, after_restart_};
  }

 private:
  [[nodiscard]] bool is_sadf() const { return form_.separator == ';'; }
  [[nodiscard]] bool is_dstat() const { return form_.separator == ','; }

  [[nodiscard]] Words fields_of(std::string_view line) const {
    if (trimmed(line).empty()) return {};
    if (form_.separator != ' ') return comma_fields(line, place_, form_.separator);
    Words words;
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
      if (words.size() == kMostFields) refuse_many_fields(place_);
      words.emplace_back(word);
    }
    return words;
  }

  void read_line(std::string_view line, const Words& fields) {
    if (tells_restart(line)) return read_restart(fields);
    if (is_comment(fields)) return;
    if (is_sadf() && line.starts_with('#')) return read_header(fields_of(line.substr(1)));
    if (is_dstat()) return read_dstat_line(fields);
    if (form_.stamps == StampsOf::dates_behind) {
      if (fields.front() == "procs" || fields.front() == "--procs--") return;
      if (fields.front() == "r") return read_header(fields);
    } else if (form_.stamps == StampsOf::times_in_front) {
      if (fields.front() == "Linux") return read_head(fields);
      const auto time = monitor_time(fields);
      if (!time) return;  // averages
      const Words rest(fields.begin() + static_cast<std::ptrdiff_t>(time->words), fields.end());
      if (!rest.empty() && !has_number(rest) && !is_cut_row(rest)) return read_header(rest, time);
    }
    read_row(fields);
  }
  /// Whether no more is left of a row of all cores than where it begins.
  [[nodiscard]] bool is_cut_row(const Words& words) const {
    return std::ranges::any_of(form_.all_cores, [&](const std::string& all) {
      return words.front() == all || (words.size() == 1 && all.starts_with(words.front()));
    });
  }
  /// What `sadc -C` has left: "stamp COM text".
  [[nodiscard]] bool is_comment(const Words& fields) const {
    if (is_sadf()) return fields.size() >= 4 && fields[3].starts_with("COM");
    const auto time = form_.stamps == StampsOf::times_in_front ? monitor_time(fields) : std::nullopt;
    return time && fields.size() > time->words && fields[time->words] == "COM";
  }
  /// "Linux", the release, the machine, the date.
  void read_head(const Words& fields) {
    constexpr std::size_t kMachine = 2;  // in brackets
    if (fields.size() > kMachine && fields[kMachine].starts_with('(')) check_machine(fields[kMachine]);
    for (std::size_t i = 2; i < fields.size(); ++i)
      if (fields[i].find(':') == std::string::npos && clock_.set_date(fields[i], place_)) return;
  }
  void read_dstat_line(const Words& fields) {
    const std::string& first = fields.front();
    if (first == "Host:" || first == "Author:" || first.ends_with(" CSV output")) {  // a run, which is written behind the one before
      names_.clear();
      rows_.end_run();
    }
    for (std::size_t i = 0; i + 1 < fields.size(); ++i)
      if (fields[i] == "Date:") read_dstat_date(fields[i + 1]);
    if (!has_number(fields)) {
      if (column_place(fields, form_.idle)) return read_header(fields);
      groups_ = fields;
    }
    if (!names_.empty()) read_row(fields);
  }
  /// The date of a run, after which its rows come.
  void read_dstat_date(const std::string& date) {
    dstat_date_ = date;
    constexpr std::size_t kMonth = 5;  // of "2026-11-30 ..."
    const auto moment = moment_of_date(date);
    dstat_month_ = moment ? moment->substr(kMonth, 2) : "";
    dstat_years_ = 0;
  }
  /// What stands over dstat's column, "cpu0 usage" or "total cpu usage", or before its name's last ':'.
  [[nodiscard]] std::string group_of(std::size_t column) const {
    if (const auto colon = names_[column].rfind(':'); colon != std::string::npos) return names_[column].substr(0, colon);
    for (std::size_t i = std::min(column + 1, groups_.size()); i-- > 0;)
      if (!groups_[i].empty()) return groups_[i];
    return "";
  }
  /// Which columns are of all cores. @throws InputError where only those of several cores are there.
  void find_cores() {
    idle_at_ = *column_place(names_, form_.idle);
    wait_at_ = column_place(names_, form_.wait);
    if (!is_dstat()) return;
    const auto is_called = [&](std::size_t i, const Words& wanted) { return column_place({names_[i]}, wanted).has_value(); };
    Words cores;
    std::optional<std::size_t> total;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!is_called(i, form_.idle)) continue;
      cores.push_back(group_of(i));
      if (!total && cores.back().starts_with("total")) total = i;
    }
    if (!total && cores.size() > 1)
      throw InputError(place_, "idle time is that of single cores (" + some_names(cores) + "), and not that of all of them; '" +
                                   form_.recorded_by + "' without -f and -C writes 'total cpu usage'.");
    if (!total && cores.front().starts_with("cpu")) of_core_ = cores.front();
    idle_at_ = total.value_or(idle_at_);
    wait_at_.reset();
    for (std::size_t i = 0; i < names_.size() && !wait_at_; ++i)
      if (is_called(i, form_.wait) && group_of(i) == group_of(idle_at_)) wait_at_ = i;
  }
  void read_restart(const Words& fields) {
    ++restarts_;
    is_restarted_ = true;
    if (!has_table_) return;
    if (is_sadf() && fields.size() > 2) rows_.begin(with_z(fields[2]));
    if (const auto time = monitor_time(fields); time && !is_sadf()) rows_.begin(clock_.stamp(*time));
  }

  /// @param time the beginning of the interval of the row below, where the header says it: other tables' do not count
  void read_header(const Words& names, const std::optional<MonitorTime>& time = {}) {
    names_.clear();
    const auto needs = [&](const Words& wanted) {
      const bool is_there = column_place(names, wanted).has_value();
      if (!is_there && first_missing_.empty()) {
        first_missing_ = wanted.front();
        line_of_missing_ = place_.line;
      }
      return is_there;
    };
    if (is_sadf() && !needs(form_.stamp_columns)) return;
    if ((form_.cpu != nullptr && !needs({form_.cpu})) || (!is_dstat() && !needs(form_.wait)) || !needs(form_.idle)) return;
    names_ = names;
    find_cores();
    has_table_ = true;
    rows_.header();
    if (time) rows_.begin(clock_.stamp(*time));
    find_stamps();
  }
  void find_stamps() {
    stamp_column_.reset();
    bool has_stamps = form_.stamps == StampsOf::times_in_front;
    if (form_.stamps == StampsOf::a_column) has_stamps = (stamp_column_ = column_place(names_, form_.stamp_columns)).has_value();
    if (form_.stamps == StampsOf::dates_behind) {
      constexpr std::array<std::string_view, 6> kLast{"us", "sy", "id", "wa", "st", "gu"};
      has_stamps = std::ranges::count(kLast, names_.back()) == 0;
    }
    if (has_stamps && reading_.interval_s > 0)
      throw InputError(place_, "these rows have stamps; --interval is for files without.");
    if (!has_stamps && !(reading_.interval_s > 0))
      throw InputError(place_, std::string("the rows have no stamps: say by --interval how long each lasts; '") +
                                   form_.recorded_by + "' writes stamps.");
    is_at_interval_ = !has_stamps;
  }

  /// Of a row that cannot be read the interval is left out.
  void read_row(const Words& fields) {
    if (const auto column = column_place(names_, {"hostname"}); is_sadf() && column && fields.size() == names_.size())
      check_machine(fields[*column]);
    if (reading_.invalid == InvalidRule::fail) return take_row(fields);
    try {
      take_row(fields);
    } catch (const InputError&) {
      if (!has_table_) throw;
      rows_.row("", "");
    }
  }
  /// @throws InputError where it is another one than the first.
  void check_machine(const std::string& machine) {
    if (machine_.empty()) machine_ = machine;
    if (machine != machine_)
      throw InputError(place_, "this is of " + quoted(machine) + ", and what stands before is of " + quoted(machine_) +
                                   ": give each machine's rows a file of its own.");
  }
  void take_row(const Words& fields) {
    if (names_.empty()) {
      if (form_.stamps == StampsOf::times_in_front || !first_missing_.empty()) return;  // of another table
      throw InputError(place_, "the header '" + std::string(form_.header) + "' is missing.");
    }
    ++rows_read_;
    std::size_t first = 0, behind = 0;
    std::optional<MonitorTime> time;
    if (form_.stamps == StampsOf::times_in_front) first = (time = monitor_time(fields))->words;
    if (form_.stamps == StampsOf::dates_behind && !is_at_interval_) behind = 1;  // date and time stand under one name
    const std::size_t wanted = names_.size() + first + behind;
    const bool is_ragged = is_dstat() && fields.size() >= least_dstat_fields();
    if (fields.size() != wanted && !is_ragged)
      throw InputError(place_, "this row has " + std::to_string(fields.size()) + " fields where " +
                                   (is_sadf() ? "the header names " + std::to_string(wanted)
                                              : std::to_string(wanted) + " are expected") +
                                   (behind > 0 ? ", stamp included ('vmstat -t')." : "."));
    const auto at = [&](std::optional<std::size_t> column) { return column ? fields[first + *column] : std::string("0"); };
    if (form_.cpu != nullptr && !contains(form_.all_cores, at(column_place(names_, {form_.cpu})))) return;  // one core of several
    const std::string stamp = stamp_of(fields, time), value = idle_share(at(idle_at_), at(wait_at_), reading_.invalid, place_);
    if (is_sadf() && !is_restarted_) begin_behind_gap(stamp, at(column_place(names_, {"interval"})));
    if (std::exchange(is_restarted_, false)) after_restart_.push_back(place_.line);
    if (value.empty() && !rows_.is_begun()) ++passed_over_;
    rows_.row(stamp, value);
  }
  [[nodiscard]] std::size_t least_dstat_fields() const {
    return 1 + std::max({idle_at_, wait_at_.value_or(0), stamp_column_.value_or(0)});
  }
  /// A row of sadf's whose interval [s] begins later than the one before ends; stamps and intervals are whole seconds.
  void begin_behind_gap(const std::string& stamp, const std::string& interval) {
    const auto before = parse_stamp(rows_.before()), end = parse_stamp(stamp);
    const auto lasts_s = to_number(interval);
    if (!before || !end || before->kind != end->kind || !lasts_s || !(*lasts_s > 0)) return;
    Stamp begin = *end;
    begin.rest_s -= *lasts_s;
    if (seconds_between(*before, begin) > 1) rows_.begin(stamp_text(begin));
  }
  std::string stamp_of(const Words& fields, const std::optional<MonitorTime>& time) {
    if (time) return clock_.stamp(*time);
    if (is_at_interval_) return number_text(static_cast<double>(rows_read_ - 1) * reading_.interval_s);
    if (form_.stamps == StampsOf::dates_behind)
      return fields[fields.size() - 2] + " " + fields.back() + (names_.back() == "UTC" ? "Z" : "");
    const std::string& text = fields[*stamp_column_];
    return is_dstat() && !parse_stamp(text) ? dstat_stamp(text) : with_z(text);
  }
  /// dstat's "30-11 22:15:24", to which the line `Date:` before has the year.
  std::string dstat_stamp(const std::string& text) {
    Words words = fields_between_blanks(text);
    const std::string year = [&] {
      for (const auto& word : fields_between_blanks(dstat_date_))
        if (word.size() == 4 && to_number(word)) return word;
      return std::string();
    }();
    const std::size_t dash = words.empty() ? std::string::npos : words.front().find('-');
    const auto time = monitor_time(words, 1);
    if (dash == std::string::npos || !time) throw InputError(place_, "the stamp " + quoted(text) + " is none of dstat's.");
    if (year.empty())
      throw InputError(place_, "the stamp " + quoted(text) + " has no year, and no line 'Date:' says it; 'dstat -T' writes whole stamps.");
    const std::string day = words.front().substr(0, dash), month = words.front().substr(dash + 1);
    const bool is_next_year = !dstat_month_.empty() && month < dstat_month_;
    dstat_month_ = month;
    dstat_years_ += is_next_year ? 1 : 0;
    const std::string whole = short_number(*to_number(year) + dstat_years_) + "-" + month + "-" + day + " " + words[1] +
                              (dstat_date_.ends_with(" UTC") ? "Z" : "");
    if (!parse_stamp(whole)) throw InputError(place_, "the stamp " + quoted(text) + " is none of dstat's.");
    return whole;
  }
  [[nodiscard]] static Words fields_between_blanks(std::string_view text) {
    Words words;
    for (auto word = next_word(text); !word.empty(); word = next_word(text)) words.emplace_back(word);
    return words;
  }
  [[nodiscard]] static std::string with_z(std::string text) {
    if (text.ends_with(" UTC")) text.replace(text.size() - 4, 4, "Z");
    return text;
  }
  [[noreturn]] void refuse_without_table() const {
    if (first_missing_.empty())
      throw InputError({place_.file, 0, ""}, "the header '" + std::string(form_.header) + "' is missing; '" + form_.recorded_by +
                                                 "' writes what is needed.");
    throw InputError({place_.file, line_of_missing_, ""}, "there is no column '" + first_missing_ + "'; '" + form_.recorded_by +
                                                              "' writes what is needed.");
  }

  const TableForm& form_;
  Place place_;
  const MonitorReading& reading_;
  MonitorClock clock_;
  Words names_;  // of the columns of the table that is read, without times in front; none under another one
  std::optional<std::size_t> stamp_column_, wait_at_;
  std::size_t idle_at_ = 0;
  Words groups_;                  // what stands over dstat's columns
  std::string of_core_, machine_;  // the only core of dstat's; the machine of sadf's
  bool is_at_interval_ = false, has_table_ = false;
  std::string first_missing_;
  int line_of_missing_ = 0;
  ShiftedRows rows_;
  std::size_t restarts_ = 0, rows_read_ = 0, passed_over_ = 0;
  bool is_restarted_ = false;  // since the last row
  std::vector<int> after_restart_;
  std::string dstat_date_, dstat_month_;
  int dstat_years_ = 0;
};

std::optional<double> share_in(std::string text) {
  std::ranges::replace(text, ',', '.');
  return to_number(text);
}

}  // namespace

std::string idle_share(const std::string& idle, const std::string& iowait, InvalidRule invalid, const Place& place) try {
  constexpr double kRounding = 0.05, kWhole = 0.5;  // of a share with a decimal, or with none
  double sum = 0, rounding = 0;
  for (const auto& text : {idle, iowait}) {
    const auto x = share_in(text);
    const double most_off = text.find_first_of(".,") == text.npos ? kWhole : kRounding;
    if (!x || *x < -kRounding || *x > 100 + kRounding)
      throw InputError(place, "the share " + quoted(text) + " is no number from 0 to 100 (per cent).");
    sum += *x;
    rounding += most_off;
  }
  if (sum > 100 + rounding)
    throw InputError(place,
                     "idle time and waiting for disks are " + short_number(sum) + " % together; at most 100 % can be.");
  return number_text(std::clamp(sum, 0.0, 100.0) / 100);
} catch (const InputError&) {
  if (invalid == InvalidRule::fail) throw;
  return "";
}

MonitorRows rows_of_sadf(const std::string& text, const std::string& file, const MonitorReading& reading) {
  return TableReader(sadf_form(), file, reading).read(text);
}
MonitorRows rows_of_sar(const std::string& text, const std::string& file, const MonitorReading& reading) {
  return TableReader(sar_form(), file, reading).read(text);
}
MonitorRows rows_of_vmstat(const std::string& text, const std::string& file, const MonitorReading& reading) {
  return TableReader(vmstat_form(), file, reading).read(text);
}
MonitorRows rows_of_dstat(const std::string& text, const std::string& file, const MonitorReading& reading) {
  return TableReader(dstat_form(), file, reading).read(text);
}

}  // namespace nowsim

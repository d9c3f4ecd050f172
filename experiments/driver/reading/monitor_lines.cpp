// Logs of lines: of top, of /proc/stat again and again, and of Windows' performance counters.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cctype>
#include <map>
#include <optional>

#include "experiments/driver/reading/monitor_clock.hpp"
#include "experiments/driver/reading/monitor_rows.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/time_zone.hpp"
#include "sim/owners/recordings.hpp"

namespace nowsim {
namespace {

/// Lines that say the moment, and lines that say how much is idle; others do not matter. A stamp stands before its load.
class LogReader {
 public:
  LogReader(const std::string& file, const MonitorReading& reading) : place_{file, 0, ""}, reading_(reading) {}
  virtual ~LogReader() = default;

  MonitorRows read(const std::string& text) {
    for (const std::string_view line : TextLines(text, place_.file)) {
      if (++place_.line == 1) rows_.header();
      read_line(trimmed(line));
      rows_.end_line();
    }
    if (rows_read_ == 0) refuse_without_rows();
    return {rows_.csv(), assumptions(), after_restart_};
  }

 protected:
  virtual void read_line(std::string_view line) = 0;
  [[noreturn]] virtual void refuse_without_rows() const = 0;
  [[nodiscard]] virtual Words assumptions() const = 0;

  /// Of what is read next, by a line of its own or in front of it.
  void say_moment(const std::string& stamp) { stamp_ = stamp; }
  [[nodiscard]] bool has_moment() const { return !stamp_.empty(); }
  /// The stamp of a row: as it was said, or by the interval. @throws InputError.
  std::string next_stamp(const char* recorded_by) {
    const bool is_said = !stamp_.empty();
    ++rows_read_;
    is_stamped_ = is_stamped_ || is_said;
    if (is_said && reading_.interval_s > 0) throw InputError(place_, "these rows have stamps; --interval is for files without.");
    if (!is_said && !(reading_.interval_s > 0))
      throw InputError(place_, std::string(is_stamped_ ? "this row has no stamp, as the first one has"
                                                       : "the rows have no stamps: say by --interval how far they are apart") +
                                   "; '" + recorded_by + "' writes stamps.");
    return is_said ? std::exchange(stamp_, "") : number_text(static_cast<double>(rows_read_ - 1) * reading_.interval_s);
  }
  /// A row that cannot be read takes its stamp, or its interval, with it.
  void leave_out_row() {
    ++rows_read_;
    stamp_.clear();
    rows_.row("", "");
  }

  Place place_;
  const MonitorReading& reading_;
  ShiftedRows rows_;
  std::vector<int> after_restart_;

 private:
  std::string stamp_;
  bool is_stamped_ = false;
  std::size_t rows_read_ = 0;
};

class TopReader final : public LogReader {
 public:
  using LogReader::LogReader;

 private:
  static constexpr const char* kRecordedBy = "top -b -d 10";
  void read_line(std::string_view line) override {
    const std::string low = lower_case(std::string(line.substr(0, std::min<std::size_t>(line.size(), 200))));
    if (low.starts_with("top - ")) {
      const Words words = words_in_line(line);
      if (const auto time = monitor_time(words, 2)) say_moment(clock_.stamp(*time));
      return;
    }
    if (low.starts_with("%cpu0") || low.starts_with("cpu0")) has_cores_ = true;
    if (low.find("cpu(s):") == low.npos && !low.starts_with("cpu:")) return;
    const auto shares = shares_in(low.substr(low.find(':') + 1));
    const auto share = [&](std::initializer_list<const char*> labels) -> std::string {
      for (const char* label : labels)
        if (const auto found = shares.find(label); found != shares.end()) return found->second;
      return "";
    };
    const std::string wait = share({"wa", "io", "iowait"});
    const std::string stamp = next_stamp(kRecordedBy);
    rows_.row(stamp, idle_share(share({"id", "idle"}), wait.empty() ? "0.0" : wait, reading_.invalid, place_));
  }
  [[nodiscard]] static Words words_in_line(std::string_view line) {
    Words words;
    for (auto word = next_word(line); !word.empty() && words.size() < 8; word = next_word(line)) words.emplace_back(word);
    return words;
  }
  /// "3.1 us, 0.0 sy, 0.0 ni,100.0 id", also with decimal commas and per cent signs: the share of each label.
  [[nodiscard]] static std::map<std::string, std::string> shares_in(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto is_digit = [&](std::size_t k) { return k < text.size() && std::isdigit(static_cast<unsigned char>(text[k])) != 0; };
      if (text[i] == '%' || (text[i] == ',' && !(i > 0 && is_digit(i - 1) && is_digit(i + 1)))) text[i] = ' ';
    }
    std::map<std::string, std::string> shares;
    std::string_view rest = text;
    for (auto word = next_word(rest); !word.empty();) {
      const auto label = next_word(rest);
      shares.try_emplace(std::string(label), word);
      word = next_word(rest);
    }
    return shares;
  }
  [[noreturn]] void refuse_without_rows() const override {
    throw InputError({place_.file, 0, ""}, has_cores_ ? "top shows each core ('1' changes that), and not the line '%Cpu(s):' of all of them, which is needed."
                                                      : std::string("the line '%Cpu(s):' is missing; '") + kRecordedBy + "' writes it.");
  }
  [[nodiscard]] Words assumptions() const override {
    Words words{kIowait, kAllCores, "the first row gives no more than where the next begins"};
    if (!(reading_.interval_s > 0)) words.emplace_back("no date is told: stamps are seconds since the first midnight");
    return words;
  }
  MonitorClock clock_;
  bool has_cores_ = false;
};

class ProcStatReader final : public LogReader {
 public:
  using LogReader::LogReader;

 private:
  static constexpr const char* kRecordedBy = "while sleep 10; do date -Is; head -n 1 /proc/stat; done";
  void read_line(std::string_view line) override {
    const std::size_t at = line.starts_with("cpu ") || line.starts_with("cpu\t") ? 0 : line.find(" cpu ");
    if (at == line.npos) {
      constexpr std::size_t kLongestDate = 100;
      if (line.size() < kLongestDate)
        if (const auto moment = moment_of_date(line)) say_moment(*moment);
      return;
    }
    if (at > 0) {
      const auto moment = moment_of_date(line.substr(0, at));
      if (!moment) return;
      say_moment(*moment);
    }
    read_counts(trimmed(line.substr(at == 0 ? 3 : at + 5)));
  }
  void read_counts(std::string_view rest) {
    constexpr std::size_t kIdle = 3, kWait = 4, kCounted = 8;  // guests are in user and nice already
    std::array<double, kCounted> counts{};
    std::size_t n = 0;
    bool is_wrong = false;
    for (auto word = next_word(rest); !word.empty() && n < kCounted; word = next_word(rest), ++n) {
      const auto count = to_number(word);
      is_wrong = is_wrong || !count || *count < 0;
      counts[n] = count.value_or(0);
    }
    if (is_wrong || n <= kIdle) {
      if (reading_.invalid == InvalidRule::fail) throw InputError(place_, "the line 'cpu' needs four counts at least, as /proc/stat has them.");
      leave_out_row();
      before_.reset();
      return;
    }
    double all = 0;
    for (const double count : counts) all += count;
    const Counts now{all, counts[kIdle] + counts[kWait]};
    const std::string stamp = next_stamp(kRecordedBy);
    if (!before_) {
      rows_.begin(stamp);
    } else if (now.all < before_->all) {  // the machine was started anew
      is_restarted_ = true;
      rows_.begin(stamp);
    } else {
      const double all_ticks = now.all - before_->all, idle_ticks = std::clamp(now.idle - before_->idle, 0.0, all_ticks);
      if (is_restarted_) after_restart_.push_back(place_.line);
      is_restarted_ = false;
      rows_.row(stamp, all_ticks > 0 ? number_text(idle_ticks / all_ticks) : "");
    }
    before_ = now;
  }
  [[noreturn]] void refuse_without_rows() const override {
    throw InputError({place_.file, 0, ""}, std::string("no line 'cpu' of /proc/stat is in it; '") + kRecordedBy + "' writes what is needed.");
  }
  [[nodiscard]] Words assumptions() const override {
    return {kIowait, kAllCores, "each value is of the counts between two rows"};
  }
  struct Counts {
    double all, idle;
  };
  std::optional<Counts> before_;
  bool is_restarted_ = false;
};

/// Counters by machine, in the columns of a CSV file whose first column's name is "(PDH-CSV 4.0)".
class PerfmonReader {
 public:
  PerfmonReader(const std::string& file, const MonitorReading& reading) : place_{file, 0, ""}, reading_(reading) {}

  MonitorRows read(const std::string& text) {
    const char separator = separator_of(text, place_.file);
    for (const std::string_view line : TextLines(text, place_.file)) {
      ++place_.line;
      if (columns_.empty() ? !trimmed(line).empty() : trimmed(line).starts_with('"')) read_line(comma_fields(line, place_, separator));
      rows_.end_line();
    }
    if (columns_.empty()) throw InputError({place_.file, 0, ""}, "the header \"(PDH-CSV 4.0)\" is missing.");
    MonitorRows rows{rows_.csv(), {"stamps are the ends of their intervals; the first row gives no more than where the next begins"}};
    rows.measure = measure_;
    rows.has_column_each = columns_.size() > 1;
    rows.assumptions.push_back("the counter " + quoted(counter_) + " holds " + info_of(measure_).name);
    return rows;
  }

 private:
  void read_line(const Words& fields) {
    if (columns_.empty()) return read_header(fields);
    if (fields.size() != width_) {
      if (reading_.invalid == InvalidRule::skip) return rows_.row("", "");
      throw InputError(place_, "this row has " + std::to_string(fields.size()) + " fields where the header names " + std::to_string(width_) + ".");
    }
    std::string values;
    for (const std::size_t column : columns_) values += (values.empty() ? "" : ",") + ("\"" + with_point(fields[column]) + "\"");
    rows_.row(stamp_of(fields.front()), values);
  }
  void read_header(const Words& names) {
    width_ = names.size();
    zone_ = zone_of_head(names.front());
    std::map<std::string, std::vector<std::size_t>> by_machine;
    for (std::size_t i = 1; i < names.size(); ++i)
      if (is_asked(names[i])) by_machine[machine_of_column(names[i])].push_back(i);
    if (by_machine.empty()) {
      const Words loads(names.begin() + 1, names.end());
      throw InputError(place_, "say by --column which counter holds the load: " + some_names(loads) + ".");
    }
    for (auto& [machine, columns] : by_machine) {
      const auto is_core = [&](std::size_t i) { return names[i].find("_Total)") == std::string::npos; };
      if (!std::ranges::all_of(columns, is_core)) std::erase_if(columns, is_core);
      if (columns.size() > 1)
        throw InputError(place_, "say by --column which counter of " + quoted(machine) + " holds the load: " +
                                     names[columns[0]] + " or " + names[columns[1]] + ".");
      columns_.push_back(columns.front());
    }
    std::ranges::sort(columns_);
    const std::string& first = names[columns_.front()];
    counter_ = first.substr(first.rfind('\\') + 1);
    for (const std::size_t column : columns_)
      if (measure_of_column(names[column]) != measure_of_column(first))
        throw InputError(place_, "the counters " + quoted(first) + " and " + quoted(names[column]) +
                                     " do not hold the same; say by --column which is read.");
    measure_ = measure_of_column(first).value_or(LoadMeasure::utilisation_percent);
    std::string machines;
    for (const std::size_t column : columns_) machines += (machines.empty() ? "" : ",") + machine_of_column(names[column]);
    rows_.header(columns_.size() > 1 ? machines : "value");
  }
  [[nodiscard]] bool is_asked(const std::string& name) const {
    if (reading_.column.empty()) return measure_of_column(name).has_value();
    return name == reading_.column || name.ends_with("\\" + reading_.column);
  }
  /// Values are shares without thousands, so that a comma is a decimal one unless other values have points. @throws
  /// InputError where both are there.
  [[nodiscard]] std::string with_point(std::string value) {
    has_points_ = has_points_ || value.find('.') != value.npos;
    const bool has_comma = std::ranges::count(value, ',') == 1;
    if (has_decimal_commas_ && has_points_)
      throw InputError(place_, "the value " + quoted(value) + " has a decimal point, and values before have decimal commas.");
    if (has_points_ || !has_comma) return value;
    has_decimal_commas_ = true;
    std::ranges::replace(value, ',', '.');
    return value;
  }
  /// "(PDH-CSV 4.0) (W. Europe Standard Time)(-60)" says how much more UTC is than local time [min].
  [[nodiscard]] static std::string zone_of_head(const std::string& name) {
    const std::size_t open = name.rfind('(');
    const auto minutes = open == name.npos ? std::nullopt : to_number(std::string_view(name).substr(open + 1, name.size() - open - 2));
    constexpr double kMost = 24 * 60;
    return minutes && *minutes >= -kMost && *minutes <= kMost ? utc_offset_text(static_cast<int>(-60 * *minutes)) : "";
  }
  /// "09/15/2016 09:20:56.002", in all locales alike.
  [[nodiscard]] std::string stamp_of(const std::string& text) const {
    constexpr std::size_t kDate = 10;
    const std::string iso = text.size() > kDate && text[2] == '/' && text[5] == '/'
                                ? text.substr(6, 4) + "-" + text.substr(0, 2) + "-" + text.substr(3, 2) + text.substr(kDate) + zone_
                                : text;
    if (parse_stamp(iso)) return iso;
    if (reading_.invalid == InvalidRule::skip) return "";
    throw InputError(place_, "the stamp " + quoted(text) + " is none of performance counters, as in 09/15/2016 09:20:56.002.");
  }

  Place place_;
  const MonitorReading& reading_;
  ShiftedRows rows_;
  std::size_t width_ = 0;
  std::vector<std::size_t> columns_;
  std::string zone_, counter_;
  bool has_points_ = false, has_decimal_commas_ = false;  // in values
  LoadMeasure measure_ = LoadMeasure::utilisation_percent;
};

}  // namespace

MonitorRows rows_of_top(const std::string& text, const std::string& file, const MonitorReading& reading) {
  return TopReader(file, reading).read(text);
}
MonitorRows rows_of_proc_stat(const std::string& text, const std::string& file, const MonitorReading& reading) {
  return ProcStatReader(file, reading).read(text);
}
MonitorRows rows_of_perfmon(const std::string& text, const std::string& file, const MonitorReading& reading) {
  return PerfmonReader(file, reading).read(text);
}

}  // namespace nowsim

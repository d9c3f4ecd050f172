// What monitors write as the project's CSV: fields of sadf and vmstat, samples of Prometheus.
#include "experiments/driver/reading/load_formats.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/load_table.hpp"

namespace nowsim {
namespace {

Words split(std::string_view line, char separator, const Place& place) {
  Words out;
  for (std::size_t at = 0;; ++at) {
    if (out.size() == kMostFields) refuse_many_fields(place);
    const std::size_t end = std::min(line.find(separator, at), line.size());
    out.emplace_back(trimmed(line.substr(at, end - at)));
    if (end == line.size()) return out;
    at = end;
  }
}

Words words(const std::string& line, const Place& place) {
  std::istringstream in(line);
  Words out;
  for (std::string word; in >> word; out.push_back(word))
    if (out.size() == kMostFields) refuse_many_fields(place);
  return out;
}

std::size_t index_of(const Words& fields, const std::string& name) {
  return static_cast<std::size_t>(std::find(fields.begin(), fields.end(), name) - fields.begin());
}

/// The share of idle time, in which waiting for a disk counts as idle: from two shares in per cent.
std::string checked_availability(const std::string& idle, const std::string& iowait, const Place& place) {
  constexpr double kRounding = 0.05;  // two shares of at most two decimals each
  double sum = 0;
  for (const auto& text : {idle, iowait}) {
    const auto x = to_number(text);
    if (!x || *x < 0 || *x > 100 + kRounding)
      throw InputError(place, "the share " + quoted(text) + " is no number from 0 to 100 (per cent).");
    sum += *x;
  }
  if (sum > 100 + 2 * kRounding)
    throw InputError(place,
                     "idle time and waiting for disks are " + short_number(sum) + " % together; at most 100 % can be.");
  return number_text(std::min(sum, 100.0) / 100);
}

/// "" where it cannot be and is to be left out.
std::string availability_text(const std::string& idle, const std::string& iowait, InvalidRule invalid,
                              const Place& place) try {
  return checked_availability(idle, iowait, place);
} catch (const InputError&) {
  if (invalid == InvalidRule::fail) throw;
  return "";
}

constexpr const char* kIowait = "time that waits for disks (iowait) counts as idle";
constexpr const char* kAllCores =
    "availability is the idle share of all cores: what is left for a task where the load has to be done anyhow";

/// Rows whose stamps are the ends of their intervals: each value is put at the end before.
class ShiftedRows {
 public:
  void header() { out_ += "timestamp,availability"; }
  void row(const std::string& stamp, const std::string& value) {
    if (!before_.empty()) out_ += before_ + "," + value;
    before_ = stamp;
  }
  void begin(const std::string& stamp) { before_ = stamp; }
  void end_line() { out_ += '\n'; }
  [[nodiscard]] const std::string& csv() const { return out_; }

 private:
  std::string out_, before_;
};

class SadfReader {
 public:
  SadfReader(const std::string& file, InvalidRule invalid) : place_{file, 0, ""}, invalid_(invalid) {}

  MonitorRows read(const std::string& text) {
    for (const std::string_view line : TextLines(text, place_.file)) {
      ++place_.line;
      if (!trimmed(line).empty()) read_line(line);
      rows_.end_line();
    }
    if (restarts_ > 0) assumptions_.push_back("restarts of the machine in it: " + std::to_string(restarts_));
    return {rows_.csv(), assumptions_, after_restart_};
  }

 private:
  void read_line(std::string_view line) {
    if (line.starts_with('#')) return read_header(line.substr(1));
    if (names_.empty()) throw InputError(place_, "the header '# hostname;interval;timestamp;CPU;...' is missing.");
    const Words fields = split(line, ';', place_);
    if (fields.size() == 4 && fields[3].starts_with("LINUX-RESTART")) {
      ++restarts_;
      is_restarted_ = true;
      return rows_.begin(stamp(fields));
    }
    if (fields.size() != names_.size())
      throw InputError(place_, "this row has " + std::to_string(fields.size()) + " fields where the header names " +
                                   std::to_string(names_.size()) + ".");
    if (fields[index_of(names_, "CPU")] != "-1") return;  // one core of several
    if (std::exchange(is_restarted_, false)) after_restart_.push_back(place_.line);
    rows_.row(stamp(fields), availability_text(fields[index_of(names_, "%idle")], fields[index_of(names_, "%iowait")],
                                               invalid_, place_));
  }
  void read_header(std::string_view line) {
    const Words names = split(line, ';', place_);
    for (const char* wanted : {"timestamp", "CPU", "%iowait", "%idle"})
      if (index_of(names, wanted) == names.size())
        throw InputError(
            place_, std::string("there is no column '") + wanted + "'; 'sadf -d FILE -- -u' writes what is needed.");
    if (names_.empty()) rows_.header();
    names_ = names;
  }
  [[nodiscard]] std::string stamp(const Words& fields) const {
    std::string text = fields[2];
    if (text.ends_with(" UTC")) text.replace(text.size() - 4, 4, "Z");
    return text;
  }

  Place place_;
  Words names_;
  ShiftedRows rows_;
  InvalidRule invalid_;
  std::size_t restarts_ = 0;
  bool is_restarted_ = false;  // since the last row
  std::vector<int> after_restart_;
  std::vector<std::string> assumptions_{
      kIowait, kAllCores,
      "stamps are the ends of their intervals; the first row gives no more than where the next begins"};
};

class VmstatReader {
 public:
  VmstatReader(const std::string& file, InvalidRule invalid) : place_{file, 0, ""}, invalid_(invalid) {}

  MonitorRows read(const std::string& text) {
    for (const std::string_view line : TextLines(text, place_.file)) {
      ++place_.line;
      if (const Words fields = words(std::string(line), place_); !fields.empty() && fields.front() != "procs")
        row(fields);
      rows_.end_line();
    }
    return {rows_.csv(),
            {kIowait, kAllCores,
             "the first row, since the start of the machine, gives no more than where the next begins"}};
  }

 private:
  void row(const Words& fields) {
    if (fields.front() == "r") return header(fields);
    if (names_.empty()) throw InputError(place_, "the header 'r b swpd free ...' is missing.");
    if (fields.size() != names_.size() + 1)  // date and time stand under one name
      throw InputError(place_, "this row has " + std::to_string(fields.size()) + " fields where " +
                                   std::to_string(names_.size() + 1) + " are expected, stamp included ('vmstat -t').");
    const std::string stamp = fields[fields.size() - 2] + " " + fields.back() + (names_.back() == "UTC" ? "Z" : "");
    rows_.row(stamp, availability_text(fields[index_of(names_, "id")], fields[index_of(names_, "wa")], invalid_, place_));
  }
  void header(const Words& names) {
    if (index_of(names, "id") == names.size() || index_of(names, "wa") == names.size())
      throw InputError(place_, "the header names no columns 'id' and 'wa'.");
    if (names.back() == "st" || names.back() == "gu" || names.back() == "wa")
      throw InputError(place_, "the rows have no stamps; 'vmstat -t' writes them.");
    if (names_.empty()) rows_.header();
    names_ = names;
  }

  Place place_;
  Words names_;
  ShiftedRows rows_;
  InvalidRule invalid_;
};

using Json = nlohmann::json;

/// Takes from JSON, while it is read, what Prometheus' answer consists of, and keeps nothing else.
class PrometheusReader final : public nlohmann::json_sax<Json> {
 public:
  PrometheusReader(const std::string& text, const std::string& file) : text_(text), place_{file, 0, ""} {}

  MonitorRows read() {
    Json::sax_parse(text_, this);
    if (status_ == "error") throw InputError(place_, "Prometheus reports an error: " + error_);
    if (type_ != "matrix" || !is_result_list_)
      throw InputError(place_, "a matrix is needed, as /api/v1/query_range gives it.");
    if (series_ != 1)
      throw InputError(place_, "the answer holds " + std::to_string(series_) +
                                   " series where one is needed; name the machine in the query.");
    if (is_sample_wrong_) throw InputError(place_, "a sample is [stamp, \"value\"].");
    return std::move(rows_);
  }

  bool null() override { return scalar("null"); }
  bool boolean(bool value) override { return scalar(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return scalar(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(std::to_string(value)); }
  bool number_float(number_float_t value, const string_t&) override { return scalar(Json(value).dump()); }
  bool binary(binary_t&) override { return true; }  // JSON has none
  bool string(string_t& value) override {
    if (at_ == kStatus) status_ = value;
    if (at_ == kError) error_ = value;
    if (at_ == kType) type_ = value;
    return scalar(value);
  }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    constexpr std::pair<std::string_view, char> kLetters[] = {{"status", 's'},     {"error", 'e'},  {"data", 'd'},
                                                              {"resultType", 't'}, {"result", 'r'}, {"values", 'v'}};
    at_.back() = kOther;
    for (const auto& [known, letter] : kLetters)
      if (name == known) at_.back() = letter;
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const Json::exception& e) override {
    if (dynamic_cast<const Json::out_of_range*>(&e) != nullptr)
      throw InputError(place_, "a number in this JSON is beyond all bounds.");
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text_.size()));
    throw InputError({place_.file, 1 + static_cast<int>(std::count(text_.begin(), end, '\n')), ""}, "this is no JSON.");
  }

 private:
  static constexpr const char* kHead = "timestamp,value\n";
  /// Where a value stands, a letter a level: of objects that of its key, of lists kMember.
  static constexpr char kOther = '?', kMember = '*';
  static constexpr std::string_view kStatus = "s", kError = "e", kType = "dt", kResult = "dr", kSeries = "dr*",
                                    kValues = "dr*v", kSample = "dr*v*", kField = "dr*v**";

  bool scalar(const std::string& text) {
    if (at_ == kSeries) ++series_;
    if (at_ == kSample || at_ == kValues) is_sample_wrong_ = true;
    if (at_ != kField || ++fields_ > 2 || series_ > 1) return true;
    rows_.csv += text;
    rows_.csv += fields_ == 1 ? ',' : '\n';
    return true;
  }
  bool open(bool is_list) {
    if (at_ == kSeries) ++series_;
    if (at_ == kSample) fields_ = 0;
    if (at_ == kResult)
      is_result_list_ = is_list, series_ = 0;  // of a key that is there twice, the last one counts
    if (at_ == kValues) rows_.csv = kHead;
    if (at_ == kField || (!is_list && (at_ == kValues || at_ == kSample))) is_sample_wrong_ = true;
    at_ += is_list ? kMember : kOther;
    return true;
  }
  bool close() {
    at_.pop_back();
    if (at_ == kSample && fields_ != 2) is_sample_wrong_ = true;
    return true;
  }

  const std::string& text_;
  Place place_;
  std::string at_;  // where what is read next stands
  std::string status_, error_, type_;
  bool is_result_list_ = false, is_sample_wrong_ = false;
  std::size_t series_ = 0, fields_ = 0;
  MonitorRows rows_{kHead, {"a sample's value holds from its stamp to the next sample"}, {}};
};

}  // namespace

MonitorRows rows_of_sadf(const std::string& text, const std::string& file, InvalidRule invalid) {
  return SadfReader(file, invalid).read(text);
}

MonitorRows rows_of_vmstat(const std::string& text, const std::string& file, InvalidRule invalid) {
  return VmstatReader(file, invalid).read(text);
}

MonitorRows rows_of_prometheus(const std::string& text, const std::string& file) {
  return PrometheusReader(text, file).read();
}

}  // namespace nowsim

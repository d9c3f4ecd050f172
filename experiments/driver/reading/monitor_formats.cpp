// Fields of sadf and vmstat, samples of Prometheus.
#include "experiments/driver/reading/monitor_formats.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

Words split(std::string_view line, char separator) {
  Words out;
  for (std::size_t at = 0;; ++at) {
    const std::size_t end = std::min(line.find(separator, at), line.size());
    out.emplace_back(trimmed(line.substr(at, end - at)));
    if (end == line.size()) return out;
    at = end;
  }
}

Words words(const std::string& line) {
  std::istringstream in(line);
  Words out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

std::size_t index_of(const Words& fields, const std::string& name) {
  return static_cast<std::size_t>(std::find(fields.begin(), fields.end(), name) - fields.begin());
}

/// The share of idle time, in which waiting for a disk counts as idle: from two shares in per cent.
std::string availability_text(const std::string& idle, const std::string& iowait, const Place& place) {
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
  explicit SadfReader(const std::string& file) : place_{file, 0, ""} {}

  MonitorRows read(const std::string& text) {
    for (const std::string_view line : text_lines(text, place_.file)) {
      ++place_.line;
      if (!trimmed(line).empty()) read_line(line);
      rows_.end_line();
    }
    if (restarts_ > 0) assumptions_.push_back("restarts of the machine in it: " + std::to_string(restarts_));
    return {rows_.csv(), assumptions_};
  }

 private:
  void read_line(std::string_view line) {
    if (line.starts_with('#')) return read_header(line.substr(1));
    if (names_.empty()) throw InputError(place_, "the header '# hostname;interval;timestamp;CPU;...' is missing.");
    const Words fields = split(line, ';');
    if (fields.size() == 4 && fields[3].starts_with("LINUX-RESTART")) {
      ++restarts_;
      return rows_.begin(stamp(fields));
    }
    if (fields.size() != names_.size())
      throw InputError(place_, "this row has " + std::to_string(fields.size()) + " fields where the header names " +
                                   std::to_string(names_.size()) + ".");
    if (fields[index_of(names_, "CPU")] != "-1") return;  // one core of several
    rows_.row(stamp(fields),
              availability_text(fields[index_of(names_, "%idle")], fields[index_of(names_, "%iowait")], place_));
  }
  void read_header(std::string_view line) {
    const Words names = split(line, ';');
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
  std::size_t restarts_ = 0;
  std::vector<std::string> assumptions_{
      kIowait, kAllCores,
      "stamps are the ends of their intervals; the first row gives no more than where the next begins"};
};

class VmstatReader {
 public:
  explicit VmstatReader(const std::string& file) : place_{file, 0, ""} {}

  MonitorRows read(const std::string& text) {
    for (const std::string_view line : text_lines(text, place_.file)) {
      ++place_.line;
      if (const Words fields = words(std::string(line)); !fields.empty() && fields.front() != "procs") row(fields);
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
    rows_.row(stamp, availability_text(fields[index_of(names_, "id")], fields[index_of(names_, "wa")], place_));
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
};

using Json = nlohmann::json;

Json json_of(const std::string& text, const std::string& file) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& e) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(e.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    throw InputError({file, static_cast<int>(line), ""}, "this is no JSON.");
  } catch (const Json::out_of_range&) {
    throw InputError({file, 0, ""}, "a number in this JSON is beyond all bounds.");
  }
}

/// A text of an object; "" where there is none.
std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// A stamp or a value, as written: a text, or a number.
std::string sample_text(const Json& part) { return part.is_string() ? part.get<std::string>() : part.dump(); }

}  // namespace

MonitorRows rows_of_sadf(const std::string& text, const std::string& file) { return SadfReader(file).read(text); }

MonitorRows rows_of_vmstat(const std::string& text, const std::string& file) { return VmstatReader(file).read(text); }

MonitorRows rows_of_prometheus(const std::string& text, const std::string& file) {
  const Place place{file, 0, ""};
  const Json answer = json_of(text, file);
  if (text_in(answer, "status") == "error")
    throw InputError(place, "Prometheus reports an error: " + text_in(answer, "error"));
  const Json data = answer.is_object() ? answer.value("data", Json()) : Json();
  const Json series = data.is_object() ? data.value("result", Json()) : Json();
  if (text_in(data, "resultType") != "matrix" || !series.is_array())
    throw InputError(place, "a matrix is needed, as /api/v1/query_range gives it.");
  if (series.size() != 1)
    throw InputError(place, "the answer holds " + std::to_string(series.size()) +
                                " series where one is needed; name the machine in the query.");
  MonitorRows rows{"timestamp,value\n", {"a sample's value holds from its stamp to the next sample"}};
  for (const Json& sample : series.front().is_object() ? series.front().value("values", Json::array()) : Json::array()) {
    if (!sample.is_array() || sample.size() != 2) throw InputError(place, "a sample is [stamp, \"value\"].");
    rows.csv += sample_text(sample.front()) + "," + sample_text(sample.back()) + "\n";
  }
  return rows;
}

}  // namespace nowsim

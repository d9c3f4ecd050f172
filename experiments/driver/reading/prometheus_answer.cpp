// Prometheus' JSON as rows: the samples of one series, or of one of each machine.
#include <algorithm>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "experiments/driver/reading/monitor_rows.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

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
    if (series_.empty())
      throw InputError(place_, "the answer holds no series: has the query's machine another name, or is the time another?");
    if (is_sample_wrong_) throw InputError(place_, "a sample is [stamp, \"value\"].");
    return rows();
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
                                                              {"resultType", 't'}, {"result", 'r'}, {"values", 'v'}, {"metric", 'm'}};
    if (at_.size() == kLabel.size() && at_.starts_with(kMetric)) label_ = name;
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
  struct Series {
    std::map<std::string, std::string> labels = {};
    std::vector<std::string> samples = {};  ///< "stamp,value"
  };
  /// Where a value stands, a letter a level: of objects that of its key, of lists kMember.
  static constexpr char kOther = '?', kMember = '*';
  static constexpr std::string_view kStatus = "s", kError = "e", kType = "dt", kResult = "dr", kSeries = "dr*",
                                    kValues = "dr*v", kSample = "dr*v*", kField = "dr*v**",
                                    kMetric = "dr*m", kLabel = "dr*m?";

  bool scalar(const std::string& text) {
    if (at_ == kSeries) series_.emplace_back();
    if (at_.size() == kLabel.size() && at_.starts_with(kMetric)) series_.back().labels[label_] = text;
    if (at_ == kSample || at_ == kValues) is_sample_wrong_ = true;
    if (at_ != kField || ++fields_ > 2) return true;
    if (fields_ == 1) series_.back().samples.push_back(text);
    else series_.back().samples.back() += "," + text;
    return true;
  }
  bool open(bool is_list) {
    if (at_ == kSeries) series_.emplace_back();
    if (at_ == kSample) fields_ = 0;
    if (at_ == kResult)
      is_result_list_ = is_list, series_.clear();  // of a key that is there twice, the last one counts
    if (at_ == kValues) series_.back().samples.clear();
    if (at_ == kField || (!is_list && (at_ == kValues || at_ == kSample))) is_sample_wrong_ = true;
    at_ += is_list ? kMember : kOther;
    return true;
  }
  bool close() {
    at_.pop_back();
    if (at_ == kSample && fields_ != 2) is_sample_wrong_ = true;
    return true;
  }

  /// The label that names the machines: one that all series have, each with a value of its own.
  [[nodiscard]] std::string machine_label() const {
    const auto names_each = [&](const std::string& label) {
      std::set<std::string> values;
      for (const auto& series : series_) {
        const auto found = series.labels.find(label);
        if (found == series.labels.end() || !values.insert(found->second).second) return false;
      }
      return true;
    };
    for (const char* label : {"instance", "host", "hostname", "node", "nodename", "machine", "server"})
      if (names_each(label)) return label;
    Words differing;
    for (const auto& [label, value] : series_.front().labels)
      if (std::ranges::any_of(series_, [&](const Series& s) { return !s.labels.contains(label) || s.labels.at(label) != value; }))
        differing.push_back(label);
    throw InputError(place_, "the answer holds " + std::to_string(series_.size()) + " series, and no label such as instance names a machine " +
                                 "of each" + (differing.empty() ? "" : " (they differ in " + some_names(differing) + ")") +
                                 "; ask for one series of each machine, as by 'avg by (instance) (...)'.");
  }
  MonitorRows rows() {
    const std::string label = series_.size() > 1 ? machine_label() : "";
    MonitorRows rows{label.empty() ? "timestamp,value\n" : "timestamp,value,machine\n",
                     {"a sample's value holds from its stamp to the next sample"}};
    rows.measure = LoadMeasure::utilisation_percent;
    for (const auto& series : series_) {
      std::string machine;
      if (!label.empty()) {
        machine = ",\"";
        for (const char c : series.labels.at(label)) machine += c == '"' ? "\"\"" : c == '\n' || c == '\r' ? " " : std::string(1, c);
        machine += '"';
      }
      for (const auto& sample : series.samples) rows.csv += sample + machine + "\n";
    }
    if (!label.empty()) rows.assumptions.push_back("machines are told by the label " + label);
    return rows;
  }

  const std::string& text_;
  Place place_;
  std::string at_;  // where what is read next stands
  std::string status_, error_, type_;
  bool is_result_list_ = false, is_sample_wrong_ = false;
  std::size_t fields_ = 0;
  std::string label_;  // of the metric, whose value is next
  std::vector<Series> series_;
};

}  // namespace

MonitorRows rows_of_prometheus(const std::string& text, const std::string& file) {
  return PrometheusReader(text, file).read();
}

std::string sample_of_line(const std::string& csv, int line) {
  const auto machine_in = [](std::string_view row) {
    const auto at = row.find(",\"");
    return at == row.npos ? std::string_view() : row.substr(at + 2, row.size() - at - 3);
  };
  std::string_view rest = csv, machine;
  int sample = 0;
  for (int at = 1; at <= line && !rest.empty(); ++at) {
    const std::string_view row = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(row.size() + 1, rest.size()));
    sample = at == 1 || machine_in(row) != machine ? 1 : sample + 1;
    if (at == 2) sample = 1;
    machine = machine_in(row);
  }
  return (machine.empty() ? "" : std::string(machine) + ": ") + "sample " + std::to_string(sample);
}

}  // namespace nowsim

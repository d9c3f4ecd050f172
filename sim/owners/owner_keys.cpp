// Reading keys; files and formulas of laws, each file once.
#include "sim/owners/owner_keys.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/statistics/user_laws.hpp"

namespace nowsim {
namespace {

constexpr std::string_view kHostPattern = "{host}";

/// The file of a pattern that is a workstation's own.
std::string checked_file_of(KeyReader& read, const std::string& key, const std::string& pattern, const std::string& host) {
  namespace fs = std::filesystem;
  std::string file = read.checked_file(key, with_host(pattern, host));
  std::error_code ignored;
  if (file.empty() || pattern.find(kHostPattern) == std::string::npos || fs::exists(fs::symlink_status(file, ignored)))
    return file;
  const std::string folder = fs::path(file).parent_path().string();
  const bool is_own_folder = fs::path(pattern).parent_path().string().find(kHostPattern) != std::string::npos;
  if (folder.empty() || is_own_folder || fs::exists(folder, ignored))
    throw MissingOfHost(key, "there is no " + pattern + " for", host, "");
  read.problem(key, "there is no folder " + folder + ", where a file of each workstation is looked for");
  return "";
}

/// What was made of a file.
struct FileLaw {
  DistributionPtr law;
  std::string content;
};

template <class Make>
SaidLaw law_of_file(KeyReader& read, const OwnerContext& context, const std::string& key, const char* kind, Make make) {
  const std::string file = file_of_host(read, key, context.host);
  if (file.empty()) return {};
  return noted(read, key, [&] {
    const auto found = context.shared.get<FileLaw>(kind + file, [&] { return std::make_shared<const FileLaw>(make(file)); });
    return SaidLaw{found->law, {kind + file, kind + found->content}};
  });
}

SaidLaw law_of_formula(KeyReader& read, const std::string& key, const FormulaRange& range) {
  const WrittenFormula written = read.formula(key);
  if (!written.formula) return {};
  std::string text = "formula '" + written.text + "'";
  for (const auto& [name, value] : written.keys) text += " " + name + "=" + number_text(value);
  return noted(read, key, [&] { return SaidLaw{formula_law(written, range), {text, text}}; });
}

void require_some(const Distribution& law, const std::string& file, const char* what) {
  if (!(law.mean() > 0)) throw InputError({file, 0, ""}, std::string("all of these ") + what + " are 0");
}

/// Each of a file's numbers, up to `most`, equally likely.
FileLaw law_of_numbers(const std::string& file, double most, const char* what) {
  const std::vector<double> numbers = read_numbers(file, most);
  FileLaw made{empirical(numbers), ""};
  for (const double x : numbers) made.content += (made.content.empty() ? "" : " ") + number_text(x);
  require_some(*made.law, file, what);
  return made;
}

HistogramBin bin_of(const std::string& file, int line, const std::vector<double>& row) {
  const auto refuse = [&](const std::string& sentence) { throw InputError({file, line, ""}, sentence); };
  if (row.size() != 2 && row.size() != 3)
    refuse("there " + (row.size() == 1 ? std::string("is 1 number") : "are " + std::to_string(row.size()) + " numbers") +
           " in this line; a histogram's has two, a value and its weight, or three, a bin's ends and its weight");
  const HistogramBin bin{row[0], row[row.size() - 2], row.back()};
  if (!(bin.low >= 0 && bin.low <= bin.high && bin.high <= 1))
    refuse("an availability is from 0 to 1, and a bin's ends are in order, not " + number_text(bin.low) +
           (row.size() == 3 ? " to " + number_text(bin.high) : ""));
  if (!(bin.weight >= 0)) refuse("a weight is 0 or more, not " + number_text(bin.weight));
  return bin;
}

std::string text_of_bins(const std::vector<HistogramBin>& bins) {
  std::string text;
  for (const auto& [low, high, weight] : bins)
    text += " " + number_text(low) + (high > low ? ".." + number_text(high) : "") + ":" + number_text(weight);
  return text.empty() ? text : text.substr(1);
}

FileLaw histogram_of_file(const std::string& file) {
  std::vector<HistogramBin> bins;
  for_number_rows(read_user_file(file, kMostDataBytes), file, "#",
                  [&](int line, const std::vector<double>& row) { bins.push_back(bin_of(file, line, row)); });
  FileLaw made{histogram(bins), text_of_bins(bins)};
  require_some(*made.law, file, "availabilities");
  return made;
}

SaidLaw read_histogram(KeyReader& read, const OwnerContext& context) {
  if (!read.has("values")) return law_of_file(read, context, "value_file", "histogram ", histogram_of_file);
  refuse_keys(read, {"value_file"}, "values and value_file say the same in two ways: give one of them");
  const auto values = read.values("values");
  const auto weights = read.has("weights") ? read.values("weights") : std::vector<double>(values.size(), 1);
  if (weights.size() != values.size()) {
    read.problem("weights", "there are " + std::to_string(weights.size()) + " weights and " +
                                std::to_string(values.size()) + " values: each value has a weight");
    return {};
  }
  std::vector<HistogramBin> bins;
  for (std::size_t i = 0; i < values.size(); ++i) bins.push_back({values[i], values[i], weights[i]});
  const std::string text = "histogram " + text_of_bins(bins);
  return noted(read, "values", [&] {
    SaidLaw said{histogram(bins), text, text};
    require_some(*said.law, "", "values");
    return said;
  });
}

}  // namespace

Key correlation_key() {
  return {"correlation", KeyType::share, "0", "weight of what it has in common with other workstations, 0 to 1", {0, 1}};
}

double read_correlation_of_start(KeyReader& read, const char* key, bool is_random) {
  const double correlation = read.value("correlation");
  if (is_random || correlation == 0) return correlation;
  read.problem("correlation", std::string("a correlation is one of random starts; it needs '") + key + ": random'");
  return 0;
}

Key file_key(const std::string& what) {
  return {"file", KeyType::path, kMustBeGiven, what + "; {host} stands for the workstation's name"};
}

Key folder_key() { return {"folder", KeyType::path, "", "the folder that 'file' is in"}; }

std::string with_host(std::string text, const std::string& host) {
  for (std::size_t at = 0; (at = text.find(kHostPattern, at)) != std::string::npos; at += host.size())
    text.replace(at, kHostPattern.size(), host);
  return text;
}

std::string file_of_host(KeyReader& read, const std::string& key, const std::string& host) {
  const std::string file = read.path(key);
  return file.empty() ? "" : checked_file_of(read, key, file, host);
}

std::string read_file_of_host(KeyReader& read, const std::string& host) {
  const bool in_folder = read.has("folder");
  const std::string folder = in_folder ? read.path("folder") : "";
  std::string file = read.path("file");
  if (file.empty() || (in_folder && folder.empty())) return "";
  if (in_folder) file = (std::filesystem::path(folder) / read.text("file")).lexically_normal().string();
  return checked_file_of(read, "file", file, host);
}

void refuse_keys(KeyReader& read, std::initializer_list<const char*> keys, const std::string& reason) {
  for (const char* key : keys)
    if (read.has(key)) read.problem(key, reason);
}

DistributionPtr TimeLaw::with_mean(double mean) const {
  return has_own_mean() ? said.law : make_length_law(name, mean, spread);
}

ToldKeys TimeLaw::told(const std::string& key) const {
  ToldKeys all;
  all += " " + key + "=";
  return all += has_own_mean() ? said.told : ToldKeys{name, name};
}

TimeLaw read_time_law(KeyReader& read, const OwnerContext& context, const TimeLawKeys& keys) {
  TimeLaw made;
  const std::size_t word = read.word(keys.law);
  made.name = time_law_words()[word];
  const auto times_of = [](const std::string& file) { return law_of_numbers(file, kInfinity, "times"); };
  if (made.name == "file") made.said = law_of_file(read, context, keys.file, "file ", times_of);
  if (made.name == "formula") made.said = law_of_formula(read, keys.formula, {0, kInfinity, "a time"});
  if (made.has_own_mean()) {
    if (!made.said.law) made.said.law = constant(1);
    return made;
  }
  const auto spread = length_laws()[word].spread;
  if (spread == LengthLaw::Spread::none) return made;
  const std::string key = spread == LengthLaw::Spread::shape ? keys.shape : keys.cv;
  made.spread = read.value(key);
  made.spread_text = " " + key + "=" + number_text(made.spread);
  return made;
}

std::vector<std::string> time_law_words() {
  auto words = words_in(length_laws());
  words.insert(words.end(), {"file", "formula"});
  return words;
}

KeyTable time_law_rows(const TimeLawKeys& keys) {
  const std::string with = std::string("with ") + keys.law + ": ";
  return {{keys.shape, KeyType::number, kMustBeGiven, with + "pareto, its shape, above 2", {2, kInfinity, true}},
          {keys.cv, KeyType::number, kMustBeGiven, with + "weibull, lognormal, its sd / mean", {kLeastCv, kMostCv}},
          {keys.file, KeyType::path, kMustBeGiven, with + "file, times [s], each equally likely; {host} as in file names"},
          {keys.formula, KeyType::formula, kMustBeGiven, with + "formula, a time [s] by u, uniform on [0, 1)"}};
}

const std::vector<std::string>& said_value_words() {
  static const std::vector<std::string> words{"file", "histogram", "formula"};
  return words;
}

SaidLaw read_said_values(KeyReader& read, const OwnerContext& context, const std::string& word) {
  const auto values_of = [](const std::string& file) { return law_of_numbers(file, 1, "availabilities"); };
  if (word == "file") return law_of_file(read, context, "value_file", "file ", values_of);
  if (word == "histogram") return read_histogram(read, context);
  return law_of_formula(read, "value_formula", {0, 1, "an availability"});
}

KeyTable said_value_rows() {
  return {{"value_file", KeyType::path, kMustBeGiven,
           "value: file, availabilities, equally likely; histogram, lines 'value weight' or 'low high weight'"},
          {"values", KeyType::share, "", "with value: histogram, in place of value_file: its values", {0, 1}, {}, true},
          {"weights", KeyType::number, "", "with values: their weights; equal where not given", {}, {}, true},
          {"value_formula", KeyType::formula, kMustBeGiven,
           "with value: formula, the availability by u, uniform on [0, 1)"}};
}

}  // namespace nowsim

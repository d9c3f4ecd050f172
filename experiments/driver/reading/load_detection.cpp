// What tells formats of loads apart, what is none of them, and what is said where nobody knows.
#include "experiments/driver/reading/load_detection.hpp"

#include <algorithm>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/keys.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/recordings.hpp"

namespace nowsim {
namespace {

using Sureness = FormatGuess::Sureness;

constexpr std::size_t kFirstLines = 60, kFirstBytes = 2000, kFirstWords = 40;

bool is_comment(const FirstLines::Line& line) { return line.text.starts_with('#') || line.text.starts_with('%'); }

/// Without the last field, which is perhaps not whole.
std::string_view whole_fields(std::string_view line, char separator) {
  std::size_t end = line.size();
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    is_quoted = is_quoted != (line[i] == '"');
    if (line[i] == separator && !is_quoted) end = i;
  }
  return line.substr(0, end);
}

/// By the magic number of its activity files, in either order of bytes.
bool is_binary_of_sysstat(const std::string& text) { return text.starts_with("\x96\xd5") || text.starts_with("\xd5\x96"); }

/// What is known, and is no load that is read.
struct OtherFile {
  bool (*is_it)(const FirstLines& lines);
  const char* what;
};
const OtherFile kOtherFiles[] = {
    {[](const FirstLines& lines) { return lines.any_holds("event_start_time") || lines.any_holds("avail_start_time"); },
     "these are states or events of machines as the Failure Trace Archive has them (up and down), no load, and not read."},
    {[](const FirstLines& lines) {
       return lines.any_has({"JobID", "SubmitTime"}) || lines.any_has({"#JobID", "SubmitTime"});
     },
     "this is a log of jobs in the Grid Workloads Format, no load; the owner model 'jobs' replays logs in the Standard Workload Format."},
    {[](const FirstLines& lines) { return lines.any_begins("avg-cpu:"); },
     "this is what iostat writes; 'sar -u 10' and 'mpstat 10' write what is read."},
    {[](const FirstLines& lines) { return lines.begins("<?xml") || lines.begins("<platform") || lines.begins("<!DOCTYPE"); },
     "this is XML, perhaps a platform, and no load."},
    {[](const FirstLines& lines) { return lines.any_begins("nowsim:"); },
     "this is an experiment of nowsim's, and no load."},
};

/// "line 1: 'a' | 'b' (between commas)".
std::string as_understood(const FirstLines& lines) {
  constexpr std::size_t kShown = 3, kMostShownFields = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, lines.lines().size()); ++i) {
    const auto& line = lines.lines()[i];
    Words fields = lines.fields(line);
    const bool is_table = fields.size() > 1;
    if (!is_table) fields = line.words;
    std::string shown;
    for (std::size_t k = 0; k < std::min(kMostShownFields, fields.size()); ++k) shown += (k > 0 ? " | " : "") + quoted(fields[k]);
    if (fields.size() > kMostShownFields) shown += " | ...";
    text += (i > 0 ? "; line " : "line ") + std::to_string(line.number) + ": " + shown;
    if (fields.size() > 1) text += std::string(" (between ") + (is_table ? separator_name(lines.separator()) : "blanks") + ")";
  }
  return text;
}

[[noreturn]] void refuse_unknown_format(const FirstLines& lines, const std::string& file) {
  throw InputError({file, 0, ""}, "it is not clear what this file is. It begins with " + as_understood(lines) + ". Formats that are read: " +
                                      joined(words_in(load_formats())) +
                                      "; --from says which it is, 'nowsim help monitors' how each is recorded.");
}

}  // namespace

FirstLines::FirstLines(const std::string& text, const std::string& file, const LoadReading& reading)
    : reading_(reading), separator_(separator_of(text, file)) {
  int number = 0;
  for (const std::string_view whole : TextLines(text, file)) {
    ++number;
    const bool is_cut = whole.size() > kFirstBytes;
    std::string_view line = trimmed(is_cut ? whole_fields(whole.substr(0, kFirstBytes), separator_) : whole);
    if (line.empty() || (lines_.empty() && line.starts_with("sep="))) continue;
    lines_.push_back({number, std::string(line), {}, is_cut});
    for (auto word = next_word(line); !word.empty() && lines_.back().words.size() < kFirstWords; word = next_word(line))
      lines_.back().words.emplace_back(word);
    if (lines_.size() == kFirstLines) return;
  }
}

Words FirstLines::fields(const Line& line) const try {
  return comma_fields(line.text, {}, separator_);
} catch (const InputError&) {
  return {};
}
const FirstLines::Line* FirstLines::first_said() const {
  const auto found = std::ranges::find_if_not(lines_, is_comment);
  return found == lines_.end() ? nullptr : &*found;
}
bool FirstLines::any_begins(std::string_view text) const {
  return std::ranges::any_of(lines_, [&](const Line& line) { return line.text.starts_with(text); });
}
bool FirstLines::any_holds(std::string_view text) const {
  return std::ranges::any_of(lines_, [&](const Line& line) { return line.text.find(text) != line.text.npos; });
}
bool FirstLines::any_has(const Words& words) const {
  return std::ranges::any_of(lines_, [&](const Line& line) {
    return std::ranges::search(line.words, words).begin() != line.words.end();
  });
}

FormatGuess recognise_csv(const FirstLines& lines) {
  if (!lines.reading().columns.empty()) return {Sureness::sure, "--columns names its columns"};
  const std::string sign = std::string("columns between ") + separator_name(lines.separator());
  std::size_t width = 0;
  bool is_even = true, has_numbers = false;
  const FirstLines::Line* header = nullptr;
  for (const auto& line : lines.lines()) {
    const Words fields = lines.fields(line);
    if (header == nullptr) header = &line, width = fields.size();
    is_even = is_even && (fields.size() == width || line.is_cut || header->is_cut);
    has_numbers = has_numbers || (&line != header && std::ranges::any_of(fields, [](const auto& field) {
                                    return parse_stamp(field).has_value();
                                  }));
  }
  if (header == nullptr || (width < 2 && !lines.any_holds(std::string(1, lines.separator())))) return {};
  const Words names = lines.fields(*header);
  const bool is_header = std::ranges::any_of(names, [](const auto& name) {
    return name == kUsualLoad || measure_of_column(name).has_value();
  });
  const bool is_data = std::ranges::any_of(names, [](const auto& name) { return parse_stamp(name).has_value(); });
  if (width > 1 && is_even && (has_numbers || is_header || is_data)) return {Sureness::sure, sign};
  if (has_numbers || is_header || is_data) return {Sureness::likely, sign};
  return {};
}

FormatGuess recognise_values(const FirstLines& lines) {
  const auto* line = lines.first_said();
  if (line != nullptr && line->words.size() == 1 && to_number(line->words.front())) return {Sureness::sure, "a number a line"};
  return {};
}

FormatGuess recognise_profile(const FirstLines& lines) {
  const auto* line = lines.first_said();
  if (line == nullptr) return {};
  for (const char* keyword : {"PERIODICITY", "LOOPAFTER", "STOCHASTIC"})
    if (line->text.starts_with(keyword)) return {Sureness::sure, keyword};
  const Words words(line->words.begin(), std::ranges::find_if(line->words, [](const auto& word) { return word.starts_with('#'); }));
  if (words.size() == 2 && to_number(words[0]) && to_number(words[1])) return {Sureness::likely, "a date and a value a line"};
  return {};
}

FormatGuess recognise_proc_stat(const FirstLines& lines) {
  constexpr std::size_t kLeastCounts = 4;
  for (const auto& line : lines.lines()) {
    const auto cpu = std::ranges::find(line.words, "cpu");
    if (std::distance(cpu, line.words.end()) <= static_cast<std::ptrdiff_t>(kLeastCounts)) continue;
    if (std::all_of(cpu + 1, cpu + 1 + kLeastCounts, [](const auto& word) { return to_number(word).has_value(); }))
      return {Sureness::sure, "its line 'cpu'"};
  }
  return {};
}

KnownFormat format_of(const std::string& text, const std::string& file, const LoadReading& reading) {
  if (is_binary_of_sysstat(text))
    throw InputError({file, 0, ""}, "this is a binary file of sysstat's; 'sadf -d FILE -- -u > day.txt' writes what is read.");
  refuse_workload_log(text, file);
  const FirstLines lines(text, file, reading);
  if (lines.lines().empty()) throw InputError({file, 0, ""}, "this file is empty; a load trace is needed.");
  if (!reading.columns.empty()) return {LoadFormat::csv, recognise_csv(lines)};
  KnownFormat best{LoadFormat::csv, {}};
  for (const auto& info : load_formats()) {
    const FormatGuess guess = info.recognise(lines);
    if (guess.sureness >= best.guess.sureness) best = {info.format, guess};  // what monitors write is CSV too, or numbers
  }
  for (const auto& other : kOtherFiles)
    if (other.is_it(lines)) throw InputError({file, 0, ""}, other.what);
  if (best.guess.sureness == Sureness::none) refuse_unknown_format(lines, file);
  return best;
}

}  // namespace nowsim

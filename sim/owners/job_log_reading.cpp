// Reading logs of jobs: which format a file has is told by its first line, and what a line says by its columns.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/utf8.hpp"
#include "sim/owners/load_table.hpp"
#include "sim/owners/owner_jobs.hpp"

namespace nowsim {
namespace {

// ---- formats ---------------------------------------------------------------------------------------------------------

/// What of a job is read, by columns.
enum JobColumn : std::size_t { kNumber, kSubmit, kRun, kProcessors, kAskedProcessors, kStatus, kJobColumns };
/// What a line says of it; -1 where it says nothing.
using JobFields = std::array<double, kJobColumns>;

/// Of a file with a head the columns' names, of which the first that is there counts; of one without, fields' places.
struct JobFormat {
  std::array<const char*, kJobColumns> names;
  std::size_t least_fields = 0;
  std::array<std::size_t, kJobColumns> places = {};
};
constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1), kPlainFields = 2;
constexpr JobFormat kPlain{{}, kPlainFields, {kNoPlace, 0, 1, kNoPlace, kNoPlace, kNoPlace}},
    kStandard{{}, kWorkloadFields, {0, 1, 3, 4, 7, 10}};
constexpr JobFormat kHeadedFormats[] = {
    {{"job_id jobID", "submission_time", "execution_time",
      "requested_number_of_resources requested_number_of_processors", "", ""}},  // Batsim, evalys
    {{"", "time", "demand", "", "", ""}},
};
constexpr const char* kFormats =
    "a log has 2 numbers in each line, a time and a demand, or the 18 of the Standard Workload Format, or a head as that"
    " of Batsim and evalys: submission_time,execution_time,requested_number_of_resources";

using LogWords = std::vector<std::string>;

/// The lines of a file as jobs. What cannot be read is told with its place.
class JobLines {
 public:
  explicit JobLines(Place& place) : place_(place) {}

  /// Nothing for lines that tell of no job.
  std::optional<JobFields> read(std::string_view line) {
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#' || content.front() == ';') return std::nullopt;
    if (!is_known_ && read_head(content)) return std::nullopt;
    is_known_ = true;
    return separator_ != '\0' ? row(fields_of(content)) : row(words_of(content));
  }
  [[nodiscard]] bool is_plain() const { return !head_ && format_ == &kPlain; }
  [[nodiscard]] bool is_standard() const { return format_ == &kStandard; }
  [[nodiscard]] std::size_t most_fields() const { return most_fields_; }

 private:
  [[noreturn]] void fail(const std::string& sentence) const { throw InputError(place_, sentence); }

  LogWords fields_of(std::string_view content) const {
    if (separator_ == ',') return comma_fields(content, place_);
    LogWords fields;
    for (std::size_t end; (end = content.find(separator_)) != content.npos; content.remove_prefix(end + 1))
      fields.emplace_back(trimmed(content.substr(0, end)));
    fields.emplace_back(trimmed(content));
    return fields;
  }

  /// Comments may stand behind; in fields beyond those of the standard anything may.
  static LogWords words_of(std::string_view content) {
    const auto words = [](std::string_view rest) {
      LogWords all;
      for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) all.emplace_back(word);
      return all;
    };
    LogWords cut = words(content.substr(0, content.find_first_of("#;")));
    if (cut.size() <= kPlainFields || cut.size() >= kWorkloadFields) return cut;
    LogWords whole = words(content);
    return whole.size() >= kWorkloadFields ? whole : cut;
  }

  /// Whether the line names columns.
  bool read_head(std::string_view content) {
    for (const char separator : {',', '\t'}) {
      if (content.substr(0, content.find_first_of("#;")).find(separator) == content.npos) continue;
      separator_ = separator;
      const LogWords names = fields_of(content);
      for (const JobFormat& format : kHeadedFormats)
        if (is_head(names, format)) return is_known_ = head_ = true;
    }
    std::string_view rest = content;
    if (separator_ == ',' && !to_number(next_word(rest)) && !to_number(fields_of(content).front()))
      fail("no format of logs of jobs has these columns: " + quoted(content) + "; " + kFormats);
    separator_ = '\0';
    return false;
  }
  bool is_head(const LogWords& names, const JobFormat& format) {
    for (std::size_t c = 0; c < kJobColumns; ++c) {
      std::string_view known = format.names[c];
      places_[c] = kNoPlace;
      for (auto name = next_word(known); !name.empty() && places_[c] == kNoPlace; name = next_word(known))
        if (const auto at = std::ranges::find(names, name); at != names.end())
          places_[c] = static_cast<std::size_t>(at - names.begin());
    }
    most_fields_ = names.size();
    return places_[kSubmit] != kNoPlace && places_[kRun] != kNoPlace &&
           (*format.names[kProcessors] == '\0' || places_[kProcessors] != kNoPlace);
  }

  JobFields row(const LogWords& words) {
    const std::size_t found = words.size();
    if (head_ && found != most_fields_)
      fail("there are " + std::to_string(found) + " fields in this line, and the head has " +
           std::to_string(most_fields_));
    if (!head_) {
      const JobFormat* is = found == kPlainFields ? &kPlain : found >= kWorkloadFields ? &kStandard : nullptr;
      // What is no number is told first: it is more likely the mistake than how many there are.
      for (std::size_t k = 0; k < std::min(found, kPlainFields); ++k) number(words[k]);
      if (is == nullptr || (format_ != nullptr && is != format_))
        fail(std::string(found == 1 ? "there is 1 number" : "there are " + std::to_string(found) + " numbers") +
             " in this line; " + kFormats);
      format_ = is;
      places_ = is->places;
      most_fields_ = std::max(most_fields_, found);
    }
    JobFields job;
    for (std::size_t c = 0; c < kJobColumns; ++c) job[c] = places_[c] == kNoPlace ? -1 : number(words[places_[c]], c);
    return job;
  }
  /// A job's number with a head may be any word, and what a job without a time has there is empty.
  double number(const std::string& word, std::size_t column = kSubmit) const {
    if (head_ && (column == kNumber || (word.empty() && column != kSubmit))) return -1;
    const auto value = to_number(word);
    if (!value) fail(quoted(word) + " is no number" + foreign_character_hint(word));
    return *value;
  }

  Place& place_;
  const JobFormat* format_ = nullptr;  ///< of a file without a head
  bool is_known_ = false, head_ = false;
  char separator_ = '\0';
  std::array<std::size_t, kJobColumns> places_{};
  std::size_t most_fields_ = 0;
};

// ---- jobs ------------------------------------------------------------------------------------------------------------

/// The partial executions of a job: status 2 is a part that is to be continued, 3 and 4 are the last, completed or
/// killed.
struct PartialJob {
  int line;  ///< the first
  std::size_t lines = 0;
  double arrival_s = -1;  ///< only the first part has to have one
  double demand_s = 0;
};

/// A line of a log as a job; its demand is 0 or less where it did not run.
OwnerJob job_of(const JobFields& fields) {
  const double processors = fields[fields[kProcessors] > 0 ? kProcessors : kAskedProcessors];
  return {fields[kSubmit], fields[kRun] * std::max(processors, 1.0)};
}

class JobLogReader {
 public:
  explicit JobLogReader(const std::string& file) : place_{file, 0, ""} {}

  void add(int line, std::string_view content) {
    place_.line = line;
    const auto fields = lines_.read(content);
    if (!fields) return;
    const OwnerJob job = job_of(*fields);
    const bool is_standard = lines_.is_standard(), is_plain = lines_.is_plain();
    if (is_standard && (*fields)[kStatus] >= 2 && (*fields)[kStatus] <= 4) return add_part(line, *fields, job);
    if (is_standard) numbers_.push_back((*fields)[kNumber]);
    if (!is_plain && !(job.demand_s > 0)) return;
    if (!(job.demand_s >= 0)) fail("a demand is 0 s or more, not " + number_text(job.demand_s));
    if (!(job.arrival_s >= 0)) fail("a time is 0 s or more, not " + number_text(job.arrival_s));
    if (!log_.jobs.empty() && job.arrival_s < log_.jobs.back().arrival_s) ++early_;
    log_.jobs.push_back(job);
    log_.demand_s += job.demand_s;
  }

  JobLog finish() {
    remark_on_lines();
    add_jobs_of_parts();
    std::ranges::stable_sort(log_.jobs, {}, &OwnerJob::arrival_s);
    place_.line = 0;
    if (log_.jobs.size() < 2) fail("fewer than two jobs in this file ran; an interval from one to the next is needed");
    const double first_s = log_.jobs.front().arrival_s, span_s = log_.jobs.back().arrival_s - first_s;
    if (!(span_s > 0)) fail("all jobs of this file come at one time");
    if (!(log_.demand_s > 0)) fail("all jobs of this file need 0 s");
    if (!std::isfinite(log_.demand_s)) fail("the demands of this file add up to more than doubles hold");
    for (OwnerJob& job : log_.jobs) job.arrival_s -= first_s;
    log_.first.rest_s = first_s;
    const auto n = static_cast<double>(log_.jobs.size());
    log_.total_s = span_s * n / (n - 1);
    return std::move(log_);
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const { throw InputError(place_, sentence); }
  void remark_on_lines() {
    if (early_ > 0)
      log_.remarks.push_back("jobs do not stand in the order in which they come, " + std::to_string(early_) +
                             (early_ == 1 ? " of them comes" : " of them come") +
                             " before the one above: they are put in order");
    if (lines_.is_standard() && lines_.most_fields() > kWorkloadFields)
      log_.remarks.push_back("what stands behind the 18 fields of the Standard Workload Format is ignored (up to " +
                             std::to_string(lines_.most_fields()) + " in a line)");
  }
  void add_part(int line, const JobFields& fields, const OwnerJob& part) {
    if (!(fields[kNumber] >= 0)) fail("a partial execution (status 2, 3, 4) is of a job with a number");
    PartialJob& job = partial_.try_emplace(fields[kNumber], PartialJob{line}).first->second;
    ++job.lines;
    job.demand_s += std::max(part.demand_s, 0.0);
    if (part.arrival_s >= 0 && (job.arrival_s < 0 || part.arrival_s < job.arrival_s)) job.arrival_s = part.arrival_s;
  }

  /// Jobs that have a line of their own are told by that.
  void add_jobs_of_parts() {
    std::size_t lines = 0, jobs = 0;
    if (!partial_.empty()) std::ranges::sort(numbers_);
    for (const auto& [number, job] : partial_) {
      const bool is_told = std::ranges::binary_search(numbers_, number);
      if (is_told) lines += job.lines;
      if (is_told || !(job.demand_s > 0)) continue;
      place_.line = job.line;
      if (job.arrival_s < 0) fail("none of this job's partial executions (status 2, 3, 4) says when it was submitted");
      log_.jobs.push_back({job.arrival_s, job.demand_s});
      log_.demand_s += job.demand_s;
      ++jobs;
    }
    if (lines > 0)
      log_.remarks.push_back(std::to_string(lines) +
                             (lines == 1 ? " line of a partial execution is" : " lines of partial executions are") +
                             " left out (status 2, 3, 4): the jobs have lines of their own");
    if (jobs > 0)
      log_.remarks.push_back(std::to_string(jobs) + (jobs == 1 ? " job has" : " jobs have") +
                             " lines of partial executions alone, which are added up");
  }

  Place place_;
  JobLines lines_{place_};
  std::size_t early_ = 0;  ///< jobs that come before the one above
  std::vector<double> numbers_;           ///< of jobs that have a line of their own
  std::map<double, PartialJob> partial_;  ///< by the job's number
  JobLog log_;
};

/// When time 0 was, by the comments before a log's jobs [s since 1970]; none where they do not say it.
std::optional<double> unix_start_s(const std::string& text) {
  constexpr std::string_view kField = "UnixStartTime:";
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n')), content = trimmed(line);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (content.empty()) continue;
    if (!content.starts_with(';')) break;
    const auto at = content.find(kField);
    if (at == content.npos) continue;
    const auto seconds = to_number(trimmed(content.substr(at + kField.size())));
    return seconds && *seconds > 0 ? seconds : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

JobLog read_job_log(const std::string& file) {
  JobLogReader reader(file);
  const std::string text = read_user_file(file, kMostDataBytes);
  int line = 0;
  for (const std::string_view content : TextLines(text, file)) reader.add(++line, content);
  JobLog log = reader.finish();
  if (const auto since_1970_s = unix_start_s(text)) {
    log.first.kind = StampKind::utc;
    log.first.rest_s += *since_1970_s;
  }
  return log;
}

}  // namespace nowsim

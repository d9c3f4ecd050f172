// Logs of jobs: reading them, and replaying them as owner jobs.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/owners/load_table.hpp"
#include "sim/owners/owner_jobs.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kPlainFields = 2;
enum StandardField : std::size_t { kNumber = 0, kSubmit = 1, kRun = 3, kProcessors = 4, kAskedProcessors = 7, kStatus = 10 };

/// The partial executions of a job: status 2 is a part that is to be continued, 3 and 4 are the last, completed or
/// killed.
struct PartialJob {
  int line;  ///< the first
  std::size_t lines = 0;
  double arrival_s = -1;  ///< only the first part has to have one
  double demand_s = 0;
};

/// A line of a log as a job; its demand is 0 or less where it did not run.
OwnerJob job_of(const std::vector<double>& fields) {
  if (fields.size() == kPlainFields) return {fields[0], fields[1]};
  const double processors = fields[fields[kProcessors] > 0 ? kProcessors : kAskedProcessors];
  return {fields[kSubmit], fields[kRun] * std::max(processors, 1.0)};
}

class JobLogReader {
 public:
  explicit JobLogReader(const std::string& file) : place_{file, 0, ""} {}

  void add(int line, const std::vector<double>& fields) {
    place_.line = line;
    if (format_ == 0) format_ = fields.size();
    const std::size_t found = fields.size();
    if (found != format_ || (found != kPlainFields && found != kWorkloadFields))
      fail(std::string(found == 1 ? "there is 1 number" : "there are " + std::to_string(found) + " numbers") +
           " in this line; a log has 2 in each, a time and a demand, or the 18 of the Standard Workload Format");
    const OwnerJob job = job_of(fields);
    const bool is_standard = format_ == kWorkloadFields;
    if (is_standard && fields[kStatus] >= 2 && fields[kStatus] <= 4) return add_part(line, fields, job);
    if (is_standard) numbers_.push_back(fields[kNumber]);
    if (is_standard && !(job.demand_s > 0)) return;
    if (!(job.demand_s >= 0)) fail("a demand is 0 s or more, not " + number_text(job.demand_s));
    if (!(job.arrival_s >= 0)) fail("a time is 0 s or more, not " + number_text(job.arrival_s));
    if (!log_.jobs.empty() && job.arrival_s < log_.jobs.back().arrival_s)
      fail("the time " + number_text(job.arrival_s) + " s is before the one of the job above, " +
           number_text(log_.jobs.back().arrival_s) + " s: jobs stand in the order in which they come");
    log_.jobs.push_back(job);
    log_.demand_s += job.demand_s;
  }

  JobLog finish() {
    add_jobs_of_parts();
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
  void add_part(int line, const std::vector<double>& fields, const OwnerJob& part) {
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
    if (jobs > 0) std::ranges::stable_sort(log_.jobs, {}, &OwnerJob::arrival_s);
    if (lines > 0)
      log_.remarks.push_back(std::to_string(lines) +
                             (lines == 1 ? " line of a partial execution is" : " lines of partial executions are") +
                             " left out (status 2, 3, 4): the jobs have lines of their own");
    if (jobs > 0)
      log_.remarks.push_back(std::to_string(jobs) + (jobs == 1 ? " job has" : " jobs have") +
                             " lines of partial executions alone, which are added up");
  }

  Place place_;
  std::size_t format_ = 0;
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

/// What it has in these spans, one behind the other.
JobLog in_spans(const JobLog& log, const ClockSpans& spans) {
  JobLog out;
  out.first = log.first;
  for (const auto& [from_s, to_s] : spans) {
    for (const auto& job : log.jobs) {
      if (job.arrival_s < from_s || job.arrival_s >= to_s) continue;
      out.jobs.push_back({out.total_s + job.arrival_s - from_s, job.demand_s});
      out.demand_s += job.demand_s;
    }
    out.total_s += to_s - from_s;
  }
  return out;
}

class LoggedJobs final : public OwnerJobSource {
 public:
  LoggedJobs(std::shared_ptr<const JobLog> log, double scale, TraceStart start, std::string file,
             std::optional<std::uint64_t> set = {})
      : log_(std::move(log)), scale_(scale), start_(start), file_(std::move(file)), set_(set) {}
  OwnerJobSequence jobs(const StreamKey& key, double before_s) const override {
    double from_s = std::fmod(start_s(key) - before_s, log_->total_s);
    if (from_s < 0) from_s += log_->total_s;
    const auto first = std::ranges::lower_bound(log_->jobs, from_s, {}, &OwnerJob::arrival_s);
    return [this, at = first, passed_s = -from_s]() mutable {
      if (at == log_->jobs.end()) {
        at = log_->jobs.begin();
        passed_s += log_->total_s;
      }
      const OwnerJob& job = *at++;
      return OwnerJob{passed_s + job.arrival_s, scale_ * job.demand_s};
    };
  }
  double forgets_within_s(int /*cores*/, std::optional<double> /*utilisation*/) const override {
    constexpr double kMostJobs = 20000;
    return std::min(log_->total_s, kMostJobs * mean_interval_s());
  }
  double mean_interval_s() const override { return log_->total_s / static_cast<double>(log_->jobs.size()); }
  double mean_demand_s() const override { return scale_ * log_->demand_s / static_cast<double>(log_->jobs.size()); }
  double period_s() const override { return log_->total_s; }
  double replayed_after_s() const override { return log_->total_s; }
  bool begins_at_random() const override { return start_ != TraceStart::beginning; }
  Dependence dependence() const override { return {is_own() ? Dependence::Kind::none : Dependence::Kind::start}; }
  std::optional<RecordedSeries> recording() const override {
    const bool is_asked_for = start_ == TraceStart::common;
    if (set_ || (!is_asked_for && start_ != TraceStart::random)) return std::nullopt;
    return RecordedSeries{clock_of(log_->first, file_, is_asked_for), log_->first, {{0, log_->total_s}}, log_, is_asked_for};
  }
  std::uint64_t content_hash() const override {
    std::uint64_t hash = 0;
    for (const auto& [arrival_s, demand_s] : log_->jobs) hash = hash_of({arrival_s, demand_s}, hash);
    return hash;
  }
  OwnerJobSourcePtr replayed_together(const ClockSpans& kept, std::uint64_t set) const override {
    constexpr double kAll = 1 - 1e-9;
    const bool is_whole = length_s(kept) >= kAll * log_->total_s;
    const auto cut = is_whole ? log_ : std::make_shared<const JobLog>(in_spans(*log_, kept));
    if (!(cut->demand_s > 0)) return nullptr;
    // Demands that are scaled to a utilisation have it in what is replayed.
    const double scale = is_whole || scale_ == 1
                             ? scale_
                             : scale_ * (log_->demand_s / log_->total_s) / (cut->demand_s / cut->total_s);
    return std::make_shared<const LoggedJobs>(cut, scale, TraceStart::common, file_, set);
  }
  std::string content() const override {
    std::string text = set_ ? " together " + std::to_string(*set_) + " scale=" + number_text(scale_) : "";
    for (const auto& [arrival_s, demand_s] : log_->jobs)
      text += " " + number_text(arrival_s) + ":" + number_text(demand_s);
    return text;
  }

 private:
  [[nodiscard]] bool is_own() const { return start_ == TraceStart::random || start_ == TraceStart::independent; }
  double start_s(const StreamKey& key) const {
    if (start_ == TraceStart::beginning) return 0;
    return (is_own() ? drawn_start(key) : drawn_start_of_set(key, set_.value_or(0))) * log_->total_s;
  }
  std::shared_ptr<const JobLog> log_;
  double scale_;
  TraceStart start_;
  std::string file_;
  std::optional<std::uint64_t> set_;  ///< with which others it begins, where that is decided
};

}  // namespace

JobLog read_job_log(const std::string& file) {
  JobLogReader reader(file);
  const std::string text = read_user_file(file, kMostDataBytes);
  for_number_rows(text, file, "#;", [&](int line, const std::vector<double>& fields) { reader.add(line, fields); });
  JobLog log = reader.finish();
  if (const auto since_1970_s = unix_start_s(text)) {
    log.first.kind = StampKind::utc;
    log.first.rest_s += *since_1970_s;
  }
  return log;
}

OwnerJobSourcePtr logged_jobs(std::shared_ptr<const JobLog> log, double scale, TraceStart start, std::string file) {
  return std::make_shared<const LoggedJobs>(std::move(log), scale, start, std::move(file));
}

}  // namespace nowsim

#include "experiments/driver/shards/shard_report.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <system_error>
#include <tuple>
#include <utility>

#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

double seconds_between(fs::file_time_type from, fs::file_time_type to) {
  return std::chrono::duration<double>(to - from).count();
}

/// What is published of one description of an experiment, and when.
class Published {
 public:
  void add(const PieceHead& piece, fs::file_time_type time) {
    std::uint64_t found = 0;
    for (const auto& batch : piece.batches) found += batches_.insert(piece.published(batch)).second ? 1 : 0;
    times_[time] += found;
    status_.failures += piece.failures;
    attempts_.insert(piece.attempt.id);
    status_.shards = std::max(status_.shards, piece.attempt.shards);
    if (piece.attempt.began < latest_) return;
    latest_ = piece.attempt.began;
    status_.batches = piece.attempt.wanted;
  }

  [[nodiscard]] ShardStatus status(const std::string& experiment, fs::file_time_type now) const {
    ShardStatus status = status_;
    status.experiment = experiment;
    status.published = batches_.size();
    status.attempts = attempts_.size();
    status.last_s = std::max(0.0, seconds_between(times_.rbegin()->first, now));
    status.rate_per_s = rate_per_s();
    return status;
  }

 private:
  /// What came with the first piece was simulated before that time began.
  [[nodiscard]] double rate_per_s() const {
    const double passed_s = seconds_between(times_.begin()->first, times_.rbegin()->first);
    return passed_s > 0 ? static_cast<double>(batches_.size() - times_.begin()->second) / passed_s : 0;
  }

  ShardStatus status_;
  std::string latest_;  // when the attempt began that began last
  std::set<PublishedBatch> batches_;
  std::set<std::string> attempts_;
  std::map<fs::file_time_type, std::uint64_t> times_;  // batches that came then
};

/// Of pieces in their place, while others publish and take in.
template <class Do>
void each_head(const ShardFolder& folder, std::vector<std::string>& remarks, const Do& action) {
  for (const auto& name : folder.names(kPieceEnding)) {
    try {
      if (const auto head = head_of(folder, name)) action(name, *head);
    } catch (const std::runtime_error& e) {
      remarks.push_back(std::string(e.what()) + "; it does not count");
    }
  }
}

std::string time_text(double seconds) { return format_quantity(seconds, Dimension::time); }

}  // namespace

std::vector<PieceInfo> published_pieces(const ShardFolder& folder, std::vector<std::string>& remarks) {
  std::vector<PieceInfo> pieces;
  each_head(folder, remarks, [&](const std::string& name, const PieceHead& head) { pieces.push_back(head.info(name)); });
  return pieces;
}

std::vector<AttemptSum> attempts_of(const std::vector<PieceInfo>& pieces) {
  std::map<std::string, AttemptSum> sums;
  std::set<std::string> counted;  // what is taken in may be in its place still
  for (const auto& piece : pieces) {
    if (!counted.insert(piece.name).second) continue;
    AttemptSum& sum = sums[piece.attempt.id];
    if (sum.pieces++ == 0) {
      sum.sum = piece;
      continue;
    }
    sum.sum.ended = std::max(sum.sum.ended, piece.ended);
    sum.sum.batches += piece.batches;
    sum.sum.replications += piece.replications;
    sum.sum.failures += piece.failures;
    sum.sum.seconds += piece.seconds;
  }
  std::vector<AttemptSum> all;
  for (auto& [id, sum] : sums) all.push_back(std::move(sum));
  std::ranges::sort(all, {}, [](const AttemptSum& a) {
    return std::tuple(a.sum.attempt.experiment, a.sum.attempt.shard, a.sum.attempt.began, a.sum.attempt.id);
  });
  return all;
}

std::vector<ShardStatus> status_of(const ShardFolder& folder, std::vector<std::string>& remarks) {
  std::map<std::pair<std::string, std::string>, Published> published;  // by experiment and plan
  each_head(folder, remarks, [&](const std::string& name, const PieceHead& head) {
    std::error_code ignored;
    published[{head.attempt.experiment, head.attempt.plan}].add(head, fs::last_write_time(folder.path() / name, ignored));
  });
  const auto now = folder.now();
  std::vector<ShardStatus> all;
  for (const auto& [what, of] : published) all.push_back(of.status(what.first, now));
  return all;
}

namespace {

constexpr const char* kUnknown = "-";

Fields attempt_fields(const AttemptSum& a) {
  const Attempt& who = a.sum.attempt;
  return {{"experiment", who.experiment, kEverywhere},
          {"shard", std::to_string(who.shard) + "/" + std::to_string(who.shards), kEverywhere},
          {"host", who.host, kEverywhere},
          {"job", who.job.empty() ? Value() : Value(who.job)},
          {"job", who.job.empty() ? kUnknown : who.job, kInTable},
          {"began", who.began, kEverywhere, "UTC"},
          {"ended", a.sum.ended, kEverywhere, "UTC"},
          {"pieces", static_cast<std::uint64_t>(a.pieces), kEverywhere},
          {"batches", a.sum.batches, kEverywhere},
          {"replications", a.sum.replications, kEverywhere},
          {"failed", a.sum.failures, kEverywhere},
          {"batches_took_s", a.sum.seconds},
          {"they took", time_text(a.sum.seconds), kInTable},
          {"processor", who.processor},
          {"version", who.version},
          {"program", who.program}};
}

/// How long it will take as it goes; not known where for minutes nothing has come.
std::optional<double> time_left_s(const ShardStatus& s) {
  constexpr double kSilence_s = 3 * kPublishEvery_s;
  if (s.left() == 0) return 0;
  if (s.rate_per_s > 0 && s.last_s < kSilence_s) return static_cast<double>(s.left()) / s.rate_per_s;
  return std::nullopt;
}

Fields status_fields(const ShardStatus& s) {
  const auto left_s = time_left_s(s);
  const std::string left_text = s.left() == 0 ? "done" : left_s ? time_text(*left_s) : kUnknown;
  return {{"experiment", s.experiment, kEverywhere},
          {"batches", s.batches, kEverywhere},
          {"published", s.published, kEverywhere},
          {"failed", s.failures, kEverywhere},
          {"shards", s.shards, kEverywhere},
          {"attempts", static_cast<std::uint64_t>(s.attempts), kEverywhere},
          {"batches_per_s", s.rate_per_s > 0 ? Value(s.rate_per_s) : Value()},
          {"batches/s", s.rate_per_s > 0 ? short_number(s.rate_per_s) : kUnknown, kInTable},
          {"time_left_s", known(left_s)},
          {"time left", left_text, kInTable},
          {"last_piece_s", s.last_s},
          {"last piece", time_text(s.last_s) + " ago", kInTable}};
}

template <class Row, class Make>
void write_rows(const std::vector<Row>& rows, Make make, std::size_t kept_columns, Format format, std::ostream& out) {
  Document document;
  document.head = make(Row());
  document.rows = list_of(rows, [make](const Row& row) { return Object{make(row)}; });
  document.whole = document.rows;
  document.text = [&](std::ostream& to) {
    TextTable table(table_head(document.head), TableLook::list);
    for (const Row& row : rows) table.add(table_cells(make(row)));
    table.write(to, kept_columns);
  };
  write_document(document, format, out);
}

}  // namespace

void write_attempts(const std::vector<AttemptSum>& attempts, Format format, std::ostream& out) {
  write_rows(attempts, attempt_fields, 2, format, out);
}

void write_status(const std::vector<ShardStatus>& all, Format format, std::ostream& out) {
  write_rows(all, status_fields, 1, format, out);
}

}  // namespace nowsim

// Adding pieces up.
#include "experiments/driver/shards/shard_report.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <tuple>

#include "experiments/driver/shards/round.hpp"
#include "experiments/driver/shards/sweep_identity.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

std::string shard_text(const Attempt& a) {
  return a.shard == 0 ? "sweep" : std::to_string(a.shard) + "/" + std::to_string(a.shards);
}

double seconds_between(fs::file_time_type from, fs::file_time_type to) {
  return std::chrono::duration<double>(to - from).count();
}

/// What is published of a sweep, and when.
class Published {
 public:
  /// `wanted`: the batches that count, each once, whoever has simulated them.
  explicit Published(std::set<PublishedBatch> wanted) : wanted_(std::move(wanted)) {}

  void add(const PieceInfo& piece, const std::vector<PublishedBatch>& batches, fs::file_time_type time) {
    std::uint64_t found = 0;
    for (const auto& batch : batches) found += wanted_.erase(batch);
    if (found == 0) return;
    count_ += found;
    times_.emplace(time, found);
    failures_ += static_cast<std::uint64_t>(piece.failures);
    attempts_.insert(piece.attempt.id);
    shards_ = std::max(shards_, piece.attempt.shards);
  }

  void tell(ShardStatus& status, fs::file_time_type now) const {
    status.published = count_;
    status.failures = failures_;
    status.attempts = attempts_.size();
    status.shards = shards_;
    if (times_.empty()) return;
    status.last_s = std::max(0.0, seconds_between(times_.rbegin()->first, now));
    status.rate_per_s = rate_per_s();
  }

 private:
  /// What came with the first piece was simulated before that time began.
  [[nodiscard]] double rate_per_s() const {
    const double passed_s = seconds_between(times_.begin()->first, times_.rbegin()->first);
    return passed_s > 0 ? static_cast<double>(count_ - times_.begin()->second) / passed_s : 0;
  }

  std::set<PublishedBatch> wanted_;
  std::uint64_t count_ = 0, failures_ = 0;
  std::set<std::string> attempts_;
  std::size_t shards_ = 0;
  std::multimap<fs::file_time_type, std::uint64_t> times_;  // batches of each piece
};

/// What is read of a piece in its place; nothing where it is gone, or damaged, which `remarks` then say.
template <class Read>
auto read_or_remark(const ShardFolder& folder, const std::string& name, std::vector<std::string>& remarks,
                    const Read& read) try {
  return read(folder, name);
} catch (const std::runtime_error& e) {
  remarks.push_back(std::string(e.what()) + "; it does not count");
  return decltype(read(folder, name))();
}

std::string time_text(double seconds) { return format_quantity(seconds, Dimension::time); }

}  // namespace

std::vector<AttemptSum> attempts_in(const ShardFolder& folder, std::vector<std::string>& remarks) {
  std::map<std::string, AttemptSum> sums;
  for (const auto& name : folder.names(kPieceEnding)) {
    const auto piece = read_or_remark(folder, name, remarks, info_of);
    if (!piece) continue;
    AttemptSum& sum = sums[piece->attempt.id];
    if (sum.pieces++ == 0) {
      sum.sum = *piece;
      continue;
    }
    sum.sum.ended = std::max(sum.sum.ended, piece->ended);
    sum.sum.batches += piece->batches;
    sum.sum.replications += piece->replications;
    sum.sum.failures += piece->failures;
    sum.sum.seconds += piece->seconds;
  }
  std::vector<AttemptSum> all;
  for (auto& [id, sum] : sums) all.push_back(std::move(sum));
  std::ranges::sort(all, {}, [](const AttemptSum& a) {
    return std::tuple(a.sum.attempt.experiment, a.sum.attempt.round, a.sum.attempt.shard, a.sum.attempt.began, a.sum.attempt.id);
  });
  return all;
}

std::vector<ShardStatus> status_of(const ShardFolder& folder, std::vector<std::string>& remarks) {
  std::vector<ShardStatus> all;
  std::vector<Published> published;
  for (const auto& [experiment, plan] : sweeps_in(folder, remarks)) {
    auto rounds = published_rounds(folder, experiment, plan).value_or(PublishedRounds());
    remarks.insert(remarks.end(), rounds.remarks.begin(), rounds.remarks.end());
    all.push_back({experiment, rounds.latest, rounds.batches.size()});
    all.back().has_unread_rounds = !rounds.remarks.empty();
    published.emplace_back(std::move(rounds.batches));
  }
  for (const auto& name : folder.names(kPieceEnding)) {
    const auto piece = read_or_remark(folder, name, remarks, info_of);
    if (!piece) continue;
    const auto batches = read_or_remark(folder, name, remarks, batches_of_piece);
    std::error_code ignored;
    const auto time = fs::last_write_time(folder.path() / name, ignored);
    for (auto& p : published) p.add(*piece, batches, time);
  }
  const auto now = folder.now();
  for (std::size_t k = 0; k < all.size(); ++k) published[k].tell(all[k], now);
  return all;
}

namespace {

constexpr const char* kUnknown = "-";

Fields attempt_fields(const AttemptSum& a) {
  const Attempt& who = a.sum.attempt;
  const auto whole = [](auto n) { return static_cast<std::uint64_t>(n); };
  return {{"experiment", who.experiment, kEverywhere},
          {"round", whole(who.round + 1), kEverywhere},
          {"shard", shard_text(who), kEverywhere},
          {"host", who.host, kEverywhere},
          {"job", who.job.empty() ? Value() : Value(who.job)},
          {"job", who.job.empty() ? kUnknown : who.job, kInTable},
          {"began", who.began, kEverywhere, "UTC"},
          {"ended", a.sum.ended, kEverywhere, "UTC"},
          {"pieces", whole(a.pieces), kEverywhere},
          {"batches", whole(a.sum.batches), kEverywhere},
          {"replications", whole(a.sum.replications), kEverywhere},
          {"failed", whole(a.sum.failures), kEverywhere},
          {"batches_took_s", a.sum.seconds},
          {"they took", time_text(a.sum.seconds), kInTable},
          {"processor", who.processor},
          {"version", who.version},
          {"program", who.program}};
}

/// How long it will take as it goes; not known where for minutes nothing has come.
std::optional<double> time_left_s(const ShardStatus& s) {
  constexpr double kSilence_s = 3 * kPublishEvery_s;
  if (s.is_done()) return 0;
  if (s.has_unread_rounds) return std::nullopt;
  if (s.rate_per_s > 0 && s.last_s < kSilence_s) return static_cast<double>(s.left()) / s.rate_per_s;
  return std::nullopt;
}

std::string time_left_text(const ShardStatus& s) {
  if (s.is_done()) return "done";
  const auto left_s = time_left_s(s);
  return left_s ? time_text(*left_s) : kUnknown;
}

Fields status_fields(const ShardStatus& s) {
  const auto known_count = [](std::uint64_t n) { return n > 0 ? Value(n) : Value(); };
  return {{"experiment", s.experiment, kEverywhere},
          {"round", static_cast<std::uint64_t>(s.round) + 1, kEverywhere},
          {"batches", s.has_unread_rounds ? Value() : Value(s.batches)},
          {"batches", s.has_unread_rounds ? "a round cannot be read" : std::to_string(s.batches), kInTable},
          {"published", s.has_unread_rounds ? Value() : Value(s.published)},
          {"published", s.has_unread_rounds ? kUnknown : std::to_string(s.published), kInTable},
          {"failed", s.failures, kEverywhere},
          {"shards", known_count(s.shards)},
          {"shards", s.shards > 0 ? std::to_string(s.shards) : kUnknown, kInTable},
          {"attempts", static_cast<std::uint64_t>(s.attempts), kEverywhere},
          {"batches_per_s", s.rate_per_s > 0 ? Value(s.rate_per_s) : Value()},
          {"batches/s", s.rate_per_s > 0 ? short_number(s.rate_per_s) : kUnknown, kInTable},
          {"time_left_s", known(time_left_s(s))},
          {"time left", time_left_text(s), kInTable},
          {"last_piece_s", s.attempts > 0 ? Value(s.last_s) : Value()},
          {"last piece", s.attempts > 0 ? time_text(s.last_s) + " ago" : kUnknown, kInTable}};
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
  write_rows(attempts, attempt_fields, 3, format, out);
}

void write_status(const std::vector<ShardStatus>& all, Format format, std::ostream& out) {
  write_rows(all, status_fields, 1, format, out);
}

}  // namespace nowsim

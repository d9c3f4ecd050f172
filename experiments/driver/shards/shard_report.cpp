// Adding pieces up.
#include "experiments/driver/shards/shard_report.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <set>
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

/// What is published of a round, and when.
struct Published {
  std::uint64_t batches = 0, failures = 0;
  std::set<std::string> attempts;
  std::size_t shards = 0;
  std::multimap<fs::file_time_type, std::uint64_t> times;  // batches of each piece
};

void add(Published& to, const PieceInfo& piece, fs::file_time_type time) {
  to.batches += static_cast<std::uint64_t>(piece.batches);
  to.failures += static_cast<std::uint64_t>(piece.failures);
  to.attempts.insert(piece.attempt.id);
  to.shards = std::max(to.shards, piece.attempt.shards);
  to.times.emplace(time, static_cast<std::uint64_t>(piece.batches));
}

double seconds_between(fs::file_time_type from, fs::file_time_type to) {
  return std::chrono::duration<double>(to - from).count();
}

/// What came with the first piece was simulated before that time began.
double rate_per_s(const Published& p) {
  if (p.times.size() < 2) return 0;
  const double passed_s = seconds_between(p.times.begin()->first, p.times.rbegin()->first);
  return passed_s > 0 ? static_cast<double>(p.batches - p.times.begin()->second) / passed_s : 0;
}

std::string time_text(double seconds) { return format_quantity(seconds, Dimension::time); }

}  // namespace

std::vector<AttemptSum> attempts_in(const ShardFolder& folder) {
  std::map<std::string, AttemptSum> sums;
  for (const auto& name : folder.names(kPieceEnding)) {
    const auto piece = info_of(folder, name);
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

std::vector<ShardStatus> status_of(const ShardFolder& folder) {
  std::map<std::pair<std::string, int>, Published> published;
  for (const auto& name : folder.names(kPieceEnding))
    if (const auto piece = info_of(folder, name)) {
      std::error_code ignored;
      add(published[{piece->attempt.experiment, piece->attempt.round}], *piece, fs::last_write_time(folder.path() / name, ignored));
    }
  std::vector<ShardStatus> all;
  for (const auto& [experiment, plan] : sweeps_in(folder)) {
    ShardStatus status;
    status.experiment = experiment;
    if (const auto size = latest_size(folder, experiment, plan)) {
      status.round = size->number;
      status.batches = size->batches;
    }
    const Published& p = published[{experiment, status.round}];
    status.published = p.batches;
    status.failures = p.failures;
    status.attempts = p.attempts.size();
    status.shards = p.shards;
    status.rate_per_s = rate_per_s(p);
    if (!p.times.empty()) status.last_s = std::max(0.0, seconds_between(p.times.rbegin()->first, folder.now()));
    all.push_back(status);
  }
  return all;
}

namespace {

constexpr const char* kUnknown = "-";

Fields attempt_fields(const AttemptSum& a) {
  const Attempt& who = a.sum.attempt;
  const auto whole = [](auto n) { return static_cast<std::uint64_t>(n); };
  return {{"experiment", who.experiment, kEverywhere},
          {"round", whole(who.round), kEverywhere},
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
          {"core_time_s", a.sum.seconds},
          {"core time", time_text(a.sum.seconds), kInTable},
          {"processor", who.processor},
          {"version", who.version},
          {"program", who.program}};
}

std::string time_left_text(const ShardStatus& s) {
  if (s.left() == 0) return "done";
  return s.rate_per_s > 0 ? time_text(static_cast<double>(s.left()) / s.rate_per_s) : kUnknown;
}

Fields status_fields(const ShardStatus& s) {
  const auto known_count = [](std::uint64_t n) { return n > 0 ? Value(n) : Value(); };
  return {{"experiment", s.experiment, kEverywhere},
          {"round", static_cast<std::uint64_t>(s.round), kEverywhere},
          {"batches", s.batches, kEverywhere},
          {"published", s.published, kEverywhere},
          {"failed", s.failures, kEverywhere},
          {"shards", known_count(s.shards)},
          {"shards", s.shards > 0 ? std::to_string(s.shards) : kUnknown, kInTable},
          {"attempts", static_cast<std::uint64_t>(s.attempts), kEverywhere},
          {"batches_per_s", s.rate_per_s > 0 ? Value(s.rate_per_s) : Value()},
          {"per second", s.rate_per_s > 0 ? short_number(s.rate_per_s) : kUnknown, kInTable},
          {"time_left_s", s.rate_per_s > 0 ? Value(static_cast<double>(s.left()) / s.rate_per_s) : Value()},
          {"time left", time_left_text(s), kInTable},
          {"last_piece_s", s.attempts > 0 ? Value(s.last_s) : Value()},
          {"last piece", s.attempts > 0 ? time_text(s.last_s) + " ago" : kUnknown, kInTable}};
}

template <class Row, class Make>
void write_rows(const std::vector<Row>& rows, Make make, std::size_t kept_columns, Format format, std::ostream& out) {
  Document document;
  document.head = make(Row());
  document.rows = list_of(rows, [make](const Row& row) { return Object{make(row), Lines::none}; }, Lines::each);
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

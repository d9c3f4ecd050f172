// Adding pieces up.
#include "experiments/driver/shards/shard_report.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
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

void write_attempts(const std::vector<AttemptSum>& attempts, std::ostream& out) {
  TextTable table({"experiment", "round", "shard", "host", "job", "began (UTC)", "ended (UTC)", "pieces", "batches", "replications",
                   "failed", "core time"}, TableLook::list);
  for (const auto& [s, pieces] : attempts)
    table.add({s.attempt.experiment, std::to_string(s.attempt.round), shard_text(s.attempt), s.attempt.host,
               s.attempt.job.empty() ? "-" : s.attempt.job, s.attempt.began, s.ended, std::to_string(pieces),
               std::to_string(s.batches), std::to_string(s.replications), std::to_string(s.failures), time_text(s.seconds)});
  table.write(out, 3);
}

void write_status(const std::vector<ShardStatus>& all, std::ostream& out) {
  TextTable table({"experiment", "round", "batches", "published", "failed", "shards", "attempts", "per second", "time left", "last piece"},
                  TableLook::list);
  for (const auto& s : all)
    table.add({s.experiment, std::to_string(s.round), std::to_string(s.batches), std::to_string(s.published), std::to_string(s.failures),
               s.shards > 0 ? std::to_string(s.shards) : "-", std::to_string(s.attempts),
               s.rate_per_s > 0 ? short_number(s.rate_per_s) : "-",
               s.left() == 0 ? "done" : s.rate_per_s > 0 ? time_text(static_cast<double>(s.left()) / s.rate_per_s) : "-",
               s.attempts > 0 ? time_text(s.last_s) + " ago" : "-"});
  table.write(out, 1);
}

void write_status_json(const std::vector<ShardStatus>& all, std::ostream& out) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& s : all)
    list.push_back({{"experiment", s.experiment}, {"round", s.round}, {"batches", s.batches}, {"published", s.published},
                    {"failed", s.failures}, {"shards", s.shards}, {"attempts", s.attempts}, {"batches_per_s", s.rate_per_s},
                    {"last_piece_s", s.last_s}});
  out << list.dump(2) << '\n';
}

}  // namespace nowsim

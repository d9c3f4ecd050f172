// Packed batches and pieces of a sweep in shards: bytes that are none are refused, and what is read holds.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "experiments/driver/shards/piece.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/serialization.hpp"
#include "sim/engines/batch_record.hpp"
#include "sim/metrics/point_statistics.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/sim/scenario_fixture.hpp"

namespace nowsim::test {
namespace {

/// Gathers all statistics of it, as of a plain scenario.
void read_record(const BatchRecord& record) {
  if (record.workstations > kMostWithMoments) return;  // it has no columns
  const Scenario s = scenario(machines(record.workstations), compute_share);
  for (const bool times : {true, false}) {
    Gathering gathering = kGatherAll;
    gathering.times = times;
    PointStatistics statistics(s, 1, gathering);
    statistics.add(record);
    for (const BatchRecord& stepped : record.stepped) statistics.add(stepped);
  }
}

constexpr std::size_t kHeadAt = 15 + sizeof(std::size_t);

/// With the checksums that changed results should have; as it is where its head cannot be read.
std::string sealed(std::string_view input) try {
  if (input.size() < kHeadAt) return std::string(input);
  const auto size = Deserializer(input.substr(kHeadAt - sizeof(std::size_t))).get<std::size_t>();
  if (size > input.size() - kHeadAt) return std::string(input);
  auto head = Deserializer(input.substr(kHeadAt, size)).get<PieceHead>();
  const std::string_view results = input.substr(kHeadAt + size);
  std::size_t at = 0;
  for (auto& batch : head.batches) {
    if (batch.bytes > results.size() - at) break;
    batch.checksum = checksum(results.substr(at, batch.bytes));
    at += batch.bytes;
  }
  return std::string(input.substr(0, 15)) + piece_of(head, results).substr(15);
} catch (const std::runtime_error&) {
  return std::string(input);
}

}  // namespace

/// Packed batches: bytes that are none are refused, and what is read is packed so that it is read again as the same.
void fuzz_batch(std::string_view input) {
  constexpr std::size_t kHead = 2;
  if (input.size() < kHead) return;
  const Batch range{0, static_cast<unsigned char>(input[0]) % 8U + 1U};
  const std::size_t workstations = static_cast<unsigned char>(input[1]) % 8U + 1U;
  std::string packed;
  try {
    const BatchRecord record = unpack_record(std::string(input.substr(kHead)), range, workstations);
    packed = pack(record);
    read_record(record);
  } catch (const std::runtime_error&) {  // what it promises to throw
    return;
  }
  if (pack(unpack_record(packed, range, workstations)) != packed)
    throw std::logic_error("what is packed is another batch");
}

/// Pieces of a sweep in shards: a file's bytes are refused, or all that is read of them holds.
void fuzz_piece(std::string_view input) {
  const Piece piece{sealed(input), "a.piece"};
  const PieceHead& head = piece.head();
  const PieceInfo info = head.info("a.piece");
  if (info.batches != head.batches.size() || info.attempt.shard < 1 || told_attempt(info.attempt).empty())
    throw std::logic_error("a piece that says what cannot be");
  for (std::size_t k = 0; k < head.batches.size(); ++k) {
    const auto& [key, first, count] = head.published(head.batches[k]);
    if (count == 0) throw std::logic_error("a batch of nothing");
    const auto workstations = static_cast<std::size_t>(head.scenarios[head.batches[k].scenario].workstations);
    read_record(unpack_record(std::string(piece.row(k).results), {first, count}, workstations));
  }
}

}  // namespace nowsim::test

// Pieces of a sweep in shards: a file's bytes are refused, or all that is read of them holds.
#include "experiments/driver/shards/piece.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "experiments/driver/text/checksum.hpp"
#include "sim/base/serialization.hpp"
#include "sim/engines/batch_record.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/targets/read_record.hpp"

namespace nowsim::test {

namespace {

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

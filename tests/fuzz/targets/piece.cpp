// Pieces of a sweep in shards: a file's bytes are refused, or all that is read of them holds.
#include "experiments/driver/shards/piece.hpp"

#include <stdexcept>
#include <string>

#include "sim/engines/batch_record.hpp"
#include "tests/fuzz/targets.hpp"

namespace nowsim::test {

void fuzz_piece(std::string_view input) {
  Piece piece{std::string(input), "a.piece"};
  const PieceInfo& info = piece.info();
  if (info.batches < 0 || info.attempt.round < 0 || told_attempt(info.attempt).empty())
    throw std::logic_error("a piece that says what cannot be");
  for (const auto& [key, first, count] : piece.batches())
    if (count == 0 || scenario_id(piece.store(), key) == 0) throw std::logic_error("a batch of nothing");
}

}  // namespace nowsim::test

// Packed batches: bytes that are none are refused, and what is read is packed so that it is read again as the same.
#include <stdexcept>
#include <string>

#include "sim/engines/batch_record.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/targets/read_record.hpp"

namespace nowsim::test {

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

}  // namespace nowsim::test

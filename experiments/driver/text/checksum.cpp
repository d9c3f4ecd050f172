// Checksums, by xxHash and by the hashes of the core.
#include "experiments/driver/text/checksum.hpp"

#include <bit>
#include <utility>

#include "workloads/mpi/content_hash.hpp"
#include "workloads/mpi/file_bytes.hpp"

namespace nowsim {

std::string content_name(std::string_view bytes) {
  ContentHash hash;
  hash.add(bytes);
  return hash.text();
}

std::int64_t checksum(std::string_view bytes) {
  return std::bit_cast<std::int64_t>(XXH3_64bits(bytes.data(), bytes.size()));
}

std::string sha256(const std::function<std::string_view()>& next) {
  TextHash sum;
  for (std::string_view block = next(); !block.empty(); block = next()) sum.add(block);
  return sum.text();
}

std::string sha256(std::string_view bytes) {
  return sha256([&] { return std::exchange(bytes, {}); });
}

}  // namespace nowsim

// Archives, as `nowsim bundle --check` looks into them, and platform files.
#include <string>

#include "experiments/driver/bundles/bundle.hpp"
#include "sim/platform/read_platform.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"

namespace nowsim::test {
namespace {

/// With the sum that each of a tar file's headers should have: a change would get no further than there.
std::string with_right_sums(std::string bytes) {
  constexpr std::size_t kBlock = 512, kMagic = 257, kSum = 148, kDigits = 6;
  for (std::size_t at = 0; at + kBlock <= bytes.size(); at += kBlock) {
    if (bytes.compare(at + kMagic, 5, "ustar") != 0) continue;
    bytes.replace(at + kSum, 8, 8, ' ');  // as which it is counted itself
    unsigned sum = 0;
    for (std::size_t i = 0; i < kBlock; ++i) sum += static_cast<unsigned char>(bytes[at + i]);
    bytes[at + kSum + kDigits] = '\0';
    for (std::size_t digit = kDigits; digit-- > 0; sum /= 8)
      bytes[at + kSum + digit] = static_cast<char>('0' + sum % 8);
  }
  return bytes;
}

}  // namespace

/// Archives, as `nowsim bundle --check` looks into them.
void fuzz_bundle(std::string_view input) {
  const InputFile file(with_right_sums(std::string(input)));
  check_bundle(file.path());
}

/// Platform files.
void fuzz_platform(std::string_view input) {
  const InputFile file(input);
  load_platform(file.path());
}

}  // namespace nowsim::test

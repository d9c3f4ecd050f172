// Tests of compressed files: unpacked whatever they are called, up to a bound, and refused where they are damaged.
#include "sim/base/user_file.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "tests/gzipped.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

constexpr std::uint64_t kMany = std::uint64_t{8} << 20U;

/// Longer than the pieces in which files are unpacked, and not all alike.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(std::int64_t{i} * i % 9973) + "\n";
  return text;
}

}  // namespace

TEST_CASE("A file that gzip has compressed is read as it was before, whatever its name", "[computes][reads][gzip]") {
  const Folder folder;
  for (const std::string& text : {std::string("t,value\n"), std::string(), long_text()})
    for (const char* name : {"x.csv", "x.csv.gz"})
      CHECK(read_user_file(folder.file(name, gzipped(text)), kMany) == text);
}

TEST_CASE("A file that zstd has compressed is read as one of gzip's", "[zstd]") {
  const Folder folder;
  const std::string packed = zstd_stored("t,value\n") + zstd_stored("0,1\n");
  for (const char* name : {"x.csv", "x.csv.gz", "x.csv.zst"})
    CHECK(read_user_file(folder.file(name, packed), kMany) == "t,value\n0,1\n");
  const unsigned char repeated[] = {0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x68, 0x6d, 0x00, 0x00, 0x30, 0x61, 0x62, 0x2c,
                                    0x63, 0x64, 0x0a, 0x01, 0x00, 0xe7, 0x50, 0xa5, 0x08, 0x86, 0xf3, 0x49, 0xea};
  std::string text;
  for (int i = 0; i < 40; ++i) text += "ab,cd\n";
  CHECK(unpack_all({reinterpret_cast<const char*>(repeated), sizeof repeated}, "x", kMany) == text);  // by zstd -19
}

TEST_CASE("What zstd has compressed is bounded, and refused where it is damaged or breaks off", "[zstd][error]") {
  const Folder folder;
  const std::string large = zstd_blank_lines(129), file = folder.file("x.zst", large);  // 16 MiB and a block
  CHECK_THROWS_WITH(read_user_file(file, kMostDataBytes),
                    file + ": this file is compressed by zstd, and holds more than 16 MiB, which is too much for its "
                           "size: where it is meant, unpack it first (unzstd).");
  CHECK(read_user_file(file, kMostDataBytes, {std::uint64_t{17} << 20U}) == std::string(129U << 17U, '\n'));
  const std::string whole = zstd_stored("t,value\n0,1\n");
  for (const std::size_t length : {std::size_t{4}, std::size_t{10}, whole.size() - 1})
    CHECK_THROWS_WITH(unpack_all(whole.substr(0, length), "x.zst", kMany),
                      "x.zst: this file is compressed by zstd, and it breaks off before its end.");
  CHECK_THROWS_WITH(unpack_all(whole + "more of it", "x.zst", kMany),
                    Contains("x.zst: this file is compressed by zstd, and it cannot be unpacked: "));
}

TEST_CASE("Members that follow one another are one text, and zeros behind the last fill a block up", "[gzip]") {
  CHECK(unpack_all(gzipped("a\n") + gzipped(long_text()) + gzipped("b\n"), "x", kMany) == "a\n" + long_text() + "b\n");
  CHECK(unpack_all(gzipped("a\n") + std::string(1000, '\0'), "x", kMany) == "a\n");
  CHECK_THROWS_WITH(unpack_all(gzipped("a\n") + std::string(1000, '\0') + "b", "x", kMany), Contains("it is damaged"));
}

TEST_CASE("What gzip itself writes is unpacked", "[gzip]") {  // printf 'nowsim\n' | gzip -n9
  const unsigned char bytes[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0xcb, 0x2f, 0x2f,
                                 0xce, 0xcc, 0xe5, 0x02, 0x00, 0xbf, 0x6a, 0xbf, 0xfa, 0x07, 0x00, 0x00, 0x00};
  CHECK(unpack_all({reinterpret_cast<const char*>(bytes), sizeof bytes}, "x", kMany) == "nowsim\n");
}

TEST_CASE("A small file does not come to much unless that is said", "[gzip][error]") {
  const Folder folder;
  const std::uint64_t most = std::uint64_t{16} << 20U;
  const std::string file = folder.file("x.gz", gzipped(std::string(most + 1, ',')));
  CHECK_THROWS_WITH(read_user_file(file, kMostDataBytes, {0, "say more"}),
                    file +
                        ": this file is compressed by gzip, and holds more than 16 MiB, which is too much for its "
                        "size: where it is meant, say more.");
  CHECK(read_user_file(file, kMostDataBytes, {most + 1}).size() == most + 1);
  CHECK_THROWS_WITH(read_user_file(file, kMostDataBytes, {1U << 20U}), Contains("holds more than 1 MiB"));
  CHECK_THROWS_WITH(read_user_file(file, kMany, {most + 1}), Contains("holds more than 8 MiB, which is the most"));
  CHECK(read_user_file(folder.file("y.gz", gzipped(std::string(most, ','))), kMostDataBytes).size() == most);
}

TEST_CASE("Damaged, broken and endless files are refused with their names", "[gzip][error]") {
  const std::string whole = gzipped(long_text());
  for (const std::size_t length : {std::size_t{2}, std::size_t{10}, whole.size() / 2, whole.size() - 1})
    CHECK_THROWS_WITH(unpack_all(whole.substr(0, length), "x.gz", kMany),
                      "x.gz: this file is compressed by gzip, and it breaks off before its end.");
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(~damaged[whole.size() / 2]);
  CHECK_THROWS_WITH(unpack_all(damaged, "x.gz", kMany),
                    Contains("x.gz: this file is compressed by gzip, and it is damaged"));
  CHECK_THROWS_WITH(unpack_all(whole + "more", "x.gz", kMany), Contains("it is damaged"));
  CHECK_THROWS_WITH(unpack_all(gzipped(std::string(kMany + 1, 'x')), "x.gz", kMany), Contains("holds more than 8 MiB"));
  CHECK(unpack_all(gzipped(std::string(kMany, 'x')), "x.gz", kMany).size() == kMany);
}

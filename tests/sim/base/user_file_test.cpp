// Tests of how a user's file is read: whole, up to a bound, and never waited for.
#include "sim/base/user_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "sim/base/error.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using nowsim::test::Folder;
using Catch::Contains;

namespace {

constexpr std::uint64_t kFew = std::uint64_t{1} << 20U;

void check_refusal(const std::string& path, const std::string& why) {
  CHECK_THROWS_WITH(read_user_file(path, kFew), path + ": " + why);
}

}  // namespace

TEST_CASE("A user's file is read as it is, whatever its bytes", "[reads][user-file]") {
  const Folder folder;
  const std::string bytes("a\0b\r\n\xff", 6);
  CHECK(read_user_file(folder.file("x", bytes), kFew) == bytes);
  CHECK(read_user_file(folder.file("empty", ""), kFew).empty());
  CHECK(read_user_file("/proc/self/stat", kFew).starts_with(std::to_string(getpid())));  // its size is said to be 0
}

TEST_CASE("A user's file may be as large as the bound, and not a byte more", "[user-file]") {
  const Folder folder;
  CHECK(read_user_file(folder.file("whole", std::string(kFew, 'x')), kFew).size() == kFew);
  check_refusal(folder.file("more", std::string(kFew + 1, 'x')),
                "this file holds more than 1 MiB, which is the most that is read of a file of its kind.");
}

TEST_CASE("What is no file is refused by its kind, at once", "[user-file]") {
  const Folder folder;
  const std::string pipe = folder.path() + "/pipe", loop = folder.path() + "/loop";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::filesystem::create_symlink("loop", loop);
  check_refusal(folder.path(), "this is a directory; a text file is needed.");
  check_refusal(folder.path() + "/none", "there is no such file.");
  check_refusal("/dev/zero", "this is a device; a text file is needed.");
  check_refusal(pipe, "this is a named pipe; a text file is needed.");
  check_refusal(loop, "this file cannot be read: Too many levels of symbolic links.");
  CHECK_THROWS_WITH(read_user_file("", kFew), "a file is needed, and its name is empty.");
  CHECK_THROWS_WITH(read_user_file(std::string("a\0b", 3), kFew), Contains("cannot hold the byte 0"));
  if (geteuid() != 0) {
    const std::string closed = folder.file("closed", "x");
    std::filesystem::permissions(closed, std::filesystem::perms::none);
    check_refusal(closed, "this file cannot be read; check its permissions.");
  }
}

TEST_CASE("A pipe that a shell has made is read to its end", "[user-file]") {
  int ends[2] = {};
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  REQUIRE(write(ends[1], "1 2\n", 4) == 4);
  close(ends[1]);
  CHECK(read_user_file("/dev/fd/" + std::to_string(ends[0]), kFew) == "1 2\n");
  close(ends[0]);
}

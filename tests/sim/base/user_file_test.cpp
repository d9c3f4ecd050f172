// How files are read: the user's whole, up to a bound, never waited for; plain ones and the user's own, and nothing else.
#include "sim/base/user_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/plain_file.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using Catch::Contains;
using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kFew = std::uint64_t{1} << 20U;

void check_refusal(const std::string& path, const std::string& why) {
  CHECK_THROWS_WITH(read_user_file(path, kFew), path + ": " + why);
}

bool is_open(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

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

TEST_CASE("A plain file is read, and nothing else is opened", "[error]") {
  const Folder folder;
  const std::string file = folder.file("file", "0123456789"), pipe = folder.path() + "/pipe";
  CHECK(read_up_to(open_plain_file(file), 100) == "0123456789");
  CHECK(read_up_to(open_plain_file(file), 4) == "0123");
  CHECK(read_up_to(open_plain_file(file), 0)->empty());
  const std::string large(3'000'000, 'x');
  CHECK((read_up_to(open_plain_file(folder.file("large", large)), large.size() + 1) == large));
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  fs::create_symlink(file, folder.path() + "/link");
  for (const std::string& other :
       {pipe, folder.path() + "/link", folder.path(), folder.path() + "/none", std::string("/dev/null")}) {
    INFO(other);
    CHECK_FALSE(open_plain_file(other).is_open());
    CHECK(read_own_file(other, 100).empty());
  }
  CHECK_FALSE(read_up_to(FileHandle(open(folder.path().c_str(), O_RDONLY | O_CLOEXEC)), 10));
}

TEST_CASE("What others may write is not the user's own", "[error]") {
  const Folder folder;
  const std::string file = folder.file("file", "0123456789");
  fs::permissions(file, fs::perms::owner_all);
  CHECK(read_own_file(file, 10) == "0123456789");
  CHECK(read_own_file(file, 9).empty());  // too much is nothing
  for (const auto others : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(file, fs::perms::owner_all | others);
    CHECK(open_plain_file(file).is_open());
    CHECK_FALSE(open_own_file(file).is_open());
    CHECK(read_own_file(file, 10).empty());
  }
}

TEST_CASE("A descriptor is closed with its holder, and not where it was given away", "[error]") {
  int closed = -1, kept = -1;
  {
    FileHandle one(open("/dev/null", O_RDONLY | O_CLOEXEC)), two(open("/dev/null", O_RDONLY | O_CLOEXEC));
    closed = one.get();
    kept = two.release();
    CHECK_FALSE(two.is_open());
    const FileHandle moved(std::move(one));
    CHECK_FALSE(one.is_open());
    CHECK(is_open(closed));
  }
  CHECK_FALSE(is_open(closed));
  CHECK(is_open(kept));
  CHECK(close(kept) == 0);
}

// What is read as a plain file, or as the user's own, and what is left alone without waiting.
#include "sim/base/plain_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

bool is_open(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

}  // namespace

TEST_CASE("A plain file is read, and nothing else is opened", "[reads][error]") {
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

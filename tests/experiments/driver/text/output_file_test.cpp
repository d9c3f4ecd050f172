// Files of nowsim's own: written as a whole or not at all, never at the cost of others; those of the cache as if none.
#include "experiments/driver/text/output_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "experiments/driver/text/user_cache.hpp"
#include "sim/base/error.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t files_in(const Folder& folder) {
  const std::filesystem::directory_iterator all(folder.path());
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace

TEST_CASE("An output file is new, or the same, or keeps what was there under another name", "[reads][output_file]") {
  const Folder folder;
  const std::string file = folder.path() + "/a.csv";
  const auto write = [&](const std::string& text) {
    return write_output_file(file, [&](std::ostream& out) { out << text; });
  };
  CHECK(write("one").empty());
  CHECK(write("one").empty());
  CHECK(files_in(folder) == 1);
  CHECK(write("one more") == file + ".~1~");
  CHECK(write("one") == file + ".~2~");
  CHECK(text_of(file) == "one");
  CHECK(text_of(file + ".~1~") == "one");
  CHECK(text_of(file + ".~2~") == "one more");
  CHECK(files_in(folder) == 3);
}

TEST_CASE("Where an output file cannot be put in place, what was there stays", "[output_file][error]") {
  const Folder folder;
  const std::string file = folder.file("a.csv", "old");
  const auto spoilt = [&](std::ostream& out) {
    out << "new";
    std::filesystem::remove(folder.path() + "/.nowsim-" + std::to_string(getpid()) + "-0.new");
  };
  CHECK_THROWS_AS(write_output_file(file, spoilt), RunError);
  CHECK_THROWS_AS(write_output_file(file, [](std::ostream&) { throw RunError("no more"); }), RunError);
  CHECK_THROWS_AS(write_output_file(file, [](std::ostream& out) { out.setstate(std::ios::failbit); }), RunError);
  CHECK(text_of(file) == "old");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("What has a name that an output file is made under is left alone, a link's target too", "[output_file]") {
  const Folder folder;
  const std::string file = folder.path() + "/a.csv", target = folder.file("target", "mine");
  const std::string own = folder.path() + "/.nowsim-" + std::to_string(getpid());
  std::filesystem::create_symlink(target, own + "-0.new");
  std::filesystem::create_symlink(folder.path() + "/none", own + "-1.new");
  std::ofstream(own + "-2.new") << "mine, too";
  CHECK(write_output_file(file, [](std::ostream& out) { out << "new"; }).empty());
  CHECK(text_of(file) == "new");
  CHECK(text_of(target) == "mine");
  CHECK(text_of(own + "-2.new") == "mine, too");
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/none"));
  CHECK(files_in(folder) == 5);
}

TEST_CASE("A link where an output file is to be is kept as it is, and so is its target", "[output_file]") {
  const Folder folder;
  const std::string file = folder.path() + "/a.csv", target = folder.file("target", "new");
  std::filesystem::create_symlink("target", file);
  CHECK(write_output_file(file, [](std::ostream& out) { out << "new"; }) == file + ".~1~");
  CHECK(std::filesystem::is_symlink(file + ".~1~"));
  CHECK(text_of(target) == "new");
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(file)));
}

TEST_CASE("A file is renamed only to a name that nothing has, and set aside to the first of them", "[output_file]") {
  const Folder folder;
  const std::string from = folder.file("from", "new"), to = folder.file("to", "old");
  std::error_code error;
  rename_to_free(from, to, error);
  CHECK(error == std::errc::file_exists);
  CHECK(text_of(from) == "new");
  CHECK(text_of(to) == "old");
  std::filesystem::create_symlink("nowhere", to + ".~1~");
  CHECK(backup_file(to, error) == to + ".~2~");
  rename_to_free(from, to, error);
  CHECK_FALSE(error);
  CHECK(text_of(to) == "new");
  CHECK(files_in(folder) == 3);
  backup_file(from, error);
  CHECK(error == std::errc::no_such_file_or_directory);
}

TEST_CASE("What another program puts where an output file is being written is kept", "[output_file]") {
  const Folder folder;
  const std::string file = folder.path() + "/a.csv", others = folder.path() + "/others";
  std::filesystem::create_directory(others);
  std::atomic<bool> is_over = false;
  std::atomic<std::size_t> put = 0;
  std::thread other([&] {  // whenever nothing is there it puts a file of its own, which has another name too
    while (!is_over) {
      const std::string own = others + "/" + std::to_string(put);
      if (!std::filesystem::exists(own)) std::ofstream(own) << put;
      if (link(own.c_str(), file.c_str()) == 0) ++put;
    }
  });
  for (int k = 0; k < 2000 && put < 100; ++k) {
    write_output_file(file, [&](std::ostream& out) { out << "mine"; });
    std::filesystem::rename(file, others + "/was-" + std::to_string(k));  // so that there is nothing again
  }
  is_over = true;
  other.join();
  for (std::size_t k = 0; k < put; ++k) CHECK(std::filesystem::hard_link_count(others + "/" + std::to_string(k)) == 2);
}

TEST_CASE("A pipe, a link, a folder and what is too large are no files of a cache, and are replaced", "[costs]") {
  const Folder folder;
  const std::string real = folder.file("real", "k\ntext\n"), place = folder.path() + "/place";
  CHECK(read_cached(real, "k") == "text\n");
  CHECK(read_cached(real, "").empty());
  CHECK(read_cached(folder.file("empty", ""), "k").empty());
  CHECK(read_cached(folder.file("other", "kk\ntext"), "k").empty());
  CHECK(read_cached(folder.file("large", "k\n" + std::string(1 << 20, 'x')), "k").empty());
  CHECK(read_cached("/dev/zero", "k").empty());
  fs::create_directory(folder.path() + "/folder");
  CHECK(read_cached(folder.path() + "/folder", "k").empty());
  SECTION("a pipe that nobody writes into") { REQUIRE(mkfifo(place.c_str(), 0600) == 0); }
  SECTION("a link") { fs::create_symlink(real, place); }
  CHECK(read_cached(place, "k").empty());
  CHECK(write_cached(place, "k", "new"));
  CHECK(read_cached(place, "k") == "new");
  CHECK(content_of(real) == "k\ntext\n");
}

TEST_CASE("What a process that was killed has left beside a file of a cache goes after a day", "[costs]") {
  const Folder folder;
  const std::string file = folder.path() + "/file.txt", old = folder.file("file.txt.a1b2c3", "k\n"),
                    young = folder.file("file.txt.d4e5f6", "k\n"), other = folder.file("other.txt.a1b2c3", "k\n");
  for (const std::string& left : {old, other})
    fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(48));
  CHECK(write_cached(file, "k", "text"));
  CHECK_FALSE(fs::exists(old));
  CHECK(fs::exists(young));
  CHECK(fs::exists(other));
}

TEST_CASE("What another user has put into a cache is not read", "[costs]") {
  const Folder folder;
  const std::string file = folder.file("file", "k\ntext");
  if (geteuid() != 0) return;  // only root may give a file away
  REQUIRE(chown(file.c_str(), 65534, 65534) == 0);
  CHECK(read_cached(file, "k").empty());
}

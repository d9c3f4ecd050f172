// Archives: what goes in comes out; the same files give the same bytes; GNU tar and damage; SHA-256 of known texts.
#include "experiments/driver/bundles/archive.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <sstream>

#include "experiments/driver/text/checksum.hpp"
#include "sim/base/error.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using Catch::Contains;
using nowsim::test::Folder;

namespace {

/// Longer than the 100 characters that tar's first format knew, and not ASCII.
const std::string kLong = "b/" + std::string(90, 'x') + "/Zürich/" + std::string(90, 'y') + ".csv";

std::string archive_bytes(const std::string& name) {
  std::ostringstream out;
  ArchiveWriter writer(name, out);
  writer.add("b/again.sh", "#!/bin/sh\n", true);
  writer.add(kLong, std::string(100'000, 'z'));
  writer.finish();
  return out.str();
}

std::map<std::string, std::string> content_of_archive(const std::string& file) {
  std::map<std::string, std::string> files;
  constexpr std::uint64_t kMany = 1'000'000'000;
  read_archive(file, kMany, [&](const std::string& path, const NextBlock& next) {
    for (auto block = next(); !block.empty(); block = next()) files[path] += block;
  });
  return files;
}

}  // namespace

TEST_CASE("What goes into an archive comes out of it, whatever its kind", "[reads][bundles]") {
  for (const char* name : {"b.tar.gz", "b.tgz", "b.zip"}) {
    INFO(name);
    const Folder folder;
    const std::string bytes = archive_bytes(name);
    CHECK(bytes.size() < 2000);
    CHECK((content_of_archive(folder.file(name, bytes)) ==
           std::map<std::string, std::string>{{"b/again.sh", "#!/bin/sh\n"}, {kLong, std::string(100'000, 'z')}}));
  }
}

TEST_CASE("The same files are the same bytes, in any time zone", "[bundles]") {
  for (const char* name : {"b.tar.gz", "b.zip"}) {
    INFO(name);
    const std::string before = archive_bytes(name);
    for (const char* zone : {"Pacific/Kiritimati", "Pacific/Honolulu"}) {
      setenv("TZ", zone, 1);
      CHECK(archive_bytes(name) == before);
    }
    unsetenv("TZ");
  }
}

namespace {

/// A folder with b.tar.gz, in which shell commands have done something.
struct FolderOfArchive : Folder {
  explicit FolderOfArchive(const std::string& commands) {
    file("b.tar.gz", archive_bytes("b.tar.gz"));
    REQUIRE(std::system(("cd '" + path() + "' && " + commands).c_str()) == 0);
  }
};

}  // namespace

TEST_CASE("tar takes an archive apart: programs can be run, nobody owns them", "[bundles]") {
  const FolderOfArchive folder("tar tvf b.tar.gz > list 2>&1 && tar xf b.tar.gz && test -x b/again.sh");
  CHECK_THAT(test::content_of(folder.path() + "/list"), Contains("-rwxr-xr-x 0/0") && Contains("-rw-r--r-- 0/0"));
}

TEST_CASE("Names are UTF-8 whatever the archive and the locale", "[bundles]") {
  const FolderOfArchive folder("tar xf b.tar.gz && tar --format=posix -czf pax.tar.gz ./b");
  CHECK(content_of_archive(folder.path() + "/pax.tar.gz").contains(kLong));
  std::ostringstream out;
  ArchiveWriter zip("z.zip", out);
  zip.add("Zürich.csv", "1\n");
  zip.finish();
  CHECK((static_cast<unsigned char>(out.str()[7]) & 8U) != 0);  // bit 11 of the flags: this name is UTF-8
}

TEST_CASE("Links in an archive are refused", "[bundles]") {
  const Folder folder;
  const std::string make = "cd '" + folder.path() +
                           "' && mkdir c && echo a > c/a && ln -s /etc/passwd c/s && tar czf s.tar.gz c && rm c/s && "
                           "ln c/a c/h && tar czf h.tar.gz c";
  REQUIRE(std::system(make.c_str()) == 0);
  CHECK_THROWS_WITH(content_of_archive(folder.path() + "/s.tar.gz"), Contains("'c/s' in it is no ordinary file"));
  CHECK_THROWS_WITH(content_of_archive(folder.path() + "/h.tar.gz"), Contains("in it is no ordinary file"));
}

TEST_CASE("What is no archive, or half of one, is refused with a sentence", "[bundles]") {
  const Folder folder;
  CHECK_THROWS_WITH(content_of_archive(folder.file("a.tar.gz", "no archive")), Contains("a.tar.gz"));
  for (const std::string name : {"b.zip", "b.tar.gz"}) {
    const std::string whole = archive_bytes(name);
    CHECK_THROWS_AS(content_of_archive(folder.file("half-" + name, whole.substr(0, whole.size() / 2))), InputError);
  }
  CHECK_THROWS_WITH(content_of_archive(folder.path() + "/none.zip"), Contains("none.zip"));
  CHECK_FALSE(is_archive_name("b.rar"));
}

TEST_CASE("SHA-256 is what FIPS 180-4's examples say", "[bundles]") {
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

// Archives: what goes in comes out, by the same bytes; GNU tar, damage, SHA-256; what is in them, and where files of
// a bundle stand.
#include "experiments/driver/bundles/archive.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

#include "experiments/driver/bundles/bundle.hpp"
#include "experiments/driver/bundles/bundled_files.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/error.hpp"
#include "tests/gzipped.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using Catch::Contains;
using namespace nowsim::test;

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

constexpr std::size_t kBlock = 512;

std::string padded(std::string bytes) {
  bytes.resize((bytes.size() + kBlock - 1) / kBlock * kBlock);
  return bytes;
}

/// A member of a .tar: a header of POSIX.1's ustar, with what stands behind it.
std::string tar_member(const std::string& name, const std::string& bytes, char type = '0', unsigned mode = 0644) {
  std::string header(kBlock, '\0');
  const auto put = [&](std::size_t at, const std::string& text) { header.replace(at, text.size(), text); };
  const auto octal = [](std::size_t digits, std::uint64_t number) {
    char text[16];
    std::snprintf(text, sizeof text, "%0*llo", static_cast<int>(digits), static_cast<unsigned long long>(number));
    return std::string(text);
  };
  put(0, name);
  put(100, octal(7, mode));
  put(124, octal(11, bytes.size()));
  put(136, octal(11, 0));
  put(156, std::string(1, type));
  put(257, std::string("ustar\0"
                       "00",
                       8));
  put(148, "        ");
  std::uint64_t sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, octal(6, sum) + std::string("\0 ", 2));
  return header + padded(bytes);
}

std::string pax_record(const std::string& key, const std::string& value) {
  const std::string rest = " " + key + "=" + value + "\n";
  std::size_t length = rest.size();
  while (length != rest.size() + std::to_string(length).size()) length = rest.size() + std::to_string(length).size();
  return std::to_string(length) + rest;
}

const std::string kTarEnd(2 * kBlock, '\0');

/// A bundle's three files, and what is put before them and behind.
std::string tar_bundle(const std::string& before = "", const std::string& behind = "") {
  return before + tar_member("b/a", "1\n") + tar_member("b/SHA256SUMS", sha256("1\n") + "  a\n") + behind + kTarEnd;
}

std::string zip_bundle() {
  std::ostringstream out;
  ArchiveWriter writer("b.zip", out);
  writer.add("b/a", "1\n");
  writer.add("b/SHA256SUMS", sha256("1\n") + "  a\n");
  writer.finish();
  return out.str();
}

/// What checking says of an archive with these bytes.
std::string said_of(const std::string& bytes, std::uint64_t most = 0) {
  const Folder folder;
  try {
    return std::to_string(check_bundle(folder.file("archive", bytes), most)) + " file";
  } catch (const InputError& e) {
    return e.what();
  }
}

std::string replaced(std::string bytes, const std::string& old, const std::string& other, bool is_last = false) {
  const std::size_t at = is_last ? bytes.rfind(old) : bytes.find(old);
  REQUIRE(at != std::string::npos);
  return bytes.replace(at, old.size(), other);
}

/// With the number of two or four bytes at a place behind a record's signature changed.
std::string with_field(std::string bytes, const std::string& signature, std::size_t at, char byte) {
  const std::size_t record = bytes.find(signature);
  REQUIRE(record != std::string::npos);
  bytes.at(record + at) = byte;
  return bytes;
}
const std::string kLocal = "PK\x03\x04", kEntry = "PK\x01\x02", kEnd = "PK\x05\x06", kSizes = "PK\x07\x08";

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

TEST_CASE("Bundles of each kind are whole", "[bundles]") {
  CHECK(said_of(tar_bundle()) == "1 file");
  CHECK(said_of(gzipped(tar_bundle())) == "1 file");
  CHECK(said_of(tar_bundle() + std::string(18 * kBlock, '\0')) == "1 file");  // a tape's record
  CHECK(said_of(zip_bundle()) == "1 file");
}

TEST_CASE("Names may be in headers of their own, one each", "[bundles]") {
  const std::string sums = tar_member("b/SHA256SUMS", sha256("1\n") + "  a\n");
  const std::string times = pax_record("mtime", "0.5"), path = pax_record("path", "b/a");
  CHECK(said_of(sums + tar_member("x", times + path, 'x') + tar_member("c", "1\n") + kTarEnd) == "1 file");
  CHECK(said_of(sums + tar_member("x", times, 'x') + tar_member("b/a", "1\n") + kTarEnd) == "1 file");
  CHECK(said_of(sums + tar_member("././@LongLink", std::string("b/a\0", 4), 'L') + tar_member("c", "1\n") + kTarEnd) ==
        "1 file");
  CHECK_THAT(said_of(sums + tar_member("x", path, 'x') + tar_member("x", path, 'x') + tar_member("c", "1\n") + kTarEnd),
             Contains("several headers"));
  CHECK_THAT(said_of(sums + tar_member("x", path + path, 'x') + tar_member("c", "1\n") + kTarEnd),
             Contains("sets 'path'"));
  CHECK_THAT(said_of(sums + tar_member("x", path, 'x') + kTarEnd), Contains("is no file's"));
}

TEST_CASE("Headers of .tar that programs take differently are refused", "[bundles][error]") {
  for (const char* key : {"path", "linkpath", "size", "comment"})
    CHECK_THAT(said_of(tar_bundle(tar_member("g", pax_record(key, "1"), 'g'))), Contains("global header"));
  for (const char* key : {"linkpath", "size", "hdrcharset", "GNU.sparse.name", "SCHILY.realsize"})
    CHECK_THAT(said_of(tar_bundle("", tar_member("x", pax_record(key, "1"), 'x') + tar_member("b/c", ""))),
               Contains("an extended header in it sets '" + std::string(key)));
  CHECK_THAT(said_of(tar_bundle("", tar_member("x", "9 a=b\n", 'x') + tar_member("b/c", ""))), Contains("is none"));
  CHECK_THAT(said_of(tar_bundle("", tar_member("x", std::string(9000, ' '), 'x'))), Contains("longer than any"));
}

TEST_CASE("What is no plain file of its owner's is refused", "[bundles][error]") {
  for (const char type : {'1', '2', '3', '4', '6', '7', 'S', 'K', 'V', 'M', 'D'})
    CHECK_THAT(said_of(tar_bundle("", tar_member("b/c", "", type))), Contains("'b/c' in it is no ordinary file"));
  for (const unsigned mode : {04755U, 02755U, 01755U, 0666U, 0777U})
    CHECK_THAT(said_of(tar_bundle("", tar_member("b/c", "", '0', mode))), Contains("'b/c' in it would be everybody's"));
  CHECK_THAT(said_of(tar_bundle("", tar_member("b/d", "", '5', 0777))), Contains("'b/d' in it would be everybody's"));
  CHECK_THAT(said_of(tar_bundle("", tar_member("b/d/", "", '0'))), Contains("is no ordinary file"));
  CHECK(said_of(tar_bundle(tar_member("b/", "", '5', 0755))) == "1 file");
}

TEST_CASE("Paths that lead elsewhere, or to a file that is there, are refused", "[bundles][error]") {
  for (const char* path : {"/b/c", "../b/c", "b/../../c", "b//c", "b/./c", "b/c\n", "b/.."})
    CHECK_THAT(said_of(tar_bundle("", tar_member(path, ""))), Contains("is not in the bundle's folder"));
  CHECK_THAT(said_of(tar_bundle("", tar_member("b/a", ""))), Contains("b/a is there twice"));
  CHECK_THAT(said_of(tar_bundle("", tar_member("./b/a", ""))), Contains("b/a is there twice"));
  CHECK_THAT(said_of(tar_bundle("", tar_member("b/A", ""))), Contains("cannot both be unpacked"));
  CHECK_THAT(said_of(tar_bundle("", tar_member("b/a/c", ""))), Contains("cannot both be unpacked"));
  CHECK_THAT(said_of(tar_bundle("", tar_member("b/a", "", '5', 0755))), Contains("b/a is there twice"));
  CHECK(said_of(tar_bundle(tar_member("b", "", '5', 0755), tar_member("./b/", "", '5', 0755))) == "1 file");
}

TEST_CASE("A .tar that is damaged, cut off or goes on is refused", "[bundles][error]") {
  const std::string whole = tar_bundle();
  CHECK_THAT(said_of(replaced(whole, "b/a", "b/c")), Contains("a header in it is none"));
  for (const std::size_t size : {kBlock + 1, 2 * kBlock, 3 * kBlock, whole.size() - kBlock, whole.size() - 1})
    CHECK_THAT(said_of(whole.substr(0, size)), Contains("damaged"));
  CHECK_THAT(said_of(whole + tar_member("b/c", "") + kTarEnd), Contains("there is more behind its end"));
  CHECK_THAT(said_of(gzipped(whole) + "more"), Contains("damaged"));
  for (const std::string bytes : {"", "no archive", "BZh9"}) CHECK_THAT(said_of(bytes), Contains("is no archive"));
}

TEST_CASE("Small archives of much are refused, and how much can be said", "[bundles][error]") {
  const std::string zeros(3'000'000, '\0');
  const std::string bomb =
      gzipped(tar_member("b/a", zeros) + tar_member("b/SHA256SUMS", sha256(zeros) + "  a\n") + kTarEnd);
  CHECK(said_of(bomb) == "1 file");
  CHECK_THAT(said_of(bomb, 1'000'000), Contains("come to more than 1 MB") && Contains("--unpacked"));
  std::string many;
  for (int i = 0; i < 3; ++i) many += tar_member("b/" + std::to_string(i), zeros);
  CHECK_THAT(said_of(gzipped(many + kTarEnd), 8'000'000), Contains("come to more than 8 MB"));
  CHECK_THAT(said_of(tar_member("b/a", "").replace(124, 11, "77777777777")), Contains("a header in it is none"));
}

TEST_CASE("A .zip whose headers contradict each other is refused", "[bundles][error]") {
  const std::string whole = zip_bundle();
  for (const std::size_t field : {std::size_t{6}, std::size_t{8}, std::size_t{14}, std::size_t{18}, std::size_t{22},
                                  std::size_t{26}, std::size_t{30}})  // flags, method, CRC, sizes, lengths, the name
    CHECK_THAT(said_of(with_field(whole, kLocal, field, '\x55')), Contains("damaged"));
  for (const std::size_t field : {std::size_t{16}, std::size_t{20}, std::size_t{24}, std::size_t{42}, std::size_t{46}})
    CHECK_THAT(said_of(with_field(whole, kEntry, field, '\x55')), Contains("damaged"));
  for (const std::size_t field : {std::size_t{4}, std::size_t{8}, std::size_t{10}, std::size_t{12}, std::size_t{16}})
    CHECK_THAT(said_of(with_field(whole, kEnd, field, '\x55')), Contains("damaged"));
  CHECK_THAT(said_of(replaced(whole, "b/a", "b/c")), Contains("contradict each other"));
  CHECK_THAT(said_of(replaced(whole, "b/a", "b/c", true)), Contains("contradict each other"));
}

TEST_CASE("A .zip with bytes of no file, or bytes of two, is refused", "[bundles][error]") {
  const std::string whole = zip_bundle();
  CHECK_THAT(said_of(whole + "more"), Contains("directory's end is not at its end"));
  CHECK_THAT(said_of(whole.substr(0, whole.size() - 1)), Contains("damaged"));
  const std::size_t second = whole.find(kLocal, 4), directory = whole.find(kEntry), end = whole.find(kEnd);
  std::string hidden = whole;  // a file of which the directory does not know
  hidden.insert(second, whole.substr(0, second));
  const auto add_to = [](std::string& bytes, std::size_t at, std::size_t n) {
    const std::size_t sum =
        static_cast<unsigned char>(bytes.at(at)) + 256U * static_cast<unsigned char>(bytes.at(at + 1)) + n;
    bytes[at] = static_cast<char>(sum & 255U), bytes[at + 1] = static_cast<char>(sum >> 8U);
  };
  add_to(hidden, end + second + 16, second);
  CHECK_THAT(said_of(hidden), Contains("damaged"));
  const std::size_t second_entry = hidden.find(kEntry, directory + second + 4);
  add_to(hidden, second_entry + 42, second);
  CHECK_THAT(said_of(hidden), Contains("bytes before 'b/SHA256SUMS' that belong to no file"));
  std::string twice = whole;  // both entries lead to the first file
  twice[twice.find(kEntry, directory + 4) + 42] = 0;
  CHECK_THAT(said_of(twice), Contains("damaged"));
}

TEST_CASE("What not every program unpacks from a .zip, or nobody should, is refused", "[bundles][error]") {
  const std::string whole = zip_bundle();
  CHECK_THAT(said_of(with_field(whole, kEntry, 8, static_cast<char>(whole.at(whole.find(kEntry) + 8) | 1))),
             Contains("'b/a' in it is encrypted"));
  CHECK_THAT(said_of(with_field(whole, kEntry, 10, 12)), Contains("packed in a way"));
  CHECK_THAT(said_of(with_field(whole, kEntry, 41, '\xA1')), Contains("'b/a' in it is no ordinary file"));  // a link
  CHECK_THAT(said_of(with_field(whole, kEntry, 41, '\x89')), Contains("would be everybody's"));             // setuid
  CHECK_THAT(said_of(replaced(whole, "b/a", "b\\a", true)), Contains("is another file to other programs"));
  const std::size_t times = whole.find("UT", whole.find(kEntry));
  REQUIRE(times != std::string::npos);
  std::string renamed = whole;
  CHECK_THAT(said_of(renamed.replace(times, 2, "up")), Contains("take differently"));  // Info-ZIP's Unicode path
}

TEST_CASE("A pipe is no archive, and is not waited for", "[bundles][error]") {
  const Folder folder;
  const std::string pipe = folder.path() + "/mine.tar.gz";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(members_of_archive(pipe, 1000), Contains("no file that can be read"));
}

TEST_CASE("What stands above all files is left out, what stands between them stays", "[bundles]") {
  const FileTree one({"/home/jane/paper/mine.yaml"}, {});
  CHECK(one.place_of("/home/jane/paper/mine.yaml") == "specification/mine.yaml");
  const FileTree tree({"/home/jane/paper/exp/mine.yaml", "/home/jane/paper/data/a.csv"}, {});
  CHECK(tree.place_of("/home/jane/paper/exp/mine.yaml") == "specification/exp/mine.yaml");
  CHECK(tree.place_of("/home/jane/paper/data/a.csv") == "specification/data/a.csv");
  CHECK(tree.place_of("/home/jane/paper/data/{host}.csv") == "specification/data/{host}.csv");
  CHECK(tree.has_below("/home/jane/paper/data"));
  CHECK(tree.has_below("/home/jane/paper/data/"));
  CHECK_FALSE(tree.has_below("/home/jane/paper/dat"));
}

TEST_CASE("Files without a common folder get one each, named after theirs, and a folder that is named has a place too",
          "[bundles]") {
  const FileTree tree({"/home/jane/paper/mine.yaml", "/data/2026/paper/a.csv", "/srv/paper/p.xml"}, {"/data"});
  CHECK(tree.place_of("/home/jane/paper/mine.yaml") == "specification/paper/mine.yaml");
  CHECK(tree.place_of("/data/2026/paper/a.csv") == "specification/data/2026/paper/a.csv");
  CHECK(tree.place_of("/data") == "specification/data");
  CHECK(tree.place_of("/srv/paper/p.xml") == "specification/paper-2/p.xml");
  const FileTree root({"/mine.yaml", "/data/a.csv"}, {});
  CHECK(root.place_of("/mine.yaml") == "specification/files/mine.yaml");
  CHECK(root.place_of("/data/a.csv") == "specification/data/a.csv");
}

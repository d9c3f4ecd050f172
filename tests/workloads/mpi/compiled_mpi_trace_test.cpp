// A trace that smpirun recorded, in all forms that it may have, and the file that it is compiled into.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "sim/base/error.hpp"
#include "tests/gzipped.hpp"
#include "tests/workloads/mpi/recorded_trace.hpp"
#include "workloads/mpi/compiled_trace_cache.hpp"
#include "workloads/mpi/mpi_trace_text.hpp"
#include "workloads/mpi/mpi_trace_writer.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

/// SimGrid 3.32's, of a program of four ranks with all calls that its replay knows and some more.
const std::vector<std::string> kRecorded{
    "0 init\n0 compute 1e+06\n0 sendRecv 10 1 10 3 0 0\n0 recv -333 7 5 1\n0 recv -333 7 5 1\n0 recv -333 7 5 1\n"
    "0 irecv -333 -444 5 1\n0 wait -333 0 -444\n0 irecv 1 9 5 1\n0 irecv 2 9 5 1\n0 waitAny 2\n0 waitAny 2\n"
    "0 irecv 1 10 5 1\n0 test 1 0 10\n0 test 1 0 10\n0 irecv 1 11 5 1\n0 irecv 2 11 5 1\n0 waitall 2\n0 barrier\n"
    "0 bcast 10 1 0 \n0 reduce 10 0 0 0 \n0 allreduce 10 0 0 \n0 gather 3 3 0 1 1\n0 allgather 3 3 1 1\n"
    "0 alltoall 3 3 1 1\n0 scatter 3 3 0 1 1\n0 gatherv 1 1 2 3 4 0 1 1\n0 scatterv 1 2 3 4 1 0 1 1\n"
    "0 allgatherv 1 1 2 3 4 1 1\n0 reducescatter 1 2 3 4 0 1\n0 scan 3 0 1 \n0 exscan 3 0 1 \n"
    "0 alltoallv 4 1 1 1 1 10 1 2 3 4 1 1\n0 finalize\n",
    "1 init\n1 compute 2e+06\n1 sendRecv 10 2 10 0 0 0\n1 send 0 7 5 1\n1 send 0 8 5 1\n1 send 0 9 5 1\n"
    "1 send 0 10 5 1\n1 isend 0 11 5 1\n1 wait 1 0 11\n1 barrier\n1 bcast 10 1 0 \n1 reduce 10 0 0 0 \n"
    "1 allreduce 10 0 0 \n1 gather 3 3 0 1 1\n1 allgather 3 3 1 1\n1 alltoall 3 3 1 1\n1 scatter 3 3 0 1 1\n"
    "1 gatherv 2 0 0 0 0 0 1 1\n1 scatterv 0 0 0 0 2 0 1 1\n1 allgatherv 2 1 2 3 4 1 1\n1 reducescatter 1 2 3 4 0 1\n"
    "1 scan 3 0 1 \n1 exscan 3 0 1 \n1 alltoallv 8 2 2 2 2 10 1 2 3 4 1 1\n1 finalize\n",
    "2 init\n2 compute 3e+06\n2 sendRecv 10 3 10 1 0 0\n2 send 0 7 5 1\n2 send 0 9 5 1\n2 isend 0 11 5 1\n"
    "2 wait 2 0 11\n2 barrier\n2 bcast 10 1 0 \n2 reduce 10 0 0 0 \n2 allreduce 10 0 0 \n2 gather 3 3 0 1 1\n"
    "2 allgather 3 3 1 1\n2 alltoall 3 3 1 1\n2 scatter 3 3 0 1 1\n2 gatherv 3 0 0 0 0 0 1 1\n"
    "2 scatterv 0 0 0 0 3 0 1 1\n2 allgatherv 3 1 2 3 4 1 1\n2 reducescatter 1 2 3 4 0 1\n2 scan 3 0 1 \n"
    "2 exscan 3 0 1 \n2 alltoallv 12 3 3 3 3 10 1 2 3 4 1 1\n2 finalize\n",
    "3 init\n3 compute 4e+06\n3 sendRecv 10 0 10 2 0 0\n3 send 0 7 5 1\n3 barrier\n3 bcast 10 1 0 \n"
    "3 reduce 10 0 0 0 \n3 allreduce 10 0 0 \n3 gather 3 3 0 1 1\n3 allgather 3 3 1 1\n3 alltoall 3 3 1 1\n"
    "3 scatter 3 3 0 1 1\n3 gatherv 4 0 0 0 0 0 1 1\n3 scatterv 0 0 0 0 4 0 1 1\n3 allgatherv 4 1 2 3 4 1 1\n"
    "3 reducescatter 1 2 3 4 0 1\n3 scan 3 0 1 \n3 exscan 3 0 1 \n3 alltoallv 16 4 4 4 4 10 1 2 3 4 1 1\n3 finalize\n"};

/// All that ranks do, without where it stands.
using Done = std::tuple<MpiCall, int, int, int, double, double, std::vector<double>>;
std::vector<Done> done(const MpiTrace& trace) {
  std::vector<Done> all;
  for (int rank = 0; rank < trace.ranks(); ++rank)
    for (const MpiAction& a : trace.actions(rank)) {
      const auto counts = trace.counts(a);
      all.emplace_back(a.call, a.peer, a.other, a.tag, a.amount, counts.empty() ? a.second : 0,
                       std::vector<double>(counts.begin(), counts.end()));
    }
  return all;
}

/// Lines of all ranks taken in turn, as they come to one file.
std::string shuffled(std::vector<std::string> texts) {
  std::string all;
  for (bool is_left = true; is_left;) {
    is_left = false;
    for (std::string& text : texts) {
      const auto end = text.find('\n');
      if (end == text.npos) continue;
      all += text.substr(0, end + 1);
      text.erase(0, end + 1);
      is_left = true;
    }
  }
  return all;
}

struct stat status_of(const std::string& file) {
  struct stat status {};
  REQUIRE(stat(file.c_str(), &status) == 0);
  return status;
}
ino_t inode(const std::string& file) { return status_of(file).st_ino; }
/// Of the last change, within its second.
long changed_ns(const std::string& file) { return status_of(file).st_ctim.tv_nsec; }

/// As archives do: all files bear the same time.
void date_1970(const std::string& file) {
  const timespec times[2] = {};
  REQUIRE(utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
}

void put(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

/// Where the only place of these bytes is.
template <class T>
std::size_t place_of(const std::string& bytes, const T& value) {
  const std::string wanted(reinterpret_cast<const char*>(&value), sizeof value);
  const std::size_t at = bytes.find(wanted);
  REQUIRE(at != bytes.npos);
  REQUIRE(bytes.find(wanted, at + 1) == bytes.npos);
  return at;
}
template <class T>
void write_over(std::string& bytes, std::size_t at, const T& value) {
  bytes.replace(at, sizeof value, reinterpret_cast<const char*>(&value), sizeof value);
}

/// Puts a compiled trace in a file's place, with the hash that belongs to it.
void forge(const std::string& file, const std::string& bytes) {
  put(file, bytes);
  const FileHandle opened(open(file.c_str(), O_RDWR | O_CLOEXEC));
  seal_mpi_trace(opened.get());
}

}  // namespace

TEST_CASE("A trace that smpirun recorded is compiled with what can be told of it",
          "[computes][reads][workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  const auto trace = recorded.open();
  const MpiTraceFacts& facts = trace->facts();
  CHECK(trace->ranks() == 4);
  CHECK(facts.actions == 102);
  CHECK(facts.messages == 13);  // 9 of 20 bytes and 4 of 80
  CHECK(facts.message_bytes == 9 * 20 + 4 * 80);
  CHECK(facts.flop == 1e7);
  CHECK(facts.rank_flop == std::vector<double>{1e6, 2e6, 3e6, 4e6});
  CHECK(facts.count(MpiCall::send) == 7);
  CHECK(facts.count(MpiCall::exscan) == 4);
  CHECK(facts.any_source_receives == 4);
  CHECK(facts.count(MpiCall::test) == 2);
  CHECK(facts.count(MpiCall::waitany) == 2);
  CHECK(facts.warnings.size() == 4);
  CHECK(trace->file(2) == recorded.folder() + "/rank-2.txt");
  const MpiAction& last_but_one = *(trace->actions(3).end() - 2);
  CHECK(last_but_one.call == MpiCall::alltoallv);
  CHECK(last_but_one.line == 19);
  const auto counts = trace->counts(last_but_one);
  CHECK(std::vector<double>(counts.begin(), counts.end()) == std::vector<double>{16, 16, 16, 16, 4, 8, 12, 16});
}

TEST_CASE("In one file or several, packed or not, by a list or a folder, a trace is the same", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  const auto trace = recorded.open();
  const auto check_same = [&trace](const std::string& path) {
    const auto other = MpiTrace::open(path);
    CHECK(other->hash() == trace->hash());
    CHECK(done(*other) == done(*trace));
  };
  check_same(recorded.folder());
  check_same(RecordedTrace({shuffled(kRecorded)}).list());
  check_same(RecordedTrace({"# all ranks\n\n" + kRecorded[3] + kRecorded[1] + kRecorded[0] + kRecorded[2]}).list());
  std::vector<std::string> packed{gzipped(kRecorded[0]), zstd_stored(kRecorded[1]), kRecorded[2],
                                  gzipped("3 init\n") + gzipped(kRecorded[3].substr(7)) + std::string(512, '\0')};
  check_same(RecordedTrace(packed).list());
  check_same(RecordedTrace({zstd_stored(shuffled(kRecorded))}).list());
  std::vector<std::string> other = kRecorded;
  other[3].replace(other[3].find("4e+06"), 5, "5e+06");
  CHECK(RecordedTrace(other).open()->hash() != trace->hash());
}

TEST_CASE("Files that are missing, packed badly or no files are told", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  const auto refused = [&recorded](const std::string& sentence) {
    CHECK_THROWS_WITH(recorded.open(), Contains(sentence));
  };
  recorded.write("trace.txt", "rank-0.txt\n\nnone.txt\n");
  refused("trace.txt:3: there is no file 'none.txt', which this list of the ranks' files names");
  recorded.write("trace.txt", "\n");
  refused("trace.txt: a list of the ranks' files names at least one; this one is empty.");
  recorded.write("trace.txt", "rank-0.txt\n.\n");
  refused("a trace is read more than once: this has to be a regular file.");
  recorded.write("trace.txt", "rank-0.txt\nrank-1.txt\n");
  recorded.write("rank-0.txt", rank_lines(0, {}));
  recorded.write("rank-1.txt", gzipped(rank_lines(1, {})).substr(0, 20));
  refused("rank-1.txt: this file is compressed by gzip, and it breaks off before its end.");
  recorded.write("rank-1.txt", zstd_stored(rank_lines(1, {})).substr(0, 20));
  refused("rank-1.txt: this file is compressed by zstd, and it breaks off before its end.");
  recorded.write("rank-1.txt", "");
  refused("rank-1.txt: this file has no action of rank 1");
  recorded.write("rank-1.txt", rank_lines(1, {}));
  fs::resize_file(recorded.folder() + "/rank-1.txt", std::uintmax_t{1} << 40U);  // no more blocks, but hours to read
  refused("rank-1.txt: this is no trace: it has a line of more than 64 MiB.");
  const Folder empty;
  CHECK_THROWS_WITH(MpiTrace::open(empty.path()), Contains("this folder holds no trace.txt"));
  CHECK_THROWS_WITH(MpiTrace::open(empty.path() + "/none"), Contains("there is no such file."));
  CHECK(recorded.cached("").empty());  // nothing half made
}

TEST_CASE("A compiled trace is found by what the text holds", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  const std::string hash = recorded.open()->hash();
  const std::string binary = recorded.binary();
  const ino_t made = inode(binary);

  recorded.write("rank-1.txt", kRecorded[1]);  // another time, the same contents
  CHECK(recorded.open()->hash() == hash);
  const RecordedTrace elsewhere(kRecorded);
  setenv("XDG_CACHE_HOME", recorded.folder().c_str(), 1);  // until it goes
  CHECK(elsewhere.open()->file(1) == elsewhere.folder() + "/rank-1.txt");
  CHECK(recorded.binary() == binary);
  CHECK(inode(binary) == made);

  std::string other = kRecorded[1];
  other.replace(other.find("2e+06"), 5, "7e+06");
  recorded.write("rank-1.txt", other);
  CHECK(recorded.open()->facts().rank_flop[1] == 7e6);
  CHECK(recorded.cached(".nowsim").size() == 2);
  // The same lines, one file the longer and the other the shorter: nothing that is read one behind the other.
  recorded.write("rank-0.txt", kRecorded[0] + "1 init\n");
  recorded.write("rank-1.txt", kRecorded[1].substr(7));
  CHECK_THROWS_AS(recorded.open(), InputError);
}

TEST_CASE("A text that was changed is noticed, whatever times and sizes say", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  const std::string file = recorded.folder() + "/rank-1.txt";
  for (const char* name : {"trace.txt", "rank-0.txt", "rank-1.txt", "rank-2.txt", "rank-3.txt"})
    date_1970(recorded.folder() + "/" + name);
  CHECK(recorded.open()->facts().rank_flop[1] == 2e6);
  CHECK(recorded.cached(".stamp").empty());  // as young as the files are, a change need not show in any time
  const MpiTraceFiles files = find_mpi_trace_files(recorded.list());
  MpiTraceStamp stamp = stamp_of(files);
  stamp.is_settled = true;  // as they are later
  (void)CompiledTraceCache().key_of(files, stamp);
  CHECK(recorded.cached(".stamp").size() == 1);
  std::string other = kRecorded[1];
  other.replace(other.find("2e+06"), 5, "7e+06");
  const auto size = fs::file_size(file);
  const ino_t same = inode(file);
  const auto before_ns = changed_ns(file);
  do {  // until the file system's clock has gone on
    put(file, other);
    date_1970(file);
  } while (changed_ns(file) == before_ns);
  CHECK(fs::file_size(file) == size);
  CHECK(inode(file) == same);
  CHECK(recorded.open()->facts().rank_flop[1] == 7e6);
}

TEST_CASE("A file may bear any time, as archives set them", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  const std::string file = recorded.folder() + "/rank-1.txt";
  const timespec in_2286{10'000'000'000, 5}, times[2] = {in_2286, in_2286};  // more nanoseconds than a number holds
  REQUIRE(utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
  const timespec modified = status_of(file).st_mtim;  // some file systems have times up to 2038
  CHECK_THAT(stamp_of(find_mpi_trace_files(recorded.list())).text,
             Contains(" " + std::to_string(modified.tv_sec) + " " + std::to_string(modified.tv_nsec) + " "));
  CHECK(recorded.open()->facts().rank_flop[1] == 2e6);
}

TEST_CASE("Files that were seen before are not read again", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  MpiTraceFiles files{.list = recorded.list(), .paths = {recorded.folder() + "/rank-0.txt"}, .most_unpacked = 0};
  const CompiledTraceCache cache;
  REQUIRE(cache.is_usable());
  MpiTraceStamp stamp = stamp_of(files);
  CHECK_FALSE(stamp.is_settled);
  stamp.is_settled = true;
  const std::string key = cache.key_of(files, stamp);
  CHECK(key == content_key(files));
  recorded.write("rank-0.txt", "0 init\n");
  CHECK(cache.key_of(files, stamp) == key);
  CHECK(cache.key_of(files, stamp_of(files)) == content_key(files));
  CHECK(content_key(files) != key);
}

TEST_CASE("A compiled trace that is damaged, cut short or of another version is made again", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  const auto expected = done(*recorded.open());
  const std::string file = recorded.binary(), good = content_of(file);
  const std::size_t size = good.size();
  std::vector<std::string> damaged{"", std::string(100, 'x'), std::string(size - 1, 'x')};
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{8}, std::size_t{25}, std::size_t{40}, std::size_t{4096 + 41}, size - 1}) {
    damaged.push_back(good);
    damaged.back()[at] = static_cast<char>(good[at] ^ 1);
  }
  for (std::size_t i = 0; i < damaged.size(); ++i) {
    INFO(i);
    put(file, damaged[i]);
    const ino_t before = inode(file);
    CHECK(done(*recorded.open()) == expected);
    CHECK(inode(file) != before);
    CHECK(fs::file_size(file) == size);
  }
}

TEST_CASE("What a compiled trace says of its text is not believed", "[reads][workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  const auto expected = done(*recorded.open());
  const std::string file = recorded.binary(), good = content_of(file);
  const std::size_t first = kMpiTraceHeaderBytes,
                    ranks = good.size() - 4 * sizeof(MpiTraceLayout::Rank) - sizeof(std::size_t);
  std::size_t counted = 0;
  std::memcpy(&counted, &good[ranks], sizeof counted);
  REQUIRE(counted == 4);
  const auto check_refused = [&](const char* what, const std::string& bytes) {
    INFO(what);
    forge(file, bytes);
    const ino_t forged = inode(file);
    const auto trace = recorded.open();
    CHECK(done(*trace) == expected);
    CHECK(trace->facts().rank_flop == std::vector<double>{1e6, 2e6, 3e6, 4e6});
    CHECK(inode(file) != forged);
    CHECK(content_of(file) == good);
  };
  const auto check_action = [&](const char* what, std::size_t number, const auto& change) {
    MpiAction action;
    std::string bytes = good;
    std::memcpy(&action, &bytes[first + number * sizeof action], sizeof action);
    change(action);
    write_over(bytes, first + number * sizeof action, action);
    check_refused(what, bytes);
  };
  const auto check_numbers = [&](const char* what, std::size_t at, const std::vector<std::uint64_t>& numbers) {
    for (const std::uint64_t number : numbers) {
      std::string bytes = good;
      write_over(bytes, at, number);
      check_refused(what, bytes);
    }
  };
  static_assert(sizeof(std::size_t) == sizeof(std::uint64_t));
  check_numbers("another number of ranks", ranks, {0, 3, 5, 1ULL << 28U, 1ULL << 60U});
  check_numbers("actions that are elsewhere", ranks + 8, {1, 1ULL << 40U, ~7ULL});
  check_numbers("so many actions", ranks + 16, {0, 1ULL << 40U, ~0ULL / sizeof(MpiAction) + 2});
  check_action("a call that is none", 1, [](MpiAction& a) { a.call = static_cast<MpiCall>(255); });
  check_action("a partner beyond the ranks", 2, [](MpiAction& a) { a.peer = 4; });
  check_action("a partner below the ranks", 2, [](MpiAction& a) { a.other = -2; });
  check_action("a message to any rank", 2, [](MpiAction& a) { a.peer = kAnySource; });
  check_action("a tag that is a collective's", 3, [](MpiAction& a) { a.tag = -17; });
  check_action("a computation that is no number", 1, [](MpiAction& a) { a.amount = std::nan(""); });
  check_action("a computation that gives time back", 1, [](MpiAction& a) { a.amount = -1; });
  check_action("a request that nobody made", 7, [](MpiAction& a) { a.tag = 5; });
  const auto trace = recorded.open();
  const auto gatherv = static_cast<std::size_t>(
      std::ranges::find(trace->actions(0), MpiCall::gatherv, &MpiAction::call) - trace->actions(0).begin());
  for (const double place : {1e9, -1.0, 1e300, std::nan("")})
    check_action("counts that are elsewhere", gatherv, [place](MpiAction& a) { a.second = place; });

  std::string other = kRecorded[1];  // a whole one, of another text
  other.replace(other.find("2e+06"), 5, "2e+09");
  const RecordedTrace longer({kRecorded[0], other, kRecorded[2], kRecorded[3]});
  setenv("XDG_CACHE_HOME", longer.folder().c_str(), 1);
  (void)longer.open();
  setenv("XDG_CACHE_HOME", recorded.folder().c_str(), 1);
  check_refused("another text's", content_of(longer.binary()));
}

TEST_CASE("An action that is changed while a compiled trace is in use leads nowhere", "[workloads][mpi]") {
  const std::vector<double> counts{1, 2, 3, 4};
  MpiAction action{.call = MpiCall::gatherv, .peer = 1, .second = 2};
  CHECK(has_sound_indices(action, 2));
  CHECK(counts_of(action, 2, counts).front() == 3);
  action.second = 3;
  CHECK_FALSE(has_counts(action, 2, counts));
  action.call = static_cast<MpiCall>(255);
  CHECK_FALSE(has_sound_indices(action, 2));
  CHECK(mpi_call_name(action.call) == "unknown call");

  // Written through the file, which others of the same user could do.
  const RecordedTrace recorded(kRecorded);
  const auto trace = recorded.open();
  MpiAction gatherv = *std::ranges::find(trace->actions(0), MpiCall::gatherv, &MpiAction::call);
  gatherv.second = 1e9;
  CHECK_THROWS_WITH(trace->counts(gatherv), Contains("was changed while it was in use"));
}

TEST_CASE("What lies beside a list is not taken for its compiled trace", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  const auto expected = done(*recorded.open());
  std::string bytes = content_of(recorded.binary());
  const std::size_t computes = place_of(bytes, 2e6);
  write_over(bytes, computes, 2e9);
  fs::remove_all(recorded.folder() + "/nowsim");
  forge(recorded.list() + ".nowsim", bytes);
  CHECK(done(*recorded.open()) == expected);
  CHECK(content_of(recorded.list() + ".nowsim").size() == bytes.size());
  CHECK(recorded.cached(".nowsim").size() == 1);
}

TEST_CASE("A cache that others may write is not used", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  const auto expected = done(*recorded.open());
  const std::string file = recorded.binary();
  std::string bytes = content_of(file);
  write_over(bytes, place_of(bytes, 2e6), 2e9);
  CHECK((status_of(recorded.cache()).st_mode & 0777) == 0700);

  forge(file, bytes);
  fs::permissions(file, fs::perms::group_write, fs::perm_options::add);
  CHECK(done(*recorded.open()) == expected);
  forge(file, bytes);
  fs::rename(file, recorded.folder() + "/elsewhere");
  fs::create_symlink(recorded.folder() + "/elsewhere", file);
  CHECK(done(*recorded.open()) == expected);

  forge(file, bytes);
  fs::permissions(recorded.cache(), fs::perms::group_write | fs::perms::others_write, fs::perm_options::add);
  CHECK(done(*recorded.open()) == expected);
  CHECK((status_of(recorded.cache()).st_mode & 0777) == 0700);
  CHECK(recorded.binary() == file);  // in a new folder
  forge(file, bytes);
  fs::rename(recorded.cache(), recorded.folder() + "/planted");
  fs::create_directory_symlink(recorded.folder() + "/planted", recorded.cache());
  CHECK(done(*recorded.open()) == expected);
  fs::remove(recorded.cache());
  recorded.write("nowsim/mpi-traces", "no folder");
  CHECK(done(*recorded.open()) == expected);
}

TEST_CASE("What nobody has used for long leaves the cache of compiled traces", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  (void)recorded.open();
  const std::string used = recorded.binary();
  const CompiledTraceCache cache;
  const std::string killed = cache.file_of("killed") + ".a1b2c3", running = cache.file_of("running") + ".a1b2c3";
  for (const std::string& file : {killed, running, cache.file_of("complete")}) put(file, "x");
  for (const std::string& file : {killed, cache.file_of("complete")})
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(48));
  cache.tidy(used);
  CHECK_FALSE(fs::exists(killed));
  CHECK(fs::exists(running));
  CHECK(fs::exists(cache.file_of("complete")));
  put(cache.file_of("old"), "x");
  date_1970(cache.file_of("old"));
  put(cache.file_of("young"), "x");
  put(cache.file_of("large"), "x");
  fs::resize_file(cache.file_of("large"), std::uintmax_t{17} << 30U);  // no blocks
  fs::last_write_time(cache.file_of("large"), fs::file_time_type::clock::now() - std::chrono::hours(1));
  date_1970(used);
  CHECK(cache.find(fs::path(used).stem().string()).is_open());  // it is used
  cache.tidy(cache.file_of("young"));
  CHECK(recorded.cached(".nowsim").size() == 2);
  CHECK(fs::exists(used));
  CHECK(fs::exists(cache.file_of("young")));
}

TEST_CASE("A trace is compiled no further than to the first line that is wrong", "[workloads][mpi]") {
  constexpr int kLines = 30'000;  // many times what is held back before it is written
  const auto barriers = [](int rank) {
    std::string lines;
    for (int k = 0; k < kLines; ++k) lines.append(std::to_string(rank)).append(" barrier\n");
    return lines;
  };
  const auto whole = [&](int rank, const std::string& beginning) {
    return beginning + barriers(rank) + std::to_string(rank) + " finalize\n";
  };
  const auto written = [](const RecordedTrace& trace, const std::string& sentence) {
    const FileHandle file = unnamed_file(trace.folder()), aside = unnamed_file(trace.folder());
    const auto compile = [&] { compile_mpi_trace(find_mpi_trace_files(trace.list()), "", file.get(), aside.get()); };
    if (sentence.empty())
      compile();
    else
      CHECK_THROWS_WITH(compile(), Contains(sentence));
    return static_cast<std::size_t>(lseek(file.get(), 0, SEEK_END));
  };
  CHECK(written(RecordedTrace({gzipped(whole(0, "0 init\n"))}), "") > kLines * sizeof(MpiAction));
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "rank-0.txt:1: rank 0's 'barrier': this is the rank's first action"},
      {"0 init\n0 init\n", "rank-0.txt:2: rank 0's 'init': a rank has one 'init'"},
      {"0 init\n0 finalize\n", "rank-0.txt:3: rank 0's 'barrier': this comes behind the rank's 'finalize'"},
      {"0 init\n0 wait 1 0 7\n", "rank-0.txt:2: rank 0's 'wait': no request is left"},
      {"0 init\n0 waitAny 0\n", "rank-0.txt:2: "},
      {"0 init\n0 barier\n", "rank-0.txt:2: "}};
  for (const auto& [beginning, sentence] : wrong) {
    INFO(sentence);
    const std::string first = whole(0, beginning), second = whole(1, "1 init\n");
    CHECK(written(RecordedTrace({gzipped(first), gzipped(second)}), sentence) == 0);
    CHECK(written(RecordedTrace({gzipped(first + second)}), sentence) == 0);  // one file of all ranks
  }
}

TEST_CASE("Packed files come to as much as is allowed", "[workloads][mpi]") {
  const auto packed_trace = [](std::size_t blocks) {
    return zstd_stored("0 init\n") + zstd_blank_lines(blocks) + zstd_stored("0 finalize\n");
  };
  CHECK(RecordedTrace({packed_trace(127)}).open()->facts().actions == 2);
  const RecordedTrace longer({packed_trace(129)});
  CHECK_THROWS_WITH(longer.open(), Contains("rank-0.txt: the packed files of this trace, ") &&
                                       Contains("come to more than 16777216 bytes") && Contains("job.unpacked"));
  CHECK_THROWS_WITH(MpiTrace::open(longer.list(), 16900000), Contains("come to more than 16900000 bytes"));
  CHECK(longer.cached("").empty());
  CHECK(MpiTrace::open(longer.list(), 17000000)->facts().actions == 2);
  // All files together; and what is not packed is as long as it is.
  const std::string plain = "1 init\n" + std::string(std::size_t{17} << 20U, '\n') + "1 finalize\n";
  CHECK(RecordedTrace({packed_trace(100), plain}).open()->ranks() == 2);
  const std::string second = zstd_stored("1 init\n") + zstd_blank_lines(100) + zstd_stored("1 finalize\n");
  CHECK_THROWS_WITH(RecordedTrace({packed_trace(100), second}).open(), Contains("rank-1.txt: the packed files"));
}

// A trace that smpirun recorded, in all forms that it may have, and the file that it is compiled into.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "sim/base/error.hpp"
#include "tests/gzipped.hpp"
#include "tests/workloads/mpi/recorded_trace.hpp"

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
    "1 init\n1 compute 2e+06\n1 sendRecv 10 2 10 0 0 0\n1 send 0 7 5 1\n1 send 0 8 5 1\n1 send 0 9 5 1\n1 send 0 10 5 "
    "1\n"
    "1 isend 0 11 5 1\n1 wait 1 0 11\n1 barrier\n1 bcast 10 1 0 \n1 reduce 10 0 0 0 \n1 allreduce 10 0 0 \n"
    "1 gather 3 3 0 1 1\n1 allgather 3 3 1 1\n1 alltoall 3 3 1 1\n1 scatter 3 3 0 1 1\n1 gatherv 2 0 0 0 0 0 1 1\n"
    "1 scatterv 0 0 0 0 2 0 1 1\n1 allgatherv 2 1 2 3 4 1 1\n1 reducescatter 1 2 3 4 0 1\n1 scan 3 0 1 \n"
    "1 exscan 3 0 1 \n1 alltoallv 8 2 2 2 2 10 1 2 3 4 1 1\n1 finalize\n",
    "2 init\n2 compute 3e+06\n2 sendRecv 10 3 10 1 0 0\n2 send 0 7 5 1\n2 send 0 9 5 1\n2 isend 0 11 5 1\n2 wait 2 0 "
    "11\n"
    "2 barrier\n2 bcast 10 1 0 \n2 reduce 10 0 0 0 \n2 allreduce 10 0 0 \n2 gather 3 3 0 1 1\n2 allgather 3 3 1 1\n"
    "2 alltoall 3 3 1 1\n2 scatter 3 3 0 1 1\n2 gatherv 3 0 0 0 0 0 1 1\n2 scatterv 0 0 0 0 3 0 1 1\n"
    "2 allgatherv 3 1 2 3 4 1 1\n2 reducescatter 1 2 3 4 0 1\n2 scan 3 0 1 \n2 exscan 3 0 1 \n"
    "2 alltoallv 12 3 3 3 3 10 1 2 3 4 1 1\n2 finalize\n",
    "3 init\n3 compute 4e+06\n3 sendRecv 10 0 10 2 0 0\n3 send 0 7 5 1\n3 barrier\n3 bcast 10 1 0 \n3 reduce 10 0 0 0 "
    "\n"
    "3 allreduce 10 0 0 \n3 gather 3 3 0 1 1\n3 allgather 3 3 1 1\n3 alltoall 3 3 1 1\n3 scatter 3 3 0 1 1\n"
    "3 gatherv 4 0 0 0 0 0 1 1\n3 scatterv 0 0 0 0 4 0 1 1\n3 allgatherv 4 1 2 3 4 1 1\n3 reducescatter 1 2 3 4 0 1\n"
    "3 scan 3 0 1 \n3 exscan 3 0 1 \n3 alltoallv 16 4 4 4 4 10 1 2 3 4 1 1\n3 finalize\n"};

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

/// A frame of zstd (RFC 8878) that stores a short text as it is.
std::string zstd_stored(const std::string& text) {
  const auto little_endian = [](std::size_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
    return out;
  };
  constexpr char kSingleSegmentWithSizeOf4 = '\xA0';
  return "\x28\xB5\x2F\xFD" + std::string(1, kSingleSegmentWithSizeOf4) + little_endian(text.size(), 4) +
         little_endian((text.size() << 3U) | 1U, 3) + text;
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

ino_t inode(const std::string& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 ? status.st_ino : 0;
}

void make_older(const std::string& file, int seconds) {
  fs::last_write_time(file, fs::last_write_time(file) - std::chrono::seconds(seconds));
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
  CHECK(facts.calls[static_cast<std::size_t>(MpiCall::send)] == 7);
  CHECK(facts.calls[static_cast<std::size_t>(MpiCall::exscan)] == 4);
  CHECK(facts.any_source_receives == 4);
  CHECK(facts.tests == 2);
  CHECK(facts.waitanys == 2);
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
  const Folder empty;
  CHECK_THROWS_WITH(MpiTrace::open(empty.path()), Contains("this folder holds no trace.txt"));
  CHECK_THROWS_WITH(MpiTrace::open(empty.path() + "/none"), Contains("there is no such file."));
  CHECK_FALSE(fs::exists(recorded.binary()));
  for (const auto& entry : fs::directory_iterator(recorded.folder()))  // nothing half made
    CHECK(entry.path().string().find(".nowsim") == std::string::npos);
}

TEST_CASE("A compiled trace is found again by times and sizes, or else by contents", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  for (const char* name : {"trace.txt", "rank-0.txt", "rank-1.txt", "rank-2.txt", "rank-3.txt"})
    make_older(recorded.folder() + "/" + name, 60);
  const std::string hash = recorded.open()->hash();
  const ino_t made = inode(recorded.binary());
  REQUIRE(made != 0);
  const auto keep = fs::last_write_time(recorded.folder() + "/rank-1.txt");

  std::string other = kRecorded[1];
  other.replace(other.find("2e+06"), 5, "7e+06");
  recorded.write("rank-1.txt", other);  // size and time as they were: not read
  fs::last_write_time(recorded.folder() + "/rank-1.txt", keep);
  CHECK(recorded.open()->hash() == hash);

  recorded.write("rank-1.txt", kRecorded[1]);  // another time, the same contents
  CHECK(recorded.open()->hash() == hash);
  CHECK(inode(recorded.binary()) == made);

  recorded.write("rank-1.txt", other);
  const auto changed = recorded.open();
  CHECK(changed->hash() != hash);
  CHECK(changed->facts().rank_flop[1] == 7e6);
  CHECK(inode(recorded.binary()) != made);
}

TEST_CASE("A compiled trace that is damaged, cut short or of another version is made again", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  const auto trace = recorded.open();
  const auto size = fs::file_size(recorded.binary());
  const auto flip = [&recorded](std::streamoff at) {
    std::fstream file(recorded.binary(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    const int byte = file.get();
    file.seekp(at);
    file.put(static_cast<char>(byte ^ 1));
  };
  for (const std::streamoff at : {std::streamoff{0}, std::streamoff{8}, std::streamoff{25}, std::streamoff{40},
                                  std::streamoff{4096 + 41}, static_cast<std::streamoff>(size) - 1}) {
    INFO(at);
    flip(at);
    const ino_t damaged = inode(recorded.binary());
    CHECK(done(*recorded.open()) == done(*trace));
    CHECK(inode(recorded.binary()) != damaged);
    CHECK(fs::file_size(recorded.binary()) == size);
  }
  for (const std::uintmax_t cut : {std::uintmax_t{0}, std::uintmax_t{100}, size - 1}) {
    std::ofstream(recorded.binary(), std::ios::trunc) << std::string(cut, 'x');
    CHECK(done(*recorded.open()) == done(*trace));
    CHECK(fs::file_size(recorded.binary()) == size);
  }
}

TEST_CASE("Where nothing can be written beside the list, a compiled trace is in the user's cache", "[workloads][mpi]") {
  const RecordedTrace recorded(kRecorded);
  fs::create_directory(recorded.binary());  // nothing can be renamed to that, whoever asks
  const auto trace = recorded.open();
  const auto in_cache = [&recorded] {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(recorded.folder() + "/nowsim"))
      files.push_back(entry.path().string());
    return files;
  };
  REQUIRE(in_cache().size() == 1);
  const std::string file = in_cache()[0];
  const ino_t made = inode(file);
  CHECK(done(*recorded.open()) == done(*trace));
  CHECK(in_cache() == std::vector<std::string>{file});
  CHECK(inode(file) == made);

  fs::remove_all(recorded.folder() + "/nowsim");
  recorded.write("nowsim", "no folder");
  CHECK(done(*recorded.open()) == done(*trace));  // in a file that has no name
}

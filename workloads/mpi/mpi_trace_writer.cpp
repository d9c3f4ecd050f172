// A pass over the text; over a shared file's two, since a rank's place depends on how many lines those before it have.
#include "workloads/mpi/mpi_trace_writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "workloads/mpi/content_hash.hpp"
#include "workloads/mpi/mpi_trace_checks.hpp"
#include "workloads/mpi/mpi_trace_text.hpp"

namespace nowsim {
namespace {

/// Things of one kind written to one place of a file after another.
template <class T>
class WriterAt {
 public:
  WriterAt(int file, std::uint64_t at, std::size_t buffered) : file_(file), at_(at) { buffer_.reserve(buffered); }
  void write(std::span<const T> things) {
    for (const T& thing : things) {
      buffer_.push_back(thing);
      if (buffer_.size() == buffer_.capacity()) flush();
    }
  }
  void flush() {
    const std::size_t size = buffer_.size() * sizeof(T);
    write_at(file_, reinterpret_cast<const char*>(buffer_.data()), size, at_);
    at_ += size;
    buffer_.clear();
  }
  /// Where the next would be.
  [[nodiscard]] std::uint64_t place() const { return at_ + buffer_.size() * sizeof(T); }

 private:
  int file_;
  std::uint64_t at_;
  std::vector<T> buffer_;
};

/// A rank being compiled.
struct CompiledRank {
  CompiledRank(int rank, const std::string& path, MpiTraceFacts& facts, int file, std::uint64_t at,
               std::size_t buffered)
      : text{.rank = rank, .file = path},
        check(rank, path, facts),
        begin(at),
        actions(file, at, buffered) {}
  MpiRankText text;
  MpiRankCheck check;
  std::uint64_t begin;  ///< of its actions in the file
  WriterAt<MpiAction> actions;
  ContentHash hash;
};

/// Calls use(rank, line, number) for each line that says something.
template <class Use>
void for_rank_lines(const std::string& path, UnpackedBound& bound, const Use& use) {
  MpiTextLines lines(path, bound);
  for (std::string_view line; lines.next(line);)
    if (!mpi_trace_line(line).empty()) use(rank_of_mpi_line(line, path, lines.number()), line, lines.number());
}

class TraceCompiler {
 public:
  TraceCompiler(const MpiTraceFiles& files, int file, int aside)
      : files_(files), file_(file), counts_(aside, 0, kActionsAtOnce) {}

  MpiTraceLayout compile() {
    if (files_.is_shared())
      compile_shared();
    else
      compile_each();
    counts_.flush();
    layout_.counts_begin = end_;
    layout_.counts = counts_.place() / sizeof(double);
    layout_.end = end_ + counts_.place();
    layout_.hash = hash_.text();
    return std::move(layout_);
  }

 private:
  static constexpr std::size_t kActionsAtOnce = std::size_t{1} << 13U, kActionsOfAllRanks = std::size_t{1} << 20U;

  void compile_each() {
    const auto ranks = static_cast<int>(files_.paths.size());
    MpiTraceText reader(ranks);
    UnpackedBound bound(files_.most_unpacked);
    for (int rank = 0; rank < ranks; ++rank) {
      const std::string& path = files_.paths[static_cast<std::size_t>(rank)];
      CompiledRank compiled(rank, path, not_kept_, file_, end_, kActionsAtOnce);
      for_rank_lines(path, bound, [&](int of, std::string_view line, std::uint32_t number) {
        if (of != rank)
          throw InputError({path, static_cast<int>(number), ""},
                           "this line is of rank " + std::to_string(of) + ", and the list names the file for rank " +
                               std::to_string(rank) + ": it names one file for each rank in their order, 0 to " +
                               std::to_string(ranks - 1) + ", or a single one for all.");
        add(reader, compiled, line, number);
      });
      end_ = compiled.actions.place();
      finish(compiled);
    }
  }

  void compile_shared() {
    const std::vector<std::uint64_t> lines = lines_of_ranks();
    const std::size_t buffered = std::clamp<std::size_t>(kActionsOfAllRanks / lines.size(), 1, 200);
    std::vector<CompiledRank> ranks;
    ranks.reserve(lines.size());
    for (std::size_t rank = 0; rank < lines.size(); ++rank) {
      ranks.emplace_back(static_cast<int>(rank), files_.paths[0], not_kept_, file_, end_, buffered);
      end_ += lines[rank] * sizeof(MpiAction);
    }
    MpiTraceText reader(static_cast<int>(lines.size()));
    UnpackedBound bound(files_.most_unpacked);
    for_rank_lines(files_.paths[0], bound, [&](int rank, std::string_view line, std::uint32_t number) {
      add(reader, ranks[static_cast<std::size_t>(rank)], line, number);
    });
    for (CompiledRank& rank : ranks) finish(rank);
  }

  /// How many each has; refuses where some of the ranks below the last one have none.
  [[nodiscard]] std::vector<std::uint64_t> lines_of_ranks() const {
    std::vector<std::uint64_t> lines;
    UnpackedBound bound(files_.most_unpacked);
    for_rank_lines(files_.paths[0], bound, [&](int rank, std::string_view, std::uint32_t number) {
      if (rank >= kMostMpiRanks)
        throw InputError(
            {files_.paths[0], static_cast<int>(number), ""},
            "there are traces of at most 16777216 ranks, and this line is of rank " + std::to_string(rank) + ".");
      if (static_cast<std::size_t>(rank) >= lines.size()) lines.resize(static_cast<std::size_t>(rank) + 1);
      ++lines[static_cast<std::size_t>(rank)];
    });
    constexpr std::size_t kNamed = 10;  // of 16 million there need not be a name each
    std::vector<std::string> missing;
    for (std::size_t rank = 0; rank < lines.size() && missing.size() < kNamed; ++rank)
      if (lines[rank] == 0) missing.push_back(std::to_string(rank));
    if (const auto all = static_cast<std::size_t>(std::ranges::count(lines, 0U)); all > 0)
      throw InputError({files_.paths[0], 0, ""},
                       "this file of all ranks has lines of rank " + std::to_string(lines.size() - 1) +
                           " and none of rank " + some_names(missing) +
                           (all > missing.size() ? " and " + std::to_string(all - missing.size()) + " more." : "."));
    if (lines.empty()) refuse_empty(files_.paths[0], 0);
    return lines;
  }

  void add(MpiTraceText& reader, CompiledRank& rank, std::string_view line, std::uint32_t number) {
    rank.hash.add(mpi_trace_line(line));
    rank.hash.add("\n");
    MpiAction action;
    if (!reader.read(rank.text, line, number, action)) return;
    rank.check.take(action);
    if (!reader.counts().empty()) {
      action.second = static_cast<double>(counts_.place() / sizeof(double));
      counts_.write(reader.counts());
    }
    rank.actions.write({&action, 1});
  }

  void finish(CompiledRank& rank) {
    rank.actions.flush();
    layout_.ranks.push_back({rank.begin, (rank.actions.place() - rank.begin) / sizeof(MpiAction)});
    if (layout_.ranks.back().actions == 0) refuse_empty(rank.text.file, rank.text.rank);
    rank.check.end();
    hash_.add(rank.hash.text());
  }
  [[noreturn]] static void refuse_empty(const std::string& path, int rank) {
    throw InputError({path, 0, ""}, "this file has no action of rank " + std::to_string(rank) +
                                        ", and each rank has two at least, 'init' and 'finalize'.");
  }

  const MpiTraceFiles& files_;
  int file_;
  WriterAt<double> counts_;
  std::uint64_t end_ = kMpiTraceHeaderBytes;  ///< where the next rank's actions go
  ContentHash hash_;
  MpiTraceLayout layout_;
  MpiTraceFacts not_kept_;  ///< what is told of the trace is told of what it is compiled into
};

}  // namespace

void write_at(int file, const char* bytes, std::size_t size, std::uint64_t at) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = pwrite(file, bytes + done, size - done, static_cast<off_t>(at + done));
    if (n < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category());
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

std::array<char, 32> hash_of_rest(const MappedFile& file) {
  constexpr std::size_t kPiece = std::size_t{8} << 20U;
  ContentHash hash;
  const std::string_view rest = file.bytes().substr(kMpiTraceHeaderBytes);
  for (std::size_t at = 0; at < rest.size(); at += kPiece) {
    const std::string_view piece = rest.substr(at, kPiece);
    hash.add(piece);
    file.forget(piece.data(), piece.size());
  }
  std::array<char, 32> out{};
  const std::string text = hash.text();
  std::copy(text.begin(), text.end(), out.begin());
  return out;
}

void compile_mpi_trace(const MpiTraceFiles& files, const std::string& key, int file, int aside) {
  MpiTraceLayout layout = TraceCompiler(files, file, aside).compile();
  layout.key = key;
  const MappedFile counts(aside);
  write_at(file, counts.bytes().data(), counts.bytes().size(), layout.counts_begin);
  Serializer about;
  about.put(layout);
  const std::string bytes = about.take();
  write_at(file, bytes.data(), bytes.size(), layout.end);
  MpiTraceHeader header;
  header.about_begin = layout.end;
  write_at(file, reinterpret_cast<const char*>(&header), sizeof header, 0);
  seal_mpi_trace(file);
}

void seal_mpi_trace(int file) {
  const MappedFile mapped(file);
  MpiTraceHeader header;
  std::memcpy(&header, mapped.bytes().data(), sizeof header);
  header.hash_of_rest = hash_of_rest(mapped);
  write_at(file, reinterpret_cast<const char*>(&header), sizeof header, 0);
}

}  // namespace nowsim

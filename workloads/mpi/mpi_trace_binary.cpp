// The header's hash covers all that comes behind it, so that whatever is damaged shows.
#include "workloads/mpi/mpi_trace_binary.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "sim/base/serialization.hpp"
#include "workloads/mpi/content_hash.hpp"
#include "workloads/mpi/mpi_trace_writer.hpp"

namespace nowsim {
namespace {

constexpr std::uint64_t kHeaderBytes = 4096;  // a page: actions begin at one

struct BinaryHeader {
  std::array<char, 8> magic{'n', 'o', 'w', 's', 'i', 'm', 'T', 'I'};
  std::uint32_t version = 2;  ///< one more whenever MpiAction, its parser, its checks, or what stands below changes
  std::uint32_t byte_order = 0x01020304;
  std::uint32_t action_bytes = sizeof(MpiAction);
  std::uint32_t size_bytes = sizeof(std::size_t);
  std::uint64_t about_begin = 0;        ///< where what is known begins; it goes to the end
  std::array<char, 32> hash_of_rest{};  ///< of the bytes behind the header
};

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Piece by piece, so that memory does not depend on the file's length.
std::array<char, 32> hash_of_rest(const MappedFile& file) {
  constexpr std::size_t kPiece = std::size_t{8} << 20U;
  ContentHash hash;
  const std::string_view rest = file.bytes().substr(kHeaderBytes);
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

/// Ranks' actions and counts, where the layout has them in the file. @throws std::runtime_error where it has not.
void place_actions(std::string_view file, const MpiTraceLayout& layout, MpiTraceBinary& binary) {
  const auto check = [&file](std::uint64_t begin, std::uint64_t count, std::size_t each) {
    if (begin > file.size() || count > (file.size() - begin) / each) throw std::runtime_error("a part is missing");
  };
  for (const auto& rank : layout.ranks) {
    check(rank.begin, rank.actions, sizeof(MpiAction));
    binary.actions.emplace_back(reinterpret_cast<const MpiAction*>(file.data() + rank.begin),
                                static_cast<std::size_t>(rank.actions));
  }
  check(layout.counts_begin, layout.counts, sizeof(double));
  binary.counts = {reinterpret_cast<const double*>(file.data() + layout.counts_begin), static_cast<std::size_t>(layout.counts)};
}

void put_facts(const MpiTraceFacts& facts, Serializer& out) {
  out.put(facts.ranks);
  out.put(facts.actions);
  out.put(facts.messages);
  out.put(facts.message_bytes);
  out.put(facts.flop);
  out.put(facts.rank_flop);
  out.put(facts.calls);
  out.put(facts.any_source_receives);
  out.put(facts.tests);
  out.put(facts.waitanys);
  out.put(facts.warnings.size());
  for (const std::string& warning : facts.warnings) out.put(warning);
}

MpiTraceFacts get_facts(Deserializer& in) {
  MpiTraceFacts facts;
  facts.ranks = in.get<int>();
  facts.actions = in.get<std::uint64_t>();
  facts.messages = in.get<std::uint64_t>();
  facts.message_bytes = in.get<double>();
  facts.flop = in.get<double>();
  facts.rank_flop = in.get_doubles();
  facts.calls = in.get<decltype(facts.calls)>();
  facts.any_source_receives = in.get<std::uint64_t>();
  facts.tests = in.get<std::uint64_t>();
  facts.waitanys = in.get<std::uint64_t>();
  for (auto left = in.get<std::size_t>(); left > 0; --left) facts.warnings.push_back(in.get_text());
  return facts;
}

std::string about(std::int64_t begun_ns, const MpiTraceLayout& layout, const std::vector<MpiTraceSource>& sources,
                  const MpiTraceFacts& facts) {
  Serializer out;
  out.put(begun_ns);
  out.put(layout.hash);
  out.put(layout.counts_begin);
  out.put(layout.counts);
  out.put(layout.ranks.size());
  out.put_all(layout.ranks.data(), layout.ranks.size());
  out.put(sources.size());
  for (const MpiTraceSource& source : sources) {
    out.put(source.name);
    out.put(source.stamp);
    out.put(source.hash);
  }
  put_facts(facts, out);
  return out.take();
}

/// @throws std::runtime_error where the bytes end early.
void read_about(std::string_view file, std::uint64_t begin, MpiTraceBinary& binary) {
  Deserializer in(file.substr(begin));
  binary.begun_ns = in.get<std::int64_t>();
  MpiTraceLayout layout;
  binary.hash = in.get_text();
  layout.counts_begin = in.get<std::uint64_t>();
  layout.counts = in.get<std::uint64_t>();
  layout.ranks.resize(in.get<std::size_t>());
  in.get_all(layout.ranks.data(), layout.ranks.size());
  place_actions(file, layout, binary);
  for (auto left = in.get<std::size_t>(); left > 0; --left) {
    MpiTraceSource source;
    source.name = in.get_text();
    source.stamp = in.get<FileStamp>();
    source.hash = in.get_text();
    binary.sources.push_back(std::move(source));
  }
  binary.facts = get_facts(in);
}

/// The files of a trace by name and path, the list first.
template <class Use>
void for_sources(const MpiTraceFiles& files, const Use& use) {
  use(std::string(), files.list);
  for (std::size_t i = 0; i < files.paths.size(); ++i) use(files.named[i], files.paths[i]);
}

/// Stamps before hashes: what is changed meanwhile has another time.
std::vector<MpiTraceSource> sources_of(const MpiTraceFiles& files) {
  std::vector<MpiTraceSource> sources;
  for_sources(files, [&sources](const std::string& name, const std::string& path) {
    const FileStamp stamp = file_stamp(path);
    sources.push_back({name, stamp, file_hash(path)});
  });
  return sources;
}

}  // namespace

void compile_mpi_trace(const MpiTraceFiles& files, int file, int aside) {
  const std::int64_t begun_ns = now_ns();
  const std::vector<MpiTraceSource> sources = sources_of(files);
  BinaryHeader header;
  const MpiTraceLayout layout = write_mpi_trace(files, file, aside, kHeaderBytes);
  MpiTraceBinary written{.mapped = std::make_unique<MappedFile>(file)};
  place_actions(written.mapped->bytes(), layout, written);
  MpiTraceView view{std::move(written.actions), written.counts, {}, written.mapped.get()};
  for (std::size_t rank = 0; rank < layout.ranks.size(); ++rank)
    view.files.push_back(files.paths[files.is_shared() ? 0 : rank]);
  const std::string known = about(begun_ns, layout, sources, check_mpi_trace(view));
  written.mapped.reset();
  header.about_begin = layout.end;
  write_at(file, known.data(), known.size(), layout.end);
  header.hash_of_rest = hash_of_rest(MappedFile(file));
  write_at(file, reinterpret_cast<const char*>(&header), sizeof header, 0);
}

namespace {

/// Whether nothing in it leads out of it: others may have written a file beside their trace.
bool is_sound(const MpiTraceBinary& binary) {
  const auto ranks = static_cast<std::int32_t>(binary.actions.size());
  const auto is_rank = [ranks](std::int32_t rank) { return rank >= kAnySource && rank < ranks; };
  const auto is_sound_action = [&](const MpiAction& a) {
    if (a.call > MpiCall::exscan || !is_rank(a.peer) || !is_rank(a.other) || a.amount != a.amount) return false;
    const double counts = static_cast<double>(counts_per_rank(a.call)) * ranks;
    return counts == 0 || (a.second >= 0 && a.second + counts <= static_cast<double>(binary.counts.size()));
  };
  const auto is_aligned = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at) % alignof(MpiAction) == 0; };
  return binary.facts.ranks == ranks && is_aligned(binary.counts.data()) &&
         std::ranges::all_of(binary.actions, [&](std::span<const MpiAction> of_rank) {
           const bool is_sound = is_aligned(of_rank.data()) && std::ranges::all_of(of_rank, is_sound_action);
           binary.mapped->forget(of_rank.data(), of_rank.size_bytes());
           return is_sound;
         });
}

}  // namespace

std::optional<MpiTraceBinary> map_mpi_trace(int file) try {
  MpiTraceBinary binary{.mapped = std::make_unique<MappedFile>(file)};
  const std::string_view bytes = binary.mapped->bytes();
  BinaryHeader header, own;
  if (bytes.size() < kHeaderBytes) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  own.about_begin = header.about_begin;
  own.hash_of_rest = header.hash_of_rest;
  if (std::memcmp(&header, &own, sizeof own) != 0 || header.about_begin > bytes.size() ||
      header.hash_of_rest != hash_of_rest(*binary.mapped))
    return std::nullopt;
  read_about(bytes, header.about_begin, binary);
  if (!is_sound(binary)) return std::nullopt;
  binary.mapped->forget(bytes.data(), bytes.size());
  return binary;
} catch (const std::runtime_error&) {  // it is no file that can be mapped, or its bytes end early
  return std::nullopt;
}

bool is_current(const MpiTraceBinary& binary, const MpiTraceFiles& files) {
  constexpr std::int64_t kClockTickNs = 20000000;  // files' times may be those of a system's last tick, 10 ms at most
  bool is_same_files = binary.sources.size() == files.paths.size() + 1, is_same_stamps = true;
  std::size_t i = 0;
  for_sources(files, [&](const std::string& name, const std::string& path) {
    if (!is_same_files) return;
    const MpiTraceSource& source = binary.sources[i++];
    is_same_files = source.name == name;
    const FileStamp stamp = file_stamp(path);
    is_same_stamps = is_same_stamps && source.stamp == stamp && stamp.modified_ns + kClockTickNs < binary.begun_ns;
  });
  if (!is_same_files || is_same_stamps) return is_same_files;
  const std::vector<MpiTraceSource> now = sources_of(files);
  return std::ranges::equal(now, binary.sources, {}, &MpiTraceSource::hash, &MpiTraceSource::hash);
}

}  // namespace nowsim

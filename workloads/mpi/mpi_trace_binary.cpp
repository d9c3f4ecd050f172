// The header's hash covers all that comes behind it, so that whatever is damaged shows.
#include "workloads/mpi/mpi_trace_binary.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "workloads/mpi/content_hash.hpp"
#include "workloads/mpi/mpi_trace_writer.hpp"

namespace nowsim {
namespace {

struct BinaryHeader {
  std::array<char, 8> magic{'n', 'o', 'w', 's', 'i', 'm', 'T', 'I'};
  std::uint32_t version = 3;  ///< one more whenever MpiAction, its parser, its checks, or what stands below changes
  std::uint32_t byte_order = 0x01020304;
  std::uint32_t action_bytes = sizeof(MpiAction);
  std::uint32_t size_bytes = sizeof(std::size_t);
  std::uint64_t about_begin = 0;        ///< where what is known begins; it goes to the end
  std::array<char, 32> hash_of_rest{};  ///< of the bytes behind the header
};

/// Piece by piece, so that memory does not depend on the file's length.
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

/// Ranks' actions and counts, where the layout has them in the file. @throws std::runtime_error where it has not.
void place_actions(std::string_view file, const MpiTraceLayout& layout, MpiTraceBinary& binary) {
  const auto check = [&file](std::uint64_t begin, std::uint64_t count, std::size_t each) {
    if (begin % alignof(MpiAction) != 0 || begin > file.size() || count > (file.size() - begin) / each)
      throw std::runtime_error("a part is missing");
  };
  for (const auto& rank : layout.ranks) {
    if (rank.actions == 0) throw std::runtime_error("a rank is missing");
    check(rank.begin, rank.actions, sizeof(MpiAction));
    binary.actions.emplace_back(reinterpret_cast<const MpiAction*>(file.data() + rank.begin),
                                static_cast<std::size_t>(rank.actions));
  }
  check(layout.counts_begin, layout.counts, sizeof(double));
  binary.counts = {reinterpret_cast<const double*>(file.data() + layout.counts_begin), static_cast<std::size_t>(layout.counts)};
}

std::string about(const MpiTraceLayout& layout, const std::string& key) {
  Serializer out;
  out.put(key);
  out.put(layout.hash);
  out.put(layout.counts_begin);
  out.put(layout.counts);
  out.put(layout.ranks.size());
  out.put_all(layout.ranks.data(), layout.ranks.size());
  return out.take();
}

/// @throws std::runtime_error where the bytes end early, or are not of this key or so many ranks (0: any number).
void read_about(std::string_view about, const std::string& key, std::size_t ranks, MpiTraceBinary& binary) {
  Deserializer in(about);
  if (in.get_text() != key) throw std::runtime_error("it is of another text");
  MpiTraceLayout layout;
  binary.hash = in.get_text();
  layout.counts_begin = in.get<std::uint64_t>();
  layout.counts = in.get<std::uint64_t>();
  const auto count = in.get<std::size_t>();
  if (count == 0 || count > kMostMpiRanks || count > about.size() / sizeof(MpiTraceLayout::Rank) ||
      (ranks > 0 && count != ranks))
    throw std::runtime_error("there are not so many ranks");
  layout.ranks.resize(count);
  in.get_all(layout.ranks.data(), count);
  place_actions(binary.mapped->bytes(), layout, binary);
}

}  // namespace

void compile_mpi_trace(const MpiTraceFiles& files, const std::string& key, int file, int aside) {
  const MpiTraceLayout layout = write_mpi_trace(files, file, aside, kMpiTraceHeaderBytes);
  const std::string known = about(layout, key);
  write_at(file, known.data(), known.size(), layout.end);
  BinaryHeader header;
  header.about_begin = layout.end;
  write_at(file, reinterpret_cast<const char*>(&header), sizeof header, 0);
  seal_mpi_trace(file);
}

void seal_mpi_trace(int file) {
  const MappedFile mapped(file);
  BinaryHeader header;
  std::memcpy(&header, mapped.bytes().data(), sizeof header);
  header.hash_of_rest = hash_of_rest(mapped);
  write_at(file, reinterpret_cast<const char*>(&header), sizeof header, 0);
}

std::optional<MpiTraceBinary> map_mpi_trace(const MpiTraceFiles& files, const std::string& key, int file) try {
  MpiTraceBinary binary{.mapped = std::make_unique<MappedFile>(file)};
  const std::string_view bytes = binary.mapped->bytes();
  BinaryHeader header, own;
  if (bytes.size() < kMpiTraceHeaderBytes) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  own.about_begin = header.about_begin;
  own.hash_of_rest = header.hash_of_rest;
  if (std::memcmp(&header, &own, sizeof own) != 0 || header.about_begin > bytes.size() ||
      header.hash_of_rest != hash_of_rest(*binary.mapped))
    return std::nullopt;
  read_about(bytes.substr(header.about_begin), key, files.is_shared() ? 0 : files.paths.size(), binary);
  if (!std::ranges::all_of(binary.counts, is_quantity)) return std::nullopt;
  MpiTraceView view{binary.actions, binary.counts, {}, binary.mapped.get()};
  for (std::size_t rank = 0; rank < binary.actions.size(); ++rank)
    view.files.push_back(files.paths[files.is_shared() ? 0 : rank]);
  binary.facts = check_mpi_trace(view);
  binary.mapped->forget(bytes.data(), bytes.size());
  return binary;
} catch (const InputError&) {  // what the text does not hold
  throw;
} catch (const std::runtime_error&) {  // it is no file that can be mapped, or its bytes end early
  return std::nullopt;
}

}  // namespace nowsim

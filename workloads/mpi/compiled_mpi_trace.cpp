// Finding the compiled file, or a place to make it.
#include "workloads/mpi/compiled_mpi_trace.hpp"

#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "workloads/mpi/compiled_trace_cache.hpp"
#include "workloads/mpi/mpi_trace_checks.hpp"
#include "workloads/mpi/mpi_trace_writer.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// So many things where they are in the file. @throws std::runtime_error where the file has not.
template <class T>
std::span<const T> things_at(std::string_view file, std::uint64_t begin, std::uint64_t count) {
  if (begin % alignof(MpiAction) != 0 || begin > file.size() || count > (file.size() - begin) / sizeof(T))
    throw std::runtime_error("a part is missing");
  return {reinterpret_cast<const T*>(file.data() + begin), static_cast<std::size_t>(count)};
}

/// In a file without a name, which goes with what is read from it.
std::optional<MpiTrace> compiled_for_now(const MpiTraceFiles& files) try {
  const std::string folder = fs::temp_directory_path().string();
  const FileHandle file = unnamed_file(folder);
  compile_mpi_trace(files, "", file.get(), unnamed_file(folder).get());
  return MpiTrace::mapped(files, "", file.get());
} catch (const std::system_error& error) {
  throw InputError({files.list, 0, ""}, std::string("there is no room for what this trace is compiled into, neither in "
                                                    "the user's cache nor in the folder of temporary files: ") +
                                            error.code().message() + ".");
}

/// What the cache has under the key; nothing where there is nothing sound.
std::optional<MpiTrace> found_in(const CompiledTraceCache& cache, const MpiTraceFiles& files,
                                 const std::string& key) try {
  const FileHandle file = cache.find(key);
  return file.is_open() ? MpiTrace::mapped(files, key, file.get()) : std::nullopt;
} catch (const InputError&) {  // no program's ranks do that, so that it is not what the text was compiled into
  return std::nullopt;
}

/// Compiled into the cache. @param before the files' stamp before their key was made.
/// @throws std::system_error where the folder may not be written, or is full.
std::optional<MpiTrace> compiled_into(const CompiledTraceCache& cache, const MpiTraceFiles& files,
                                      const MpiTraceStamp& before, const std::string& key) {
  NewCacheFile file(cache.file_of(key));
  compile_mpi_trace(files, key, file.get(), unnamed_file(cache.folder()).get());
  std::optional<MpiTrace> trace = MpiTrace::mapped(files, key, file.get());
  const bool is_unchanged = before.is_settled && stamp_of(files).text == before.text;
  if (!is_unchanged && content_key(files) != key)
    throw InputError({files.list, 0, ""},
                     "the files of this trace were changed while they were read: try again when all are there.");
  file.complete();
  cache.tidy(cache.file_of(key));
  return trace;
}

std::optional<MpiTrace> compiled(const MpiTraceFiles& files) {
  const CompiledTraceCache cache;
  if (!cache.is_usable()) return compiled_for_now(files);
  const MpiTraceStamp stamp = stamp_of(files);
  const std::string key = cache.key_of(files, stamp);
  if (auto trace = found_in(cache, files, key)) return trace;
  try {
    return compiled_into(cache, files, stamp, key);
  } catch (const std::system_error&) {
    return compiled_for_now(files);
  }
}

}  // namespace

std::shared_ptr<const MpiTrace> MpiTrace::open(const std::string& path, std::uint64_t most_unpacked) {
  MpiTraceFiles files = find_mpi_trace_files(path);
  files.most_unpacked = most_unpacked;
  if (std::optional<MpiTrace> trace = compiled(files)) return std::make_shared<const MpiTrace>(std::move(*trace));
  throw InputError({files.list, 0, ""}, "what this trace is compiled into was damaged at once: is the disk sound?");
}

std::optional<MpiTrace> MpiTrace::mapped(const MpiTraceFiles& files, const std::string& key, int file) try {
  MpiTrace trace;
  trace.files_ = files;
  trace.mapped_.emplace(file);
  const std::string_view bytes = trace.mapped_->bytes();
  MpiTraceHeader header, own;
  if (bytes.size() < kMpiTraceHeaderBytes) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  own.about_begin = header.about_begin;
  own.hash_of_rest = header.hash_of_rest;
  if (std::memcmp(&header, &own, sizeof own) != 0 || header.about_begin > bytes.size() ||
      header.hash_of_rest != hash_of_rest(*trace.mapped_))
    return std::nullopt;
  MpiTraceLayout layout;
  Deserializer(bytes.substr(header.about_begin)).get_into(layout);
  if (layout.key != key || layout.ranks.empty() || layout.ranks.size() > kMostMpiRanks ||
      (!files.is_shared() && layout.ranks.size() != files.paths.size()))
    return std::nullopt;
  trace.hash_ = layout.hash;
  for (const MpiTraceLayout::Rank& rank : layout.ranks) {
    if (rank.actions == 0) return std::nullopt;
    trace.actions_.push_back(things_at<MpiAction>(bytes, rank.begin, rank.actions));
  }
  trace.counts_ = things_at<double>(bytes, layout.counts_begin, layout.counts);
  if (!std::ranges::all_of(trace.counts_, is_quantity)) return std::nullopt;
  trace.facts_ = check_mpi_trace(trace);
  trace.mapped_->forget(bytes.data(), bytes.size());
  return trace;
} catch (const InputError&) {  // what the text does not hold
  throw;
} catch (const std::runtime_error&) {  // it is no file that can be mapped, or its bytes end early
  return std::nullopt;
}

std::span<const double> MpiTrace::counts(const MpiAction& action) const {
  const MpiAction now = action;  // what is checked is what is used
  if (!has_counts(now, ranks(), counts_)) throw InputError({files_.list, 0, ""}, kChangedCompiledTrace);
  return counts_of(now, ranks(), counts_);
}

std::vector<std::string> MpiTrace::files() const {
  std::vector<std::string> all{files_.list};
  all.insert(all.end(), files_.paths.begin(), files_.paths.end());
  return all;
}

}  // namespace nowsim

// Finding the compiled file, or a place to make it.
#include "workloads/mpi/compiled_mpi_trace.hpp"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/mpi/compiled_trace_cache.hpp"
#include "workloads/mpi/mpi_trace_binary.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

class MappedMpiTrace final : public MpiTrace {
 public:
  MappedMpiTrace(MpiTraceBinary binary, MpiTraceFiles files) : binary_(std::move(binary)), files_(std::move(files)) {}

  [[nodiscard]] std::span<const MpiAction> actions(int rank) const override {
    return binary_.actions[static_cast<std::size_t>(rank)];
  }
  void forget(std::span<const MpiAction> done) const override { binary_.mapped->forget(done.data(), done.size_bytes()); }
  [[nodiscard]] std::span<const double> counts(const MpiAction& action) const override {
    const MpiAction now = action;  // what is checked is what is used
    if (!has_counts(now, ranks(), binary_.counts)) throw InputError({files_.list, 0, ""}, kChangedCompiledTrace);
    return counts_of(now, ranks(), binary_.counts);
  }
  [[nodiscard]] const std::string& hash() const override { return binary_.hash; }
  [[nodiscard]] std::vector<std::string> files() const override {
    std::vector<std::string> all{files_.list};
    all.insert(all.end(), files_.paths.begin(), files_.paths.end());
    return all;
  }
  [[nodiscard]] const std::string& file(int rank) const override {
    return files_.paths[files_.is_shared() ? 0 : static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] const MpiTraceFacts& facts() const override { return binary_.facts; }

 private:
  MpiTraceBinary binary_;
  MpiTraceFiles files_;
};

/// In a file without a name, which goes with what is read from it.
std::optional<MpiTraceBinary> compiled_for_now(const MpiTraceFiles& files) try {
  const std::string folder = fs::temp_directory_path().string();
  const FileHandle file = unnamed_file(folder);
  compile_mpi_trace(files, "", file.get(), unnamed_file(folder).get());
  return map_mpi_trace(files, "", file.get());
} catch (const std::system_error& error) {
  throw InputError({files.list, 0, ""}, std::string("there is no room for what this trace is compiled into, neither in "
                                                    "the user's cache nor in the folder of temporary files: ") +
                                            error.code().message() + ".");
}

/// What the cache has under the key; nothing where there is nothing sound.
std::optional<MpiTraceBinary> found_in(const CompiledTraceCache& cache, const MpiTraceFiles& files,
                                       const std::string& key) try {
  const FileHandle file = cache.find(key);
  return file.is_open() ? map_mpi_trace(files, key, file.get()) : std::nullopt;
} catch (const InputError&) {  // no program's ranks do that, so that it is not what the text was compiled into
  return std::nullopt;
}

/// Compiled into the cache. @param before the files' stamp before their key was made.
/// @throws std::system_error where the folder may not be written, or is full.
std::optional<MpiTraceBinary> compiled_into(const CompiledTraceCache& cache, const MpiTraceFiles& files,
                                            const MpiTraceStamp& before, const std::string& key) {
  NewCacheFile file(cache.file_of(key));
  compile_mpi_trace(files, key, file.get(), unnamed_file(cache.folder()).get());
  std::optional<MpiTraceBinary> binary = map_mpi_trace(files, key, file.get());
  const bool is_unchanged = before.is_settled && stamp_of(files).text == before.text;
  if (!is_unchanged && content_key(files) != key)
    throw InputError({files.list, 0, ""},
                     "the files of this trace were changed while they were read: try again when all are there.");
  file.complete();
  cache.tidy(cache.file_of(key));
  return binary;
}

std::optional<MpiTraceBinary> compiled(const MpiTraceFiles& files) {
  const CompiledTraceCache cache;
  if (!cache.is_usable()) return compiled_for_now(files);
  const MpiTraceStamp stamp = stamp_of(files);
  const std::string key = cache.key_of(files, stamp);
  if (auto binary = found_in(cache, files, key)) return binary;
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
  std::optional<MpiTraceBinary> binary = compiled(files);
  if (!binary)
    throw InputError({files.list, 0, ""}, "what this trace is compiled into was damaged at once: is the disk sound?");
  return std::make_shared<const MappedMpiTrace>(std::move(*binary), std::move(files));
}

}  // namespace nowsim

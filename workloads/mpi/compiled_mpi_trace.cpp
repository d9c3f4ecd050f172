// Finding the compiled file, or a place to make it.
#include "workloads/mpi/compiled_mpi_trace.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/user_cache_folder.hpp"
#include "workloads/mpi/content_hash.hpp"
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
    const std::size_t n = counts_per_rank(action.call) * static_cast<std::size_t>(ranks());
    return n > 0 ? binary_.counts.subspan(static_cast<std::size_t>(action.second), n) : std::span<const double>();
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

/// Where the binary of a list may be, the best first.
std::vector<std::string> places_for_binary(const std::string& list) {
  std::vector<std::string> places{list + ".nowsim"};
  if (const fs::path cache = user_cache_folder(); !cache.empty()) {
    std::error_code none;
    ContentHash name;
    name.add(fs::weakly_canonical(list, none).string());
    places.push_back((cache / ("mpi-trace-" + name.text() + ".nowsim")).string());
  }
  return places;
}

/// A new file with a name of its own that begins like this.
std::pair<FileHandle, std::string> new_file(const std::string& beginning) {
  std::string name = beginning + ".XXXXXX";
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) throw std::system_error(errno, std::generic_category());
  return {FileHandle(descriptor), name};
}

FileHandle unnamed_file(const std::string& beginning) {
  auto [file, name] = new_file(beginning);
  unlink(name.c_str());
  return std::move(file);
}

/// A file that becomes another one when it is complete, or goes away.
class FileAside {
 public:
  explicit FileAside(const std::string& becomes) : becomes_(becomes) { std::tie(file_, name_) = new_file(becomes); }
  ~FileAside() {
    if (!name_.empty()) unlink(name_.c_str());
  }
  FileAside(const FileAside&) = delete;
  FileAside& operator=(const FileAside&) = delete;
  [[nodiscard]] int get() const { return file_.get(); }
  /// Whoever may read the trace may read what was made of it.
  FileHandle complete(const std::string& list) {
    struct stat status {};
    constexpr mode_t kReadAndWrite = 0666;
    if (stat(list.c_str(), &status) == 0) (void)fchmod(file_.get(), status.st_mode & kReadAndWrite);
    if (rename(name_.c_str(), becomes_.c_str()) != 0) throw std::system_error(errno, std::generic_category());
    name_.clear();
    return std::move(file_);
  }

 private:
  std::string becomes_, name_;
  FileHandle file_;
};

FileHandle compile_into(const std::string& place, const MpiTraceFiles& files) {
  std::error_code none;
  if (place != files.list + ".nowsim") fs::create_directories(fs::path(place).parent_path(), none);
  FileAside aside(place);
  compile_mpi_trace(files, aside.get(), unnamed_file(place).get());
  return aside.complete(files.list);
}

/// In the first place that takes it; where none does, in a file without a name.
FileHandle compile_somewhere(const std::vector<std::string>& places, const MpiTraceFiles& files) {
  for (const std::string& place : places) {
    try {
      return compile_into(place, files);
    } catch (const std::system_error&) {  // a folder that may not be written, or is full: the next one
      continue;
    }
  }
  try {
    const std::string beginning = (fs::temp_directory_path() / "nowsim-mpi-trace").string();
    FileHandle file = unnamed_file(beginning);
    compile_mpi_trace(files, file.get(), unnamed_file(beginning).get());
    return file;
  } catch (const std::system_error& error) {
    throw InputError({files.list, 0, ""}, std::string("there is no room for what this trace is compiled into, neither "
                                                      "beside it nor in the folder of temporary files: ") +
                                              error.code().message() + ".");
  }
}

std::optional<MpiTraceBinary> find_current(const std::vector<std::string>& places, const MpiTraceFiles& files) {
  for (const std::string& place : places) {
    const FileHandle file(open(place.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe of this name is none
    struct stat status {};
    if (!file.is_open() || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    std::optional<MpiTraceBinary> binary = map_mpi_trace(file.get());
    if (binary && is_current(*binary, files)) return binary;
  }
  return std::nullopt;
}

}  // namespace

std::shared_ptr<const MpiTrace> MpiTrace::open(const std::string& path) {
  MpiTraceFiles files = find_mpi_trace_files(path);
  const std::vector<std::string> places = places_for_binary(files.list);
  std::optional<MpiTraceBinary> binary = find_current(places, files);
  if (!binary) binary = map_mpi_trace(compile_somewhere(places, files).get());
  if (!binary)
    throw InputError({files.list, 0, ""}, "what this trace is compiled into was damaged at once: is the disk sound?");
  return std::make_shared<const MappedMpiTrace>(std::move(*binary), std::move(files));
}

}  // namespace nowsim

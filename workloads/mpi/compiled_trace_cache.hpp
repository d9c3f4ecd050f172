// The user's own folder of compiled traces: under the key of what their text holds, and what spares reading the text.
#pragma once

#include <string>
#include <utility>

#include "sim/base/plain_file.hpp"
#include "workloads/mpi/mpi_trace_files.hpp"

namespace nowsim {

/// A new file, nobody else's to read, with a name of its own until it is taken up into the cache when it is complete,
/// or goes away.
class NewCacheFile {
 public:
  /// Open for reading and writing. @throws std::system_error where it cannot be made.
  explicit NewCacheFile(const std::string& becomes);
  ~NewCacheFile();
  NewCacheFile(const NewCacheFile&) = delete;
  NewCacheFile& operator=(const NewCacheFile&) = delete;
  [[nodiscard]] int get() const { return file_.get(); }
  /// @throws std::system_error
  void complete();
  /// The file, which is to lose its name with this.
  [[nodiscard]] FileHandle take() { return std::move(file_); }

 private:
  std::string becomes_, name_;
  FileHandle file_;
};

/// A file without a name, open for reading and writing. @throws std::system_error where it cannot be made there.
FileHandle unnamed_file(const std::string& folder);

/// mpi-traces/ in $XDG_CACHE_HOME/nowsim or ~/.cache/nowsim. What is in it was written by this user: the folder is, and
/// each file that is opened, the user's and nobody else's to write.
class CompiledTraceCache {
 public:
  /// Makes the folder where there is none, and anew where it is the user's, but others may write there.
  CompiledTraceCache();
  /// Whether there is a folder that may be used.
  [[nodiscard]] bool is_usable() const { return !folder_.empty(); }
  [[nodiscard]] const std::string& folder() const { return folder_; }
  /// What names the content of a trace's files: told by their stamp if they were seen with it before, else by reading
  /// them. @throws InputError where one cannot be read.
  [[nodiscard]] std::string key_of(const MpiTraceFiles& files, const MpiTraceStamp& stamp) const;
  [[nodiscard]] std::string file_of(const std::string& key) const { return folder_ + "/" + key + ".nowsim"; }
  /// What is compiled under this key, marked as used now; not open where there is nothing.
  [[nodiscard]] FileHandle find(const std::string& key) const;
  /// Removes what has not been used for long, what processes that were killed have left, and the longest unused where
  /// all comes to more than 16 GiB, but for this.
  void tidy(const std::string& but_for) const;

 private:
  std::string folder_;  ///< "": there is none
};

}  // namespace nowsim

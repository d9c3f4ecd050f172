// The folder of a sweep that is run in shards: files that are there whole or not at all, named by what is in them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nowsim {

/// What is told of a sweep in a small file, and what is published, hold at most so much [bytes].
inline constexpr std::uintmax_t kMostTold_bytes = std::uintmax_t{16} << 20U,
                                kMostPublished_bytes = std::uintmax_t{1} << 30U;

/// What shards publish lies in OUT/shards. Nobody writes into a file that has a name there: it is written under another
/// one, in shards/incoming, and linked when it is whole, so that a process that is killed leaves nothing half done, and
/// no file system has to lock anything. Whoever may write there may have put anything there: what is read is ordinary
/// files, no links, and no more of them than nowsim would have written.
class ShardFolder {
 public:
  /// `out`: the folder that --out names.
  explicit ShardFolder(std::filesystem::path out);

  [[nodiscard]] const std::filesystem::path& out() const { return out_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Whether there is one.
  [[nodiscard]] bool exists() const;
  /// Makes it, and tries whether files can be linked and renamed there, and whether there is room.
  /// @throws InputError with a sentence where something is not so.
  void make() const;

  /// Publishes bytes as HASH-LABEL (content_name()), and says that name; a file that is there already stays.
  /// @throws RunError where it cannot be written: what was published before stays.
  [[nodiscard]] std::string publish(const std::string& bytes, const std::string& label) const;
  /// Replaces a small file that tells where a sweep stands, or with `once` leaves one that is there.
  void put(const std::string& name, const std::string& bytes, bool once) const;
  /// A small file's bytes; nothing where there is none. @throws RunError where it cannot be read; InputError, as all
  /// that reads here does, where it is no ordinary file, or larger than those of its kind.
  [[nodiscard]] std::optional<std::string> get(const std::string& name) const;
  /// The same of what was published, which may be other bytes by now.
  [[nodiscard]] std::optional<std::string> bytes(const std::string& name) const;
  /// Whether something was published under a name. Throws likewise.
  [[nodiscard]] bool has(const std::string& name) const;
  /// Puts a copy of a file into OUT, in one step.
  void put_into_out(const std::string& name, const std::filesystem::path& from) const;

  /// Whether a name may be one of nowsim's, which can be printed as they are: none has a control character.
  [[nodiscard]] static bool is_plain(std::string_view name);
  /// The names that end so and are plain, in their order.
  [[nodiscard]] std::vector<std::string> names(const std::string& ending) const;
  /// Whether bytes are what was published under a name.
  [[nodiscard]] static bool is_whole(const std::string& name, const std::string& bytes);
  /// What was published under a name; nothing where its bytes are others, or where it is gone. @throws RunError where it
  /// cannot be read.
  [[nodiscard]] std::optional<std::string> whole(const std::string& name) const;
  /// Moves a file that is not as it was published to shards/damaged. @return what has become of it: "it is now ...".
  [[nodiscard]] std::string set_aside(const std::string& name) const;
  /// Removes what attempts that were killed have left in shards/incoming: what has not changed for a day by the clock of
  /// the file system itself, since the clocks of machines may disagree.
  void remove_leftovers() const;
  /// The time by the file system's clock; the machine's own where it may not be written.
  [[nodiscard]] std::filesystem::file_time_type now() const;

 private:
  /// Writes a file in shards/incoming, and renames it.
  template <typename Write>
  void replace(const std::filesystem::path& file, Write&& write) const;

  std::filesystem::path out_, path_;
};

/// A name for a file that no other process takes: machine, process, a number of its own.
std::string unique_name();

}  // namespace nowsim

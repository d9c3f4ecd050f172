// The folder of a sweep that is run in shards: files that are there whole or not at all, named by what is in them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nowsim {

/// How long a batch waits before it is published with those of its attempt [s]: the most that a kill costs, and the least
/// that a file system has to bear.
inline constexpr double kPublishEvery_s = 60;
/// What is published holds at most so much [bytes].
inline constexpr std::uintmax_t kMostPublished_bytes = std::uintmax_t{1} << 30U;

/// What shards publish lies in OUT/shards. Nobody writes into a file that has a name there: it is written under another
/// one, in shards/incoming, and renamed when it is whole, so that a process that is killed leaves nothing half done,
/// and no file system has to lock anything. Whoever may write there may have put anything there: what is read is
/// ordinary files, no links, and no more of them than nowsim would have written.
class ShardFolder {
 public:
  /// `out`: the folder that --out names.
  explicit ShardFolder(std::filesystem::path out);

  [[nodiscard]] const std::filesystem::path& out() const { return out_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Whether there is one.
  [[nodiscard]] bool exists() const;
  /// Makes it. @throws InputError where it cannot be made, or has no room.
  void make() const;

  /// Publishes bytes as HASH-LABEL (content_name()), and says that name; a file that is there already stays.
  /// @throws RunError where it cannot be written: what was published before stays.
  [[nodiscard]] std::string publish(const std::string& bytes, const std::string& label) const;
  /// What was published under a name, or so many bytes of it from its beginning; nothing where it is gone.
  /// @throws RunError where it cannot be read; InputError where it is no ordinary file, or larger than those of its
  /// kind.
  [[nodiscard]] std::optional<std::string> bytes(const std::string& name,
                                                 std::size_t most = kMostPublished_bytes) const;
  /// The names that end so, in their order. Those that have control characters, which may not be printed, are nobody's.
  [[nodiscard]] std::vector<std::string> names(std::string_view ending) const;
  /// Whether bytes are what was published under a name.
  [[nodiscard]] static bool is_whole(const std::string& name, const std::string& bytes);
  /// Removes what was published under a name; that it is gone already is no error.
  void remove(const std::string& name) const;
  /// Moves a file that is not as it was published to shards/damaged. @return what has become of it: "it is now ...".
  [[nodiscard]] std::string set_aside(const std::string& name) const;
  /// Removes what attempts that were killed have left in shards/incoming: what has not changed for a day by the clock
  /// of the file system itself, since the clocks of machines may disagree.
  void remove_leftovers() const;
  /// The time by the file system's clock; the machine's own where it may not be written.
  [[nodiscard]] std::filesystem::file_time_type now() const;

 private:
  std::filesystem::path out_, path_;
};

/// A name for a file that no other process takes: machine, process, a number of its own.
std::string unique_name();

}  // namespace nowsim

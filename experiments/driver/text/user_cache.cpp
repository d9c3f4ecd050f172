// The key is the first line.
#include "experiments/driver/text/user_cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "experiments/driver/text/checksum.hpp"
#include "sim/base/plain_file.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 16U;  // no text here has more than some lines

/// What processes that were killed have left beside a file: nobody writes for a day.
void remove_left_beside(const fs::path& file) {
  std::error_code none;
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (fs::directory_iterator at(file.parent_path(), none), end; at != end; at.increment(none))
    if (at->path().stem() == file.filename() && at->last_write_time(none) < old && !none) fs::remove(at->path(), none);
}

}  // namespace

std::string cache_file(const std::string& kind, const std::string& key) {
  const fs::path folder = user_cache_folder();
  if (folder.empty()) return "";
  return (folder / (kind + "-" + std::to_string(static_cast<std::uint64_t>(checksum(key))) + ".txt")).string();
}

std::string read_cached(const std::string& file, const std::string& key) {
  const std::string text = read_own_file(file, kMostBytes);
  return text.starts_with(key + "\n") ? text.substr(key.size() + 1) : "";
}

bool write_cached(const std::string& file, const std::string& key, const std::string& text) {
  if (file.empty()) return false;
  std::error_code error;
  fs::create_directories(fs::path(file).parent_path(), error);
  remove_left_beside(file);
  std::string made = file + ".XXXXXX";
  FileHandle own(mkostemp(made.data(), O_CLOEXEC));  // a new file, whatever may lie there
  if (!own.is_open()) return false;
  const std::string all = key + "\n" + text;
  const bool is_whole = write(own.get(), all.data(), all.size()) == static_cast<ssize_t>(all.size());
  const bool is_written = close(own.release()) == 0 && is_whole;
  if (is_written) fs::rename(made, file, error);
  if (is_written && !error) return true;
  fs::remove(made, error);
  return false;
}

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return std::string(trimmed(std::string_view(line).substr(line.find(':') + 1)));
  return "unknown";
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace nowsim

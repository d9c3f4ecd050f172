// The key is the first line.
#include "experiments/driver/text/user_cache.hpp"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "experiments/driver/text/checksum.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_cache_folder.hpp"

namespace nowsim {
namespace fs = std::filesystem;

std::string cache_file(const std::string& kind, const std::string& key) {
  const fs::path folder = user_cache_folder();
  if (folder.empty()) return "";
  return (folder / (kind + "-" + std::to_string(static_cast<std::uint64_t>(checksum(key))) + ".txt")).string();
}

std::string read_cached(const std::string& file, const std::string& key) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line != key) return "";
  return {std::istreambuf_iterator<char>(in), {}};
}

bool write_cached(const std::string& file, const std::string& key, const std::string& text) {
  if (file.empty()) return false;
  std::error_code error;
  fs::create_directories(fs::path(file).parent_path(), error);
  const std::string made = file + "." + std::to_string(getpid());
  std::ofstream out(made);
  out << key << '\n' << text;
  out.close();
  const bool is_written = static_cast<bool>(out);
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

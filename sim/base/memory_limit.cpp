// Memory limits from /proc/meminfo, the control groups' files (both versions) and getrlimit.
#include "sim/base/memory_limit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

constexpr std::uint64_t kNoMemoryLimit = std::numeric_limits<std::uint64_t>::max();

/// The number behind a name among the words of a file of "NAME[:] NUMBER" lines.
std::optional<std::uint64_t> number_behind(const std::string& file, const std::string& name) {
  std::uint64_t number = 0;
  std::ifstream in(file);
  for (std::string word; in >> word;)
    if (word == name && in >> number) return number;
  return std::nullopt;
}

/// The number that a file holds; nothing for "max" or where there is no such file.
std::optional<std::uint64_t> number_in(const std::string& file) {
  std::uint64_t number = 0;
  std::ifstream in(file);
  if (in >> number) return number;
  return std::nullopt;
}

std::uint64_t left_of(std::uint64_t limit, std::uint64_t used) { return limit > used ? limit - used : 0; }

std::uint64_t left_on_machine() {
  if (const auto kilobytes = number_behind("/proc/meminfo", "MemAvailable:")) return *kilobytes * 1024;
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) : kNoMemoryLimit;
}

/// The files by which one version of control groups tells a group's memory.
struct GroupFiles {
  const char* root;
  const char* limit;
  const char* used;
  const char* dropped_at_need;  ///< in memory.stat: cached files, which count as used but are given up
};
constexpr GroupFiles kSecondVersion = {"/sys/fs/cgroup", "/memory.max", "/memory.current", "inactive_file"};
constexpr GroupFiles kFirstVersion = {"/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                      "total_inactive_file"};

std::uint64_t left_in_group(const std::string& folder, const GroupFiles& files) {
  const auto limit = number_in(folder + files.limit);
  if (!limit) return kNoMemoryLimit;
  const std::uint64_t used = number_in(folder + files.used).value_or(0);
  return left_of(*limit, left_of(used, number_behind(folder + "/memory.stat", files.dropped_at_need).value_or(0)));
}

/// The least of a group and those it is in, up to the root (which a container sees as its own group).
std::uint64_t left_in_groups(std::string group, const GroupFiles& files) {
  std::uint64_t least = left_in_group(files.root, files);
  for (; group.size() > 1; group.erase(group.rfind('/')))
    least = std::min(least, left_in_group(files.root + group, files));
  return least;
}

/// /proc/self/cgroup: lines "0::/GROUP" (second version) or "NUMBER:...,memory,...:/GROUP" (first).
std::uint64_t left_in_control_groups() {
  std::uint64_t least = kNoMemoryLimit;
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos || line.compare(second + 1, 1, "/") != 0) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool of_memory = controllers.find(",memory,") != std::string::npos;
    if (controllers != ",," && !of_memory) continue;
    least = std::min(least, left_in_groups(line.substr(second + 1), of_memory ? kFirstVersion : kSecondVersion));
  }
  return least;
}

std::uint64_t left_under(auto resource, std::uint64_t used_pages) {  // an enumeration in some C libraries
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoMemoryLimit;
  return left_of(limit.rlim_cur, used_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
}

/// /proc/self/statm: pages of address space first, of data sixth.
std::uint64_t left_under_limits() {
  std::array<std::uint64_t, 6> pages{};
  std::ifstream in("/proc/self/statm");
  for (auto& number : pages) in >> number;
  return std::min(left_under(RLIMIT_AS, pages[0]), left_under(RLIMIT_DATA, pages[5]));
}

/// Three digits: "28 MB".
std::string size_in_words(double bytes) {
  constexpr std::array<const char*, 7> kUnits = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  for (; unit + 1 < kUnits.size() && bytes >= 999.5; ++unit) bytes /= 1000;
  std::ostringstream out;
  out.precision(3);
  out << bytes << ' ' << kUnits[unit];
  return out.str();
}

}  // namespace

std::uint64_t available_memory_bytes() {
  return std::min({left_on_machine(), left_in_control_groups(), left_under_limits()});
}

void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const std::uint64_t available = available_memory_bytes();
  std::uint64_t pages = 0;
  rlimit limit{};
  if (available == kNoMemoryLimit || !(std::ifstream("/proc/self/statm") >> pages) || getrlimit(RLIMIT_AS, &limit) != 0)
    return;
  const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  constexpr std::uint64_t kLeast = 1ULL << 30;  // what the kernel can reclaim or swap out does not count as available
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, used + std::max(available, kLeast));
  setrlimit(RLIMIT_AS, &limit);
#endif
}

void require_memory(double bytes, const std::string& what) {
  const auto available = static_cast<double>(available_memory_bytes());
  if (bytes <= available) return;
  throw InputError(what + " would need about " + size_in_words(bytes) + " of memory; this machine has " +
                   size_in_words(available) + " free");
}

}  // namespace nowsim

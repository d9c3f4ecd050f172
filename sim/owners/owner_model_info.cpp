// Keys that several owner models have, and reading them.
#include "sim/owners/owner_model_info.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

namespace nowsim {

constexpr std::string_view kHostPattern = "{host}";

Key correlation_key() {
  return {"correlation", KeyType::share, "0", "weight of what it has in common with other workstations, 0 to 1", {0, 1}};
}

Key start_key(const std::string& fallback) {
  return {"start", KeyType::word, fallback,
          "where a replication begins: with an interval, or at a random moment of what has run for ever", {},
          {"fresh", "stationary", "random", "independent"}};
}

OwnerStart read_start(KeyReader& read) {
  return read.word("start") == 0 ? OwnerStart::fresh : OwnerStart::stationary;
}

Key shape_key(const std::string& name, const std::string& law) {
  return {name, KeyType::number, kMustBeGiven, "with " + law + ": pareto, its shape, above 2", {2, kInfinity, true}};
}

double read_correlation_of_start(KeyReader& read, const char* key, bool is_random) {
  const double correlation = read.value("correlation");
  if (is_random || correlation == 0) return correlation;
  read.problem("correlation", std::string("a correlation is one of random starts; it needs '") + key + ": random'");
  return 0;
}

Key file_key(const std::string& what) {
  return {"file", KeyType::path, kMustBeGiven, what + "; {host} stands for the workstation's name"};
}

Key folder_key() { return {"folder", KeyType::path, "", "the folder that 'file' is in"}; }

std::string with_host(std::string text, const std::string& host) {
  for (std::size_t at = 0; (at = text.find(kHostPattern, at)) != std::string::npos; at += host.size())
    text.replace(at, kHostPattern.size(), host);
  return text;
}

namespace {

/// The file of a pattern that is a workstation's own.
std::string checked_file_of(KeyReader& read, const std::string& key, const std::string& pattern, const std::string& host) {
  namespace fs = std::filesystem;
  std::string file = read.checked_file(key, with_host(pattern, host));
  std::error_code ignored;
  if (file.empty() || pattern.find(kHostPattern) == std::string::npos || fs::exists(fs::symlink_status(file, ignored)))
    return file;
  const std::string folder = fs::path(file).parent_path().string();
  const bool is_own_folder = fs::path(pattern).parent_path().string().find(kHostPattern) != std::string::npos;
  if (folder.empty() || is_own_folder || fs::exists(folder, ignored))
    throw MissingOfHost(key, "there is no " + pattern + " for", host, "");
  read.problem(key, "there is no folder " + folder + ", where a file of each workstation is looked for");
  return "";
}

}  // namespace

std::string file_of_host(KeyReader& read, const std::string& key, const std::string& host) {
  const std::string file = read.path(key);
  return file.empty() ? "" : checked_file_of(read, key, file, host);
}

std::string read_file_of_host(KeyReader& read, const std::string& host) {
  const bool in_folder = read.has("folder");
  const std::string folder = in_folder ? read.path("folder") : "";
  std::string file = read.path("file");
  if (file.empty() || (in_folder && folder.empty())) return "";
  if (in_folder) file = (std::filesystem::path(folder) / read.text("file")).lexically_normal().string();
  return checked_file_of(read, "file", file, host);
}

}  // namespace nowsim

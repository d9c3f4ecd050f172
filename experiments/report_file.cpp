// Sealing the page, and telling its own from others.
#include "experiments/report_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include "experiments/checksum.hpp"
#include "experiments/set_aside.hpp"
#include "sim/error.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kSeal = "<!-- nowsim's own page, replaced when it is made again; its lines' checksum: ";

std::string sealed(const std::string& page) {
  return page + std::string(kSeal) + std::to_string(checksum(page)) + " -->\n";
}

bool is_own(const std::string& text) {
  const auto at = text.rfind(kSeal);
  return at != std::string::npos && sealed(text.substr(0, at)) == text;
}

/// The experiments of a page, by its articles' ids.
std::set<std::string> experiments_of(const std::string& page) {
  constexpr std::string_view kArticle = "<article id=\"";
  std::set<std::string> found;
  for (auto at = page.find(kArticle); at != std::string::npos; at = page.find(kArticle, at)) {
    at += kArticle.size();
    found.insert(page.substr(at, page.find('"', at) - at));
  }
  return found;
}

bool may_replace(const std::string& old, const std::string& page) {
  const auto before = experiments_of(old), after = experiments_of(page);
  return is_own(old) && std::includes(after.begin(), after.end(), before.begin(), before.end());
}

[[noreturn]] void cannot_write(const fs::path& path, const std::string& why) {
  throw RunError("cannot write " + path.string() + ": " + why +
                 "; the results are kept, and the same command writes it again");
}

std::string make_room(const fs::path& path, const std::string& page) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return "";
  std::ifstream in(path, std::ios::binary);
  if (fs::is_regular_file(path, error) && may_replace({std::istreambuf_iterator<char>(in), {}}, page)) return "";
  const fs::path aside = set_aside(path, error);
  if (error) cannot_write(path, error.message());
  return aside.string();
}

}  // namespace

std::string write_report(const std::string& folder, const std::string& page) {
  const fs::path path = fs::path(folder) / kReportFile, made = fs::path(folder) / ".index.html.new";
  std::ofstream out(made, std::ios::binary);
  out << sealed(page);
  out.close();
  std::error_code error;
  if (!out) {
    const std::string why = std::strerror(errno);
    fs::remove(made, error);
    cannot_write(path, why);
  }
  std::string kept = make_room(path, page);
  fs::rename(made, path, error);
  if (error) cannot_write(path, error.message());
  return kept;
}

}  // namespace nowsim

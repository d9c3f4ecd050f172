// Sealing the page, and telling its own from others.
#include "experiments/driver/reports/report_file.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <string_view>

#include "experiments/driver/text/checksum.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"

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

}  // namespace

std::string write_report(const std::string& folder, const std::string& page) {
  try {
    return write_output_file((fs::path(folder) / kReportFile).string(), [&](std::ostream& out) { out << sealed(page); },
                             [&](const fs::path& there, const fs::path&) { return may_replace(bytes_of(there), page); });
  } catch (const RunError& e) {
    throw RunError(std::string(e.what()) + "; the results are kept, and the same command writes it again");
  }
}

}  // namespace nowsim

// Told by the first line that is no comment of its own kind.
#include "sim/owners/workload_log.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

bool is_job_line(std::string_view line) {
  constexpr std::size_t kLongest = 4096;  // 18 numbers
  if (line.size() > kLongest) return false;
  std::istringstream in{std::string(line)};
  std::size_t fields = 0;
  for (std::string word; in >> word; ++fields)
    if (!to_number(word)) return false;
  return fields == kWorkloadFields;
}

/// The first line that is neither blank nor a comment behind ';'.
std::string_view first_content(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    const std::string_view content = trimmed(line);
    if (!content.empty() && !content.starts_with(';')) return content;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return "";
}

}  // namespace

void refuse_workload_log(const std::string& text, const std::string& file) {
  if (is_job_line(first_content(text)))
    throw InputError({file, 0, ""},
                     "this is a log of jobs in the Standard Workload Format (when each was submitted, how long it ran, on "
                     "how many processors), no trace of what a machine has left; the owner model 'jobs' replays it: "
                     "{model: jobs, log: FILE, u: 0.4}.");
}

}  // namespace nowsim

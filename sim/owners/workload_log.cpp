// Told by the first line that is no comment of its own kind.
#include "sim/owners/workload_log.hpp"

#include <iterator>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/text_lines.hpp"

namespace nowsim {
namespace {

bool is_job_line(std::string_view line) {
  constexpr std::size_t kLongest = 4096;  // 18 numbers
  if (line.size() > kLongest) return false;
  std::size_t fields = 0;
  for (auto word = next_word(line); !word.empty(); word = next_word(line), ++fields)
    if (!to_number(word)) return false;
  return fields == kWorkloadFields;
}

/// The first line that is neither blank nor a comment behind ';'.
std::string_view first_content(std::string_view text) {
  for (TextLines::Iterator line(text); line != std::default_sentinel; ++line)
    if (const auto content = trimmed(*line); !content.empty() && !content.starts_with(';')) return content;
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

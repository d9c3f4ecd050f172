// Starting gnuplot, and making a sentence of what it says.
#include "experiments/run_gnuplot.hpp"

#include <sstream>

#include "experiments/pdf_date.hpp"
#include "experiments/run_program.hpp"
#include "sim/error.hpp"
#include "sim/text.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNoGnuplot = "there is no gnuplot here to draw it with (on Debian: apt-get install gnuplot-nox)";

/// What gnuplot said on one line, long texts cut short.
std::string gist_of(const std::string& said) {
  constexpr std::size_t kMost = 300;
  std::string out;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);)
    if (const auto part = trimmed(line); !part.empty() && part != "^")
      out += (out.empty() ? "" : " | ") + std::string(part);
  return out.size() > kMost ? out.substr(0, kMost) + "..." : out;
}

}  // namespace

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && fs::file_size(file, ignored) > 0;
}

void check_gnuplot() {
  if (!is_program("gnuplot")) throw RunError(kNoGnuplot);
}

void run_gnuplot(const fs::path& folder, const std::vector<std::string>& words, const std::vector<fs::path>& wanted) {
  std::vector<std::string> all{"gnuplot", "--default-settings"};
  all.insert(all.end(), words.begin(), words.end());
  const ProgramEnd end = run_program(folder, all, kNoGnuplot);
  const std::string said = end.said.empty() ? "" : ": " + gist_of(end.said);
  if (end.status != 0) throw RunError("gnuplot " + ending_of(end.status) + said);
  for (const auto& file : wanted)
    if (!is_there(folder / file)) throw RunError("gnuplot made no " + file.filename().string() + said);
  for (const auto& file : wanted) take_date_out(folder / file);
}

}  // namespace nowsim

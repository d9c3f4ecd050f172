// Starting gnuplot, and making a sentence of what it says.
#include "experiments/driver/pictures/draw_picture.hpp"

#include <sstream>

#include "experiments/driver/text/run_program.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNoGnuplot = "there is no gnuplot here to draw it with (on Debian: apt-get install gnuplot-nox)";

/// Of a user's settings in the environment: other folders to find files in, terminals, programs for its fits.
constexpr const char* kSettings[] = {"GNUPLOT", "GNUTERM", "GNUHELP", "FIT_"};

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

void check_gnuplot() {
  if (!is_program("gnuplot")) throw RunError(kNoGnuplot);
}

void run_gnuplot(const fs::path& folder, const std::string& script) {
  // gnuplot 5.4 has no switch that would keep a script from starting programs.
  const ProgramEnd end = run_program(folder, {"gnuplot", "--default-settings", script}, kNoGnuplot, kSettings);
  if (end.status != 0)
    throw RunError("gnuplot " + ending_of(end.status) + (end.said.empty() ? "" : ": " + gist_of(end.said)));
  if (end.said.find("is not a string variable") != std::string::npos)  // it took a text for a macro
    throw RunError("gnuplot did not read the script as it was meant: " + gist_of(end.said));
}

}  // namespace nowsim

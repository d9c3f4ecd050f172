// The script: POSIX sh.
#include <map>
#include <sstream>
#include <utility>

#include "experiments/driver/bundles/bundle_texts.hpp"
#include "experiments/driver/text/shell_word.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {
namespace {

constexpr const char* kBeginning = R"sh(#!/bin/sh
# Simulates all that is in this bundle again, and says how far it is from what is in results/.
#   ./again.sh [DIR] [flags of 'nowsim reproduce', such as --jobs 4]
# DIR, by default 'again' beside this script, is made, or continued where an earlier run was stopped.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
out=${1:-$here/again}
if [ $# -gt 0 ]; then shift; fi
case $out in
  -*) echo "again.sh: the folder comes first: ./again.sh DIR $out" >&2; exit 2 ;;
  /*) ;;
  *) out=$PWD/$out ;;
esac
)sh";

/// A program by a path from where the command is given is the same one after that.
constexpr const char* kGoThere = R"sh(case $program in
  /*) ;;
  */*) program=$PWD/$program ;;
esac
cd "$here"
)sh";

constexpr const char* kChecks = R"sh(
if ! run --version >/dev/null 2>&1; then
  echo "again.sh: nowsim does not run here by '$program': it is not installed, or not along PATH" >&2
  exit 2
fi
if command -v sha256sum >/dev/null && ! sums=$(sha256sum -c SHA256SUMS 2>&1); then
  printf '%s\n' "$sums" | grep -v ': OK$' >&2 || true
  echo "again.sh: these files are not what the bundle was made with" >&2
  exit 1
fi
)sh";

}  // namespace

std::string bundle_script(const BundleFacts& facts) {
  std::ostringstream out;
  out << kBeginning;
  const bool is_python = !facts.code.empty();
  out << "program=${" << (is_python ? "PYTHON:-python3" : "NOWSIM:-nowsim") << "}\n"
      << kGoThere << "run() { \"$program\" " << (is_python ? "-m nowsim " : "") << "\"$@\"; }\n";
  out << kChecks << "echo \"results/ is of nowsim " << version() << ", model version " << kModelVersion
      << "; this is $(run --version | head -n 1)\"\nstatus=0\n";
  using Alike = std::pair<std::string, std::vector<std::string>>;  // a store's folder, and flags
  std::map<Alike, std::vector<std::string>> descriptions;
  for (const auto& entry : facts.entries)
    descriptions[{entry.experiment->folder, entry.flags}].push_back(entry.description);
  for (const auto& [alike, files] : descriptions) {
    out << "run reproduce";
    for (const auto& file : files) out << " \\\n  " << shell_word(file);
    for (const auto& flag : alike.second) out << " \\\n  --set " << shell_word(flag);
    for (const auto& code : facts.code) out << " \\\n  --plugin " << shell_word(code);
    out << " \\\n  --out \"$out\"" << (alike.first.empty() ? "" : "/" + shell_word(alike.first))
        << " \"$@\" || status=$?\nif [ $status -ge 2 ]; then exit $status; fi\n";  // a point that failed is 1
  }
  out << "run compare results \"$out\" || status=$?\nexit $status\n";
  return out.str();
}

}  // namespace nowsim

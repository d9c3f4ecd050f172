// The script: POSIX sh.
#include <map>
#include <sstream>
#include <utility>

#include "experiments/driver/bundles/bundle_texts.hpp"
#include "sim/program/scenario_identity.hpp"

namespace nowsim {
namespace {

std::string quoted_for_shell(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

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
cd "$here"
)sh";

constexpr const char* kChecks = R"sh(
if ! run --version >/dev/null 2>&1; then
  echo "again.sh: $program does not run here: it is not installed, or not along PATH" >&2
  exit 2
fi
if command -v sha256sum >/dev/null && ! sha256sum --check --quiet SHA256SUMS >&2; then
  echo "again.sh: these files are not what the bundle was made with" >&2
  exit 1
fi
)sh";

}  // namespace

std::string bundle_script(const BundleFacts& facts) {
  std::ostringstream out;
  out << kBeginning;
  if (facts.code.empty())
    out << "program=${NOWSIM:-nowsim}\nrun() { \"$program\" \"$@\"; }\n";
  else
    out << "program=\"${PYTHON:-python3} -m nowsim\"\nrun() { \"${PYTHON:-python3}\" -m nowsim \"$@\"; }\n";
  out << kChecks << "echo \"results/ is of nowsim " << version() << ", model version " << kModelVersion
      << "; this is $(run --version | head -n 1)\"\nstatus=0\n";
  using Alike = std::pair<std::string, std::vector<std::string>>;  // a store's folder, and flags
  std::map<Alike, std::vector<std::string>> descriptions;
  for (const auto& entry : facts.entries)
    descriptions[{entry.experiment->folder, entry.flags}].push_back(entry.description);
  for (const auto& [alike, files] : descriptions) {
    out << "run reproduce";
    for (const auto& file : files) out << " \\\n  " << quoted_for_shell(file);
    for (const auto& flag : alike.second) out << " \\\n  --set " << quoted_for_shell(flag);
    for (const auto& code : facts.code) out << " \\\n  --plugin " << quoted_for_shell(code);
    out << " \\\n  --out \"$out\"" << (alike.first.empty() ? "" : "/" + quoted_for_shell(alike.first))
        << " \"$@\" || status=$?\nif [ $status -ge 2 ]; then exit $status; fi\n";  // a point that failed is 1
  }
  out << "run compare results \"$out\" || status=$?\nexit $status\n";
  return out.str();
}

}  // namespace nowsim

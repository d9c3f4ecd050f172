#!/usr/bin/env bash
# Installs nowsim into an empty prefix, builds a program against it that adds things of its own, and checks what they give.
# usage: test.sh BUILD_FOLDER CXX_COMPILER
set -euo pipefail
build=$1 compiler=$2
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cmake -S "$here" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$scratch/build"

# grep without -q reads to the end: with pipefail a program whose reader goes before would count as failed.
"$scratch/build/my_simulator" list workloads | grep '^stencil' >/dev/null
tau=$("$scratch/build/my_simulator" run "$here/stencil.yaml" --format csv | sed -n 2p | cut -d, -f1)
awk -v tau="$tau" 'BEGIN { error = tau - 35.005; exit !(error < 1e-6 && error > -1e-6) }' || {
  echo "tau is $tau; 35.005 was expected" >&2
  exit 1
}
longest=$("$scratch/build/my_simulator" run "$here/all_of_them.yaml" --format csv | sed -n 2p | cut -d, -f1)
[ "$longest" = 152 ] || { echo "T_longest is $longest; 152 was expected" >&2; exit 1; }
alike=$("$scratch/build/my_simulator" run "$here/half_of_a_share.yaml" --format csv | sed 1d | cut -d, -f2-)
[ "$(wc -l <<<"$alike") $(sort -u <<<"$alike" | wc -l)" = "2 1" ] || {
  printf 'half-share and its formula were expected to give the same:\n%s\n' "$alike" >&2
  exit 1
}
for kind in owners:lunch policies:by-memory techniques:half-share metrics:T_longest; do
  "$scratch/build/my_simulator" list "${kind%:*}" | grep "^${kind#*:} " >/dev/null
done
"$scratch/build/my_simulator" run huang-lee-2007/fig05 --set owner.SH=0 --set owner.TH=0.28 --replications 2 >/dev/null
"$scratch/prefix/bin/nowsim" list experiments | grep '^huang-lee-2007/fig05' >/dev/null
"$scratch/prefix/bin/nowsim" run huang-lee-2007/fig05 --set owner.SH=0 --set owner.TH=0.28 --replications 2 >/dev/null

# SimGrid is found by programs of one's own, and by nowsim through a link; a part that is not theirs is told.
message=$("$scratch/build/ask_simgrid" "$scratch/prefix/share/nowsim/platforms/sparc-now.xml")
awk -v t="$message" 'BEGIN { exit !(t > 1.001 && t < 1.003) }' || { echo "a message takes $message s; 1.002 was expected" >&2; exit 1; }
mkdir "$scratch/links"
ln -s "$scratch/prefix/bin/nowsim" "$scratch/links/nowsim"
with_simgrid=(nowsim run "$here/../../experiments/zhang-yan-1995/one-run.yaml" --engine simgrid --replications 2)
(cd / && PATH="$scratch/links" "${with_simgrid[@]}" >/dev/null)
module=$(find "$scratch/prefix" -name 'nowsim_simgrid*')
stamp=$(grep -o '"[0-9a-f]\{64\}"' "$build/stamp/nowsim_simgrid/simgrid_module_stamp.hpp" | tr -d '"')
refused() {  # with a status of its own, which pipefail would take for grep's
  { "$scratch/links/${with_simgrid[@]}" 2>&1 >/dev/null || true; } | grep "$1" >/dev/null || { echo "not told: $1" >&2; exit 1; }
}
sed -i "s/$stamp/${stamp:32}${stamp:0:32}/" "$module"
refused "it belongs to another build of nowsim"
mv "$module" "$scratch/away"
refused "cannot open shared object file"
"$scratch/links/nowsim" list owners >/dev/null
echo "the installed package works: tau = $tau"

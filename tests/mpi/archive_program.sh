#!/bin/sh
# Fetches an MPI program that is not ours from Debian's archive, compiles it unchanged with smpicc and prints its path.
#
#   archive_program.sh [FOLDER]      (a new temporary one unless given; it stays, for whoever asked to remove)
#
# The program is pmandel.c, among the examples of MPICH (package mpich-doc, of which nothing is installed): rank 0 deals
# 400 pieces of a picture of the Mandelbrot set to the others and gets them back with MPI_ANY_SOURCE. With -i it reads
# what to compute from its standard input, lines of xmin, ymin, xmax, ymax and iterations, up to one of noughts:
#
#   printf '%s\n' '-2 -1 1 1 200' '0 0 0 0 0' | smpirun -np 4 ... pmandel -i -xscale 200 -yscale 200 -nosave
#
# Exits with 77 and a sentence where that cannot be had: no Debian, no network, no SMPI.
package=mpich-doc
source=usr/share/doc/mpich/examples/pmandel.c

give_up() {
  echo "archive_program.sh: $1" >&2
  exit 77
}

for tool in apt-get dpkg-deb smpicc; do
  command -v "$tool" >/dev/null || give_up "there is no $tool here"
done
if [ $# -gt 0 ]; then
  mkdir -p "$1" || exit 1
  folder=$(cd "$1" && pwd) || exit 1
else
  folder=$(mktemp -d) || exit 1
fi
cd "$folder" || exit 1

# As what it is run by, since apt's own user cannot write here.
get() { apt-get -qq -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=1 -o Acquire::http::Timeout=10 "$@"; }

# Where the machine's lists of packages are missing or old, with lists of our own, which no one else sees.
if ! get download $package >log 2>&1; then
  mkdir -p state/lists/partial cache/archives/partial || exit 1
  own="-o Dir::State=$folder/state -o Dir::Cache=$folder/cache -o Dir::State::status=/var/lib/dpkg/status"
  # shellcheck disable=SC2086  # options, each a word
  { get $own update && get $own download $package; } >>log 2>&1 ||
    give_up "$package cannot be fetched from Debian's archive: $(tail -n 1 log)"
fi
set -- ${package}_*.deb
dpkg-deb -x "$1" contents >>log 2>&1 || give_up "$1 cannot be unpacked: $(tail -n 1 log)"
[ -f "contents/$source" ] || give_up "there is no $source in $1"

# Its sockets' addresses, which -i does not need, are of a type that newer compilers take for an error.
smpicc -O2 -w -Wno-incompatible-pointer-types -o pmandel "contents/$source" -lm >>log 2>&1 ||
  give_up "smpicc does not compile $source of $1: $(tail -n 1 log)"
echo "$folder/pmandel"

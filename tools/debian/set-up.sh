# What scripts share: the Debian packages, and building a CMake preset. Sourced by bash.

say() { printf '\n== %s\n' "$*"; }

own_release=$(. /etc/os-release && echo "${VERSION_ID-}")

packages=(g++ cmake ninja-build libsimgrid-dev libboost-dev libboost-program-options-dev libspdlog-dev
          libyaml-cpp-dev libpugixml-dev libmuparser-dev libsqlitecpp-dev libarchive-dev libmd-dev libqpdf-dev libxxhash-dev libhowardhinnant-date-dev libhwy-dev libnlopt-cxx-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libkainjow-mustache-dev libseccomp-dev libfmt-dev nlohmann-json3-dev zlib1g-dev libzstd-dev gnuplot-nox bubblewrap
          fonts-dejavu-core)
test_packages=(catch2)
help_packages=(man-db bash-completion)  # read manual pages and complete words in tests
shell_packages=(zsh fish)  # complete words too, in a slice of the long tests
python_packages=(python3-dev pybind11-dev python3-numpy python3-pandas python3-matplotlib mypy)  # the Python module, and what checks its types
snippet_packages=(r-base-core python3-scipy texlive-latex-recommended)  # read what nowsim writes for them, in a slice
slurm_packages=(slurm-wlm munge)  # a sweep in shards on a real Slurm is tested with them, in a slice
package_tools=(build-essential debhelper dh-python cmark-gfm)  # make the Debian packages
# The newest clang of the release, for the long tests alone.
clang=19
if [ "$own_release" = 12 ]; then clang=16; fi
clang_packages=("clang-$clang" "libclang-rt-$clang-dev")

is_installed() { [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Installs those of the named packages that are missing, through sudo where not root.
install_packages() {
  local missing=() package as_root=()
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  say "installing the Debian packages that are missing: ${missing[*]}"
  if ! command -v apt-get >/dev/null; then
    echo "There is no apt-get here: nowsim's set-up is made for Debian 12 and 13. Install these by hand: ${missing[*]}" >&2
    return 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "Neither root nor sudo: have these packages installed: ${missing[*]}" >&2; return 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get -qq update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "${missing[@]}" >/dev/null
}

# Whether a build folder is configured: not so where it went without the Python module, whose packages may have come.
is_configured() {
  [ -f "$1/build.ninja" ] && ! grep -q '^NOWSIM_PYTHON_MISSING:INTERNAL=ON' "$1/CMakeCache.txt"
}

# build PRESET [TARGET...]: configures the first time, then builds what has changed.
build() {
  local preset=$1
  shift
  say "building the preset '$preset' (the first time takes minutes)"
  is_configured "build/$preset" || cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" ${*:+--target "$@"}
}

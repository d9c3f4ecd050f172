# What scripts share: the Debian packages, building a CMake preset, and Debian systems in a folder. Sourced by bash.

say() { printf '\n== %s\n' "$*"; }

packages=(g++ cmake ninja-build libsimgrid-dev libboost-dev libboost-program-options-dev libspdlog-dev libcpp-httplib-dev pkg-config
          libyaml-cpp-dev libpugixml-dev libmuparser-dev libsqlitecpp-dev libxxhash-dev libhwy-dev libnlopt-cxx-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libfmt-dev nlohmann-json3-dev gnuplot-nox bubblewrap
          fonts-dejavu-core)
test_packages=(catch2)
python_packages=(python3-dev pybind11-dev python3-numpy python3-pandas python3-matplotlib)  # the Python module; skipped without
snippet_packages=(r-base-core python3-pandas python3-scipy)  # run what the manual shows of them; skipped without
fuzz_packages=(clang-16 libclang-rt-16-dev)  # of the long tests alone

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

# ---- a Debian system in a folder, for root

# require_root WHY: ends the script where it is not root's.
require_root() {
  if [ "$(id -u)" -ne 0 ]; then echo "${0##*/} $1, which only root can: run it as root" >&2; exit 2; fi
}

# The archive of this machine's Debian release.
own_archive() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' \
    "Release: $(. /etc/os-release && echo "$VERSION_CODENAME")" | sed -n 1p
}

# Runs a command in namespaces of its own: what it mounts and starts nobody else sees, and it ends with the command.
running_apart=
apart() {
  local status=0
  unshare --mount --pid --fork --kill-child --mount-proc "$@" <&0 &
  running_apart=$!
  wait "$running_apart" || status=$?
  running_apart=
  return "$status"
}
end_apart() {
  if [ -n "$running_apart" ] && kill -KILL "$running_apart" 2>/dev/null; then wait "$running_apart" || true; fi
}

# Of the archive in NOWSIM_DEBIAN_ARCHIVE (a URI), or where this machine's own packages come from.
archive_for_systems() {
  local archive=${NOWSIM_DEBIAN_ARCHIVE:-$(own_archive)}
  if [ -z "$archive" ]; then
    echo "This machine's apt names no Debian archive: give one's URI in NOWSIM_DEBIAN_ARCHIVE" >&2
    exit 2
  fi
  echo "$archive"
}

# make_system SUITE ROOT [PACKAGE...]
make_system() {
  local suite=$1 root=$2 included archive
  shift 2
  archive=$(archive_for_systems)
  included=("$@")
  if [[ $archive == https:* ]]; then included+=(ca-certificates); fi
  apart mmdebstrap --quiet --variant=apt "${included[@]/#/--include=}" "$suite" "$root" "deb $archive $suite main"
}

# Removes such a system. Nothing of others' may be mounted in it: it would be removed too.
remove_system() {
  if grep -qF " $1/" /proc/self/mountinfo; then
    echo "something is mounted in $1, which is to be removed: unmount it first" >&2
    exit 1
  fi
  rm -rf --one-file-system "$1"
}

# How the network is reached, for commands that get no environment.
proxies=()
for name in http_proxy https_proxy no_proxy; do
  if [ -n "${!name-}" ]; then proxies+=("$name=${!name}"); fi
done

# inside ROOT SOURCES COMMAND [ARGUMENT...]: runs a command in such a system, in its /nowsim: that is the folder SOURCES
# while it runs, unless that is "".
inside() {
  apart bash -euc '
    root=$1 sources=$2
    shift 2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mkdir -p "$root/nowsim"
    if [ -n "$sources" ]; then mount --bind "$sources" "$root/nowsim"; fi
    exec chroot "$root" env --ignore-environment --chdir=/nowsim HOME=/root LANG=C.UTF-8 \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"' bash "$1" "$2" "${proxies[@]}" "${@:3}"
}

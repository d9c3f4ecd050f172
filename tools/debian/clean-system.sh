# Debian systems in a folder, in which commands run as on a machine of their own. Sourced after set-up.sh.

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

# make_system SUITE ROOT [PACKAGE...]: dpkg does not wait for the disk there, since nobody would miss it after a power cut.
make_system() {
  local suite=$1 root=$2 included archive
  shift 2
  archive=$(archive_for_systems) || return
  included=("$@")
  if [[ $archive == https:* ]]; then included+=(ca-certificates); fi
  apart mmdebstrap --quiet --variant=apt --dpkgopt=force-unsafe-io "${included[@]/#/--include=}" "$suite" "$root" "deb $archive $suite main"
}

# Removes such a system. Nothing of others' may be mounted in it: it would be removed too.
remove_system() {
  if grep -qF " ${1// /\\040}/" /proc/self/mountinfo; then
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
    exec /usr/sbin/chroot "$root" env --ignore-environment --chdir=/nowsim HOME=/root LANG=C.UTF-8 NOWSIM_CLEAN_SYSTEM=yes \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"' bash "$1" "$2" "${proxies[@]}" "${@:3}"
}

# ---- systems that go with the script

# What the archive calls the Debian releases that nowsim is made for.
suite_of() {
  case $1 in
    12) echo bookworm ;;
    13) echo trixie ;;
    *) return 1 ;;
  esac
}

new_systems=()
remove_new_systems() {
  local folder
  end_apart
  for folder in "${new_systems[@]}"; do remove_system "$folder"; done
}

# For those who ask: what cannot be made here is no failure of nowsim's.
no_clean_system() {
  echo "No clean Debian system can be made here: $1" >&2
  exit 77
}

# as_root SCRIPT [ARGUMENT...]: goes on with it as the root of a namespace of its own, where the caller is not root and
# may give user ids away (subuid(5)).
as_root() {
  if [ "$(id -u)" -eq 0 ]; then return; fi
  install_packages mmdebstrap uidmap || return 0
  if unshare --user --map-root-user --map-auto true 2>/dev/null; then
    exec unshare --user --map-root-user --map-auto "$@"
  fi
}

# new_system RELEASE: makes a system of it in a temporary folder, $new_root; ends with the status 77 where none can be had.
new_system() {
  local folder
  [ -z "${NOWSIM_CLEAN_SYSTEM-}" ] || no_clean_system "this is one"
  [ "$(id -u)" -eq 0 ] || no_clean_system "only root can, or who has user ids to give away (subuid(5))"
  apart true 2>/dev/null || no_clean_system "there are no namespaces to be had (unshare)"
  install_packages mmdebstrap || no_clean_system "mmdebstrap is missing"
  say "making a clean Debian $1"
  folder=$(mktemp -d)
  new_systems+=("$folder")
  trap remove_new_systems EXIT
  new_root=$folder/root
  make_system "$(suite_of "$1")" "$new_root" || no_clean_system "its packages cannot be had"
}

# Copies these sources, without what is made of them, to the system's /nowsim.
copy_sources() {
  mkdir "$1/nowsim"
  tar --create --exclude=./build --exclude=./results --exclude=./.git . | tar --extract --directory "$1/nowsim"
}

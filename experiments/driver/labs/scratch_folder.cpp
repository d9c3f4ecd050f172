// A mount in namespaces of the process's own, which need no rights of the machine.
#include "experiments/driver/labs/scratch_folder.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "sim/base/plain_file.hpp"

namespace nowsim {
namespace {

bool has_written(const char* file, const std::string& text) {
  const FileHandle opened(open(file, O_WRONLY | O_CLOEXEC));
  return opened.is_open() &&
         write(opened.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::string itself(unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1\n"; }

}  // namespace

ScratchFolder::ScratchFolder(const CodeLimits& limits)
    : options_("mode=0700,size=" + std::to_string(limits.files_mib) +
               "m,nr_inodes=" + std::to_string(limits.most_files)),
      user_(itself(geteuid())),
      group_(itself(getegid())) {}

bool ScratchFolder::mount() const {
  const bool has_namespace =
      unshare(CLONE_NEWNS) == 0 ||  // where it is the machine's own user that may
      (unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && has_written("/proc/self/setgroups", "deny") &&
       has_written("/proc/self/uid_map", user_) && has_written("/proc/self/gid_map", group_));
  return has_namespace && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, options_.c_str()) == 0;
}

}  // namespace nowsim

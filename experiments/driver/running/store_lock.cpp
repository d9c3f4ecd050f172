// Locking a store's folder for writing.
#include "experiments/driver/running/store_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "experiments/driver/running/runner.hpp"
#include "sim/base/error.hpp"

namespace nowsim {

StoreLock::StoreLock(const std::string& folder, IfHeld if_held) {
  const std::string file = (std::filesystem::path(folder) / "lock").string();
  file_ = FileHandle(open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file_.is_open() && errno == ELOOP) throw InputError(file + " is a link; move it away");
  if (!file_.is_open()) throw InputError("the folder " + folder + " cannot be written: " + std::strerror(errno));
  struct flock whole{};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (fcntl(file_.get(), if_held == IfHeld::wait ? F_SETLKW : F_SETLK, &whole) == 0) return;
  const int error = errno;
  if (error == EINTR) throw Interrupted();
  const bool is_held = error == EACCES || error == EAGAIN;
  if (is_held) fcntl(file_.get(), F_GETLK, &whole);
  if (is_held)
    throw InputError("the store in " + folder + " is being written by another process (" + std::to_string(whole.l_pid) + "): wait for it, or choose another folder");
  throw InputError("the folder " + folder + " cannot be locked: " + std::strerror(error));
}

}  // namespace nowsim

// Calls of the system that a student's code may make: the kernel's own filter (seccomp), bubblewrap or not.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace nowsim {

/// A program that allows what Python needs for computing, for files and for its own time, and answers "not permitted"
/// to every other call, or "no such call" where that is newer than this list: libraries then take an older one. So
/// nothing starts processes or threads, opens sockets, reaches other processes, types on a terminal, or holds memory
/// that no limit counts. Empty on processors whose calls are not known here.
std::vector<sock_filter> allowed_calls();

}  // namespace nowsim

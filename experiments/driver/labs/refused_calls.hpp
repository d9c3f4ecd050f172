// Calls of the system that a student's code gets refused: the kernel's own filter (seccomp), bubblewrap or not.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace nowsim {

/// A program that answers "not permitted" to calls that start processes or threads, open sockets, reach other
/// processes or have signals sent to them, type on a terminal, or hold memory that no limit counts. Empty on processors
/// whose calls are not known here.
std::vector<sock_filter> refused_calls();

}  // namespace nowsim

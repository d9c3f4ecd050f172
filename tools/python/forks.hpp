// Worker processes of a process that holds a Python: its interpreter has to know of forks.
#pragma once

namespace nowsim {

/// From now on Python is told before and after each of nowsim's forks; what it has written so far is flushed before.
void tell_python_of_forks();

}  // namespace nowsim

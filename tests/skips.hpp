// Skips that are seen: where NOWSIM_NO_SKIPS is set, and not "" or "0", a test that lacks something fails, but for what
// NOWSIM_MAY_SKIP names ("r,zsh,slurm": what this run is without on purpose), and "sanitizers" and "traces".
#pragma once

#include <string>

namespace nowsim::test {

/// Says that a test is skipped and why, or fails. What is missing is a word: bubblewrap, fish, latex, man,
/// python, r, sanitizers, scipy, script, smpi, traces, update-xml or zsh; skips.py and tools/page/skips.mjs have more.
void skipped(const std::string& missing, const std::string& why);
/// Whether the nowsim that is tested has sanitizers.
bool is_sanitized();
/// Whether it would not fail.
bool may_skip(const std::string& missing);

/// The folder of the measured servers' traces, which a clone may be without: the one that NOWSIM_TRACES names, else
/// ../shared/traces beside the sources. "", and skipped, where that is not there.
std::string measured_traces();

}  // namespace nowsim::test

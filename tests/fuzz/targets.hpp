// The readers that are fuzzed, in targets/: each takes any text or bytes, which it reads or refuses.
#pragma once

#include <string_view>

namespace nowsim::test {

/// Each throws what the reader throws; std::logic_error where what was read breaks a promise.
void fuzz_answers(std::string_view input);  ///< a student's answers file
void fuzz_batch(std::string_view input);  ///< a packed batch: one byte of replications, one of workstations before it
void fuzz_compiled_trace(std::string_view input);  ///< changes of a compiled MPI trace
void fuzz_bundle(std::string_view input);          ///< an archive
void fuzz_experiment(std::string_view input);  ///< an experiment's YAML
void fuzz_formula(std::string_view input);
void fuzz_load(std::string_view input);      ///< a load trace in any format, which the reader finds out
void fuzz_monitor(std::string_view input);   ///< the same, given to every monitor's reader
void fuzz_pattern(std::string_view input);   ///< host patterns
void fuzz_piece(std::string_view input);     ///< a file that a shard has published
void fuzz_platform(std::string_view input);  ///< a platform's XML
void fuzz_proc_stat(std::string_view input);
void fuzz_profile(std::string_view input);   ///< as a profile of every quantity
void fuzz_quantity(std::string_view input);  ///< as a quantity of every dimension
void fuzz_sandbox(std::string_view input);   ///< a message of a process of a student's code
void fuzz_set(std::string_view input);       ///< the word behind --set
void fuzz_trace(std::string_view input);     ///< CSV, of every measure
void fuzz_yaml(std::string_view input);

}  // namespace nowsim::test

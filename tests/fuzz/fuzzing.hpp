// So many mutated inputs, judged one by one; a failure says how to repeat it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/mutations.hpp"

namespace nowsim::test {

/// Judges so many inputs, or NOWSIM_FUZZ_INPUTS: `fault_of_input` says what is wrong ("": nothing), in a child process.
/// An input depends on its seed alone: the first one's is NOWSIM_FUZZ_SEED or 1, the next ones' follow. Failures are
/// Catch2's.
void fuzz(std::size_t inputs, const std::function<std::string(Draw&)>& make_input,
          const std::function<std::string(const std::string&)>& fault_of_input);

/// The same for a reader of texts, given mutations of these.
void fuzz_reader(std::size_t inputs, const std::vector<std::string>& texts, Dialect dialect,
                 void (*read)(std::string_view));

/// The texts of the files in a folder of the sources, and below it, whose names end so (".yaml").
std::vector<std::string> texts_in(const std::string& folder, const std::vector<std::string>& endings);
/// The lines of a file in tests/fuzz/seeds/words/.
std::vector<std::string> words_in(const std::string& name);
std::vector<std::string> together(std::vector<std::string> a, const std::vector<std::string>& b);

}  // namespace nowsim::test

// What can stand where a shell's cursor is.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nowsim {

/// A whole word. One that ends in '/', '=', '.' or ',' goes on; behind any other a blank follows.
struct Candidate {
  std::string word;
  std::string about;  ///< a line; "" where there is nothing to say
  bool operator==(const Candidate&) const = default;
};
using Candidates = std::vector<Candidate>;

/// Files that the shell is to look for itself, besides candidates.
struct WantedFiles {
  std::vector<std::string> endings = {};  ///< ".yaml"; none: all files
  bool folders_alone = false;
};

struct Completion {
  Candidates candidates;
  std::optional<WantedFiles> files;  ///< none: no files are wanted
  bool goes_on = false;              ///< no blank follows, whatever is chosen: a list may go on
};

}  // namespace nowsim

// The errors a user can cause or meet, each a sentence that says where, what was found and what would be right.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace nowsim {

/// Where a piece of input stands: a file, a line in it (1-based, 0 if unknown) and a key; each may be empty.
struct Place {
  std::string file;
  int line = 0;
  std::string key;

  /// "file:line: key" with the parts that are known.
  [[nodiscard]] std::string text() const {
    std::string out = file;
    if (line > 0) out += (out.empty() ? "line " : ":") + std::to_string(line);
    if (!key.empty()) out += (out.empty() ? "" : ": ") + key;
    return out;
  }
};

/// Bad input: what() is a complete sentence for the user, its place first. The command line ends with status 2.
class InputError : public std::runtime_error {
 public:
  InputError(const Place& place, const std::string& sentence)
      : std::runtime_error(place.text().empty() ? sentence : place.text() + ": " + sentence), place_(place) {}
  explicit InputError(const std::string& sentence) : InputError(Place{}, sentence) {}
  [[nodiscard]] const Place& place() const { return place_; }

 private:
  Place place_;
};

/// Several problems found in one reading; what() holds one per line.
class InputErrors : public InputError {
 public:
  explicit InputErrors(std::vector<std::string> problems) : InputError(join(problems)), problems_(std::move(problems)) {}
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  static std::string join(const std::vector<std::string>& problems) {
    std::string out;
    for (const auto& p : problems) out += (out.empty() ? "" : "\n") + p;
    return out;
  }
  std::vector<std::string> problems_;
};

/// A point of a sweep that the model cannot realise (TH beyond what a distribution holds, say): an input error that
/// `infeasible: skip` turns into a blank.
class InfeasibleError : public InputError {
  using InputError::InputError;
};

/// A run that started and could not be completed (a deadlock, an abort in its child process): exit status 1.
class RunError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace nowsim

// The errors a user can cause or meet, each a sentence that says where, what was found and what would be right.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace nowsim {

/// Where a piece of input stands: a file, a line in it (1-based, 0 if unknown) and a key; each may be empty.
struct Place {
  std::string file;
  int line = 0;
  std::string key;

  bool operator==(const Place&) const = default;
  /// "file:line: key" with the parts that are known.
  [[nodiscard]] std::string text() const {
    std::string out = file;
    if (line > 0) out += (out.empty() ? "line " : ":") + std::to_string(line);
    if (!key.empty()) out += (out.empty() ? "" : ": ") + key;
    return out;
  }
};

/// What is wrong with a piece of input: a complete sentence for the user, and where it stands if that is known.
struct InputProblem {
  Place place;
  std::string sentence;

  /// The place before the sentence.
  [[nodiscard]] std::string text() const {
    const std::string where = place.text();
    return where.empty() ? sentence : where + ": " + sentence;
  }
  /// From one process to another (serialization.hpp).
  template <class All>
  void fields(All& all) {
    all(place.file, place.line, place.key, sentence);
  }
};

/// Bad input: all that was found wrong in one reading; what() holds the text of one problem per line. The command line
/// ends with status 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<InputProblem> problems)
      : std::runtime_error(joined(problems)), problems_(std::move(problems)) {}
  InputError(const Place& place, const std::string& sentence)
      : InputError(std::vector<InputProblem>{{place, sentence}}) {}
  explicit InputError(const std::string& sentence) : InputError(Place{}, sentence) {}
  [[nodiscard]] const std::vector<InputProblem>& problems() const { return problems_; }
  /// Of the first problem.
  [[nodiscard]] const Place& place() const { return problems_.front().place; }
  /// Of the first problem, without its place.
  [[nodiscard]] const std::string& sentence() const { return problems_.front().sentence; }

 private:
  static std::string joined(const std::vector<InputProblem>& problems) {
    std::string out;
    for (const auto& problem : problems) out += (out.empty() ? "" : "\n") + problem.text();
    return out;
  }
  std::vector<InputProblem> problems_;  ///< at least one
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

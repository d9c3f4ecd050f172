// A point's settings from YAML text, ready for the readers, with the problems they find.
#pragma once

#include <set>
#include <string>

#include "experiments/driver/reading/reader.hpp"

namespace nowsim::test {

/// Holds what a Reading refers to. `file` is what the text's places say.
struct ReadingOf {
  explicit ReadingOf(const std::string& yaml, const std::string& file = "e.yaml") {
    flatten(parse_yaml(yaml, file), file, "", settings, problems);
  }
  ReadingOf(const ReadingOf&) = delete;

  /// All problems, one per line.
  [[nodiscard]] std::string found() const {
    std::string out;
    for (const auto& problem : problems.list()) out += problem.text() + "\n";
    return out;
  }

  Settings settings;
  Problems problems;
  std::set<std::string> asked;
  FormulaCache formulas;
  Reading reading{settings, problems, asked, formulas, {}};
};

}  // namespace nowsim::test

// An experiment's file as a reader sees it: its title, its words, its settings with the flags applied, its text.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// A setting: dotted key and value, as written.
struct Parameter {
  std::string key, value;
};

/// What stands in the file.
struct ExperimentListing {
  std::string title, description;
  std::vector<Parameter>
      parameters;    ///< of platform, job, split, owner, run and all else that is no figure, claim or sweep
  std::string text;  ///< the file itself, without what flags change
};

/// Reads it. @throws InputError as read_yaml and parse_override do.
ExperimentListing describe_file(const std::string& file, const std::vector<std::string>& overrides);

}  // namespace nowsim

// What a command's words and its flags' values are, as data: completion and the number of words follow from it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace nowsim {

/// What a word stands for.
enum class Kind {
  text,         ///< anything
  count,        ///< a whole number
  quantity,     ///< a number, with its unit if it has one
  word,         ///< one of a list: `of` are its words
  names,        ///< names with commas between, of a list of `nowsim list`: `of`
  setting,      ///< key=value
  axis,         ///< KEY=V1,V2
  key,          ///< a key of the experiment
  key_value,    ///< the value of one: `of`
  swept_key,    ///< a key that the experiment sweeps
  swept_keys,   ///< the same, with commas between
  swept_value,  ///< a value of the swept key that is the command's second word
  experiment,   ///< a file, or one that comes with nowsim
  platform,     ///< the same
  paper,        ///< whose figures are reproduced, or a folder
  lab,
  list,   ///< of `nowsim list`
  block,  ///< of an experiment's file, where the list is keys
  topic,  ///< of `nowsim help`
  command,
  part,  ///< of the command that is the first word
  load_format,
  written_load_format,
  file,  ///< `of` are its endings; none: any
  folder,
};

/// A kind, and which of it are meant.
struct Argument {
  Kind kind;
  std::vector<std::string> of;

  Argument(Kind of_kind, std::vector<std::string> meant = {}) : kind(of_kind), of(std::move(meant)) {}
};

/// Where words of a command stand: one or some of any of these kinds.
struct WordPlace {
  std::vector<Argument> kinds;
  std::size_t least = 1, most = 1;
};

using Places = std::vector<WordPlace>;

}  // namespace nowsim

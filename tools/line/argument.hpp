// What a command's words and its flags' values are, as data: reading, checking, help and completion follow from it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/text/units.hpp"
#include "sim/base/keys.hpp"

namespace nowsim {

/// What a word stands for.
enum class Kind {
  text,         ///< anything; `of` may suggest some
  quantity,     ///< a number, with its unit if it has one
  word,         ///< one of `of`
  names,        ///< names with commas between; of the list of `nowsim list` that `of` names, if it does
  setting,      ///< key=value
  axis,         ///< KEY=V1,V2
  condition,    ///< key=value of a swept key
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
  file,     ///< to be read; `of` are its endings; none: any
  written,  ///< the same, to be written
  folder,
};

/// A kind, and which of it are meant.
struct Argument {
  Kind kind;
  std::vector<std::string> of;
  std::optional<Dimension> dimension = {};  ///< of a quantity; none where whoever knows what else is said reads it
  Bounds bounds = kPositive;                ///< of that
  std::string hint = {};                    ///< said behind of one that is out of them
  std::string what = {};  ///< of a file that is written and needs one of the endings: "a picture is SVG, PNG or PDF"
  std::string name = {};  ///< in usages and help; "": as its kind is called
  bool may_be_output = false;  ///< of such a file: "-" stands for standard output

  Argument(Kind of_kind, std::vector<std::string> meant = {}) : kind(of_kind), of(std::move(meant)) {}
  explicit Argument(Dimension of_quantity, const Bounds& within = kPositive, std::string said_behind = {})
      : kind(Kind::quantity), dimension(of_quantity), bounds(within), hint(std::move(said_behind)) {}
};

/// What usages and help call something of this kind: "TIME", "DIR", "FILE.svg|.png|.pdf".
std::string shown_name(const Argument& argument);

/// Where words of a command stand: one or some of any of these kinds.
struct WordPlace {
  std::vector<Argument> kinds;
  std::size_t least = 1, most = 1;
  std::string name = {};  ///< in usages; "": as the kinds are called
};

using Places = std::vector<WordPlace>;

}  // namespace nowsim

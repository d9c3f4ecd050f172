// Files made from a store, in its folder: replaced as a whole, and never at the cost of what a user made of them.
#pragma once

#include <string>

#include "experiments/store.hpp"

namespace nowsim {

/// What became of a file that was to be written.
struct WrittenFile {
  std::string path;
  std::string kept;  ///< where a file that was there and that nowsim had not written (or not like that) has gone; "": none
};

/// Writes a file NAME of the store's folder at once (a reader sees the old one or the new one). A file under that name
/// which is not as nowsim last wrote it is kept under the first free NAME.~1~, NAME.~2~, ... @throws RunError.
WrittenFile write_file(ResultStore& store, const std::string& name, const std::string& text);
/// An experiment's rows as NAME.csv.
WrittenFile write_results(ResultStore& store, const std::string& name, const Summary& summary);

/// Before another program writes a file NAME of the folder: keeps a version that nowsim did not write, as write_file
/// does. Returns where; "" where there was none to keep.
std::string set_aside(ResultStore& store, const std::string& name);
/// After that program has written it: takes note that it is nowsim's.
void note_written(ResultStore& store, const std::string& name);

}  // namespace nowsim

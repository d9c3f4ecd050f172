// Files that commands write where a flag says so: their names, and what is said of them.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "tools/line/command.hpp"

namespace nowsim {

/// A flag's value of the following.
FlagArgument picture_file(const std::string& what = "a picture is SVG, PNG or PDF");
/// A flag's picture, SVG, PNG or PDF by its name's ending.
struct PictureFile {
  std::string name;  ///< "": none is wanted
  PictureFormat format = PictureFormat::svg;
};
/// @throws RunError where gnuplot is missing.
PictureFile picture_flag(const Arguments& arguments, const std::string& flag);

/// Puts a file at its place and says so on the error stream, unless quiet; says in any case where another one that was
/// there has gone.
void write_and_tell(Session& session, const std::string& file, const std::function<void(std::ostream&)>& content,
                    const std::string& what, bool quiet = false);
void write_and_tell(Session& session, const std::string& file, const std::string& text, const std::string& what, bool quiet = false);
/// Draws the script of a picture, where one is wanted.
void write_picture(Session& session, const PictureFile& picture, const std::function<std::string(PictureFormat)>& script,
                   bool quiet = false);
/// That a file of this name was there, and is now called `kept`; nothing where that is "".
void tell_kept(Session& session, const std::string& file, const std::string& kept);

}  // namespace nowsim

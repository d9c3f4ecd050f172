// Files that commands write where a flag says so: their names, and what is said of them.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "tools/line/flags.hpp"

namespace nowsim {

/// A flag's file, whose name has to end in one of these (none: in anything); "" where the flag is not given. `what` says
/// why, as in "a picture is SVG, PNG or PDF". @throws UsageError, what check_output_file() throws.
std::string output_file_flag(const GivenFlags& flags, const std::string& flag, const std::vector<std::string>& endings,
                             const std::string& what);

/// A flag's value of the following.
inline const FlagArgument kPictureFile = taking(Kind::file, {".svg", ".png", ".pdf"});
/// A flag's picture, SVG, PNG or PDF by its name's ending.
struct PictureFile {
  std::string name;  ///< "": none is wanted
  PictureFormat format = PictureFormat::svg;
};
/// @throws UsageError for another ending; RunError where gnuplot is missing.
PictureFile picture_flag(const GivenFlags& flags, const std::string& flag,
                         const std::string& what = "a picture is SVG, PNG or PDF");

/// Puts a file at its place and says so on the error stream, unless quiet; says in any case where another one that was
/// there has gone.
void write_and_tell(const std::string& file, const std::function<void(std::ostream&)>& content,
                    const std::string& what, bool quiet = false);
void write_and_tell(const std::string& file, const std::string& text, const std::string& what, bool quiet = false);
/// Draws the script of a picture, where one is wanted.
void write_picture(const PictureFile& picture, const std::function<std::string(PictureFormat)>& script,
                   bool quiet = false);
/// That a file of this name was there, and is now called `kept`; nothing where that is "".
void tell_kept(const std::string& file, const std::string& kept);

}  // namespace nowsim

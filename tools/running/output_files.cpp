// Checking names by their endings, and telling what was written.
#include "tools/running/output_files.hpp"

#include <filesystem>
#include <ostream>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"

namespace nowsim {

FlagArgument picture_file(const std::string& what) {
  Words endings;
  for (const auto& known : picture_endings()) endings.emplace_back(known.ending);
  return written_file(endings, what);
}

PictureFile picture_flag(const Arguments& arguments, const std::string& flag) {
  PictureFile file{arguments.text(flag)};
  if (!file.name.empty()) check_gnuplot();
  for (const auto& [format, ending] : picture_endings())
    if (file.name.ends_with(ending)) file.format = format;
  return file;
}

void tell_kept(Session& session, const std::string& file, const std::string& kept) {
  if (!kept.empty()) session.error << "note: there was another " << file << "; it is now " << kept << '\n';
}

void write_and_tell(Session& session, const std::string& file, const std::function<void(std::ostream&)>& content,
                    const std::string& what, bool quiet) {
  const std::string kept = write_output_file(file, content);
  if (!quiet) session.error << what << ": " << file << '\n';
  tell_kept(session, file, kept);
}

void write_and_tell(Session& session, const std::string& file, const std::string& text, const std::string& what, bool quiet) {
  write_and_tell(session, file, [&](std::ostream& out) { out << text; }, what, quiet);
}

void write_picture(Session& session, const PictureFile& picture, const std::function<std::string(PictureFormat)>& script, bool quiet) {
  if (!picture.name.empty()) write_and_tell(session, picture.name, draw_picture(script(picture.format)), "picture", quiet);
}

}  // namespace nowsim

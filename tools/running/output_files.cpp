// Checking names by their endings, and telling what was written.
#include "tools/running/output_files.hpp"

#include <filesystem>
#include <iostream>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"

namespace nowsim {

std::string output_file_flag(const GivenFlags& flags, const std::string& flag, const Words& endings,
                             const std::string& what) {
  if (!flags.has(flag)) return "";
  const std::string file = flags.text(flag);
  if (!endings.empty() && !contains(endings, std::filesystem::path(file).extension().string()))
    throw UsageError("--" + flag + " '" + file + "': " + what + "; give a file whose name ends in " + joined(endings));
  check_output_file(file);
  return file;
}

PictureFile picture_flag(const GivenFlags& flags, const std::string& flag, const std::string& what) {
  Words endings;
  for (const auto& known : picture_endings()) endings.emplace_back(known.ending);
  PictureFile file{output_file_flag(flags, flag, endings, what)};
  if (!file.name.empty()) check_gnuplot();
  for (const auto& [format, ending] : picture_endings())
    if (file.name.ends_with(ending)) file.format = format;
  return file;
}

void tell_kept(const std::string& file, const std::string& kept) {
  if (!kept.empty()) std::cerr << "note: there was another " << file << "; it is now " << kept << '\n';
}

void write_and_tell(const std::string& file, const std::function<void(std::ostream&)>& content,
                    const std::string& what, bool quiet) {
  const std::string kept = write_output_file(file, content);
  if (!quiet) std::cerr << what << ": " << file << '\n';
  tell_kept(file, kept);
}

void write_and_tell(const std::string& file, const std::string& text, const std::string& what, bool quiet) {
  write_and_tell(file, [&](std::ostream& out) { out << text; }, what, quiet);
}

void write_picture(const PictureFile& picture, const std::function<std::string(PictureFormat)>& script, bool quiet) {
  if (!picture.name.empty()) write_and_tell(picture.name, draw_picture(script(picture.format)), "picture", quiet);
}

}  // namespace nowsim

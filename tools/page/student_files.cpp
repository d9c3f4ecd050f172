// Writing, reading, and forgetting where.
#include "tools/page/student_files.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostStudentFiles = 200, kMostNameBytes = 200, kMostStudentBytes = std::size_t{16} << 20U;

void check_file_name(const std::string& name) {
  const bool leads_elsewhere = name.find_first_of(std::string("/\\") + '\0') != name.npos || name.starts_with(".");
  if (name.empty() || name.size() > kMostNameBytes || leads_elsewhere)
    throw InputError("a student's folder has no file " + quoted(name) +
                     ": names are without '/' and begin with no dot");
}

std::string without_place(std::string text, const std::string& folder) {
  for (auto at = text.find(folder); at != text.npos; at = text.find(folder, at)) text.erase(at, folder.size());
  return text;
}

}  // namespace

StudentFiles::StudentFiles(const PageJson& files) {
  fs::create_directory(folder());
  std::size_t bytes = 0;
  if (files.size() > kMostStudentFiles) throw InputError("a student's folder has at most 200 files");
  for (const auto& [name, text] : files.items()) {
    check_file_name(name);
    if (!text.is_string()) throw InputError("the file " + quoted(name) + " is to be a text");
    bytes += text.get_ref<const std::string&>().size();
    if (bytes > kMostStudentBytes) throw InputError("a student's folder holds at most 16 MB");
    std::ofstream out(file(name), std::ios::binary);
    out << text.get_ref<const std::string&>();
    if (!out.flush()) throw RunError("the file " + quoted(name) + " cannot be written");
  }
}

PageJson StudentFiles::files() const {
  std::map<std::string, std::string> sorted;
  for (const auto& entry : fs::directory_iterator(folder()))
    if (entry.is_regular_file()) sorted[entry.path().filename().string()] = bytes_of(entry.path());
  return sorted;
}

PageJson StudentFiles::told(const std::function<PageJson()>& work) const {
  try {
    return work();
  } catch (const InputError& e) {
    std::vector<InputProblem> problems = e.problems();
    for (auto& [place, sentence] : problems) {
      place.file = without_place(place.file, folder() + "/");
      sentence = without_place(sentence, folder() + "/");
    }
    throw InputError(std::move(problems));
  } catch (const RunError& e) {
    throw RunError(without_place(e.what(), folder() + "/"));
  }
}

}  // namespace nowsim

// A student's folder as a page has it: files by name, in a folder that is there while a question is answered.
#pragma once

#include <functional>
#include <string>

#include "experiments/driver/text/temporary_folder.hpp"
#include "tools/page/page_request.hpp"

namespace nowsim {

class StudentFiles {
 public:
  /// With these files, {name: text}. @throws InputError for names that lead elsewhere, and where it is too much.
  explicit StudentFiles(const PageJson& files);

  [[nodiscard]] std::string folder() const { return (there_.path() / "answers").string(); }
  [[nodiscard]] std::string file(const std::string& name) const { return folder() + "/" + name; }
  /// All files that are in it now.
  [[nodiscard]] PageJson files() const;
  /// What `work` gives; what it throws knows nothing of where the folder is. @throws InputError, RunError.
  PageJson told(const std::function<PageJson()>& work) const;

 private:
  TemporaryFolder there_;
};

}  // namespace nowsim

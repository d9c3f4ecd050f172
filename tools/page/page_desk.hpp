// What a page's questions are answered with: files, registries, options, and what is remembered between them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/page/page_request.hpp"
#include "tools/page/page_session.hpp"

namespace nowsim {

struct StudentLab;

/// The replications of the last `times`, all that `risk` needs.
struct PageTimes {
  std::string id;                   ///< of what was asked: other pages ask too, in between
  std::vector<double> makespans_s;  ///< in the order of replications
  std::size_t unit = 1;             ///< successive ones that make up an independent observation
  double confidence = 0.95;
  std::size_t batch = 1;  ///< that were added up at a time
};

struct PageDesk {
  PageFolders folders;
  const Registries& registries;
  PageOptions options;
  PageTimes times = {};
  std::string student_key = {};              ///< of which lab and problem `student` is
  std::shared_ptr<StudentLab> student = {};  ///< whose facts need not be computed again; null: none yet
  bool is_student_made = false;              ///< its problem was made, and not only named by an answers file

  /// The sentence why it is not here; "" where it is.
  [[nodiscard]] std::string why_absent(const std::string& what) const;
  /// A sentence as the page knows its files: by the names that it gave, and not by where they are on this machine.
  [[nodiscard]] std::string told(const std::string& sentence) const;
};

/// A question: a row of a table of them.
struct PageQuestion {
  const char* name;
  PageJson (*answer)(PageDesk& desk, const PageRequest& request);  ///< throws InputError, RunError
};

PageJson page_catalogue(PageDesk& desk, const PageRequest& request);
PageJson page_text(PageDesk& desk, const PageRequest& request);
PageJson page_describe(PageDesk& desk, const PageRequest& request);
PageJson page_run(PageDesk& desk, const PageRequest& request);
PageJson page_written(PageDesk& desk, const PageRequest& request);
PageJson page_times(PageDesk& desk, const PageRequest& request);
PageJson page_risk(PageDesk& desk, const PageRequest& request);
PageJson page_lab_start(PageDesk& desk, const PageRequest& request);
PageJson page_lab_state(PageDesk& desk, const PageRequest& request);
PageJson page_lab_fill(PageDesk& desk, const PageRequest& request);
PageJson page_lab_check(PageDesk& desk, const PageRequest& request);
PageJson page_gantt(PageDesk& desk, const PageRequest& request);

}  // namespace nowsim

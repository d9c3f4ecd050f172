// The browser page's questions, answered: by WebAssembly in the page itself, and natively by `nowsim lab serve`.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/runner.hpp"

namespace nowsim {

/// Where the files are that come with nowsim: experiments, which platforms/ lies beside, and labs with their
/// texts.yaml.
struct PageFolders {
  std::string experiments, labs;
};

/// What a session may use, and whom it tells.
struct PageOptions {
  ProgressListener on_progress = nullptr;  ///< after every batch of a run
  int jobs = 1;                            ///< processes at a time
  /// What is not here, by name (kSimgrid, kPython), and a sentence why: of a browser absent_in_browsers().
  std::map<std::string, std::string> absent = {};
};

inline constexpr const char* kAbsentSimgrid = "simgrid";
inline constexpr const char* kAbsentPython = "python";
/// What a page without a program behind it lacks.
std::map<std::string, std::string> absent_in_browsers();

/// The questions and their answers are in tools/page/README.md. A session remembers what would take long to be computed
/// again, but answers do not depend on it, apart from `risk`, which is about the last `times`.
class PageSession {
 public:
  /// The registries outlive it.
  PageSession(const PageFolders& folders, const Registries& registries, PageOptions options = {});
  ~PageSession();
  PageSession(const PageSession&) = delete;
  PageSession& operator=(const PageSession&) = delete;

  /// A question (JSON) and its answer: {"ok": ...} or {"error": ...}. Throws nothing.
  std::string answer(const std::string& request);

  /// What `risk` needs of the last `times`, for a session that another process answers for; "" before it.
  [[nodiscard]] std::string last_times() const;
  void remember_times(const std::string& kept);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nowsim

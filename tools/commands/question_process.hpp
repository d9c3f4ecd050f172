// A process of its own that answers a page's questions, one after another: servers have threads, and forks want none.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "sim/base/plain_file.hpp"
#include "sim/platform/worker_process.hpp"
#include "tools/page/page_session.hpp"

namespace nowsim {

/// An answer that says in a sentence why there is no other.
std::string error_answer(const std::string& sentence);

/// Made before there are threads. Each question is answered in a child of that process, so that it can be ended; what
/// `risk` asks of the last `times` is kept in between.
class QuestionProcess {
 public:
  /// `most_s`: the longest that an answer may take.
  QuestionProcess(const PageFolders& folders, const Registries& registries, const PageOptions& options, double most_s);
  ~QuestionProcess();
  QuestionProcess(const QuestionProcess&) = delete;
  QuestionProcess& operator=(const QuestionProcess&) = delete;

  /// The answer; from one thread. `is_wanted` is asked before and now and then: once it says no, the question is ended,
  /// and answered with an error. @throws RunError where the process is gone.
  std::string ask(const std::string& question, const std::function<bool()>& is_wanted);
  /// Ends the process, from any thread, and clears away what its question has left: who waits for an answer gets a
  /// RunError.
  void end();

 private:
  QuestionProcess(std::pair<int, int> ends, const PageFolders& folders, const Registries& registries,
                  const PageOptions& options, double most_s);

  FileHandle socket_;
  std::unique_ptr<WorkerProcess> process_;
};

}  // namespace nowsim

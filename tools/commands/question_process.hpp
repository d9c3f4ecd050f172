// A process of its own that answers a page's questions, one after another: servers have threads, and forks want none.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "experiments/driver/labs/own_descriptor.hpp"
#include "sim/platform/child_process.hpp"
#include "tools/page/page_session.hpp"

namespace nowsim {

/// Made before there are threads. Each question is answered in a child of that process, so that it can be ended; what
/// `risk` asks of the last `times` is kept in between.
class QuestionProcess {
 public:
  /// `most_s`: the longest that an answer may take.
  QuestionProcess(const PageFolders& folders, const Registries& registries, const PageOptions& options, double most_s);

  /// The answer; from any thread, one at a time is worked on. @throws RunError where the process is gone.
  std::string ask(const std::string& question);
  /// Ends the question that is worked on, which is answered with an error; nothing where there is none.
  void stop();
  /// Ends the process: who waits for an answer gets a RunError.
  void end();

 private:
  QuestionProcess(std::pair<int, int> ends, const PageFolders& folders, const Registries& registries,
                  const PageOptions& options, double most_s);

  std::mutex asking_, writing_;
  OwnDescriptor socket_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace nowsim

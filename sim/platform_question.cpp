// Forking, and whose fault a failure is.
#include "sim/platform_question.hpp"

#include "sim/child_process.hpp"
#include "sim/error.hpp"
#include "sim/text.hpp"

namespace nowsim {

std::string ask_child(const Platform& platform, const std::function<std::string()>& question) {
  ChildOutcome outcome = ChildProcess(question).wait();
  if (outcome.kind != ChildOutcome::Kind::run_error) return outcome.get();
  std::string& sentence = outcome.sentence;
  if (sentence.rfind(kProcessFailed, 0) == 0) sentence.erase(0, kProcessFailed.size());
  throw InputError(Place{platform.source, 0, ""}, "SimGrid does not accept the platform: " + sentence);
}

void refuse_without_route(const Platform& platform, const std::string& from, const std::string& to) {
  throw InputError(Place{platform.source, 0, ""}, "there is no route from " + quoted(from) + " to " + quoted(to));
}

}  // namespace nowsim

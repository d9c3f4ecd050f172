// Forking, and whose fault a failure is.
#include "sim/platform/ask_simgrid.hpp"

#include <new>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/worker_process.hpp"
#include "sim/platform/simgrid_words.hpp"

namespace nowsim {

namespace {

/// The last line of the file that has a name which the sentence has in quotes; 0: none.
int line_of_name_in(const std::string& sentence, const std::string& xml) {
  const auto begin = sentence.find('\''), end = sentence.find('\'', begin + 1);
  if (end == std::string::npos) return 0;
  const auto at = xml.rfind("=\"" + sentence.substr(begin + 1, end - begin - 1) + "\"");
  return at == std::string::npos ? 0 : line_at(xml, at);
}

[[noreturn]] void refuse_platform(const Platform& platform, const std::string& why) {
  const int line = platform.is_generated ? 0 : line_of_name_in(why, platform.xml);
  throw InputError(Place{platform.source, line, ""}, "SimGrid cannot work with this platform: " + why);
}

/// What SimGrid throws over a platform is the platform's fault, and so is memory that ends.
std::string answered(const Platform& platform, const std::function<std::string()>& question) {
  try {
    return question();
  } catch (const InputError&) {
    throw;
  } catch (const RunError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw InputError(Place{platform.source, 0, ""}, "this platform needs more memory than this machine has free");
  } catch (const std::exception& e) {
    refuse_platform(platform, in_users_words(e.what()).sentence);
  }
}

}  // namespace

std::string ask_child(const Platform& platform, const std::function<std::string()>& question, double limit_s) {
  ChildOutcome outcome = run_forked([&] { return answered(platform, question); }, limit_s);
  if (outcome.kind == ChildOutcome::Kind::done) return std::move(outcome.text);
  std::string& sentence = outcome.text;
  if (sentence.starts_with(kProcessFailed)) sentence.erase(0, kProcessFailed.size());
  if (outcome.has_crashed && !platform.is_generated) refuse_platform(platform, sentence);
  if (outcome.kind == ChildOutcome::Kind::run_error)
    throw RunError("SimGrid could not be asked about " + platform.source + ": " + sentence);
  return outcome.get();
}

void refuse_without_route(const Platform& platform, const std::string& from, const std::string& to) {
  throw InputError(Place{platform.source, 0, ""}, "there is no route from " + quoted(from) + " to " + quoted(to));
}

}  // namespace nowsim

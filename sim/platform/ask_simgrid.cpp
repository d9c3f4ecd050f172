// Forking, and whose fault a failure is; a table of SimGrid 3.32's messages (src/kernel, src/surf) and what they mean
// to who wrote the platform.
#include "sim/platform/ask_simgrid.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <regex>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"
#include "sim/platform/worker_process.hpp"

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

namespace {

struct KnownWords {
  const char* pattern;
  const char* sentence;  ///< $1 is the pattern's first part
  bool is_limit = false;  ///< of the machine, and no mistake of the platform's
};
constexpr std::array kKnownWords{
    KnownWords{"Link not found: '?([^']+)'?",
               "there is no link '$1' that can be used here: it has to stand before, and a direction (UP or DOWN) is "
               "given for SPLITDUPLEX links, and for no others"},
    KnownWords{"Link '(.+)' not found!", "there is no link '$1'"},
    KnownWords{"Host not found: '(.+)'", "there is no host '$1'"},
    KnownWords{"Refusing to create a second (host|NetZone|router) (?:named|called) '(.+)'.*",
               "two are called '$2': each $1 has a name of its own"},
    KnownWords{"Link '(.+)' declared several times in the platform.*",
               "two links are called '$1': each has a name of its own"},
    KnownWords{"Empty route \\(between (.+) and (.+)\\) forbidden.*",
               "the route from '$1' to '$2' has no links; it needs at least one"},
    KnownWords{"(\\w+) (\\w+)='(.*)' does name a node.*", "$2='$3' names nothing that stands before it"},
    KnownWords{
        "The route between (.+) and (.+) already exists.*",
        "there are two routes between '$1' and '$2'; a route counts both ways unless it says symmetrical=\"NO\""},
    KnownWords{"Invalid XML \\(XML input line \\d+, state \\d+\\): (.*)", "$1"},
    KnownWords{"Access point '(.+)' of WIFI zone '(.+)' does not exist.*",
               "the access point '$1' of the zone '$2' is no host or router"},
    KnownWords{"(?:Bad gateways for|No) route from '(.+)' to '(.+)'.*", "there is no route from '$1' to '$2'"},
    KnownWords{"Please specify the Vivaldi coordinates of (\\w+) (.+) \\(.*\\).*",
               "'$2' stands in a zone with routing=\"Vivaldi\", and has no coordinates to compute routes by"},
    KnownWords{
        "The route from (.+) to (.+) (?:begins|ends) with the WIFI link (.+), but .*",
        "the link '$3' between '$1' and '$2' is wireless (WIFI), and messages over such links are not simulated"},
    KnownWords{"You're trying to send data from (.+) to (.+) but there is no connecting path.*",
               "there is no route from '$1' to '$2'"},
    KnownWords{
        "Link '(.+)' is a WIFI link\\. .* from '(.+)' to '(.+)', .*",
        "the link '$1' between '$2' and '$3' is wireless (WIFI), and messages over such links are not simulated"},
    KnownWords{
        "Failed to protect stack.*",
        "the engine simgrid needs more memory areas than the system lets a process have (vm.max_map_count), two for "
        "each workstation; the engine direct needs none (run.engine: direct), and fewer workstations need less",
        true},
};

/// "Uncaught exception KIND by WHO: WORDS" as SimGrid reports what was thrown in its main loop.
std::string thrown_words(const std::string& said) {
  std::smatch found;
  static const std::regex kUncaught("Uncaught exception [\\w:]+(?: by .*/-?\\d+)?: (.*)");
  return std::regex_match(said, found, kUncaught) ? found[1].str() : said;
}

}  // namespace

SimGridWords in_users_words(const std::string& said) {
  const std::string line = thrown_words(said.substr(0, std::min(said.find('\n'), std::size_t{2000})));
  for (const auto& known : kKnownWords)
    if (const std::regex pattern(known.pattern); std::regex_match(line, pattern)) {
      const std::string sentence = std::regex_replace(line, pattern, known.sentence);
      return {sentence + lookalike_hint(sentence), !known.is_limit, known.is_limit};
    }
  if (line.starts_with("Segmentation fault"))
    return {"SimGrid ended over this without a reason (a segmentation fault); it does so where a route is missing",
            false};
  return {std::regex_replace(line, std::regex(" ?\\(?0x[0-9a-f]+\\)?"), ""), false};
}

}  // namespace nowsim

// A page's session as JavaScript sees it: new Module.Session(tell), session.answer(question).
#include <emscripten/bind.h>

#include <string>
#include <utility>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "tools/page/page_session.hpp"

namespace {

/// Where worker.js puts the shipped files.
const nowsim::PageFolders kFolders{"/nowsim/experiments", "/nowsim/experiments/labs"};

emscripten::val object_of(const nowsim::Progress& progress) {
  auto out = emscripten::val::object();
  out.set("points_done", static_cast<double>(progress.points_done));
  out.set("points", static_cast<double>(progress.points));
  out.set("replications_done", static_cast<double>(progress.replications_done));
  out.set("replications_expected", static_cast<double>(progress.replications_expected));
  out.set("left_s", progress.left_s);
  return out;
}

nowsim::PageOptions options(emscripten::val tell) {
  nowsim::PageOptions out;
  out.on_progress = [tell = std::move(tell)](const nowsim::Progress& progress) { tell(object_of(progress)); };
  out.absent = nowsim::absent_in_browsers();
  return out;
}

/// One session, and what it needs for as long.
class BrowserSession {
 public:
  /// Progress is told to a function.
  explicit BrowserSession(emscripten::val tell) : session_(kFolders, registries_, options(std::move(tell))) {}
  std::string answer(const std::string& question) { return session_.answer(question); }

 private:
  nowsim::Registries registries_{{}, nowsim::builtin_checks(), nowsim::builtin_figures()};
  nowsim::PageSession session_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(nowsim) {
  emscripten::class_<BrowserSession>("Session")
      .constructor<emscripten::val>()
      .function("answer", &BrowserSession::answer);
}

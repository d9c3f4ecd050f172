// The table of questions; errors become sentences with their line and key.
#include "tools/page/page_session.hpp"

#include <filesystem>
#include <new>
#include <sstream>
#include <utility>
#include <vector>

#include "experiments/driver/reading/settings.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tools/page/page_desk.hpp"

namespace nowsim {
namespace {

constexpr PageQuestion kPageQuestions[] = {
    {"catalogue", page_catalogue}, {"text", page_text},
    {"describe", page_describe},   {"run", page_run},
    {"written", page_written},     {"times", page_times},
    {"risk", page_risk},           {"gantt", page_gantt},
    {"lab.start", page_lab_start}, {"lab.state", page_lab_state},
    {"lab.fill", page_lab_fill},   {"lab.check", page_lab_check},
};

/// A text is UTF-8 as JSON wants it, whatever a sentence quotes.
std::string json_bytes(const PageJson& json) { return json.dump(-1, ' ', false, PageJson::error_handler_t::replace); }

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  if (part.size() < 2) return text;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + by.size()))
    text.replace(at, part.size(), by);
  return text;
}

/// With the line and the key of what the page calls `name`, or of its flags or the question itself; of other files the
/// place stays in the sentence.
PageJson problem_json(const PageDesk& desk, const InputProblem& problem, const std::string& name) {
  const Place& place = problem.place;
  const std::string file = desk.told(place.file);
  const bool is_here = file == name || file == kOverridePlace || (file.empty() && !place.key.empty());
  return {{"sentence", desk.told(is_here ? problem.sentence : problem.text())},
          {"line", is_here && place.line > 0 ? PageJson(place.line) : PageJson()},
          {"key", is_here ? place.key : ""}};
}

std::string error_json(const PageDesk& desk, const InputError& bad, const std::string& name) {
  PageJson all = PageJson::array();
  for (const InputProblem& problem : bad.problems()) all.push_back(problem_json(desk, problem, name));
  PageJson error = all.front();
  if (all.size() > 1) error["all"] = all;
  return json_bytes(PageJson{{"error", error}});
}

/// A run's words, in which what Python code of the user's raised stands below in lines of its own.
InputError lines_of(const std::string& words) {
  std::vector<InputProblem> lines;
  std::istringstream in(words);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back({{}, line});
  return lines.empty() ? InputError("something went wrong") : InputError(lines);
}

PageJson answer_to(PageDesk& desk, const PageRequest& request) {
  const std::string name = request.text("do");
  std::vector<std::string> known;
  for (const PageQuestion& question : kPageQuestions) {
    if (name == question.name) return {{"ok", question.answer(desk, request)}};
    known.emplace_back(question.name);
  }
  const std::string near = nearest_name(name, known);
  throw InputError(Place{"", 0, "do"},
                   "there is no question " + quoted(name) + (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

}  // namespace

struct PageSession::State : PageDesk {};

std::map<std::string, std::string> absent_in_browsers() {
  return {
      {kAbsentSimgrid, "SimGrid is not in this page: 'nowsim lab serve' has it, and so has the program"},
      {kAbsentPython, "Python code cannot be run in this page: 'nowsim lab serve' runs it; a formula works here too"}};
}

std::string PageDesk::why_absent(const std::string& what) const {
  const auto found = options.absent.find(what);
  return found == options.absent.end() ? "" : found->second;
}

std::string PageDesk::told(const std::string& sentence) const {
  std::string told = replaced(sentence, folders.labs + "/", "labs/");
  told = replaced(told, folders.experiments + "/", "");
  return replaced(replaced(told, folders.labs, "labs"), folders.experiments, "experiments");
}

PageSession::PageSession(const PageFolders& folders, const Registries& registries, PageOptions options)
    : state_(new State{{folders, registries, std::move(options)}}) {
  std::error_code ignored;
  for (std::string* folder : {&state_->folders.experiments, &state_->folders.labs})
    *folder = std::filesystem::absolute(*folder, ignored).lexically_normal().string();
}

PageSession::~PageSession() = default;

std::string PageSession::answer(const std::string& request) {
  std::string name;
  try {
    const PageRequest question(request);
    name = question.text_or("name", "answers.yaml");
    return json_bytes(answer_to(*state_, question));
  } catch (const InputError& e) {
    return error_json(*state_, e, name);
  } catch (const std::bad_alloc&) {
    return error_json(*state_, InputError("memory ended: fewer workstations, points or replications need less"), name);
  } catch (const std::exception& e) {
    return error_json(*state_, lines_of(e.what()), name);
  }
}

std::string PageSession::last_times() const {
  if (state_->times.makespans_s.empty()) return "";
  return PageJson{{"id", state_->times.id},
                  {"makespans_s", state_->times.makespans_s},
                  {"unit", state_->times.unit},
                  {"confidence", state_->times.confidence},
                  {"batch", state_->times.batch}}
      .dump();
}

void PageSession::remember_times(const std::string& kept) {
  const PageJson times = PageJson::parse(kept);
  state_->times = {times["id"].get<std::string>(), times["makespans_s"].get<std::vector<double>>(),
                   times["unit"].get<std::size_t>(), times["confidence"].get<double>(),
                   times["batch"].get<std::size_t>()};
}

}  // namespace nowsim

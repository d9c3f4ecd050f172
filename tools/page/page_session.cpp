// The table of questions; errors become sentences with their line and key.
#include "tools/page/page_session.hpp"

#include <filesystem>
#include <new>
#include <string_view>
#include <utility>

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

/// Cuts a beginning off; whether it was there.
bool cut(std::string& text, const std::string& beginning) {
  if (!text.starts_with(beginning)) return false;
  text.erase(0, beginning.size());
  return true;
}

/// The dotted key before ": ", which is cut off; "" where none stands there.
std::string cut_key(std::string& sentence) {
  const std::size_t end = sentence.find_first_of(": \n");
  if (end == sentence.npos || end == 0 || !sentence.substr(end).starts_with(": ")) return "";
  const std::string key = sentence.substr(0, end);
  sentence.erase(0, end + 2);
  return key;
}

/// "mine.yaml:3: owner.TH: the sentence" as its parts; of other files the place stays in the sentence.
PageJson error_parts(std::string sentence, const std::string& name) {
  PageJson line = nullptr;
  std::string key;
  if (cut(sentence, name + ":")) {
    if (const std::size_t end = sentence.find(':'); end != sentence.npos)
      if (const auto number = to_number(sentence.substr(0, end))) {
        line = static_cast<std::uint64_t>(*number);
        sentence.erase(0, end + 1);
      }
    cut(sentence, " ");
    key = cut_key(sentence);
  } else if (cut(sentence, "--set: ")) {
    key = cut_key(sentence);
  }
  return {{"sentence", sentence}, {"line", line}, {"key", key}};
}

PageJson error_of(const std::string& sentences, const std::string& name) {
  PageJson all = PageJson::array();
  for (std::size_t at = 0; at <= sentences.size();) {
    const std::size_t end = std::min(sentences.find('\n', at), sentences.size());
    if (end > at) all.push_back(error_parts(sentences.substr(at, end - at), name));
    at = end + 1;
  }
  PageJson error = all.empty() ? error_parts("something went wrong", name) : all.front();
  if (all.size() > 1) error["all"] = all;
  return {{"error", error}};
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
    const bool has_place = e.place().file.empty() && !e.place().key.empty();
    if (!has_place) return json_bytes(error_of(state_->told(e.what()), name));
    return json_bytes(error_of(name + ": " + e.what(), name));
  } catch (const std::bad_alloc&) {
    return json_bytes(error_of("memory ended: fewer workstations, points or replications need less", name));
  } catch (const std::exception& e) {
    return json_bytes(error_of(state_->told(e.what()), name));
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

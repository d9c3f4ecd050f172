// Steps, questions, items: what is open, what stands there, and which commands of a handout the page has itself.
#include "tools/page/lab_state.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/lab_pages.hpp"
#include "experiments/driver/labs/texts.hpp"
#include "tools/page/page_scenario.hpp"

namespace nowsim {
namespace {

/// In the order of Question::Kind and Question::Takes.
constexpr const char* kKindNames[] = {"number", "choice", "numbers", "choices", "trial"};
constexpr const char* kTakesNames[] = {"number", "numbers", "formula", "code"};

/// What stands for a handout's sentence about a folder.
constexpr const char* kCheckHere = "Write your answers into the fields below, and press Check.";

/// A command line's words, without the quotes that a shell takes away.
std::vector<std::string> shell_words(const std::string& line) {
  std::vector<std::string> words;
  bool is_inside = false;
  char quote = '\0';
  for (const char c : line) {
    const bool ends = quote == '\0' && c == ' ';
    if (!ends && !is_inside) words.emplace_back();
    is_inside = !ends;
    if (c == quote)
      quote = '\0';
    else if (quote == '\0' && (c == '"' || c == '\''))
      quote = c;
    else if (!ends)
      words.back() += c;
  }
  return words;
}

/// `nowsim run FILE --set a=b` of a file that is there, as the page has it.
std::optional<PageJson> run_of(const std::string& line, const PageJson& files) {
  const auto words = shell_words(line);
  if (words.size() < 3 || words[0] != "nowsim" || words[1] != "run" || !files.contains(words[2])) return std::nullopt;
  static const std::map<std::string, std::string> kKeys{{"--set", ""},
                                                        {"-s", ""},
                                                        {"--replications", "run.replications="},
                                                        {"-r", "run.replications="},
                                                        {"--seed", "run.seed="}};
  PageJson set = PageJson::array();
  for (std::size_t i = 3; i + 1 < words.size(); ++i)
    if (const auto key = kKeys.find(words[i]); key != kKeys.end()) set.push_back(key->second + words[++i]);
  const bool draws = std::ranges::find(words, "--gantt") != words.end();
  return PageJson{{"file", words[2]}, {"set", set}, {"draws", draws}};
}

/// What a command line begins with that a terminal alone can do; "" where the page does the same, or it is none.
std::string terminal_command(const std::string& line) {
  const auto words = shell_words(line);
  if (words.size() < 2) return "";
  if (words[0] == "python3" && words.size() > 2 && words[2] == "nowsim") return "python3 -m nowsim";
  const bool is_here = words[1] == "run" || (words[1] == "lab" && words.size() > 2 && words[2] == "check");
  return words[0] == "nowsim" && !is_here ? "nowsim " + words[1] : "";
}

/// A step's text, block by block: with what the page runs of it, and what takes a terminal. Of the latter each block of
/// commands tells all, sentences what no block tells, once.
PageJson text_of(const MarkdownSection& section, const PageJson& files) {
  std::set<std::string> told;
  for (const MarkdownBlock& block : section.blocks)
    for (const std::string& line : block.lines) told.insert(terminal_command(line));
  told.insert("");
  PageJson text = PageJson::array();
  for (const MarkdownBlock& block : section.blocks) {
    PageJson runs = PageJson::array();
    std::vector<std::string> terminal;
    for (const std::string& line : block.lines) {
      if (const auto run = run_of(line, files)) runs.push_back(*run);
      const std::string command = terminal_command(line);
      if (!command.empty() && std::ranges::find(terminal, command) == terminal.end()) terminal.push_back(command);
    }
    for (const std::string& code : block.code)
      if (const std::string command = terminal_command(code); told.insert(command).second) terminal.push_back(command);
    text.push_back({{"html", block.html}, {"runs", runs}, {"terminal", terminal}});
  }
  return text;
}

PageJson options_of(StudentLab& student, const Question& question) {
  PageJson list = PageJson::array();
  for (const auto& [word, meaning] : question.options)
    list.push_back({{"word", word}, {"meaning", student.facts.filled(meaning)}});
  return list;
}

PageJson written_answer(const Question& question, const LabAnswer& answer) {
  if (question.items.empty()) return answer.front();
  PageJson items = PageJson::object();
  for (std::size_t i = 0; i < question.items.size(); ++i) items[question.items[i]] = answer[i];
  return items;
}

PageJson question_of(const PageDesk& desk, StudentLab& student, const Question& question, const LabAnswer& answer) {
  const bool is_code = question.takes == Question::Takes::code;
  return {{"key", question.key},
          {"ask", markdown_html(student.facts.filled(question.ask))},
          {"kind", kKindNames[static_cast<std::size_t>(question.kind)]},
          {"takes", kTakesNames[static_cast<std::size_t>(question.takes)]},
          {"unit", asked_unit(student.facts, question).name},
          {"items", question.items},
          {"options", options_of(student, question)},
          {"hints", question_hints(student.facts, question, student.texts)},
          {"marks", question.marks},
          {"absent", is_code ? desk.why_absent(kAbsentPython) : ""},
          {"answer", written_answer(question, answer)}};
}

/// Those that the text does not open as they are.
PageJson experiments_of(const LabStep& step, const PageJson& text) {
  const auto opens = [&](const std::string& file) {
    return std::ranges::any_of(text, [&](const PageJson& block) {
      return std::ranges::any_of(block["runs"], [&](const PageJson& run) {
        return run["file"] == file && run["set"].empty() && run["draws"] == false;
      });
    });
  };
  PageJson list = PageJson::array();
  for (const std::string& file : step.gives)
    if (file.ends_with(".yaml") && !opens(file)) list.push_back(file);
  return list;
}

PageJson titled_chart(const std::string& title, const Timeline& timeline) {
  PageJson chart{{"title", title}};
  chart.update(page_timeline(timeline));
  return chart;
}

PageJson charts_of_step(StudentLab& student, std::size_t step) {
  PageJson list = PageJson::array();
  for (const auto& [experiment, title] : student.lab.steps[step].charts)
    list.push_back(titled_chart(student.facts.filled(title), student.facts.timeline(experiment, 0)));
  return list;
}

PageJson open_step(const PageDesk& desk, StudentLab& student, std::size_t s, const AnsweredStep& answered,
                   const PageJson& text) {
  const LabStep& step = student.lab.steps[s];
  PageJson questions = PageJson::array();
  for (std::size_t q = 0; q < step.questions.size(); ++q)
    questions.push_back(question_of(desk, student, step.questions[q], answered.written[q]));
  return {{"key", step_key(s)},
          {"name", step.name},
          {"is_prediction", step.is_prediction},
          {"is_open", true},
          {"is_locked", answered.lock == AnsweredStep::Lock::sound},
          {"text", text},
          {"questions", questions},
          {"experiments", experiments_of(step, text)},
          {"charts", charts_of_step(student, s)}};
}

/// Its name is known, and no more.
PageJson closed_step(const LabStep& step, std::size_t s) {
  const PageJson none = PageJson::array();
  return {{"key", step_key(s)}, {"name", step.name},   {"is_prediction", step.is_prediction},
          {"is_open", false},   {"is_locked", false},  {"text", none},
          {"questions", none},  {"experiments", none}, {"charts", none}};
}

}  // namespace

PageJson page_judged(StudentLab& student, const CheckedLab& check) {
  PageJson list = PageJson::array();
  for (const JudgedStep& step : check.steps) {
    PageJson answers = PageJson::array(), charts = PageJson::array();
    for (const JudgedAnswer& j : step.judgements) {
      const JudgedTexts texts = judged_texts(student, j, step);
      answers.push_back({{"key", j.question->key},
                         {"standing", texts.standing},
                         {"sign", texts.sign},
                         {"told", texts.told},
                         {"answer", texts.answer},
                         {"says", texts.says}});
      for (const OwnRun& run : j.runs) charts.push_back(titled_chart(run.title, *run.timeline));
    }
    list.push_back({{"step", step_key(step.step)}, {"answers", answers}, {"charts", charts}});
  }
  return list;
}

PageJson page_lab(PageDesk& desk, StudentLab& student, const AnswersFile& file, const StudentFiles& files) {
  const auto open = answered_steps(file, student.lab, student.problem, student.texts);
  const HandoutTexts texts = handout_texts(student, open.size(), kCheckHere);
  const PageJson there = files.files();
  PageJson lists = PageJson::array(), steps = PageJson::array();
  for (const auto& [heading, items] : texts.lists) lists.push_back({{"heading", heading}, {"items", items}});
  for (std::size_t s = 0; s < student.lab.steps.size(); ++s)
    steps.push_back(s < open.size() ? open_step(desk, student, s, open[s], text_of(texts.steps[s], there))
                                    : closed_step(student.lab.steps[s], s));
  return {{"files", there},
          {"lab", student.lab.name},
          {"title", student.lab.title},
          {"id", student.problem.owner.id},
          {"course", student.problem.owner.course},
          {"signature", student.problem.signature},
          {"folder", folder_name(student.lab.name, student.problem.owner.id)},
          {"question", student.lab.question},
          {"of", texts.of},
          {"lists", lists},
          {"problem", texts.problem.html()},
          {"steps", steps}};
}

}  // namespace nowsim

// Labs, judgements and charts as values of the template lab_pages.mustache.
#include "experiments/driver/labs/lab_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLabTemplates[] = {
#include "experiments/driver/labs/lab_pages.mustache"
};
constexpr std::size_t kPageTemplate = 0, kTableTemplate = 1, kChartTemplate = 2, kScoreTemplate = 3;

/// The whole page (HTML 5, UTF-8): no scripts, nothing from elsewhere, no date.
/// What is not told of otherwise is not there.
std::string lab_page(HtmlObject values, const Texts& texts) {
  values.insert({{"question", false}, {"lists", HtmlList()}, {"before", ""}, {"last", false}});
  values.emplace("has_contents", !values.at("sections").list_value().empty());
  values.emplace("language", texts.say("page.language"));
  values.emplace("style", page_style());
  values.emplace("skip", texts.say("page.skip"));
  values.emplace("contents", texts.say("page.contents"));
  return filled_template(kLabTemplates[kPageTemplate], values);
}

/// A sentence below a page's title.
HtmlObject told(const std::string& text, const char* css_class = "") {
  return {{"text", text}, {"class", if_any(css_class)}};
}

/// A section that is not told of otherwise.
HtmlObject lab_section(const std::string& id, const std::string& heading) {
  return {{"id", id},          {"heading", heading},      {"questions_heading", false},
          {"how", HtmlList()}, {"questions", HtmlList()}, {"before", ""},
          {"after", ""}};
}

/// Wide ones can be moved to and fro by keyboard too.
std::string html_table(const std::string& caption, const TextRows& cells, std::size_t named_by = 0) {
  HtmlList rows;
  for (std::size_t r = 1; r < cells.size(); ++r) {
    HtmlList row;
    for (std::size_t c = 0; c < cells[r].size(); ++c)
      row.emplace_back(HtmlObject{{"is_name", c == named_by}, {"cell", cells[r][c]}});
    rows.emplace_back(row);
  }
  return filled_template(kLabTemplates[kTableTemplate],
                         {{"caption", caption}, {"head", html_list(cells.front())}, {"rows", rows}});
}

std::string charts_html(const std::vector<LabChart>& charts, const Texts& texts) {
  std::string all;
  for (const LabChart& chart : charts) {
    const bool is_drawn = !chart.svg.empty();
    all +=
        filled_template(kLabTemplates[kChartTemplate],
                        {{"title", chart.title},
                         {"svg", is_drawn ? HtmlValue(svg_address(chart.svg)) : HtmlValue(false)},
                         {"alt", texts.say(chart.has_sums ? "chart.sums-alt" : "chart.alt", {{"title", chart.title}})},
                         {"none", is_drawn ? "" : texts.say("chart.none", {{"reason", chart.no_picture}})},
                         {"summary", texts.say(chart.has_sums ? "chart.sums-table" : "chart.table")},
                         {"table", html_table(chart.caption, chart.table)}});
  }
  return all;
}

std::string page_html(const StudentLab& student, const std::string& markdown) {
  return markdown_html(markdown, student.texts.say("page.table"));
}

// The handout.

/// The sentence's key.
const char* how_to_answer(const LabStep& step) {
  if (!step.is_prediction) return "handout.answer";
  const bool has_marks = std::ranges::any_of(step.questions, [](const Question& q) { return q.marks > 0; });
  return has_marks ? "handout.predict-marked" : "handout.predict";
}

HtmlObject question_values(StudentLab& student, const Question& question, const std::vector<std::string>& hints) {
  return {{"key", question.key},
          {"standing", false},
          {"ask", page_html(student, student.facts.filled(question.ask))},
          {"has_hints", !hints.empty()},
          {"hints", html_list(hints)},
          {"answer", false},
          {"says", ""}};
}

/// Makes the pictures of the lab's folder that a text shows part of it.
void take_in_pictures(std::string& html, const std::string& folder) {
  const std::string begin = "<img src=\"";
  for (std::size_t at = html.find(begin); at != html.npos; at = html.find(begin, at)) {
    at += begin.size();
    const std::string name = html.substr(at, html.find('"', at) - at);
    if (!name.ends_with(".svg") || name.find('/') != name.npos) continue;
    html.replace(at, name.size(),
                 svg_address(read_user_file((fs::path(folder) / name).string(), kMostDescriptionBytes)));
  }
}

/// Another one in the place of each sentence that holds a text; sentences end within their paragraph.
void replace_sentences(std::string& markdown, const std::string& about, const std::string& by) {
  const auto is_blank = [&](std::size_t at) { return std::isspace(static_cast<unsigned char>(markdown[at])) != 0; };
  const auto ends_at = [&](std::size_t at) {
    return std::string_view(".?!").find(markdown[at]) != std::string_view::npos &&
           (at + 1 == markdown.size() || is_blank(at + 1));
  };
  for (auto at = markdown.find(about); at != markdown.npos; at = markdown.find(about, at)) {
    const auto before = markdown.rfind("\n\n", at), behind = std::min(markdown.find("\n\n", at), markdown.size());
    const std::size_t least = before == markdown.npos ? 0 : before + 2;
    std::size_t begin = at, end = at + about.size();
    while (begin > least && !ends_at(begin - 1)) --begin;
    while (is_blank(begin)) ++begin;
    while (end < behind && !ends_at(end)) ++end;
    markdown.replace(begin, std::min(end + 1, behind) - begin, by);
    at = begin + by.size();
  }
}

HtmlObject step_values(StudentLab& student, std::size_t step, const std::string& text,
                       const std::vector<LabChart>& charts) {
  const LabStep& described = student.lab.steps[step];
  HtmlObject values = lab_section(step_key(step), described.name);
  values["before"] = text + charts_html(charts, student.texts);
  if (described.questions.empty()) return values;
  values["questions_heading"] = student.texts.say("handout.questions");
  HtmlList how{student.texts.say(how_to_answer(described), {{"check", student.lab.check_command()}})};
  if (student.lab.by_flag) how.emplace_back(student.texts.say("answers.own-labs", {{"lab", student.lab.name}}));
  values["how"] = how;
  HtmlList questions;
  for (const Question& question : described.questions)
    questions.emplace_back(question_values(student, question, question_hints(student.facts, question, student.texts)));
  values["questions"] = questions;
  return values;
}

// Feedback.

constexpr const char* kStandingClasses[] = {"open", "open", "open", "no", "open", "yes"};
constexpr const char* kStandingSigns[] = {"?", "?", "?", "✗", "~", "✓"};

std::string score_html(StudentLab& student, const JudgedAnswer& j) {
  if (!j.score) return "";
  const auto bar = [&](const char* key, const Estimate& e) {
    return std::pair{student.texts.say(key), in_unit(e, j.score_unit.seconds)};
  };
  const ScoreBars bars{bar("score.yours", *j.score), bar("score.none", j.none), bar("score.best", j.best)};
  return score_bars_html(bars, student.texts.say("score.caption", {{"question", j.question->key}}),
                         {student.texts.say("score.whose"), student.texts.say("score.value")}, j.score_unit.name);
}

HtmlObject judgement_values(StudentLab& student, const JudgedAnswer& j, const JudgedStep& step) {
  const JudgedTexts texts = judged_texts(student, j, step);
  std::vector<LabChart> charts;
  for (const OwnRun& run : j.runs) charts.push_back(chart_of(*run.timeline, run.experiment, run.title, student.texts));
  HtmlObject values = question_values(student, *j.question, {});
  values["standing"] = HtmlObject{{"class", texts.standing}, {"sign", texts.sign}, {"told", texts.told}};
  values["answer"] = if_any(texts.answer);
  values["says"] = texts.says + charts_html(charts, student.texts);
  return values;
}

}  // namespace

HandoutTexts handout_texts(StudentLab& student, std::size_t open_steps, const std::string& instead) {
  const Lab& lab = student.lab;
  const std::string file = (fs::path(lab.folder) / "handout.md").string();
  std::string text = student.facts.filled(read_user_file(file, kMostDescriptionBytes));
  if (!instead.empty()) replace_sentences(text, "`nowsim lab check .`", instead);
  std::vector<MarkdownSection> sections = markdown_sections(text, student.texts.say("page.table"));
  HandoutTexts texts;
  texts.of =
      student.texts.say("handout.of", {{"id", student.problem.owner.id}, {"minutes", std::to_string(lab.minutes)}});
  for (const auto& [key, items] : {std::pair{"handout.goals", lab.goals}, {"handout.before", lab.before}})
    if (!items.empty()) texts.lists.emplace_back(student.texts.say(key), items);
  for (std::size_t s = 0; s < open_steps; ++s) {
    const std::string& name = lab.steps[s].name;
    const auto section =
        std::find_if(sections.begin() + 1, sections.end(), [&](const auto& x) { return x.name == name; });
    if (section == sections.end()) throw InputError({file, 0, ""}, "the heading '## " + name + "' is missing");
    for (MarkdownBlock& block : section->blocks) take_in_pictures(block.html, lab.folder);
    texts.steps.push_back(*section);
  }
  texts.problem = std::move(sections.front());
  return texts;
}

JudgedTexts judged_texts(StudentLab& student, const JudgedAnswer& j, const JudgedStep& step) {
  const bool is_noted = step.is_hidden && j.is_readable();
  const auto standing = static_cast<std::size_t>(is_noted ? AnswerStanding::missing : j.standing);
  const std::string answer = shown_answer(j);
  std::string says;
  if (!answer.empty())
    for (const std::string& sentence : j.says) says += page_html(student, sentence);
  return {kStandingClasses[standing], is_noted ? "" : kStandingSigns[standing], standing_text(j, step, student.texts),
          answer.empty() ? "" : student.texts.say("feedback.answer", {{"answer", answer}}),
          says + score_html(student, j)};
}

std::string handout_page(StudentLab& student, const std::vector<std::vector<LabChart>>& charts_of_open_steps) {
  const Lab& lab = student.lab;
  const HandoutTexts texts = handout_texts(student, charts_of_open_steps.size());
  HtmlList lists, steps;
  for (const auto& [heading, items] : texts.lists)
    lists.emplace_back(HtmlObject{{"heading", heading}, {"items", html_list(items)}});
  for (std::size_t s = 0; s < texts.steps.size(); ++s)
    steps.emplace_back(step_values(student, s, texts.steps[s].html(), charts_of_open_steps[s]));
  const bool is_last = texts.steps.size() == lab.steps.size();
  return lab_page({{"title", lab.title},
                   {"question", if_any(lab.question)},
                   {"told", HtmlList{told(texts.of, "quiet")}},
                   {"lists", lists},
                   {"before", texts.problem.html()},
                   {"sections", steps},
                   {"last", student.texts.say(is_last ? "handout.last" : "handout.next")}},
                  student.texts);
}

std::string feedback_page(StudentLab& student, const CheckedLab& check) {
  HtmlList head{told(student.texts.say("feedback.of", {{"id", student.problem.owner.id}})),
                told(marks_text(student, check.steps))};
  for (const std::string& remark : check.remarks) head.emplace_back(told(remark, "gaps"));
  HtmlList steps;
  for (const JudgedStep& step : check.steps) {
    HtmlObject values = lab_section(step_key(step.step), student.lab.steps[step.step].name);
    HtmlList questions;
    for (const JudgedAnswer& j : step.judgements) questions.emplace_back(judgement_values(student, j, step));
    values["questions"] = questions;
    values["after"] = charts_html(check.charts[step.step], student.texts);
    steps.emplace_back(values);
  }
  return lab_page({{"title", student.texts.say("feedback.title", {{"title", student.lab.title}})},
                   {"told", head},
                   {"sections", steps}},
                  student.texts);
}

std::string board_tables_page(const std::vector<std::pair<std::string, TextRows>>& boards, const Texts& texts) {
  constexpr std::size_t kIdColumn = 1;
  HtmlList sections;
  for (const auto& [heading, cells] : boards) {
    HtmlObject values = lab_section("board-" + std::to_string(sections.size() + 1), heading);
    values["before"] = html_table(texts.say("board.caption"), cells, kIdColumn);
    sections.emplace_back(values);
  }
  const HtmlList about{told(texts.say(boards.empty() ? "board.empty" : "board.explained"))};
  return lab_page({{"title", texts.say("board.title")}, {"told", about}, {"sections", sections}}, texts);
}

std::string score_bars_html(const ScoreBars& bars, const std::string& caption, const std::vector<std::string>& head,
                            const std::string& unit) {
  constexpr double kLabelWidth = 150, kBarsWidth = 470, kBarHeight = 18, kBarStep = 28;
  constexpr const char* kBarColours[] = {"#0072B2", "#767676", "#D55E00"};  // Okabe & Ito's that stand out on white
  ScoreBars known = bars;
  std::erase_if(known, [](const auto& bar) { return !std::isfinite(bar.second.value); });
  if (known.empty()) return "";
  double least = 0, most = 0;
  for (const auto& [name, e] : known) {
    least = std::min({least, e.low, e.value});
    most = std::max({most, e.high, e.value});
  }
  const auto x = [&](double value) {
    return kLabelWidth + kBarsWidth * (most > least ? (value - least) / (most - least) : 0);
  };
  const auto px = [](double number) { return fmt::format("{:.1f}", number); };
  std::string label = caption;
  TextRows rows{head};
  HtmlList drawn;
  for (const auto& [name, e] : known) {
    rows.push_back({name, shown_number(e, unit)});
    label += "; " + name + ": " + rows.back().back();
    const double from = std::min(x(0), x(e.value)), to = std::max(x(0), x(e.value));
    const double top = kBarStep * static_cast<double>(drawn.size()) + 5, middle = top + kBarHeight / 2;
    drawn.emplace_back(HtmlObject{{"name", name},
                                  {"baseline", px(middle + 4)},
                                  {"from", px(from)},
                                  {"top", px(top)},
                                  {"width", px(to - from)},
                                  {"thick", px(kBarHeight)},
                                  {"colour", kBarColours[drawn.size() % std::size(kBarColours)]},
                                  {"low", px(x(e.low))},
                                  {"high", px(x(e.high))},
                                  {"middle", px(middle)}});
  }
  return filled_template(kLabTemplates[kScoreTemplate],
                         {{"height", fmt::format("{}", kBarStep * static_cast<double>(known.size()))},
                          {"label", label},
                          {"bars", drawn},
                          {"table", html_table(caption, rows)}});
}

}  // namespace nowsim

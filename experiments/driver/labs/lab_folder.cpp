// Making the problem, judging step by step, and writing into the folder: charts, the page, the answers file.
#include "experiments/driver/labs/lab_folder.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <ostream>
#include <sstream>
#include <utility>

#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/labs/lab_pages.hpp"
#include "experiments/driver/labs/problem.hpp"
#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/gantt.hpp"
#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/pictures/waits.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostIdCharacters = 100;

/// What Persian and India's scripts have between letters.
bool joins_letters(char32_t code) { return code == 0x200C || code == 0x200D; }

/// A file of code lies beside the answers, wherever nowsim is called from, and nowhere else. @throws InputError where
/// the answer names one elsewhere.
LabAnswer found_code(const Question& question, const LabAnswer& answer, const std::string& folder) {
  if (question.kind != Question::Kind::trial || question.takes != Question::Takes::code) return answer;
  LabAnswer found = answer;
  for (std::string& text : found) {
    if (!text.ends_with(kCodeEnding)) continue;
    const fs::path name = fs::path(text).filename();
    if (fs::path(text).lexically_normal() != name)
      throw InputError(quoted(text) + " names a folder: a file of code lies beside the answers, and its name alone is "
                       "wanted, " + quoted(name.string()));
    text = fs::absolute(fs::path(folder) / name).string();
  }
  return found;
}

JudgedAnswer judged_with_code(StudentLab& student, const std::string& folder, const Question& question,
                              const LabAnswer& answer, bool reveals) {
  LabAnswer found;
  try {
    found = found_code(question, answer, folder);
  } catch (const InputError& e) {
    return unreadable_answer(question, e.what(), student.texts);
  }
  return judge_answer(student.facts, question, found, reveals, student.texts);
}

/// Before it is locked in: whether it is meant so, and nothing else.
void ask_back(JudgedAnswer& judgement) {
  judgement.standing = AnswerStanding::unclear;
  judgement.says = {judgement.asks_back};
  judgement.wrong_items.clear();
  judgement.marks = 0;
}

/// Nothing of it is said but that it can be read.
void hide(JudgedAnswer& judgement) {
  if (!judgement.is_readable()) return;
  judgement.says.clear();
  judgement.misconception.clear();
  judgement.wrong_items.clear();
  judgement.score.reset();
  judgement.runs.clear();
  judgement.remarks.clear();
  judgement.marks = 0;
}

}  // namespace

StudentLab::StudentLab(const Lab& described, const LabOwner& owner, const Registries& registries, FactOptions options)
    : lab(described),
      texts(texts_beside(lab.folder)),
      problem(make_problem(lab, owner, registries, options)),
      facts(lab, problem, registries, std::move(options)) {}

StudentLab::StudentLab(const Lab& described, const Problem& known, const Registries& registries, FactOptions options)
    : lab(described),
      texts(texts_beside(lab.folder)),
      problem(known),
      facts(lab, problem, registries, std::move(options)) {}

bool JudgedStep::is_complete() const {
  return std::ranges::all_of(judgements, [](const JudgedAnswer& j) { return j.is_readable(); });
}

double JudgedStep::marks() const {
  return std::accumulate(judgements.begin(), judgements.end(), 0.0,
                         [](double sum, const JudgedAnswer& j) { return sum + j.marks; });
}

std::string checked_id(const std::string& id) {
  const std::string text(trimmed(id));
  if (text.empty()) throw InputError("an ID has to be given: a name, or a number");
  std::size_t characters = 0;
  for (std::string_view rest = text; !rest.empty(); ++characters) {
    const Utf8Character c = first_character(rest);
    if (!c.is_whole || is_control(c.code))
      throw InputError("the ID " + quoted(text) + " has bytes that are no characters to be shown");
    if (is_unseen(c.code) && !joins_letters(c.code))
      throw InputError("the ID " + quoted(text) + " holds " + foreign_character(rest) + ", which nobody sees");
    rest.remove_prefix(c.bytes);
  }
  if (characters > kMostIdCharacters) throw InputError("the ID " + quoted(text) + " is longer than 100 characters");
  return text;
}

JudgedStep judge_step(StudentLab& student, const std::string& folder, std::size_t step, const AnsweredStep& answered,
                      bool is_final) {
  const LabStep& described = student.lab.steps[step];
  JudgedStep judged{.step = step, .lock = answered.lock};
  judged.is_hidden = described.is_prediction && answered.lock == AnsweredStep::Lock::none && !is_final;
  const bool reveals = described.is_prediction && !judged.is_hidden;
  const std::vector<LabAnswer> counted = answered.counted();
  for (std::size_t q = 0; q < counted.size(); ++q) {
    const Question& question = described.questions[q];
    // What cannot be told of an answer once it is locked in is found before.
    JudgedAnswer judgement = judged_with_code(student, folder, question, counted[q], reveals || judged.is_hidden);
    judgement.answer = counted[q];
    if (judged.is_hidden && !judgement.asks_back.empty()) ask_back(judgement);
    if (judged.is_hidden) hide(judgement);
    judged.judgements.push_back(std::move(judgement));
    if (answered.lock == AnsweredStep::Lock::sound && answered.written[q] != answered.locked[q])
      judged.changed.push_back(question.key);
  }
  return judged;
}

std::vector<std::string> step_remarks(const StudentLab& student, const JudgedStep& step) {
  const NamedTexts names{{"step", student.lab.steps[step.step].name}, {"lock", lock_key(step.step)}};
  std::vector<std::string> remarks;
  if (step.lock == AnsweredStep::Lock::changed)
    remarks.push_back(student.texts.say("remark.lock-changed", names));
  if (step.lock == AnsweredStep::Lock::lost) remarks.push_back(student.texts.say("remark.lock-lost", names));
  for (const std::string& key : step.changed)
    remarks.push_back(student.texts.say("remark.answer-changed", {{"question", key}}));
  for (const JudgedAnswer& judgement : step.judgements)
    remarks.insert(remarks.end(), judgement.remarks.begin(), judgement.remarks.end());
  return remarks;
}

namespace {

constexpr std::size_t kMostNameBytes = 200;  // file systems take 255

void write_bytes(const fs::path& file, const std::string& bytes, const MayReplace& may_replace = has_same_bytes) {
  write_output_file(
      file.string(), [&](std::ostream& out) { out << bytes; }, may_replace);
}

std::string own_copy(const StudentLab& student, const std::string& file) {
  if (file.ends_with(".yaml")) return own_experiment(student.lab, student.problem, file);
  return read_user_file((fs::path(student.lab.folder) / file).string(), kMostDataBytes);
}

/// All that the steps that are open hand out: made as a whole before anything of it is written.
struct HandedOut {
  std::vector<std::pair<std::string, std::string>> files;  ///< name, bytes
  std::vector<std::vector<LabChart>> charts;                 ///< of each step
  std::string page;
  std::vector<std::string> remarks;  ///< on the last of these steps
};

HandedOut handed_out(StudentLab& student, std::size_t open) {
  HandedOut made;
  for (std::size_t s = 0; s < open; ++s) {
    for (const std::string& file : student.lab.steps[s].gives)
      made.files.emplace_back(fs::path(file).filename().string(), own_copy(student, file));
    for (const LabChart& chart : made.charts.emplace_back(charts_of(student, s))) {
      made.files.emplace_back(chart_file(chart.experiment), chart.csv);
      if (!chart.svg.empty())
        made.files.emplace_back(chart.experiment + "-chart.svg", chart.svg);
      else if (s + 1 == open)
        made.remarks.push_back(student.texts.say("chart.none", {{"reason", chart.no_picture}}));
    }
  }
  made.page = handout_page(student, made.charts);
  return made;
}

/// The page anew, and files that are not there: those that are belong to the student. What an earlier start or check
/// could not hand out is made up for.
void hand_out(const HandedOut& made, const fs::path& folder) {
  std::error_code ignored;
  for (const auto& [name, bytes] : made.files)
    if (!fs::exists(folder / name, ignored)) write_bytes(folder / name, bytes);
  write_bytes(folder / kHandoutFile, made.page, is_ours);
}

/// The answers file goes on: what is there stays, byte by byte. What an editor has saved since it was read is never
/// moved aside for what was judged.
void append_answers(const AnswersFile& file, const std::string& more, const Texts& texts) {
  const std::string all = file.text + (file.text.ends_with('\n') ? "" : "\n") + more;
  parse_yaml(all, file.file);  // as after '...', the end of a document, behind which nothing can stand
  const auto is_as_read = [&](const fs::path& there, const fs::path&) {
    if (bytes_of(there) == file.text) return true;
    throw RunError(texts.say("check.changed-meanwhile", {{"file", file.file}}));
  };
  std::error_code error;
  const fs::path behind_links = fs::canonical(file.file, error);
  is_as_read(error ? fs::path(file.file) : behind_links, {});
  write_bytes(behind_links, all, is_as_read);
}

bool is_plain_name_character(const Utf8Character& c) {
  constexpr std::string_view kNotInNames = "/\\:*?\"<>|' ";
  return c.is_whole && !is_control(c.code) && !is_unseen(c.code) &&
         (c.code > 127 || kNotInNames.find(static_cast<char>(c.code)) == std::string_view::npos);
}

void append_to(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

std::string chart_file(const std::string& experiment) { return experiment + "-chart.csv"; }

std::string folder_name(const std::string& lab, const std::string& id) {
  std::string name = lab + "-";
  for (std::string_view rest = id; !rest.empty();) {
    const Utf8Character c = first_character(rest);
    if (name.size() + c.bytes > kMostNameBytes) break;
    name += is_plain_name_character(c) ? rest.substr(0, c.bytes) : "-";
    rest.remove_prefix(c.bytes);
  }
  return name;
}

void check_new_folder(const std::string& folder, const Texts& texts) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(folder, ignored))) return;
  if (fs::is_directory(folder, ignored) && fs::is_empty(folder, ignored)) return;
  throw InputError(texts.say("start.not-empty", {{"folder", folder}}));
}

std::vector<std::string> start_lab(StudentLab& student, const std::string& folder) {
  check_new_folder(folder, student.texts);
  const std::string answers =
      answers_head(student.lab, student.problem, student.texts) + step_block(student.facts, 0, student.texts);
  const HandedOut made = handed_out(student, 1);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) cannot_write(folder, error.message());
  write_bytes(fs::path(folder) / kAnswersFile, answers);  // with it a check makes up for what fails from here
  hand_out(made, folder);
  return made.remarks;
}

void hand_out_again(StudentLab& student, const std::string& folder, std::size_t open_steps) {
  hand_out(handed_out(student, open_steps), folder);
}

CheckedLab check_lab(StudentLab& student, const std::string& folder, const AnswersFile& file) {
  CheckedLab check;
  std::vector<AnsweredStep> open = answered_steps(file, student.lab, student.problem, student.texts);
  for (std::size_t s = 0; s < open.size(); ++s) check.steps.push_back(judge_step(student, folder, s, open[s], false));
  for (const JudgedStep& step : check.steps) append_to(check.remarks, step_remarks(student, step));
  const std::size_t last = open.size() - 1;
  std::string more;
  if (check.steps[last].is_complete()) {
    if (student.lab.steps[last].is_prediction && open[last].lock == AnsweredStep::Lock::none) {
      more = lock_block(student.lab, student.problem, last, open[last].written, student.texts);
      check.is_locked = true;
    }
    check.is_done = open.size() == student.lab.steps.size();
    if (!check.is_done) {
      check.opened = student.lab.steps[open.size()].name;
      more += step_block(student.facts, open.size(), student.texts);
    }
  }
  HandedOut made = handed_out(student, open.size() + (check.opened.empty() ? 0 : 1));
  if (!more.empty()) append_answers(file, more, student.texts);  // what is locked in is stored before results are seen
  hand_out(made, folder);
  if (!check.opened.empty()) append_to(check.remarks, made.remarks);
  check.charts = std::move(made.charts);
  if (check.is_locked) {
    open[last].locked = open[last].written;
    open[last].lock = AnsweredStep::Lock::sound;
    check.steps[last] = judge_step(student, folder, last, open[last], false);
  }
  return check;
}

std::string answers_path(const std::string& folder_or_file) {
  std::error_code ignored;
  if (fs::is_regular_file(folder_or_file, ignored)) return folder_or_file;
  return (fs::path(folder_or_file) / kAnswersFile).string();
}

namespace {

constexpr std::size_t kMostBarsTold = 150;  // more are summed up, workstation by workstation

/// In the order of Activity; said as the picture's legend says them.
constexpr const char* kActivityKeys[] = {"activity.compute", "activity.barrier",  "activity.receive",
                                         "activity.send",    "activity.send",     "activity.sleep",
                                         "activity.transfer", "activity.idle",    "activity.off"};
static_assert(std::size(kActivityKeys) == static_cast<std::size_t>(Activity::off) + 1);

/// Of what an operation is for, where its kind does not tell.
constexpr const char* key_of(Meant meant) {
  return meant == Meant::message_work ? "activity.message-work" : "activity.spawn";
}

std::string activity_text(const GanttBar& bar, const Texts& texts) {
  const Meant meant = bar.note.meant;
  return texts.say(meant == Meant::itself ? kActivityKeys[static_cast<std::size_t>(bar.what)] : key_of(meant));
}

TextRows bar_rows(const Timeline& timeline, const Texts& texts) {
  TextRows rows{{texts.say("chart.workstation"), texts.say("chart.does"), texts.say("chart.from"), texts.say("chart.to")}};
  for (const auto& w : timeline.workstations)
    for (const GanttBar& bar : gantt_bars(w, timeline.makespan_s))
      rows.push_back({w.name, activity_text(bar, texts), short_number(bar.begin_s), short_number(bar.end_s)});
  return rows;
}

/// How long each does what.
TextRows sum_rows(const Timeline& timeline, const Texts& texts) {
  TextRows rows{{texts.say("chart.workstation"), texts.say("chart.does"), texts.say("chart.seconds")}};
  for (const auto& w : timeline.workstations) {
    std::map<std::pair<Meant, Activity>, double> seconds;
    for (const GanttBar& bar : gantt_bars(w, timeline.makespan_s))
      seconds[{bar.note.meant, bar.what}] += bar.end_s - bar.begin_s;
    for (const auto& [what, s] : seconds)
      rows.push_back({w.name, activity_text({what.second, 0, s, {what.first}}, texts), short_number(s)});
  }
  return rows;
}

void add_timeline_table(const Timeline& timeline, const Texts& texts, LabChart& chart) {
  TextRows bars = bar_rows(timeline, texts);
  chart.has_sums = bars.size() > kMostBarsTold;
  chart.caption = texts.say(chart.has_sums ? "chart.sums-caption" : "chart.caption",
                            {{"T", short_number(timeline.makespan_s)}});
  chart.table = chart.has_sums ? sum_rows(timeline, texts) : std::move(bars);
}

}  // namespace

LabChart chart_of(const Timeline& timeline, const std::string& experiment, const std::string& title,
                  const Texts& texts) {
  LabChart chart{.experiment = experiment, .title = title};
  std::ostringstream csv;
  write_timeline_csv(timeline, csv);
  chart.csv = csv.str();
  add_timeline_table(timeline, texts, chart);
  try {
    chart.svg = draw_picture(gantt_script(timeline, std::nullopt, title, PictureFormat::svg));
  } catch (const RunError& e) {
    chart.no_picture = e.what();
  }
  return chart;
}

std::vector<LabChart> charts_of(StudentLab& student, std::size_t step) {
  std::vector<LabChart> charts;
  for (const auto& [experiment, title] : student.lab.steps[step].charts)
    charts.push_back(
        chart_of(student.facts.timeline(experiment, 0), experiment, student.facts.filled(title), student.texts));
  return charts;
}

namespace {

constexpr std::size_t kFeedbackWidth = 92;
constexpr const char* kStandingKeys[] = {"standing.missing", "standing.unreadable", "standing.unclear",
                                         "standing.wrong",   "standing.partly",     "standing.right"};

void write_judged_step(const StudentLab& student, const JudgedStep& step, std::ostream& out) {
  out << '\n' << student.lab.steps[step.step].name;
  if (step.lock == AnsweredStep::Lock::sound) out << " (" << student.texts.say("check.is-locked") << ')';
  out << '\n';
  std::size_t widest = 0;
  for (const JudgedAnswer& j : step.judgements) widest = std::max(widest, shown_width(j.question->key));
  for (const JudgedAnswer& j : step.judgements) {
    const std::string& key = j.question->key;
    out << "  " << key << std::string(widest - shown_width(key), ' ') << "  "
        << shortened(shown_answer(j), kFeedbackWidth / 2) << (shown_answer(j).empty() ? "" : ": ")
        << standing_text(j, step, student.texts) << '\n';
    if (shown_answer(j).empty()) continue;  // that is all there is to say
    for (const std::string& sentence : j.says)
      for (const std::string& line : markdown_lines(sentence)) write_wrapped(line, std::string(widest + 4, ' '), out);
  }
}

/// What the student may do now.
std::string next_text(const StudentLab& student, const CheckedLab& check) {
  if (!check.opened.empty()) return student.texts.say("check.opened", {{"step", check.opened}});
  if (check.is_done) return student.texts.say("check.done");
  Words missing;
  for (const JudgedAnswer& j : check.steps.back().judgements)
    if (!j.is_readable()) missing.push_back(j.question->key);
  return student.texts.say("check.missing",
                           {{"step", student.lab.steps[check.steps.back().step].name}, {"questions", joined(missing)}});
}

}  // namespace

void write_wrapped(const std::string& text, const std::string& indent, std::ostream& out) {
  const std::size_t columns = columns_of(out), width = columns > 0 ? std::min(columns, kFeedbackWidth) : kFeedbackWidth;
  const std::string margin = indent.substr(0, width / 2);
  for (const std::string& line : wrapped(text, width - margin.size())) out << margin << line << '\n';
}

std::string shown_answer(const JudgedAnswer& judgement) {
  const bool is_empty = std::ranges::all_of(judgement.answer, [](const std::string& text) { return text.empty(); });
  if (is_empty) return "";
  if (judgement.question->items.empty()) return one_line(judgement.answer.front());
  Words parts;
  for (std::size_t i = 0; i < judgement.answer.size() && i < judgement.question->items.size(); ++i)
    parts.push_back(judgement.question->items[i] + ": " + one_line(judgement.answer[i]));
  return joined(parts);
}

std::string standing_word(AnswerStanding standing, const Texts& texts) {
  return texts.say(kStandingKeys[static_cast<std::size_t>(standing)]);
}

std::string standing_text(const JudgedAnswer& judgement, const JudgedStep& step, const Texts& texts) {
  if (step.lock == AnsweredStep::Lock::changed || step.lock == AnsweredStep::Lock::lost)
    return texts.say("standing.tampered");
  if (step.is_hidden && judgement.is_readable()) return texts.say("standing.noted");
  if (judgement.standing == AnswerStanding::missing && !shown_answer(judgement).empty())
    return texts.say("standing.incomplete");
  const std::string standing = standing_word(judgement.standing, texts);
  if (!(judgement.question->marks > 0) || !judgement.is_readable()) return standing;
  const bool is_one = judgement.question->marks == 1;
  return texts.say(is_one ? "standing.with-mark" : "standing.with-marks", {{"standing", standing},
                                           {"marks", shown_marks(judgement.marks)},
                                           {"most", short_number(judgement.question->marks)}});
}

double rounded_marks(double marks) { return std::round(100 * marks) / 100; }

std::string shown_marks(double marks) { return short_number(rounded_marks(marks)); }

std::string marks_text(const StudentLab& student, const std::vector<JudgedStep>& steps) {
  const double marks =
      std::accumulate(steps.begin(), steps.end(), 0.0, [](double sum, const JudgedStep& s) { return sum + s.marks(); });
  return student.texts.say("check.marks", {{"marks", shown_marks(marks)}, {"most", short_number(student.lab.marks())}});
}

void write_feedback(const StudentLab& student, const CheckedLab& check, std::ostream& out) {
  out << student.lab.title << '\n';
  for (const JudgedStep& step : check.steps) write_judged_step(student, step, out);
  out << '\n';
  for (const std::string& remark : check.remarks) write_wrapped(remark, "", out);
  if (check.is_locked) write_wrapped(student.texts.say("check.locked"), "", out);
  write_wrapped(marks_text(student, check.steps), "", out);
  write_wrapped(next_text(student, check), "", out);
}

}  // namespace nowsim

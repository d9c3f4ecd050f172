// Labs: started, shown, filled in and checked, in a folder that is there for the question alone.
#include <filesystem>
#include <optional>
#include <sstream>

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/grading.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/lab_pages.hpp"
#include "experiments/driver/labs/problem.hpp"
#include "experiments/driver/reading/shipped_files.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/text.hpp"
#include "tools/page/lab_state.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCourseFile = "course.yaml";

FactOptions facts_for(const PageDesk& desk) {
  return {.jobs = desk.options.jobs, .shipped_labs = (fs::path(desk.folders.experiments) / "labs").string()};
}

std::string student_key(const Lab& lab, const Problem& problem) { return lab.name + "\n" + problem.signature; }

/// Kept for the next question. `is_made`: the problem is the one that would be given.
StudentLab& keep(PageDesk& desk, std::shared_ptr<StudentLab> student, bool is_made) {
  desk.student_key = student_key(student->lab, student->problem);
  desk.student = std::move(student);
  desk.is_student_made = is_made;
  return *desk.student;
}

/// As the command line has it: that of another folder than the shipped one is found by --labs.
Lab lab_on(const PageDesk& desk, const std::string& name) {
  Lab lab = read_lab(find_lab(name, desk.folders.labs));
  lab.by_flag = fs::path(desk.folders.labs) != fs::path(desk.folders.experiments) / "labs";
  return lab;
}

/// The student of an answers file, as the signature says: without simulation, where that is enough.
StudentLab& student_of(PageDesk& desk, const AnswersFile& file) {
  const Lab lab = lab_on(desk, file.lab);
  if (const auto problem = signed_problem(lab, file.owner, file.signature)) {
    if (desk.student != nullptr && desk.student_key == student_key(lab, *problem)) return *desk.student;
    return keep(desk, std::make_shared<StudentLab>(lab, *problem, desk.registries, facts_for(desk)), false);
  }
  return keep(desk, std::make_shared<StudentLab>(lab, file.owner, desk.registries, facts_for(desk)), true);
}

/// The same as it is made, for what counts.
StudentLab& made_student_of(PageDesk& desk, const AnswersFile& file) {
  StudentLab& known = student_of(desk, file);
  if (desk.is_student_made) return known;
  const Problem made = make_problem(known.lab, file.owner, desk.registries, facts_for(desk));
  desk.is_student_made = made.signature == known.problem.signature;
  if (desk.is_student_made) return known;
  return keep(desk, std::make_shared<StudentLab>(known.lab, made, desk.registries, facts_for(desk)), true);
}

AnswersFile answers_in(const PageDesk& desk, const StudentFiles& files) {
  return read_answers_file(files.file(kAnswersFile), Texts((fs::path(desk.folders.labs) / "texts.yaml").string()));
}

/// What a page did not keep is made again.
void make_up(StudentLab& student, const AnswersFile& file, const StudentFiles& files) {
  if (fs::exists(files.file(kHandoutFile))) return;
  hand_out_again(student, files.folder(), answered_steps(file, student.lab, student.problem, student.texts).size());
}

LabOwner owner_in(const PageDesk& desk, const PageRequest& request) {
  const std::string id = checked_id(request.text("id"));
  if (!request.has("course")) return Course{}.owner(id);
  PageJson course = PageJson::object();
  course[kCourseFile] = request.text("course");
  const StudentFiles files(course);
  LabOwner owner;
  files.told([&] {
    owner = read_course(files.file(kCourseFile), labs_in(desk.folders.labs)).owner(id);
    return PageJson();
  });
  return owner;
}

/// The step of "step-1".
std::size_t step_of(const Lab& lab, const std::string& key) {
  for (std::size_t s = 0; s < lab.steps.size(); ++s)
    if (key == step_key(s)) return s;
  throw InputError("there is no step " + quoted(key) + " in this lab");
}

std::string answer_text(const PageJson& answer, const std::string& question) {
  if (!answer.is_string()) throw InputError("the answer to " + quoted(question) + " is to be a text");
  return answer.get<std::string>();
}

std::vector<GivenAnswer> given_answers(const Lab& lab, const PageJson& steps) {
  std::vector<GivenAnswer> given;
  for (const auto& [key, questions] : steps.items()) {
    const std::size_t step = step_of(lab, key);
    if (!questions.is_object()) throw InputError(key + ": here stand questions and their answers");
    for (const auto& [question, answer] : questions.items()) {
      if (!answer.is_object())
        given.push_back({step, question, "", answer_text(answer, question)});
      else
        for (const auto& [item, text] : answer.items())
          given.push_back({step, question, item, answer_text(text, question)});
    }
  }
  return given;
}

}  // namespace

PageJson page_lab_start(PageDesk& desk, const PageRequest& request) {
  const LabOwner owner = owner_in(desk, request);
  const Lab lab = lab_on(desk, request.text("lab"));
  StudentLab& student = keep(desk, std::make_shared<StudentLab>(lab, owner, desk.registries, facts_for(desk)), true);
  const StudentFiles files(PageJson::object());
  return files.told([&] {
    start_lab(student, files.folder());
    return page_lab(desk, student, answers_in(desk, files), files);
  });
}

PageJson page_lab_state(PageDesk& desk, const PageRequest& request) {
  const StudentFiles files(request.object("files"));
  return files.told([&] {
    const AnswersFile file = answers_in(desk, files);
    StudentLab& student = student_of(desk, file);
    make_up(student, file, files);
    return page_lab(desk, student, file, files);
  });
}

PageJson page_lab_fill(PageDesk& desk, const PageRequest& request) {
  const StudentFiles files(request.object("files"));
  return files.told([&] {
    const AnswersFile before = answers_in(desk, files);
    StudentLab& student = student_of(desk, before);
    const std::string text = with_answers(before, student.lab, given_answers(student.lab, request.object("answers")));
    write_output_file(
        before.file, [&](std::ostream& out) { out << text; }, is_ours);
    const AnswersFile after = answers_in(desk, files);
    make_up(student, after, files);
    return page_lab(desk, student, after, files);
  });
}

PageJson page_lab_check(PageDesk& desk, const PageRequest& request) {
  const StudentFiles files(request.object("files"));
  return files.told([&] {
    const AnswersFile file = answers_in(desk, files);
    StudentLab& student = made_student_of(desk, file);
    const CheckedLab check = check_lab(student, files.folder(), file);
    const std::string html = feedback_page(student, check);
    write_output_file(
        files.file(kFeedbackFile), [&](std::ostream& out) { out << html; }, is_ours);
    std::ostringstream said;
    write_feedback(student, check, said);
    said << student.texts.say("check.page", {{"page", kFeedbackFile}}) << '\n';
    PageJson answer = page_lab(desk, student, answers_in(desk, files), files);
    answer["feedback"] = html;
    answer["text"] = said.str();
    answer["opened"] = check.opened;
    answer["is_done"] = check.is_done;
    answer["marks"] = marks_text(student, check.steps);
    answer["judged"] = page_judged(student, check);
    return answer;
  });
}

}  // namespace nowsim

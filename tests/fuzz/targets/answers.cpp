// Students' answers files: what is read of one can be written into it again, and is read as the same.
#include "experiments/driver/labs/answers.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "sim/base/error.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/verdict.hpp"

namespace nowsim::test {
namespace {

const std::string kLabs = "experiments/labs/";

/// The lab that the file names, or, where it names none of these, another one.
const Lab& lab_named(const std::string& name) {
  static const std::map<std::string, Lab> labs = [] {
    std::map<std::string, Lab> all;
    for (const char* lab : {"gantt", "split", "beat-fac2"}) all.emplace(lab, read_lab(kLabs + lab));
    return all;
  }();
  const auto found = labs.find(name);
  return found != labs.end() ? found->second : labs.at("gantt");
}

std::vector<GivenAnswer> answers_in(const std::vector<AnsweredStep>& steps, const Lab& lab) {
  std::vector<GivenAnswer> all;
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (std::size_t q = 0; q < steps[s].written.size(); ++q) {
      const Question& question = lab.steps[s].questions[q];
      for (std::size_t i = 0; i < steps[s].written[q].size(); ++i)
        all.push_back({s, question.key, question.items.empty() ? "" : question.items[i], steps[s].written[q][i]});
    }
  return all;
}

std::vector<AnsweredStep> steps_in(const AnswersFile& file, const Lab& lab, const Texts& texts) {
  Problem problem = draw_problem(lab, file.owner, 0);
  problem.signature = file.signature;  // which attempt was given is known by simulation alone
  return answered_steps(file, lab, problem, texts);
}

void check_same(const std::string& text, const std::vector<AnsweredStep>& steps, const Lab& lab, const Texts& texts) {
  const InputFile written(text);
  try {
    const auto again = steps_in(read_answers_file(written.path(), texts), lab, texts);
    for (std::size_t s = 0; s < steps.size(); ++s)
      if (again.at(s).written != steps[s].written || again[s].lock != steps[s].lock)
        throw std::logic_error("answers are read otherwise where they are written again");
  } catch (const InputError& e) {
    throw std::logic_error("what is written cannot be read: " + std::string(e.what()));
  }
}

}  // namespace

void fuzz_answers(std::string_view input) {
  static const Texts texts(kLabs + "texts.yaml");
  const InputFile written(input);
  const AnswersFile file = read_answers_file(written.path(), texts);
  const Lab& lab = lab_named(file.lab);
  const auto steps = steps_in(file, lab, texts);
  const auto given = answers_in(steps, lab);
  for (const GivenAnswer& answer : given) {
    const auto check = [&] {
      for (const Question& question : lab.steps[answer.step].questions)
        if (question.key == answer.question) check_item(question, answer.text, {question.unit.c_str(), 1});
    };
    if (const std::string fault = fault_of(check, input); !fault.empty()) throw std::logic_error(fault);
  }
  checked_id(file.owner.id);
  check_same(with_answers(file, lab, given), steps, lab, texts);
}

}  // namespace nowsim::test

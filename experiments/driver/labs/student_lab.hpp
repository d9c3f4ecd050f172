// A lab as one student has it: the problem, what simulation says of it, and how all answers stand.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/labs/texts.hpp"

namespace nowsim {

/// The problem is made with it.
struct StudentLab {
  /// @throws InputError as make_problem() and texts_beside() do.
  StudentLab(const Lab& described, const LabOwner& owner, const Registries& registries, FactOptions options = {});
  /// Of a problem that is known already.
  StudentLab(const Lab& described, const Problem& known, const Registries& registries, FactOptions options = {});
  StudentLab(const StudentLab&) = delete;
  StudentLab& operator=(const StudentLab&) = delete;

  Lab lab;
  Texts texts;
  Problem problem;
  Facts facts;
};

/// A step whose answers were judged.
struct JudgedStep {
  std::size_t step = 0;
  std::vector<JudgedAnswer> judgements;  ///< per question
  AnsweredStep::Lock lock = AnsweredStep::Lock::none;
  bool is_hidden = false;            ///< a prediction that is not locked in yet: only what cannot be read is said
  std::vector<std::string> changed;  ///< questions whose answers differ from what was locked in

  /// Every answer is there and can be read.
  [[nodiscard]] bool is_complete() const;
  [[nodiscard]] double marks() const;
  /// What was locked in is not known any more, so that nothing counts.
  [[nodiscard]] bool is_tampered() const {
    return lock == AnsweredStep::Lock::changed || lock == AnsweredStep::Lock::lost;
  }
};

/// An ID that a student may have. @throws InputError where it is empty, longer than 100 characters, or cannot be shown.
std::string checked_id(const std::string& id);

/// Judges a step. `folder` is where the student's code is. Predictions that are not locked in are judged, but hidden,
/// unless `is_final`.
JudgedStep judge_step(StudentLab& student, const std::string& folder, std::size_t step, const AnsweredStep& answered,
                      bool is_final);

/// What is worth a remark: what was locked in and has been changed since; sentences.
std::vector<std::string> step_remarks(const StudentLab& student, const JudgedStep& step);

}  // namespace nowsim

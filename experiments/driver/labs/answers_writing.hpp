// What nowsim writes into an answers file: its head, the questions of a step, and what is locked in.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/labs/texts.hpp"

namespace nowsim {

/// The beginning of the file: whose it is, of which problem.
std::string answers_head(const Lab& lab, const Problem& problem, const Texts& texts);
/// The questions of a step as comments, and room for its answers.
std::string step_block(Facts& facts, std::size_t step, const Texts& texts);
/// A step's answers, signed.
std::string lock_block(const Lab& lab, const Problem& problem, std::size_t step, const std::vector<LabAnswer>& answers,
                       const Texts& texts);

/// What is to stand behind a question, or an item of it, in an answers file.
struct GivenAnswer {
  std::size_t step = 0;
  std::string question, item, text;  ///< item "": the question has none
};
/// The file's text with these answers, read as they are but for blanks around them; all else stays byte by byte.
/// @throws InputError naming the question where the lab does not ask it, or a file cannot hold the answer.
std::string with_answers(const AnswersFile& file, const Lab& lab, const std::vector<GivenAnswer>& answers);

/// What is said of a question below its sentence: unit, options, items, marks; a line each.
std::vector<std::string> question_hints(Facts& facts, const Question& question, const Texts& texts);

}  // namespace nowsim

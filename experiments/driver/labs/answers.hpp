// A student's answers file: read, grown, filled in, signed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/labs/problem.hpp"
#include "experiments/driver/labs/texts.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"

namespace nowsim {

/// The file's name in the student's folder, and what it may hold at most [bytes].
inline constexpr const char* kAnswersFile = "answers.yaml";
inline constexpr std::uint64_t kMostAnswersBytes = std::uint64_t{1} << 20U;

/// What was answered to a question: one text, or one per item; "" is missing.
using LabAnswer = std::vector<std::string>;

/// An answer as it is read: without blanks and lines' ends around it, as blocks of YAML have them.
std::string bare_answer(const std::string& text);

struct AnswersFile {
  std::string file, text;
  YamlNode root;
  std::string lab;
  LabOwner owner;
  std::string signature;  ///< of the problem that it was made for
};
/// @throws InputError where it is missing, too large, not YAML, or no answers file.
AnswersFile read_answers_file(const std::string& file, const Texts& texts);

/// A step that is open.
struct AnsweredStep {
  /// What has been locked in: nothing, as it was signed, changed since, or taken out though later steps are open.
  enum class Lock { none, sound, changed, lost };
  std::vector<LabAnswer> written;  ///< per question
  std::vector<LabAnswer> locked;   ///< per question, where the lock is sound
  Lock lock = Lock::none;

  /// What counts: what was locked in, and nothing where that is no longer known.
  [[nodiscard]] std::vector<LabAnswer> counted() const;
  [[nodiscard]] bool is_tampered() const { return lock == Lock::changed || lock == Lock::lost; }
};

/// The steps that are open. @throws InputError naming file and lines: for another lab or problem, unknown questions.
std::vector<AnsweredStep> answered_steps(const AnswersFile& file, const Lab& lab, const Problem& problem,
                                         const Texts& texts);

/// Signs what is locked in: without a secret, so against slips and not against who reads nowsim's sources.
std::string lock_signature(const Lab& lab, const Problem& problem, std::size_t step,
                           const std::vector<LabAnswer>& answers);

/// How blocks are called: step-1, locked-1 (`step` counts from 0).
std::string step_key(std::size_t step);
std::string lock_key(std::size_t step);

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

// A student's answers file: whose it is, what was answered step by step, and what has been locked in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

/// The file, and what its head says.
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

/// The steps that are open. @throws InputErrors naming file and lines: for another lab or problem, unknown questions.
std::vector<AnsweredStep> answered_steps(const AnswersFile& file, const Lab& lab, const Problem& problem,
                                         const Texts& texts);

/// Signs what is locked in: without a secret, so against slips and not against who reads nowsim's sources.
std::string lock_signature(const Lab& lab, const Problem& problem, std::size_t step,
                           const std::vector<LabAnswer>& answers);

/// How blocks are called: step-1, locked-1 (`step` counts from 0).
std::string step_key(std::size_t step);
std::string lock_key(std::size_t step);

}  // namespace nowsim

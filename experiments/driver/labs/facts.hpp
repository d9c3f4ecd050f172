// What simulation says of a lab's problem, by the experiments that it changes, computed when it is asked for.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/labs/confined_technique.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/problem.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/engines/timeline.hpp"

namespace nowsim {

/// What may be said where options are not told apart, and is right there.
inline constexpr const char* kCannotBeTold = "cannot be told";
/// How a sentence on a formula ends whose value is none, with the answer that was given.
inline constexpr const char* kHasNoValue = " has no value here";

/// Of the intervals that labs make themselves; experiments' own have the same by default.
inline constexpr double kLabConfidence = 0.95;

/// An item of a fact: a number with its interval, or words.
struct FactItem {
  Estimate number = kUnknownEstimate;
  std::vector<std::string> words;  ///< those that are right; several: which of them cannot be told
};
using Fact = std::vector<FactItem>;

/// The facts of a problem. What they know of an answer they know by with_answer().
class Facts {
 public:
  Facts(const Lab& lab, const Problem& problem, const Registries& registries, FactOptions options = {});
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  /// By name. @throws InputError naming the lab's file where there is none, or it cannot be computed; RunError.
  const Fact& get(const std::string& name);
  /// A fact's, or a formula's over facts and numbers where it begins with '='. Its interval is the delta method's over the
  /// parts' replications, which are paired; where these are not known it covers the parts' intervals, whatever their
  /// correlation. @throws the same.
  Estimate number(const std::string& name_or_formula);
  /// The experiment's estimates. @throws InputError, RunError.
  const ResultTable& summary(const std::string& experiment);
  /// One replication of the experiment's first point.
  const Timeline& timeline(const std::string& experiment, std::uint64_t replication);
  /// A text with {name} replaced by what the fact, the number or the formula ({= a/b}) is worth, {answer} likewise; as
  /// people read it (Markdown, that of an answer taken as it is), or as one writes it in a file: numbers with all their
  /// digits, without intervals. To people, times of a question ("{T} s") are told in its unit, time_unit().
  enum class For { people, files };
  std::string filled(const std::string& text, For whom = For::people);

  /// The same problem's facts and those of a question: {answer} and `answer` are known, and `answer_1`, ... of a list.
  /// What this one has computed it shares, and must not be outlived by it. An answer that is a Python file's path is a
  /// technique of that name (confined_technique.hpp). @throws RunError where it is no technique.
  std::unique_ptr<Facts> with_answer(const Question& question, const std::vector<std::string>& answer);

  [[nodiscard]] const Lab& lab() const { return lab_; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Registries& registries() const { return with_code_ ? *with_code_ : registries_; }
  [[nodiscard]] const FactOptions& options() const { return options_; }
  /// Whether a fact of this name is known here: the lab's, or the question's.
  [[nodiscard]] bool knows(const std::string& name) const;
  /// The unit in which an answer is; "" where none is known.
  [[nodiscard]] std::string answer_unit() const { return question_ != nullptr ? question_->unit : ""; }
  /// The unit of the times of the question whose answer is known; seconds where none is.
  [[nodiscard]] ColumnUnit told_time() const { return answer_time_; }
  /// The unit of the times that a question is about, as `nowsim run` shows them: that of the tables of the experiments
  /// which its right answer, or the ends of its score, are simulated by; of several the smallest. Seconds where no table
  /// shows them. It is found once, by a few replications, the same for everybody who asks. @throws InputError, RunError.
  ColumnUnit time_unit(const Question& question);
  /// The same problem's facts by a few replications: how large numbers are, without their simulation.
  Facts& pilot();
  /// A trial's answer that gets all marks: its model, one text or one per item, and its score. With the seed of grades
  /// where trials are run with that. @throws InputError, RunError.
  std::vector<std::string> model_answer(const Question& question);
  Estimate model_score(const Question& question);
  /// How the answer is confined where it is a program; null where it is none.
  [[nodiscard]] const Confinement* code() const { return with_code_ ? &confinement_ : nullptr; }
  /// What the student wrote; nothing where no answer is known.
  [[nodiscard]] const std::vector<std::string>& answer() const { return answer_; }

 private:
  /// The question's, or the lab's where no parent has these.
  [[nodiscard]] const LabFact* own_fact(const std::string& name) const;
  [[nodiscard]] const LabExperiment& experiment(const std::string& name) const;
  void add_code(const std::string& file);

  const Lab& lab_;
  Problem problem_;
  const Registries& registries_;
  FactOptions options_;
  Facts* parent_ = nullptr;  ///< whose facts do not know the answer
  const Question* question_ = nullptr;
  std::vector<std::string> answer_;
  std::shared_ptr<const Registries> with_code_;  ///< where the answer is a program
  Confinement confinement_;                      ///< of that

  std::map<std::string, Fact> known_;
  std::set<std::string> under_way_;
  std::map<std::string, ResultTable> summaries_;
  std::map<std::pair<std::string, std::uint64_t>, Timeline> timelines_;
  std::unique_ptr<Facts> pilot_;
  ColumnUnit answer_time_{"s", 1};                ///< the unit of the times of the question
  std::map<std::string, ColumnUnit> time_units_;  ///< by question
  std::map<std::string, Estimate> model_scores_;
};

/// The fact that a name in a formula is of: T of `T`, `T_hw` and `T_3`; null for numbers of the problem. A question's own
/// facts are known besides the lab's where one is given.
const LabFact* fact_of_name(const Lab& lab, const Question* question, const std::string& name);

/// The facts that are no formulas, each once, of which a fact or a formula ('=') is built; of a best one also those that
/// it compares. @throws InputError for a formula that is none.
std::vector<const LabFact*> simulated_parts(const Lab& lab, const Question* question, const std::string& name_or_formula);

/// What a fact is worth, by its kind. @throws InputError, RunError.
Fact fact_of(Facts& facts, const decltype(LabFact::what)& what);

/// The text of a lab's experiment file with the problem's numbers in its `let:`, as it is handed out.
/// @throws InputError where the file cannot be read.
std::string own_experiment(const Lab& lab, const Problem& problem, const std::string& file);

/// What a student's program is called as a technique, and how its file's name ends.
inline constexpr const char* kCodeTechnique = "student";
inline constexpr const char* kCodeEnding = ".py";

/// Whether what the experiment sets has the student's answer in it.
bool knows_answer(const LabExperiment& described);

/// The judge's, which no student has seen; or the file's own, as in what students are shown.
enum class Seed { of_judge, of_file };
/// What of the file the problem changes, key=value: its numbers in `let:`, what the lab sets, the judge's seed.
std::vector<std::string> own_overrides(Facts& facts, const LabExperiment& described);
/// Loaded with the problem's numbers in its `let:`, what the lab sets, and these metrics (none: the file's).
/// @throws InputError.
Experiment load_lab_experiment(Facts& facts, const LabExperiment& described, const std::vector<std::string>& metrics,
                               Seed seed);
/// With splits and sizes found, as it is run.
Experiment made_ready(Facts& facts, Experiment described);
/// Run with the metrics that any fact of the lab asks of it. @throws InputError, RunError.
ResultTable run_lab_experiment(Facts& facts, const LabExperiment& described);
/// One replication of its first point, with the file's own seed: what the student's chart shows.
Timeline lab_timeline(Facts& facts, const LabExperiment& described, std::uint64_t replication);
std::string file_of(const Lab& lab, const LabExperiment& described);

}  // namespace nowsim

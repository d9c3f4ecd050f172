// A lab as its folder describes it: numbers of each student's own, what is simulated with them, steps and questions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/driver/reading/reader.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {

/// The name of a lab's description in its folder.
inline constexpr const char* kLabFile = "lab.yaml";

/// A dotted key or a word, and what belongs to it, in the file's order.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// A number of the problem: one of these values is drawn for each student, or for the whole course.
struct LabNumber {
  std::string name;
  std::vector<double> values;
  bool of_course = false;
};

/// An experiment of the lab's folder, as it is judged by: its `let:` has the problem's numbers, and these keys are set.
/// A text that begins with '=' is a formula over numbers and facts; in others {answer} is what the student wrote.
struct LabExperiment {
  std::string name, file;
  NamedTexts set;
};

// ---- facts: what simulation says of a problem ----------------------------------------------------------------------

/// Over numbers of the problem, other facts, `FACT_hw`, `FACT_3` of a list, and `answer`.
struct FormulaFact {
  std::string formula;
};
/// A metric of an experiment, at one point of its sweep; of a metric per workstation one, or a list of them all.
struct EstimateFact {
  std::string of, metric;
  NamedTexts at;
  std::string workstation;
};
/// The word whose fact is the lowest or highest; "cannot be told" where intervals of several overlap.
struct BestFact {
  bool is_highest = false;
  NamedTexts facts;  ///< word, fact
};
/// What a Gantt chart of one replication shows. The gap is that between the last two at a barrier, as a share of the phase
/// before it, where it is least.
struct ChartFact {
  enum class What { last_at_barrier, waiting, waiting_share, barrier_gap };
  std::string of;
  What what = What::waiting_share;
  std::uint64_t replication = 0;
};
/// How often an experiment with so few replications tells that one value of a key has the lower metric than another, in
/// so many repetitions with other seeds.
struct VerdictsFact {
  std::string of, key, lower, higher, metric;
  std::string replications;  ///< a formula
  std::uint64_t repetitions = 1000;
  bool is_paired = true;
};
/// The law by which a problem grows with its machines: the names of nowsim isoefficiency, or "cannot be told".
struct LawFact {
  std::string of, efficiency, metric;  ///< metric "": the one of the experiment
};

struct LabFact {
  std::string name;
  Place place;
  std::variant<FormulaFact, EstimateFact, BestFact, ChartFact, VerdictsFact, LawFact> what;
};

/// A fact computed in a second way: by a formula that knows none of the facts it is to agree with.
struct SecondWay {
  std::string fact, formula;
  double within = 0;  ///< share of the fact
  std::string says;   ///< where it is from
};

// ---- questions -----------------------------------------------------------------------------------------------------

/// An answer that shows a way of thinking: told where the student's comes that close, and not right.
struct Misconception {
  std::string name;
  std::vector<std::string> answer;  ///< facts, formulas ('=') or words; one per item of a list
  std::string says;
};

struct Question {
  enum class Kind {
    number,     ///< right within the fact's interval, widened by the tolerance
    choice,     ///< one of the options
    numbers,    ///< a list: each item a number
    choices,    ///< a list: each item one of the options
    trial       ///< the answer is set into experiments, run, and scored
  };
  /// What a trial's answer is.
  enum class Takes { number, numbers, formula, code };

  std::string key, ask, unit;
  std::string score_unit;            ///< of a trial's score
  Place place;
  Kind kind = Kind::number;
  Takes takes = Takes::number;
  std::vector<std::string> items;    ///< of a list: what each is about
  NamedTexts options;                ///< of choices: word, and what it means ("" where it says it)
  std::vector<std::string> right;    ///< facts; one, which may be a list, or one per item
  double tolerance = 0;              ///< share of the right number
  double least = -kInfinity;  ///< a number that is less cannot be meant
  bool is_tabled = true;             ///< a time in s is asked in the unit of the table that shows it
  double marks = 0;
  std::vector<Misconception> wrong;
  std::vector<LabFact> facts;        ///< of the answer: they know `answer`
  std::string score, none, full;     ///< of a trial, facts: scored from no marks at `none` to all of them at `full`
  std::vector<std::string> model;    ///< of a trial: an answer that gets full marks; formulas ('=') or texts
  std::string told;                  ///< explained once it is answered: of predictions always, else where it is right
  NamedTexts charts;                 ///< of a trial: experiments whose Gantt charts show it, and their titles
  bool on_board = false;             ///< its score stands on the class's page
};

/// Questions that are answered together.
struct LabStep {
  std::string name;
  bool is_prediction = false;             ///< its answers are locked in when they are checked
  std::vector<std::string> gives;         ///< files of the folder that are handed out when it begins
  std::vector<std::pair<std::string, std::string>> charts;  ///< experiment, and what its Gantt chart is called
  std::vector<Question> questions;
};

/// Immutable.
struct Lab {
  std::string name, folder, title, question;
  int minutes = 0;
  std::vector<std::string> goals, before, topics;
  std::vector<LabNumber> problem;
  std::vector<LabExperiment> experiments;
  std::vector<LabFact> facts;
  std::vector<std::string> accept;  ///< formulas that have to be above 0 for a problem to be given
  std::vector<SecondWay> second_ways;
  std::vector<LabStep> steps;
  bool by_flag = false;  ///< found by --labs, which checks need as well

  /// What students type in their folder.
  [[nodiscard]] std::string check_command() const;
  /// By name; null where there is none.
  [[nodiscard]] const LabExperiment* experiment(const std::string& name_) const;
  [[nodiscard]] const LabFact* fact(const std::string& name_) const;
  [[nodiscard]] double marks() const;
};

/// @throws InputError with every problem found, each with file, line and key: unknown keys, facts and experiments that
/// are named and not there, questions that lack what their kind needs.
Lab read_lab(const std::string& folder);

/// What blocks are read from, and the problems in it.
struct LabFile {
  const std::string& file;
  Problems& problems;
};

/// What `read` makes of a node's MapBlock; a node that is no map is a problem. `keys` outlive it.
template <class Read>
auto read_block(const YamlNode& node, const std::string& name, const KeyTable& keys, const LabFile& in, const Read& read) {
  if (node.kind != YamlNode::Kind::map)
    in.problems.add({in.file, node.line, name}, "here stands a map: keys and what belongs to them");
  MapBlock block(node, in.file, name, keys);
  auto made = read(block);
  block.note_unknown("");
  for (const auto& problem : block.problems()) in.problems.add(problem);
  return made;
}

/// A key with maps or lists that have readers of their own.
Key lab_entries(const std::string& name, const std::string& help);
/// A text without the line's end that folded ones have.
std::string lab_text(MapBlock& block, const std::string& key);
/// The entries of a map of scalars, in their order (a list is a map of its words to ""); empty where it is not given.
NamedTexts named_texts(MapBlock& block, const std::string& key);

}  // namespace nowsim

// A student's Python file as a self-scheduling technique, and what is said between nowsim and the process that runs it:
// read as bytes that anybody may have written, since the code may write to the channel itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "workloads/farm/technique_variables.hpp"

namespace nowsim {

// ---- what the code may use, and whether the system can keep it to that ---------------------------------------------

struct CodeLimits {
  double answer_s = 5;             ///< for an answer, by the clock on the wall
  double start_s = 20;             ///< until its file is read
  double total_s = 60;             ///< of all answers of a technique; with start_s, of a process's processor time
  int memory_mib = 512;
  int files_mib = 16;              ///< of its scratch folder, and of a file
  int most_files = 1000;           ///< in its scratch folder, with folders and links
  bool must_be_confined = false;   ///< else it runs where it cannot be confined too, and that is said
  std::string bwrap = "bwrap";     ///< the program that confines
};

struct Confinement {
  std::string why_not;  ///< "" where it is
  [[nodiscard]] bool is_confined() const { return why_not.empty(); }
  /// A sentence for who grades.
  [[nodiscard]] std::string text() const;
};

/// Tries bubblewrap in a scratch folder.
Confinement confinement(const CodeLimits& limits = {});

/// Debian's Python; "" where there is none.
std::string python_program();

// ---- its technique -------------------------------------------------------------------------------------------------

struct ConfinedTechnique {
  Technique technique;
  Confinement confinement;  ///< of its code
};

/// The one technique that a file defines, under a name of one's own, run confined where the system can do that, by the
/// helper that is in a file (kCodeHelper). Its function is asked in a process of its own, which each simulating process
/// has one of: started when it is first asked, ended with the process that asks.
/// @throws RunError in a sentence for the student: file, line, and what went wrong.
ConfinedTechnique confined_technique(const std::string& name, const std::string& file, const std::string& helper,
                                     const CodeLimits& limits = {});

/// The helper's file, which stands in the folder of labs beside what they say (texts.yaml).
inline constexpr const char* kCodeHelper = "chunk_rule.py";

// ---- messages ------------------------------------------------------------------------------------------------------

enum class MessageKind : char { number = 'n', description = 't', failure = 'e' };

/// A message longer than this one makes no sense, whatever it begins with [bytes].
inline constexpr std::size_t kMostMessage = 8192;

/// A function of the file.
struct ConfinedRule {
  std::string by;  ///< "technique mine (mine.py, line 3)"
  TechniqueVariables variables;
};

/// What a file defines.
struct ConfinedDescription {
  std::string summary;
  ConfinedRule chunk;
  std::optional<ConfinedRule> batch;
  std::vector<double> parameters = {};  ///< of the chunk's function, those that are told with a unit [SI]
  std::string fault = {};               ///< of the first that has one, as a sentence; "" without any
};

/// Each of these reads what stands behind a message's first byte.

/// Nothing where that is no description.
std::optional<ConfinedDescription> described_technique(std::string_view said);
/// Nothing where that is no number; any else, finite or not.
std::optional<double> answered_number(std::string_view said);
/// What the code did, on one line; "" where it says nothing.
std::string told_failure(std::string_view said);

/// What is asked for: tasks of a loop, one of those that go on in turn.
struct ConfinedRequest {
  bool is_new = false;  ///< the loop begins
  bool is_batch = false;
  std::int64_t loop = 0;
};
/// Of one layout, whatever the technique: eight bytes each for these three, all variables, whole numbers as such, and
/// the parameters.
std::string request_message(const ConfinedRequest& request, const LoopState& state, std::size_t worker,
                            const std::vector<double>& parameters);

}  // namespace nowsim

// A lab of the tests' own, in a folder of labs: steady machines, so that its answers are known to everybody.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

namespace nowsim::test {

inline void write_text(const std::string& file, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

/// A folder with labs/tiny: two machines at 1 Gflop/s that share 100, 200 or 300 Gflop, drawn for each student.
struct TinyLabs : Folder {
  TinyLabs() {
    write_text(labs() + "/texts.yaml", content_of(source_folder() + "/experiments/labs/texts.yaml"));
    write_text(lab() + "/lab.yaml", R"(nowsim-lab: 1
title: "A tiny lab"
question: "How long?"
minutes: 5
goals: ["Divide."]
before: ["Numbers."]
topics: ["Algorithms: time"]
problem:
  work: [100, 200, 300]
experiments:
  equal: {file: equal.yaml}
facts:
  T: {of: equal, metric: tau}
  quarter: = T/4
  more: = 2*T
  none_last: {lowest: {none: T, ws1: more}}
  nothing: = 0
  ten: = 10
steps:
  - name: Predict
    prediction: true
    questions:
      T:
        ask: "How long does it take?"
        kind: number
        unit: s
        right: T
        tolerance: 10%
        told: "It takes **{T} s**."
        wrong: {alone: {answer: = 2*T, says: "You forgot the second machine."}}
  - name: Run
    gives: [equal.yaml, notes.txt]
    charts: {equal: "Your run"}
    questions:
      parts: {ask: "A quarter of it, twice?", kind: numbers, items: [first, second], unit: s, right: [quarter, quarter], tolerance: 5%, marks: 2}
      which: {ask: "Which is last?", kind: choice, options: {ws1: "the first", none: ""}, right: none_last, marks: 1}
  - name: Try
    questions:
      guess:
        ask: "How near to ten?"
        kind: trial
        takes: number
        facts: {mine: = answer}
        score: mine
        none: nothing
        full: ten
        marks: 4
        model: ["= 10"]
        board: true
)");
    write_text(lab() + "/equal.yaml", R"(nowsim: 1
title: "Two machines"
platform: {workstations: 2, speed: 1Gf}
let: {work: 100}
job: {workload: base-task, work: = let.work*1e9}
run: {replications: 2}
metrics: [tau]
)");
    write_text(lab() + "/notes.txt", "as it is: {work}\n");
    write_text(lab() + "/handout.md",
               "Two machines, {work} Gflop. <script>alert(1)</script>\n\n## Predict\n\nThink.\n\n| a | b |\n|---|---|\n"
               "| `x` | {= 2*work} |\n\n## Run\n\nRun `nowsim run equal.yaml`.\n\n## Try\n\nGuess.\n");
    write_text(lab() + "/teacher.md", "# Tiny\n");
  }

  [[nodiscard]] std::string labs() const { return path() + "/labs"; }
  [[nodiscard]] std::string lab() const { return labs() + "/tiny"; }
};

}  // namespace nowsim::test

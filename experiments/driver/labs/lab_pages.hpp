// The pages of labs: handouts, feedback and boards, readable without a network, by keyboard, in the dark, on paper.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/texts.hpp"
#include "experiments/driver/text/html.hpp"

namespace nowsim {

inline constexpr const char* kHandoutFile = "handout.html";
inline constexpr const char* kFeedbackFile = "feedback.html";

// ---- a student's texts, which pages are made of: those below, and the one in a browser -----------------------------

struct HandoutTexts {
  std::string of;                                                       ///< whose problem it is
  std::vector<std::pair<std::string, std::vector<std::string>>> lists;  ///< goals, ...: headings and items
  MarkdownSection problem;
  std::vector<MarkdownSection> steps;  ///< that are open
};
/// `instead` takes the place of sentences that send to `nowsim lab check .`; "": they stay. @throws InputError where
/// handout.md is missing, lacks a step or has a formula that means nothing.
HandoutTexts handout_texts(StudentLab& student, std::size_t open_steps, const std::string& instead = "");

/// How an answer stands. `says` is HTML, without the charts of the student's own runs.
struct JudgedTexts {
  std::string standing;  ///< yes, no or open
  std::string sign, told, answer, says;
};
JudgedTexts judged_texts(StudentLab& student, const JudgedAnswer& judgement, const JudgedStep& step);

// ---- pages ---------------------------------------------------------------------------------------------------------

/// The handout, with the charts of each open step: what to do, its charts, and its questions. @throws InputError as
/// handout_texts() does.
std::string handout_page(StudentLab& student, const std::vector<std::vector<LabChart>>& charts_of_open_steps);

/// What a check says (write_feedback()), with the charts of the steps that are open, and scores as bars.
std::string feedback_page(StudentLab& student, const CheckedLab& check);

/// The class's page: boards' headings and tables, whose second column says whom a row is about.
std::string board_tables_page(const std::vector<std::pair<std::string, TextRows>>& boards, const Texts& texts);

/// What a bar is called, and how long it is.
using ScoreBars = std::vector<std::pair<std::string, Estimate>>;
/// A trial's score beside what is scored against: bars from zero, as long as their values, each with its interval as a
/// line; a picture that is part of a page and says in words what it shows, then the same as a table, whose columns have
/// these heads.
std::string score_bars_html(const ScoreBars& bars, const std::string& caption, const std::vector<std::string>& head,
                            const std::string& unit);

}  // namespace nowsim

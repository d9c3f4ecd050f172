// The handout as a page: of each step that is open what to do, its charts, and its questions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/driver/labs/lab_charts.hpp"

namespace nowsim {

inline constexpr const char* kHandoutFile = "handout.html";

/// The page, with the charts of each open step. @throws InputError where handout.md is missing, lacks a step or has a
/// formula that means nothing.
std::string handout_page(StudentLab& student, const std::vector<std::vector<LabChart>>& charts_of_open_steps);

}  // namespace nowsim

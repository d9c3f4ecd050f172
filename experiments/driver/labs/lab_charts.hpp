// Gantt charts that a step hands out: as a picture, and as a table for who cannot see it.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/labs/student_lab.hpp"

namespace nowsim {

/// One replication of an experiment.
struct LabChart {
  std::string experiment, title;
  std::string svg;         ///< "" where it cannot be drawn
  std::string no_picture;  ///< why
  std::string csv;         ///< all that happened
  std::string table;       ///< HTML: who did what from when to when
  bool has_sums = false;   ///< or only how long, as it would be a very long table
};
/// A replication as a chart, drawn by gnuplot.
LabChart chart_of(const Timeline& timeline, const std::string& experiment, const std::string& title, const Texts& texts);
/// Those of a step. @throws InputError, RunError where the replication cannot be run.
std::vector<LabChart> charts_of(StudentLab& student, std::size_t step);
/// As a part of a page.
std::string chart_html(const LabChart& chart, const Texts& texts);

}  // namespace nowsim

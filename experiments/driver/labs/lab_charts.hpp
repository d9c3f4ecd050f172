// Gantt charts that a step hands out: as a picture, and as a table for who cannot see it.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/labs/student_lab.hpp"

namespace nowsim {

/// The texts of a table, row by row; the first is its head.
using TextRows = std::vector<std::vector<std::string>>;

/// One replication of an experiment.
struct LabChart {
  std::string experiment, title;
  std::string svg;         ///< "" where it cannot be drawn
  std::string no_picture;  ///< why
  std::string csv;         ///< all that happened
  std::string caption;     ///< of the table
  TextRows table;          ///< who did what from when to when
  bool has_sums = false;   ///< or only how long, as it would be a very long table
};
/// A replication as a chart, drawn by gnuplot.
LabChart chart_of(const Timeline& timeline, const std::string& experiment, const std::string& title, const Texts& texts);
/// Those of a step. @throws InputError, RunError where the replication cannot be run.
std::vector<LabChart> charts_of(StudentLab& student, std::size_t step);

}  // namespace nowsim

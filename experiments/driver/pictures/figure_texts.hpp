// Texts that figures of every kind have: labels of axes and panels, and the lines that open and close a script.
#pragma once

#include <cstddef>
#include <string>

#include "experiments/driver/reading/axis_scale.hpp"
#include "experiments/driver/reading/figure.hpp"

namespace nowsim {

/// Whether gnuplot reads a text back from a CSV field as it is, and compares it with a script's as equal: no quotes,
/// line ends, signs of comments, nothing that it takes for a missing number or the end of data, nothing that is written
/// otherwise.
bool is_read_back(const std::string& text);
/// "label [unit]".
std::string with_unit(const std::string& label, const std::string& unit);
/// How a label calls a metric: by its formula where its name is one (p_T_log_p), else by its name.
std::string name_in_labels(const std::string& metric);
/// An axis' label in gnuplot's enhanced mode: its own, or one made of key and unit.
std::string axis_label(const FigureAxis& axis, const AxisScale& scale);
/// The same where the x axis shows a metric, and its tics leave out a power of ten: "n [10^{3} s]". `label` may be "".
std::string axis_label(const std::string& label, const Metric& metric, int power);
/// A panel's title in enhanced mode, behind its letter where there are several panels.
std::string panel_caption(const Figure& figure, std::size_t panel);
/// Whether any panel has a caption.
bool has_captions(const Figure& figure);

/// Points whose value has no place on a log scale.
struct OffLogScale {
  std::size_t points = 0;
  bool below = false;  ///< some are below 0

  void add(double value);
  /// "1 point at 0 cannot be shown on a log scale"; "" where there are none.
  [[nodiscard]] std::string text() const;
};

/// The first lines of the script NAME.gp.
std::string script_head(const std::string& name);
/// The lines that begin to draw the same page [pixels] as NAME.svg, NAME.png and NAME.pdf, and those that end it. The
/// gnuplot variables title and footer have to be set. A remark stands above the footer; with "" there is none.
std::string begin_pages(double width, double height, const std::string& remark = "");
/// The line behind the first panel, which keeps title, footer and remark from being drawn again with each.
std::string unset_page_texts(const std::string& remark = "");
std::string end_pages();

}  // namespace nowsim

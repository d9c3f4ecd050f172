// The gnuplot writer of figures: panels of layers (points, steps, bars, bands, rules) over axes, on a page; and what
// writers of other panels (surfaces, boxes with texts) share with it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/driver/pictures/axes.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/pictures/script.hpp"

namespace nowsim {

/// The script of a figure whose panels have curves: each is drawn as the layer that its shape says, bands first, then
/// lines with their bars, then marks. `needs` is what the page has to have.
std::string layered_script(const ResolvedFigure& figure, const LayoutNeeds& needs);
/// The same with what curves need.
std::string curves_script(const ResolvedFigure& figure);
/// The script of a figure whose panels have cells: boxes with texts.
std::string winners_script(const ResolvedFigure& figure);

/// The frame of a figure's script, whatever its panels show.
class FigureWriter {
 public:
  explicit FigureWriter(const ResolvedFigure& figure) : figure_(figure) {}
  virtual ~FigureWriter() = default;
  /// Head, data and texts, the page, and on it one panel after the other.
  std::string write();

 protected:
  virtual void write_data() = 0;
  virtual void write_texts() = 0;
  virtual void begin_page() = 0;
  virtual void write_panel(std::size_t p) = 0;

  /// A panel's data as the block $panel1, and a line behind it.
  void write_rows(std::size_t p, const std::string& rows);

  const ResolvedFigure& figure_;
  Script script_;
};

/// "1" of the first, as scripts count.
inline std::string one_based(std::size_t i) { return std::to_string(i + 1); }

/// Name, scale, range and tics of an axis, "x" or "y"; `label` is the variable with its name, the others are what
/// gnuplot is told besides of name and tics. Where a room along it is given [pixels], there are no more tics than it
/// has room for.
void write_axis(Script& script, const std::string& axis, const ResolvedAxis& about, const std::string& label,
                const std::string& label_options = "", const std::string& tic_options = "", double room = 0);
/// "('a' 1, 'b' 2)", in enhanced mode or not.
std::string tic_list(const std::vector<AxisTic>& tics, bool is_enhanced);
/// "autofreq", or the step with which numbers on an axis of a panel's values do not touch.
std::string value_step(const ResolvedPanel& panel, double room);
/// What a panel shows of its metric: values, and the ends of their intervals.
ValueRange shown_values(const ResolvedPanel& panel);
/// The same of a panel and, where panels have the same scale, of all that are like it.
ValueRange shown_values(const Figure& figure, const ResolvedFigure& resolved, std::size_t p,
                        bool (*are_alike)(const FigurePanel&, const FigurePanel&));

}  // namespace nowsim

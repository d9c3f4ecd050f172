// The script of curves: the page, then each panel's axes and plot command. Points are read from the results' CSV.
#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/figure_kinds.hpp"
#include "experiments/driver/pictures/figure_layout.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/panel_axes.hpp"
#include "experiments/driver/pictures/series_styles.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Of theory, which is told from curves by thin lines without points.
constexpr const char* kTheoryDashes[] = {"(24,9)", "(5,7)", "(24,7,5,7)", "(45,9)"};
constexpr const char* kTheoryGreys[] = {"#000000", "#606060", "#000000", "#606060"};  // where there is one curve
constexpr double kSixDigits = 9e4;  // an axis ends at a round number beyond its values

const std::vector<ResolvedCurve>& curves_in(const ResolvedPanel& panel) {
  return std::get<std::vector<ResolvedCurve>>(panel.content);
}

class CurvesWriter {
 public:
  explicit CurvesWriter(const ResolvedFigure& figure)
      : figure_(figure),
        layout_(figure, needs_of(figure)),
        styles_(series_styles(figure)),
        theories_(std::ranges::count(figure.series, true, &ResolvedSeries::is_theory)) {}

  std::string write() {
    script_ << script_head(figure_.name);
    write_data();
    write_texts();
    script_ << layout_.begin();
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) write_panel(p);
    script_ << end_pages();
    return script_.str();
  }

 private:
  // ---- the page ----

  static LayoutNeeds needs_of(const ResolvedFigure& figure) {
    LayoutNeeds needs;
    needs.left = label_room(figure);
    find_names(figure, needs);
    return needs;
  }
  /// Beside a panel, for its label and the numbers of its axis, which are longer on a log scale.
  static double label_room(const ResolvedFigure& figure) {
    const auto is_long = [](const ResolvedPoint& point) { return std::abs(point.y) >= kSixDigits; };
    const auto has_long = [&](const ResolvedPanel& panel) {
      return panel.value.log || std::ranges::any_of(curves_in(panel), [&](const ResolvedCurve& curve) {
               return !figure.series[curve.series].is_theory && std::ranges::any_of(curve.points, is_long);
             });
    };
    return std::ranges::any_of(figure.panels, has_long) ? 112 : 90;
  }
  /// Words along x.
  static void find_names(const ResolvedFigure& figure, LayoutNeeds& needs) {
    for (const auto& panel : figure.panels) {
      const ResolvedAxis& x = figure.x_of(panel);
      if (x.log || x.tics.empty()) continue;
      for (const auto& tic : x.tics) needs.name_letters.push_back(tic.label.width());
      needs.names = std::max(needs.names, x.tics.size());
    }
  }

  // ---- data ----

  void write_data() {
    if (!figure_.is_in_csv) return write_blocks();
    script_.line("set datafile columnheaders");
    if (std::ranges::any_of(figure_.panels, [&](const auto& panel) { return !figure_.x_of(panel).is_metric; }))
      write_positions();
    script_.line(
        "end_of(bar, value) = abs(bar) < 1e300 ? bar : value   # a bar of unknown or infinite length is not drawn");
    script_.line("");
  }
  /// A row's position on the x axis, from the text in the CSV: units and words have become numbers here.
  void write_positions() {
    script_ << "position(text) = ";
    for (const auto& value : figure_.x.values)
      script_ << "text eq " << script_string(value.text) << " ? " << number_text(value.at) << " : ";
    script_ << "NaN\n";
  }
  static std::string block(std::size_t p, std::size_t c) {
    return "curve" + std::to_string(p + 1) + "_" + std::to_string(c + 1);
  }
  /// x, y and the ends of its bar: y where it has none.
  void write_blocks() {
    for (std::size_t p = 0; p < figure_.panels.size(); ++p)
      for (std::size_t c = 0; c < curves_in(figure_.panels[p]).size(); ++c) {
        std::string rows;
        for (const auto& [x, y, low, high] : curves_in(figure_.panels[p])[c].points)
          rows += number_text(x) + "," + number_text(y) + "," + number_text(std::isnan(low) ? y : low) + "," +
                  number_text(std::isnan(high) ? y : high) + "\n";
        script_.block(block(p, c), rows);
      }
    script_.line("");
  }
  /// Where a curve's x, y, and with `bars` its interval are.
  std::string source(std::size_t p, std::size_t c, bool bars) const {
    const ResolvedCurve& curve = curves_in(figure_.panels[p])[c];
    if (!figure_.is_in_csv) return "$" + block(p, c) + " using 1:2" + (bars ? ":3:4" : "");
    const std::string unit = divided_by(figure_.panels[p].value);
    const std::string y = "column(" + script_string(curve.column) + ")" + unit;
    const auto end = [&](const char* which) {
      return ":(end_of(column(" + script_string(curve.column + which) + ")" + unit + ", " + y + "))";
    };
    return file_string("./" + figure_.name + ".csv") + " using (" + x_in_csv(figure_.panels[p], curve) + "):(" + y +
           ")" + (bars ? end("_low") + end("_high") : "");
  }
  /// The CSV is in SI.
  static std::string divided_by(const ResolvedAxis& axis) {
    if (axis.unit == 1) return "";
    const bool is_power = axis.unit == std::pow(10, axis.power);
    return "/" + (is_power ? "1e" + std::to_string(axis.power) : number_text(axis.unit));
  }
  /// position() is in the unit of the figure's axis, which a panel with a label of its own may not have.
  std::string in_unit_of(const ResolvedAxis& axis) const {
    if (axis.unit == figure_.x.unit) return "";
    return "*" + number_text(figure_.x.unit) + "/" + number_text(axis.unit);
  }
  /// gnuplot's expression for x: NaN in rows that are none of this curve's.
  std::string x_in_csv(const ResolvedPanel& panel, const ResolvedCurve& curve) const {
    const ResolvedAxis& axis = figure_.x_of(panel);
    const std::string x = axis.is_metric ? "column(" + script_string(axis.shows) + ")" + divided_by(axis)
                                         : "position(strcol(" + script_string(axis.shows) + "))" + in_unit_of(axis);
    std::string rows;
    for (const auto& c : curve.where)
      rows += (rows.empty() ? "strcol(" : " && strcol(") + script_string(c.key) + ") eq " + script_string(c.value);
    return rows.empty() ? x : rows + " ? " + x + " : NaN";
  }

  // ---- texts ----

  void write_texts() {
    layout_.write_texts(script_);
    script_.text("x_label", layout_.x_label(figure_.x.label));
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      const ResolvedPanel& panel = figure_.panels[p];
      if (panel.x) script_.text(x_label(p), layout_.x_label(panel.x->label));
      script_.text("label_" + id(p), layout_.y_label(panel.value.label));
      script_.text("caption_" + id(p), layout_.caption(panel.caption));
    }
    for (std::size_t s = 0; s < figure_.series.size() && figure_.has_legend; ++s)
      script_.text("series_" + id(s), layout_.legend_text(figure_.series[s].label));
    script_.line("");
  }
  static std::string id(std::size_t i) { return std::to_string(i + 1); }
  /// The variable that holds the label of a panel's x axis.
  std::string x_label(std::size_t p) const { return "x_label" + (figure_.panels[p].x ? "_" + id(p) : ""); }

  // ---- panels ----

  void write_panel(std::size_t p) {
    const ResolvedPanel& panel = figure_.panels[p];
    const bool is_last = p + 1 == figure_.panels.size();
    script_.line("\n# panel " + id(p));
    script_.line(layout_.plot_area(p));
    if (figure_.has_captions) script_.line(layout_.caption_command(p));
    formats_.write(script_, "x", figure_.x_of(panel).in_powers);
    write_axis(script_, "x", figure_.x_of(panel), x_label(p), "", layout_.name_options(),
               layout_.has_upright_names() ? 0 : layout_.x_room());
    script_.line("set ylabel label_" + id(p) + " enhanced" + layout_.y_label_offset(panel.value.label));
    script_.line(panel.value.log ? "set logscale y" : "unset logscale y");
    script_.line(
        "set grid linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'; set errorbars 0.7; set border linewidth 1.2");
    write_key(is_last);
    write_value_range(script_, panel, layout_.y_room());
    if (panel.has_results) formats_.write(script_, "y", panel.value.in_powers);
    script_ << "plot NaN notitle";
    for (std::size_t c = 0; c < curves_in(panel).size(); ++c) write_curve(p, c);
    if (is_last && figure_.has_legend) write_key_entries();
    script_ << "\n";
    if (p == 0) script_.line(unset_page_texts(figure_.remark));
  }
  void write_key(bool is_last) {
    if (!is_last || !figure_.has_legend) return script_.line("unset key");
    script_.line(layout_.key());
  }
  void write_key_entries() {
    for (std::size_t s = 0; s < figure_.series.size(); ++s)
      if (figure_.series[s].is_theory)  // of no curve's colour: it stands for all of them
        script_ << ", \\\n  keyentry with lines " << theory_style(s, theory_grey(s)) << " title series_" << id(s);
      else
        script_ << ", \\\n  keyentry with linespoints " << style(s) << " title series_" << id(s);
  }
  void write_curve(std::size_t p, std::size_t c) {
    const ResolvedCurve& curve = curves_in(figure_.panels[p])[c];
    if (!figure_.is_in_csv && curve.points.empty()) return;
    if (figure_.series[curve.series].is_theory) {  // in its curve's colour, where there are several
      script_ << ", \\\n  " << source(p, c, false) << " with lines "
              << theory_style(curve.series,
                              !figure_.series_key.empty() ? colour(curve.beside) : theory_grey(curve.series))
              << " notitle";
      return;
    }
    if (curve.has_intervals)
      script_ << ", \\\n  " << source(p, c, true) << " with yerrorbars linecolor rgb '" << colour(curve.series)
              << "' linewidth 1.2 dashtype 1 " << point(curve.series) << " notitle";
    if (!styles_[curve.series].is_named || !styles_[curve.series].is_open()) {
      script_ << ", \\\n  " << source(p, c, false) << " with linespoints " << style(curve.series) << " notitle";
      return;
    }
    // No line goes through an open mark, which would look like a full one: its full twin is white.
    const SeriesStyle& look = styles_[curve.series];
    script_ << ", \\\n  " << source(p, c, false) << " with lines " << line_style(curve.series) << " notitle, \\\n  "
            << source(p, c, false) << " with points linecolor rgb 'white' " << point_of(look.point + 1)
            << " notitle, \\\n  " << source(p, c, false) << " with points linecolor rgb '" << look.colour
            << "' linewidth 1.5 " << point(curve.series) << " notitle";
  }

  // ---- styles ----

  std::size_t curves() const { return styles_.size(); }
  const std::string& colour(std::size_t s) const { return styles_[s].colour; }
  std::string theory_grey(std::size_t s) const { return kTheoryGreys[(s - curves()) % std::size(kTheoryGreys)]; }
  std::string theory_style(std::size_t s, const std::string& colour) const {
    return "linecolor rgb '" + colour + "' linewidth 1.3 dashtype " +
           kTheoryDashes[(s - curves()) % std::size(kTheoryDashes)];
  }
  static std::string point_of(int type) {
    return "pointtype " + std::to_string(type) + " pointsize 0.8";
  }
  std::string point(std::size_t s) const { return point_of(styles_[s].point); }
  std::string line_style(std::size_t s) const {
    return "linecolor rgb '" + colour(s) + (styles_[s].is_named ? "' linewidth 1.5" : "' linewidth 2") + " dashtype " +
           styles_[s].dash;
  }
  std::string style(std::size_t s) const { return line_style(s) + " " + point(s); }

  const ResolvedFigure& figure_;
  const FigureLayout layout_;
  const std::vector<SeriesStyle> styles_;  ///< of the curves
  Script script_;
  AxisFormats formats_;
  std::ptrdiff_t theories_;
};

}  // namespace

std::string curves_script(const ResolvedFigure& figure) { return CurvesWriter(figure).write(); }

}  // namespace nowsim

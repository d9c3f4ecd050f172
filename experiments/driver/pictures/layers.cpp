#include "experiments/driver/pictures/layers.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Of theory, which is told from curves by thin lines without points.
constexpr const char* kTheoryDashes[] = {"(24,9)", "(5,7)", "(24,7,5,7)", "(45,9)"};
constexpr const char* kTheoryGreys[] = {"#000000", "#606060", "#000000", "#606060"};  // where there is one curve
constexpr double kSixDigits = 9e4;  // an axis ends at a round number beyond its values

/// Pixels that a number on an axis takes: along x six letters, along y its height.
constexpr double kTicLetter = 7.8, kTicWidth = 6 * kTicLetter + 14, kTicHeight = 24;

constexpr int kDeadlineTag = 5, kRuleTag = 20;  // of arrows and labels
/// Pixels: an axis' name below names, from the lower end of what stands there, and what a name takes along x.
constexpr double kAxisNameAt = 20, kNameWidth = 10;

/// Leaves out what would touch what stands before it; places along a logarithmic or linear axis.
std::vector<AxisTic> fitting_tics(const ResolvedAxis& about, double room) {
  const auto place = [&](double at) { return about.log ? std::log(at) : at; };
  const double per_unit = room / (place(about.most) - place(about.least));
  std::vector<AxisTic> out;
  double end = -kInfinity;
  for (const auto& tic : about.tics) {
    const double middle = (place(tic.at) - place(about.least)) * per_unit;
    const double half = kTicLetter * static_cast<double>(tic.label.width()) / 2;
    if (middle - half < end + 6) continue;
    out.push_back(tic);
    end = middle + half;
  }
  return out;
}

const std::vector<ResolvedCurve>& curves_in(const ResolvedPanel& panel) {
  return std::get<std::vector<ResolvedCurve>>(panel.content);
}

/// gnuplot's line across a panel, and what stands above its end; they take the tags of an arrow and a label.
std::string rule_lines(const PanelRule& rule, const std::string& at, int tag, const std::string& text_place) {
  const std::string ends = rule.is_upright ? "first " + at + ", graph 0 to first " + at + ", graph 1"
                                           : "graph 0, first " + at + " to graph 1, first " + at;
  return "set arrow " + std::to_string(tag) + " from " + ends + " nohead back " + rule.look +
         (rule.text.empty() ? ""
                            : "\nset label " + std::to_string(tag) + " " + script_string(rule.text) + " at " +
                                  text_place + " noenhanced textcolor rgb '" + kDeadlineColour + "'");
}

class LayerWriter : public FigureWriter {
 public:
  LayerWriter(const ResolvedFigure& figure, const LayoutNeeds& needs)
      : FigureWriter(figure),
        needs_(needs),
        layout_(figure, needs),
        styles_(series_styles(figure)),
        shows_times_(has_shape(Shape::steps)),
        names_below_(figure.kind == "workstations") {}

 private:
  [[nodiscard]] bool has_shape(Shape shape) const {
    return std::ranges::any_of(figure_.panels, [&](const ResolvedPanel& panel) {
      return std::ranges::count(curves_in(panel), shape, &ResolvedCurve::shape) > 0;
    });
  }

  // ---- data ----

  void write_data() override {
    if (figure_.is_in_csv) return write_functions();
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      if (names_below_) write_table(p);
      for (std::size_t c = 0; c < curves_in(figure_.panels[p]).size() && !names_below_; ++c) write_block(p, c);
    }
    if (!names_below_ && !shows_times_) script_.line("");
  }
  void write_functions() {
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
  /// Per workstation its slot, and per metric value and the ends of its bar: none where unknown or of no length.
  void write_table(std::size_t p) {
    std::string rows;
    for (std::size_t i = 0; i < figure_.panels[p].x->values.size(); ++i) {
      rows += one_based(i);
      for (const auto& marks : curves_in(figure_.panels[p])) {
        const ResolvedPoint& point = marks.points[i];
        rows += "," + number_text(point.y) +
                (std::isnan(point.low) ? ",NaN,NaN" : "," + number_text(point.low) + "," + number_text(point.high));
      }
      rows += "\n";
    }
    write_rows(p, rows);
  }
  static std::string block(std::size_t p, std::size_t c, Shape shape) {
    return shape == Shape::steps ? "steps_" + one_based(p) + "_" + one_based(c)
                                 : "curve" + one_based(p) + "_" + one_based(c);
  }
  void write_block(std::size_t p, std::size_t c) {
    const ResolvedCurve& curve = curves_in(figure_.panels[p])[c];
    std::string rows;
    if (curve.shape == Shape::steps) {
      rows = corners(figure_.panels[p], curve);
      if (rows.empty()) return;
    } else {
      // The ends of a point's bar: itself where it has none.
      for (const auto& [x, y, low, high] : curve.points) {
        const double at = curve.shape == Shape::bars ? x : y;
        rows += number_text(x) + "," + number_text(y) + "," + number_text(std::isnan(low) ? at : low) + "," +
                number_text(std::isnan(high) ? at : high) + "\n";
      }
    }
    script_.block(block(p, c, curve.shape), rows);
  }
  /// Of steps: time, share, and the ends of the band, which a log scale cuts off.
  std::string corners(const ResolvedPanel& panel, const ResolvedCurve& curve) const {
    const double least = panel.value.log ? panel.value.least : 0;
    std::string rows;
    const ResolvedPoint* before = nullptr;
    const auto corner = [&](double x, const ResolvedPoint& of) {
      rows += number_text(x) + "," + number_text(of.y);
      if (figure_.has_bands)
        rows += "," + number_text(std::max(of.low, least)) + "," + number_text(std::max(of.high, least));
      rows += "\n";
    };
    for (const auto& point : curve.points) {
      if (before != nullptr) corner(point.x, *before);
      corner(point.x, point);
      before = &point;
    }
    return rows;
  }
  /// Where a curve's x, y, and with `bars` its interval are.
  std::string source(std::size_t p, std::size_t c, bool bars) const {
    const ResolvedCurve& curve = curves_in(figure_.panels[p])[c];
    if (names_below_) {
      const std::size_t first = 3 * c + 2;
      return "$panel" + one_based(p) + " using 1:" + std::to_string(first) +
             (bars ? ":" + std::to_string(first + 1) + ":" + std::to_string(first + 2) : "");
    }
    if (!figure_.is_in_csv) return "$" + block(p, c, curve.shape) + " using 1:2" + (bars ? ":3:4" : "");
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

  void write_texts() override {
    layout_.write_texts(script_);
    if (!shows_times_) script_.text("x_label", layout_.x_label(figure_.x.label));
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      const ResolvedPanel& panel = figure_.panels[p];
      if (x_label(p) != "x_label") script_.text(x_label(p), layout_.x_label(figure_.x_of(panel).label));
      layout_.write_texts(script_, p);
    }
    const bool has_all = shows_times_ || names_below_;
    for (std::size_t s = 0; s < figure_.series.size() && (figure_.has_legend || has_all); ++s)
      script_.text("series_" + one_based(s), layout_.legend_text(figure_.series[s].label));
    script_.line("");
  }
  /// The variable that holds the label of a panel's x axis.
  std::string x_label(std::size_t p) const {
    return shows_times_ || (figure_.panels[p].x && !names_below_) ? "x_label_" + one_based(p) : "x_label";
  }

  void begin_page() override {
    script_ << layout_.begin();
    if (needs_.tic_size > 0) script_.line("set tics font " + layout_.page.font(needs_.tic_size));
  }

  // ---- panels ----

  /// Each kind of panel has its order of commands.
  void write_panel(std::size_t p) override {
    const ResolvedPanel& panel = figure_.panels[p];
    script_.line(layout_.plot_area(p));
    if (figure_.has_captions) script_.line(layout_.caption_command(p));
    if (names_below_) {
      write_name_axis(p);
      write_value_range(panel);
      write_key(p);
      write_grid();
    } else if (shows_times_) {
      write_axes(p, " font " + layout_.page.font(10), layout_.x_room());
      write_format("y", panel.value.in_powers);
      write_value_range(panel);
      write_grid();
      write_deadline(panel);
      write_key(p);
    } else {
      write_axes(p, layout_.name_options(), layout_.has_upright_names() ? 0 : layout_.x_room());
      write_grid();
      write_key(p);
      write_value_range(panel);
      if (panel.has_results) write_format("y", panel.value.in_powers);
    }
    write_rules(panel);
    write_plot(p);
    if (p == 0) script_.line(unset_page_texts(figure_.remark));
  }
  void write_axes(std::size_t p, const std::string& tic_options, double room) {
    const ResolvedAxis& x = figure_.x_of(figure_.panels[p]);
    write_format("x", x.in_powers);
    write_axis(script_, "x", x, x_label(p), "", tic_options, room);
    write_value_name(p);
    write_value_scale(p);
  }
  /// Numbers, or powers of ten alone: an axis keeps its format until another panel wants the other.
  void write_format(const std::string& axis, bool powers) {
    bool& now = in_powers_[axis];
    if (powers != now) script_.line("set format " + axis + (powers ? " '10^{%T}'" : " '%g'"));
    now = powers;
  }
  void write_value_name(std::size_t p) {
    script_.line("set ylabel label_" + one_based(p) + " enhanced" +
                 layout_.y_label_offset(figure_.panels[p].value.label));
  }
  void write_value_scale(std::size_t p) {
    script_.line(figure_.panels[p].value.log ? "set logscale y" : "unset logscale y");
  }
  /// Upright names, or numbers where there are more than are named or than their room holds.
  void write_name_axis(std::size_t p) {
    const ResolvedAxis& x = *figure_.panels[p].x;
    const PanelGrid& grid = layout_.grid;
    // gnuplot would put an axis' label where it guesses that the names end.
    script_.line("set label 5 x_label at " +
                 layout_.page.at(grid.left_of(p) + grid.panel_width / 2,
                                 grid.top_of(p) + grid.panel_height + needs_.under - kAxisNameAt) +
                 " center enhanced");
    write_value_name(p);
    script_.line("set xrange [" + number_text(x.least) + ":" + script_number(x.most) + "]");
    const std::size_t names = x.values.size();
    const bool has_names = names <= needs_.names && kNameWidth * static_cast<double>(names) <= grid.panel_width;
    script_.line(has_names ? "set xtics rotate by 90 right noenhanced font " + layout_.page.font(9) + " " +
                                 tic_list(x.tics, false)
                           : "set xtics norotate autofreq font " + layout_.page.font(12));
    write_value_scale(p);
  }
  void write_grid() {
    script_.line(std::string("set grid ") + kGridStyle + (shows_times_ ? "" : "; set errorbars 0.7") +
                 "; set border linewidth 1.2");
  }
  /// The range of a panel's values: its own, gnuplot's choice, or where there is none any, and words that say so.
  void write_value_range(const ResolvedPanel& panel) {
    const ResolvedAxis& y = panel.value;
    script_.line("set ytics " + value_step(panel, layout_.y_room()));
    if (!panel.has_results)
      return script_.line("set yrange [1:2]; set label 4 'no results' at graph 0.5, graph 0.5 center");
    if (std::isnan(y.least)) return script_.line("set autoscale y; unset label 4");
    script_.line("set yrange [" + number_text(y.least) + ":" + number_text(y.most) + "]; unset label 4");
    if (!y.tics.empty()) return script_.line("set ytics noenhanced " + tic_list(y.tics, false));
    if (!y.log || y.most >= 100 * y.least) return;
    std::vector<AxisTic> tics;  // gnuplot would name the powers of ten alone, of which there may be one
    for (const double at : log_tics(y.least, y.most)) tics.push_back({at, short_number(at)});
    script_.line("set ytics " + tic_list(tics, false));
  }
  void write_deadline(const ResolvedPanel& panel) {
    const std::string tag = std::to_string(kDeadlineTag);
    if (!panel.deadline_s) return script_.line("unset arrow " + tag + "; unset label " + tag);
    const ResolvedAxis& x = figure_.x_of(panel);
    const std::string at = number_text(*panel.deadline_s / x.unit);
    const double part = (*panel.deadline_s / x.unit - x.least) / (x.most - x.least);
    const PanelRule rule{true, 0, "deadline " + (panel.deadline_text.empty() ? duration_text(*panel.deadline_s) : panel.deadline_text),
                         std::string("linewidth 1.6 linecolor rgb '") + kDeadlineColour + "'"};
    script_.line(rule_lines(rule, at, kDeadlineTag,
                            "first " + at + ", graph 1 offset 0,0.6 " + (part > 0.8 ? "right" : "center")));
  }
  /// Whether what is read beside a line would stand on that of the deadline.
  [[nodiscard]] bool is_deadline_close_behind(const ResolvedPanel& panel, const PanelRule& rule) const {
    if (!panel.deadline_s) return false;
    constexpr double kClose = 0.05;  // of the axis
    const ResolvedAxis& x = figure_.x_of(panel);
    const double behind = *panel.deadline_s / x.unit - rule.at;
    return behind >= 0 && behind < kClose * (x.most - x.least);
  }
  void write_rules(const ResolvedPanel& panel) {
    for (std::size_t k = 0; k < panel.rules.size(); ++k) {
      const PanelRule& rule = panel.rules[k];
      const std::string at = number_text(rule.at), font = " font " + layout_.page.font(10);
      const std::string side = is_deadline_close_behind(panel, rule) ? "-1" : "1";
      const std::string place = rule.is_text_along ? "first " + at + ", graph 0.97 offset " + side + ",0 right rotate by 90"
                                                   : (rule.is_upright ? "first " + at + ", graph 1" : "graph 0, first " + at) +
                                                         " offset 0.6,0.6 left";
      script_.line(rule_lines(rule, at, kRuleTag + static_cast<int>(k), place + font));
    }
  }

  // ---- the legend ----

  [[nodiscard]] bool has_key(std::size_t p) const { return figure_.has_legend && p + 1 == figure_.panels.size(); }
  void write_key(std::size_t p) { script_.line(has_key(p) ? layout_.key() : "unset key"); }
  void write_key_entries() {
    for (std::size_t s = 0; s < figure_.series.size(); ++s)
      if (figure_.series[s].is_theory)  // of no curve's colour: it stands for all of them
        script_ << ", \\\n  keyentry with lines " << theory_style(s, theory_grey(s)) << " title series_"
                << one_based(s);
      else
        script_ << ", \\\n  keyentry with " << key_look(s) << " title series_" << one_based(s);
  }
  std::string key_look(std::size_t s) const {
    switch (shape_of(s)) {
      case Shape::curve:
        return "linespoints " + style(s);
      case Shape::line:
      case Shape::steps:
        return "lines " + line_style(s);
      case Shape::band:
        return "boxes " + band_style(s);
      case Shape::marks:
      case Shape::bars:
        break;
    }
    return "points " + mark_style(s);
  }
  /// Of the first curve of a series that there is.
  Shape shape_of(std::size_t series) const {
    for (const auto& panel : figure_.panels) {
      const auto& curves = curves_in(panel);
      const auto curve = std::ranges::find(curves, series, &ResolvedCurve::series);
      if (curve != curves.end()) return curve->shape;
    }
    return names_below_ ? Shape::marks : shows_times_ ? Shape::steps : Shape::curve;
  }

  // ---- layers ----

  void add_layer(const std::string& source, const std::string& look) {
    script_ << ", \\\n  " << source << " with " << look << " notitle";
  }
  /// What lies behind comes first: bands, lines, bars of marks (gnuplot blanks what lies behind a mark with a bar),
  /// marks.
  void write_plot(std::size_t p) {
    const auto& curves = curves_in(figure_.panels[p]);
    script_ << "plot NaN notitle";
    const auto each = [&](auto write_one) {
      for (std::size_t c = 0; c < curves.size(); ++c)
        if (figure_.is_in_csv || !curves[c].points.empty()) write_one(c, curves[c]);
    };
    each([&](std::size_t c, const ResolvedCurve& curve) {
      if (curve.shape == Shape::band || (curve.shape == Shape::steps && figure_.has_bands))
        add_layer("$" + block(p, c, curve.shape) + " using 1:3:4",
                  "filledcurves " + (curve.shape == Shape::band ? band_style(curve.series)
                                                                : "fillcolor rgb '" + colour(curve.series) +
                                                                      "' fillstyle transparent solid 0.2 noborder"));
    });
    each([&](std::size_t c, const ResolvedCurve& curve) {
      if (curve.shape == Shape::curve) write_curve(p, c, curve);
      if (curve.shape == Shape::line || curve.shape == Shape::steps)
        add_layer(source(p, c, false), "lines " + line_style(curve.series));
    });
    each([&](std::size_t c, const ResolvedCurve& curve) {
      if (curve.has_intervals && (curve.shape == Shape::marks || curve.shape == Shape::bars))
        add_layer(source(p, c, true), (curve.shape == Shape::bars ? "xerrorbars " : "yerrorbars ") +
                                          bar_style(curve.series) + " pointtype -1");
    });
    each([&](std::size_t c, const ResolvedCurve& curve) {
      if (curve.shape == Shape::marks || curve.shape == Shape::bars)
        add_layer(source(p, c, false), "points " + mark_style(curve.series));
    });
    if (has_key(p)) write_key_entries();
    script_ << "\n";
  }
  void write_curve(std::size_t p, std::size_t c, const ResolvedCurve& curve) {
    const std::size_t s = curve.series;
    if (figure_.series[s].is_theory)  // in its curve's colour, where there are several
      return add_layer(source(p, c, false),
                       "lines " + theory_style(s, !figure_.series_key.empty() ? colour(curve.beside) : theory_grey(s)));
    if (curve.has_intervals)
      add_layer(source(p, c, true),
                "yerrorbars linecolor rgb '" + colour(s) + "' linewidth 1.2 dashtype 1 " + point(s));
    if (!styles_[s].is_named || !styles_[s].is_open()) return add_layer(source(p, c, false), "linespoints " + style(s));
    // No line goes through an open mark, which would look like a full one: its full twin is white.
    add_layer(source(p, c, false), "lines " + line_style(s));
    add_layer(source(p, c, false), "points linecolor rgb 'white' " + point_of(styles_[s].point + 1, styles_[s].size));
    add_layer(source(p, c, false), "points linecolor rgb '" + colour(s) + "' linewidth 1.5 " + point(s));
  }

  // ---- styles ----

  const std::string& colour(std::size_t s) const { return styles_[s].colour; }
  std::size_t theory(std::size_t s) const { return (s - styles_.size()) % std::size(kTheoryGreys); }
  std::string theory_grey(std::size_t s) const { return kTheoryGreys[theory(s)]; }
  std::string theory_style(std::size_t s, const std::string& colour) const {
    return "linecolor rgb '" + colour + "' linewidth 1.3 dashtype " + kTheoryDashes[theory(s)];
  }
  static std::string point_of(int type, const char* size) {
    return "pointtype " + std::to_string(type) + " pointsize " + size;
  }
  std::string point(std::size_t s) const { return point_of(styles_[s].point, styles_[s].size); }
  std::string line_style(std::size_t s) const {
    const bool is_thin = styles_[s].is_named && !shows_times_;
    return "linecolor rgb '" + colour(s) + (is_thin ? "' linewidth 1.5" : "' linewidth 2") + " dashtype " +
           styles_[s].dash;
  }
  std::string style(std::size_t s) const { return line_style(s) + " " + point(s); }
  std::string bar_style(std::size_t s) const { return "linecolor rgb '" + colour(s) + "' linewidth 1.4"; }
  std::string mark_style(std::size_t s) const { return bar_style(s) + " " + point(s); }
  std::string band_style(std::size_t s) const { return "fillcolor rgb '" + colour(s) + "' fillstyle solid 1 noborder"; }

  const LayoutNeeds needs_;
  const FigureLayout layout_;
  const std::vector<SeriesStyle> styles_;  ///< of the series that are no theory, which come first
  const bool shows_times_;                 ///< distributions: each panel's x axis has a name of its own
  const bool names_below_;                 ///< of workstations, in place of numbers
  std::map<std::string, bool> in_powers_;  ///< by axis
};

}  // namespace

std::string FigureWriter::write() {
  script_ << script_head(figure_.name);
  write_data();
  write_texts();
  begin_page();
  for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
    script_.line("\n# panel " + one_based(p));
    write_panel(p);
  }
  script_ << end_pages();
  return script_.str();
}

void FigureWriter::write_rows(std::size_t p, const std::string& rows) {
  script_.block("panel" + one_based(p), rows, "END_OF_PANEL");
  script_.line("");
}

std::string layered_script(const ResolvedFigure& figure, const LayoutNeeds& needs) {
  return LayerWriter(figure, needs).write();
}

std::string curves_script(const ResolvedFigure& figure) {
  const auto is_long = [](const ResolvedPoint& point) { return std::abs(point.y) >= kSixDigits; };
  const auto has_long = [&](const ResolvedPanel& panel) {  // numbers, which are longer on a log scale
    return panel.value.log || std::ranges::any_of(curves_in(panel), [&](const ResolvedCurve& curve) {
             return !figure.series[curve.series].is_theory && std::ranges::any_of(curve.points, is_long);
           });
  };
  LayoutNeeds needs;  // room for the values' names, and for words along x
  needs.left = std::ranges::any_of(figure.panels, has_long) ? 112 : 90;
  for (const auto& panel : figure.panels) {
    const ResolvedAxis& x = figure.x_of(panel);
    if (x.log || x.tics.empty()) continue;
    for (const auto& tic : x.tics) needs.name_letters.push_back(tic.label.width());
    needs.names = std::max(needs.names, x.tics.size());
  }
  return layered_script(figure, needs);
}

// ---- axes ----

ValueRange shown_values(const ResolvedPanel& panel) {
  ValueRange range;
  if (const auto* curves = std::get_if<std::vector<ResolvedCurve>>(&panel.content))
    for (const auto& curve : *curves)
      for (const auto& point : curve.points)
        for (const double y : {point.y, point.low, point.high}) range.add(y, panel.value.log);
  if (const auto* points = std::get_if<std::vector<SurfacePoint>>(&panel.content))
    for (const auto& point : *points) range.add(point.value, panel.value.log);
  return range;
}

ValueRange shown_values(const Figure& figure, const ResolvedFigure& resolved, std::size_t p,
                        bool (*are_alike)(const FigurePanel&, const FigurePanel&)) {
  ValueRange range = shown_values(resolved.panels[p]);
  for (std::size_t q = 0; q < figure.panels.size() && figure.same_scale; ++q)
    if (are_alike(figure.panels[q], figure.panels[p])) range.add(shown_values(resolved.panels[q]));
  return range;
}

std::string value_step(const ResolvedPanel& panel, double room) {
  const ValueRange shown = shown_values(panel);
  if (room <= 0 || room > 12 * kTicHeight || panel.value.log || !(shown.most > shown.least)) return "autofreq";
  return number_text(round_step(shown.most - shown.least, room / kTicHeight));
}

std::string tic_list(const std::vector<AxisTic>& tics, bool is_enhanced) {
  std::string out;
  for (const auto& [at, label] : tics)
    out +=
        (out.empty() ? "(" : ", ") + tic_string(is_enhanced ? enhanced(label) : label.text()) + " " + number_text(at);
  return (out.empty() ? "(" : out) + ")";
}

void write_axis(Script& script, const std::string& axis, const ResolvedAxis& about, const std::string& label,
                const std::string& label_options, const std::string& tic_options, double room) {
  script.line("set " + axis + "label " + label + " enhanced" + label_options);
  script.line((about.log ? "set logscale " : "unset logscale ") + axis);
  script.line("set " + axis + "range [" + number_text(about.least) + ":" + number_text(about.most) + "]");
  if (about.tics.empty()) {
    const bool is_open = room <= 0 || about.log || !(about.most > about.least);
    const std::string step = is_open ? "autofreq" : number_text(round_step(about.most - about.least, room / kTicWidth));
    return script.line("set " + axis + "tics " + step + tic_options);
  }
  const auto tics = room > 0 ? fitting_tics(about, room) : about.tics;
  const bool is_plain = std::ranges::all_of(tics, [](const AxisTic& tic) { return tic.label.is_plain(); });
  script.line("set " + axis + "tics" + tic_options + (is_plain ? " noenhanced " : " enhanced ") +
              tic_list(tics, !is_plain));
}

}  // namespace nowsim

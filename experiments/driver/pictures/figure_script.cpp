// Writing a figure's gnuplot script: the page in pixels first, then each panel's data and plot commands.
#include "experiments/driver/pictures/figure_script.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "experiments/driver/pictures/colours.hpp"
#include "experiments/driver/pictures/figure_rows.hpp"
#include "experiments/driver/pictures/figure_texts.hpp"
#include "experiments/driver/pictures/label_text.hpp"
#include "experiments/driver/pictures/log_tics.hpp"
#include "experiments/driver/pictures/page_places.hpp"
#include "experiments/driver/pictures/picture_page.hpp"
#include "experiments/driver/pictures/winners_script.hpp"
#include "experiments/driver/pictures/workstations_script.hpp"
#include "experiments/driver/pictures/y_range.hpp"
#include "experiments/driver/reading/axis_scale.hpp"
#include "experiments/driver/running/summary_output.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr int kPointTypes[] = {7, 5, 9, 11, 13, 15, 6, 4, 8, 10, 12, 14};
/// Of theory, which is told from curves by thin lines without points.
constexpr const char* kTheoryDashes[] = {"(24,9)", "(5,7)", "(24,7,5,7)", "(45,9)"};
constexpr const char* kTheoryGreys[] = {"#000000", "#606060", "#000000", "#606060"};  // where there is one curve
constexpr std::size_t kMostTics = 12;  // of an axis whose values are all named
constexpr std::size_t kMostInARow = 3;  // panels of curves

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// Sizes and places on the page [pixels], from its upper left corner.
struct Page {
  std::size_t columns, rows;         ///< of panels
  double panel_width, panel_height;  ///< of the plot itself
  double left, right, below;         ///< room for labels beside each plot
  double legend;                     ///< width, at the right end
  double above = 0;                  ///< of the title and the panels' own
  double caption = 0;                ///< of a row of panels but the first, above it

  [[nodiscard]] double width() const { return static_cast<double>(columns) * (left + panel_width + right) + legend; }
  [[nodiscard]] double height() const { return row_top(rows - 1) + panel_height + below; }
  [[nodiscard]] double row_top(std::size_t row) const {
    return above + static_cast<double>(row) * (panel_height + below + caption);
  }
  [[nodiscard]] double panel_top(std::size_t p) const { return row_top(p / columns); }
  [[nodiscard]] double panel_left(std::size_t p) const {
    return left + static_cast<double>(p % columns) * (left + panel_width + right);
  }
};

class ScriptWriter {
 public:
  ScriptWriter(const Figure& figure, const Summary& summary, const std::string& name)
      : figure_(figure), summary_(summary), name_(name) {
    x_ = scale_of_key(figure.x.key);
    y_ = scale_of_key(figure.y.key);
    series_ = scale_of_key(figure.series.key);
    for (const auto& key : summary.axes) values_[key] = scale_of_key(key).texts;
    is_coded_ = !is_readable_csv();
    for (const auto& panel : figure.panels) panels_.push_back(rows_of(panel));
    if (std::ranges::all_of(panels_, [](const auto& rows) { return rows.empty(); }))
      throw RunError("there is nothing to draw in the figure " + name + ": no row has a value of " +
                     figure.panels.front().metric);
    find_theories();
    const std::size_t rows = figure.kind != FigureKind::surface && panels_.size() > kMostInARow ? 2 : 1;
    const std::size_t columns = (panels_.size() + rows - 1) / rows;
    page_ = figure.kind == FigureKind::surface ? Page{columns, rows, 500, 440, 75, 125, 60, 0}
                           : Page{columns, rows, 500, 370, label_room(), 20, 92, legend_width()};
    page_.caption = 4;  // 24 more, less the footer, which only the last row has
    title_ = title_lines(summary.title, page_.width());
    page_.above = 22 + 21 * static_cast<double>(title_.size()) + (has_captions(figure_) ? 24 : 0);
  }

  std::string write() {
    out_ << script_head(name_);
    write_data();
    write_pages();
    return out_.str();
  }

 private:
  // ---- what is drawn ----

  bool is_surface() const { return figure_.kind == FigureKind::surface; }
  AxisScale scale_of_key(const std::string& key) const { return scale_of(values_of_key(summary_, key)); }
  const Metric& metric_of(const std::string& name) const {
    return **std::ranges::find_if(summary_.metrics, [&](const Metric* m) { return m->name == name; });
  }
  Estimate estimate_in(const SummaryRow& row, const std::string& name) const {
    return nowsim::estimate_in(summary_, row, name);
  }
  double value_in(const SummaryRow& row, const FigurePanel& panel) const {
    const Estimate e = estimate_in(row, panel.metric);
    return panel.half_width ? e.half_width() : e.value;
  }
  double x_in(const SummaryRow& row, const FigurePanel& panel) const {
    const std::string& metric = figure_.x_metric_of(panel);
    return metric.empty() ? x_.at(value_of_key(summary_, row, figure_.x.key)) : estimate_in(row, metric).value;
  }
  /// The rows that a panel shows; notes those that a log scale cannot.
  std::vector<const SummaryRow*> rows_of(const FigurePanel& panel) {
    std::vector<const SummaryRow*> out;
    for (const auto& row : summary_.rows) {
      const double x = x_in(row, panel), value = value_in(row, panel);
      if (!fits(summary_, row, panel.where) || !std::isfinite(x) || !std::isfinite(value)) continue;
      if (figure_.x.log && x <= 0) off_log_scale_.add(x);
      else if (panel.log && value <= 0) off_log_scale_.add(value);
      else out.push_back(&row);
    }
    return out;
  }
  /// The theory that some panel has a value of, each once.
  void find_theories() {
    for (std::size_t p = 0; p < panels_.size(); ++p)
      for (const auto& name : figure_.panels[p].theory)
        if (std::ranges::count(theories_, name) == 0 && has_theory(p, name)) theories_.push_back(name);
  }
  bool has_theory(std::size_t p, const std::string& name) const {
    return std::ranges::any_of(panels_[p],
                               [&](const auto* row) { return std::isfinite(estimate_in(*row, name).value); });
  }
  // ---- texts ----

  std::string panel_label(const FigurePanel& panel) const {
    if (!panel.label.empty()) return label_text(panel.label);
    return with_unit((panel.half_width ? "half-width of " : "") + label_text(name_in_labels(panel.metric)),
                     metric_of(panel.metric).unit);
  }
  std::string legend_text(const std::string& value) const {
    const auto own = figure_.series.labels.find(value);
    if (own != figure_.series.labels.end()) return label_text(own->second);
    const std::string& name = figure_.series.label;
    return (name.empty() ? name_text(last_part(figure_.series.key)) : label_text(name)) + " = " + name_text(value);
  }
  std::string footer() const {
    const Provenance p = provenance_of(summary_);
    const std::string bars = is_surface() || p.replications == "1" ? ""
                             : p.confidence == "several"              ? "bars: several confidences, "
                                                                      : "bars: " + p.confidence + " confidence, ";
    return p.replications + (p.replications == "1" ? " replication, " : " replications, ") + bars + p.origin();
  }

  // ---- legend ----

  bool has_series() const { return !figure_.series.key.empty(); }
  bool has_legend() const { return has_series() || !theories_.empty(); }
  /// The legend's texts: the curves, then theory.
  std::vector<std::string> legend_texts() const {
    std::vector<std::string> out;
    if (!has_legend()) return out;
    for (const auto& value : series_.texts) out.push_back(legend_text(value));
    if (!has_series()) out.emplace_back("simulated");
    for (const auto& name : theories_) out.push_back("theory " + label_text(name));
    return out;
  }
  /// Below one another as far as the plot is high, then in further columns.
  double legend_width() const {
    const auto texts = legend_texts();
    if (texts.empty()) return 0;
    std::size_t most = 0;
    for (const auto& entry : texts) most = std::max(most, label_width(entry));
    const std::size_t columns = (texts.size() + 17) / 18;
    return static_cast<double>(columns) * (55 + 8.6 * static_cast<double>(most)) + 15;
  }

  /// Beside a panel of curves, for its label and the numbers of its axis, which are longer on a log scale.
  double label_room() const {
    const bool any_log = std::ranges::any_of(figure_.panels, [](const auto& panel) { return panel.log; });
    return any_log || has_long_numbers() ? 112 : 90;
  }
  /// Whether an axis has numbers of six digits or more: it ends at a round number beyond its values.
  bool has_long_numbers() const {
    constexpr double kSixDigits = 9e4;
    for (std::size_t p = 0; p < panels_.size(); ++p)
      for (const SummaryRow* row : panels_[p])
        if (std::abs(estimate_in(*row, figure_.panels[p].metric).value) >= kSixDigits) return true;
    return false;
  }

  // ---- places ----

  PageSize size() const { return {page_.width(), page_.height()}; }
  std::string screen(double x, double y) const { return size().at(x, y); }

  // ---- the script ----

  void line(const std::string& text) { out_ << text << '\n'; }

  // A row's position on an axis, from the text in the CSV: units and words have become numbers here.
  void write_position(const char* function, const AxisScale& scale) {
    out_ << function << "(text) = ";
    for (std::size_t i = 0; i < scale.texts.size(); ++i)
      out_ << "text eq " << value_string(figure_.x.key, scale.texts[i]) << " ? " << number_text(scale.positions[i])
           << " : ";
    out_ << "NaN\n";
  }

  void write_data() {
    if (is_surface()) {
      for (std::size_t p = 0; p < panels_.size(); ++p) write_grid(p);
      return;
    }
    line("set datafile columnheaders");
    if (std::ranges::any_of(figure_.panels, [&](const auto& panel) { return figure_.x_metric_of(panel).empty(); }))
      write_position("position", x_);
    line("end_of(bar, value) = abs(bar) < 1e300 ? bar : value   # a bar of unknown or infinite length is not drawn");
    if (has_own_data()) write_own_csv();
    line("");
  }
  /// Whether gnuplot reads the CSV as it was written, and the script's strings are what it finds there.
  bool is_readable_csv() const {
    return std::ranges::all_of(summary_.axes, is_read_back) &&
           std::ranges::all_of(summary_.rows, [&](const SummaryRow& row) {
             return (row.reason.empty() || is_read_back(row.reason)) && std::ranges::all_of(row.values, is_read_back);
           });
  }
  /// Whether each curve's rows follow one another by the key; where a metric says where points lie, lines go that way.
  bool is_in_order() const {
    return std::ranges::all_of(figure_.panels, [&](const auto& panel) { return figure_.x_metric_of(panel).empty(); }) ||
           std::ranges::is_sorted(x_.positions) || std::ranges::is_sorted(x_.positions, std::ranges::greater{});
  }
  bool has_own_data() const { return is_coded_ || !is_in_order(); }
  /// The CSV's rows by rising values of the x key. Where texts could act for data, codes stand for keys and values.
  void write_own_csv() {
    Summary own = summary_;
    if (!is_in_order())
      std::ranges::stable_sort(own.rows, {}, [&](const SummaryRow& row) {
        return x_.at(value_of_key(summary_, row, figure_.x.key));
      });
    for (auto& row : own.rows) {
      row.reason.clear();
      for (std::size_t a = 0; a < row.values.size(); ++a) row.values[a] = value_name(summary_.axes[a], row.values[a]);
    }
    for (auto& axis : own.axes) axis = key_name(axis);
    line("# The CSV" + std::string(is_in_order() ? "" : ", by rising values of the x key") +
         (is_coded_ ? ", with codes for its keys and values: v1 is the key's first value in it, and so on." : "."));
    line("$results << END_OF_RESULTS");
    write_summary(own, Format::csv, out_);
    line("END_OF_RESULTS");
  }
  /// What the data call a swept key, and one of its values.
  std::string key_name(const std::string& key) const {
    const auto number = std::ranges::find(summary_.axes, key) - summary_.axes.begin() + 1;
    return is_coded_ ? "key" + std::to_string(number) : key;
  }
  std::string value_name(const std::string& key, const std::string& value) const {
    if (!is_coded_) return value;
    const auto& known = values_.at(key);
    return "v" + std::to_string(std::ranges::find(known, value) - known.begin() + 1);
  }
  std::string value_string(const std::string& key, const std::string& value) const {
    return script_string(value_name(key, value));
  }
  /// Where the data are.
  std::string source() const { return has_own_data() ? "$results" : file_string("./" + name_ + ".csv"); }

  /// A panel's surface: x, y and the metric, a block per y, NaN where there is no value.
  void write_grid(std::size_t p) {
    line("$panel" + std::to_string(p + 1) + " << END_OF_PANEL");
    for (const std::size_t j : sorted(y_)) {
      for (const std::size_t i : sorted(x_))
        line(number_text(x_.positions[i]) + "," + number_text(y_.positions[j]) + "," +
             cell(p, x_.texts[i], y_.texts[j]));
      line("");
    }
    line("END_OF_PANEL");
    line("");
  }
  static std::vector<std::size_t> sorted(const AxisScale& scale) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < scale.positions.size(); ++i) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return scale.positions[i]; });
    return order;
  }
  std::string cell(std::size_t p, const std::string& x, const std::string& y) const {
    for (const SummaryRow* row : panels_[p])
      if (value_of_key(summary_, *row, figure_.x.key) == x && value_of_key(summary_, *row, figure_.y.key) == y)
        return number_text(value_in(*row, figure_.panels[p]));
    return "NaN";
  }

  /// The same page in all formats.
  void write_pages() {
    write_texts();
    out_ << begin_pages(page_.width(), page_.height(), off_log_scale_.text());
    for (std::size_t p = 0; p < panels_.size(); ++p) write_panel(p);
    out_ << end_pages();
  }
  /// All texts are variables: nothing of them stands in a command.
  void write_texts() {
    const auto text = [&](const std::string& variable, const std::string& value) {
      line(variable + " = " + script_string(value));
    };
    text("title", joined_lines(title_));
    text("footer", footer());
    text("x_label", figure_.x_metric.empty() ? axis_label(figure_.x, x_) : metric_label(shared_x()));
    if (is_surface()) text("y_label", axis_label(figure_.y, y_));
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      if (Figure::has_own_x(figure_.panels[p])) text(x_label(p), own_x_label(p));
      text("label_" + std::to_string(p + 1), panel_label(figure_.panels[p]));
      text("caption_" + std::to_string(p + 1), panel_caption(figure_, p));
    }
    const auto entries = legend_texts();
    for (std::size_t s = 0; s < entries.size(); ++s) text("series_" + std::to_string(s + 1), entries[s]);
    line("");
  }

  void write_panel(std::size_t p) {
    const std::string id = std::to_string(p + 1);
    line("");
    line("# panel " + id);
    write_area(p);
    if (has_captions(figure_))
      line("set label 3 caption_" + id + " at " +
           screen(page_.panel_left(p) + page_.panel_width / 2, page_.panel_top(p) - 14) + " center enhanced");
    write_x_axis(p);
    if (is_surface()) write_surface(p);
    else write_curves(p);
    if (p == 0) line(unset_page_texts(off_log_scale_.text()));
  }
  /// Curves get the plot's own place; a surface, which gnuplot fits in, the place with its labels.
  void write_area(std::size_t p) {
    const double left = page_.panel_left(p), cell = page_.left + page_.panel_width + page_.right;
    if (is_surface())
      return line("set origin " + script_number((left - page_.left) / page_.width()) + "," +
                  script_number(16 / page_.height()) + "; set size " + script_number((cell - 20) / page_.width()) + "," +
                  script_number((page_.height() - page_.above + 20) / page_.height()));
    line(size().plot_area(left, page_.panel_top(p), page_.panel_width, page_.panel_height));
  }
  /// The variable that holds the label of a panel's x axis.
  std::string x_label(std::size_t p) const {
    return "x_label" + (Figure::has_own_x(figure_.panels[p]) ? "_" + std::to_string(p + 1) : "");
  }
  std::string own_x_label(std::size_t p) const {
    const FigurePanel& panel = figure_.panels[p];
    return figure_.x_metric_of(panel).empty() ? label_text(panel.x_label) : metric_label(p);
  }
  /// A panel on the figure's own x axis; any where there is none.
  std::size_t shared_x() const {
    const auto shared = std::ranges::find_if_not(figure_.panels, Figure::has_own_x);
    return shared == figure_.panels.end() ? 0 : static_cast<std::size_t>(shared - figure_.panels.begin());
  }
  /// Of an x axis that shows a metric.
  std::string metric_label(std::size_t p) const {
    const FigurePanel& panel = figure_.panels[p];
    return axis_label(Figure::has_own_x(panel) ? panel.x_label : figure_.x.label, metric_of(figure_.x_metric_of(panel)),
                      x_power(p));
  }
  /// The metric's values that a panel's x axis shows: its own, or of all panels that share it.
  YRange x_range(std::size_t p) const {
    YRange range;
    for (std::size_t q = 0; q < panels_.size(); ++q)
      if (q == p || (!Figure::has_own_x(figure_.panels[p]) && !Figure::has_own_x(figure_.panels[q])))
        for (const SummaryRow* row : panels_[q]) range.add(x_in(*row, figure_.panels[q]), figure_.x.log);
    return range;
  }
  bool has_x_powers(std::size_t p) const { return figure_.x.log && x_range(p).needs_powers(); }
  /// The power of ten that the tics of an x axis leave out.
  int x_power(std::size_t p) const { return has_x_powers(p) ? 0 : x_range(p).power_of_ten(); }
  void write_x_axis(std::size_t p) {
    const bool own = Figure::has_own_x(figure_.panels[p]);
    const bool powers = !figure_.x_metric_of(figure_.panels[p]).empty() && has_x_powers(p);
    write_format("x", powers);
    if (figure_.x_metric_of(figure_.panels[p]).empty())
      return write_axis("x", figure_.x, own ? scale_of_panel(p) : x_, x_label(p));
    line("set xlabel " + x_label(p) + " enhanced");
    line(figure_.x.log ? "set logscale x" : "unset logscale x");
    const double unit = std::pow(10, x_power(p));
    YRange values = x_range(p);
    if (values.least > values.most) values.add(unit, figure_.x.log);  // no results, so any will do
    const YRange shown = values.with_margin(figure_.x.log);
    line("set xrange [" + number_text(shown.least / unit) + ":" + number_text(shown.most / unit) + "]");
    if (!figure_.x.log || shown.most >= 100 * shown.least) return line("set xtics autofreq");
    write_named_tics("x", log_tics(values.least / unit, values.most / unit));
  }
  /// Numbers, or powers of ten alone: an axis keeps its format until another panel wants the other.
  void write_format(const std::string& axis, bool powers) {
    bool& has_powers = axis == "x" ? has_x_powers_ : has_powers_;
    if (powers != has_powers) line("set format " + axis + (powers ? " '10^{%T}'" : " '%g'"));
    has_powers = powers;
  }
  /// The values of x that a panel has.
  AxisScale scale_of_panel(std::size_t p) const {
    AxisScale all = x_, own = x_;
    own.texts.clear();
    own.positions.clear();
    const auto shown = [&](const std::string& text) {
      return std::ranges::any_of(panels_[p],
                                 [&](const auto* row) { return value_of_key(summary_, *row, figure_.x.key) == text; });
    };
    for (std::size_t i = 0; i < all.texts.size(); ++i)
      if (panels_[p].empty() || shown(all.texts[i])) {
        own.texts.push_back(all.texts[i]);
        own.positions.push_back(all.positions[i]);
      }
    return own;
  }
  void write_axis(const std::string& axis, const FigureAxis& about, const AxisScale& scale, const std::string& label) {
    line("set " + axis + "label " + label + " enhanced" +
         (is_surface() ? " rotate parallel offset 0,-0.6" : ""));
    line((about.log ? "set logscale " : "unset logscale ") + axis);
    const auto [least, most] = std::ranges::minmax(scale.positions);
    const double from = about.log ? std::log(least) : least, to = about.log ? std::log(most) : most;
    // A surface fills its floor; points of curves keep off the frame.
    const double edge = is_surface() && most > least ? 0 : most > least && !scale.words ? 0.03 * (to - from) : 0.5;
    const auto back = [&](double at) { return number_text(about.log ? std::exp(at) : at); };
    line("set " + axis + "range [" + back(from - edge) + ":" + back(to + edge) + "]");
    write_tics(axis, about, scale);
  }
  /// Off the edges of a surface's floor.
  std::string tic_offset() const { return is_surface() ? " offset 0,-0.3" : ""; }
  void write_named_tics(const std::string& axis, const std::vector<double>& tics) {
    out_ << "set " << axis << "tics noenhanced (";
    for (std::size_t i = 0; i < tics.size(); ++i)
      out_ << (i > 0 ? ", " : "") << script_string(short_number(tics[i])) << ' ' << number_text(tics[i]);
    out_ << ")\n";
  }
  /// Words always, few values of a log axis by themselves; else gnuplot's choice.
  void write_tics(const std::string& axis, const FigureAxis& about, const AxisScale& scale) {
    if (!scale.words && (!about.log || scale.positions.size() > kMostTics))
      return line("set " + axis + "tics autofreq" + tic_offset());
    const bool powers = !scale.words && are_long_powers_of_ten(scale.positions);
    const auto name = [&](std::size_t i) {
      if (powers) return "10^{" + short_number(std::round(std::log10(scale.positions[i]))) + "}";
      return scale.words ? short_name(scale.texts[i]) : short_number(scale.positions[i]);
    };
    out_ << "set " << axis << "tics" << tic_offset() << (powers ? " enhanced (" : " noenhanced (");
    for (std::size_t i = 0; i < scale.positions.size(); ++i)
      out_ << (i > 0 ? ", " : "") << tic_string(name(i)) << ' ' << number_text(scale.positions[i]);
    out_ << ")\n";
  }
  /// 1, 10, ... beyond what is read at a glance.
  static bool are_long_powers_of_ten(const std::vector<double>& positions) {
    const auto is_power = [](double x) { return x == std::pow(10.0, std::round(std::log10(x))); };
    return std::ranges::max(positions) >= 1e5 && std::ranges::all_of(positions, is_power);
  }

  // ---- curves ----

  void write_curves(std::size_t p) {
    const std::string id = std::to_string(p + 1);
    const FigurePanel& panel = figure_.panels[p];
    line("set ylabel label_" + id + " enhanced");
    line(panel.log ? "set logscale y" : "unset logscale y");
    line("set grid linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'; set errorbars 0.7; set border linewidth 1.2");
    const bool last = p + 1 == panels_.size();
    write_key(last);
    if (panels_[p].empty()) line("set yrange [1:2]; set label 4 'no results' at graph 0.5, graph 0.5 center");
    else write_y_range(p);
    out_ << "plot NaN notitle";
    const std::size_t curves = has_series() ? series_.texts.size() : 1;
    for (std::size_t s = 0; s < curves && !panels_[p].empty(); ++s) {
      for (const auto& name : panel.theory)
        if (has_theory(p, name)) write_theory(panel, name, s, curves);
      write_curve(panel, s, curves);
    }
    if (last && has_legend()) write_key_entries(curves);
    out_ << '\n';
  }
  /// gnuplot's own, or one that all panels of the metric share.
  void write_y_range(std::size_t p) {
    const FigurePanel& panel = figure_.panels[p];
    YRange shown = range_in(p), all = shown;
    for (std::size_t q = 0; q < panels_.size(); ++q) {
      const FigurePanel& other = figure_.panels[q];
      if (other.metric == panel.metric && other.half_width == panel.half_width && other.log == panel.log)
        all.add(range_in(q));
    }
    if (figure_.same_scale) {
      shown = all.with_margin(panel.log);
      line("set yrange [" + number_text(shown.least) + ":" + number_text(shown.most) + "]; unset label 4");
    } else {
      line("set autoscale y; unset label 4");
    }
    write_format("y", panel.log && shown.needs_powers());
  }
  /// What a panel of curves shows: values, the ends of their bars, theory.
  YRange range_in(std::size_t p) const {
    const FigurePanel& panel = figure_.panels[p];
    YRange range;
    for (const SummaryRow* row : panels_[p]) {
      range.add(value_in(*row, panel), panel.log);
      const Estimate e = estimate_in(*row, panel.metric);
      for (const double end : {e.low, e.high})
        if (!panel.half_width) range.add(end, panel.log);
      for (const auto& name : panel.theory) range.add(estimate_in(*row, name).value, panel.log);
    }
    return range;
  }
  void write_key(bool last) {
    if (!last || !has_legend()) return line("unset key");
    const double left = page_.panel_left(page_.columns - 1) + page_.panel_width + 12;
    line("set key at " + screen(left, page_.above + 4) +
         " left top Left reverse vertical enhanced samplen 3 spacing 1.25 maxrows 18");
  }
  void write_key_entries(std::size_t curves) {
    for (std::size_t s = 0; s < curves; ++s)
      out_ << ", \\\n  keyentry with linespoints " << style(s, curves) << " title series_" << s + 1;
    for (std::size_t t = 0; t < theories_.size(); ++t)  // of no curve's colour: it stands for all of them
      out_ << ", \\\n  keyentry with lines " << theory_style(t, theory_grey(t)) << " title series_" << curves + t + 1;
  }
  static std::string theory_grey(std::size_t t) { return kTheoryGreys[t % std::size(kTheoryGreys)]; }
  static std::string theory_style(std::size_t t, const std::string& colour) {
    return "linecolor rgb '" + colour + "' linewidth 1.3 dashtype " + kTheoryDashes[t % std::size(kTheoryDashes)];
  }
  static std::string point(std::size_t s) {
    return "pointtype " + std::to_string(kPointTypes[s % std::size(kPointTypes)]) + " pointsize 0.8";
  }
  static std::string style(std::size_t s, std::size_t of) {
    return "linecolor rgb '" + colours(of)[s] + "' linewidth 2 dashtype " + kDashTypes[s % std::size(kDashTypes)] +
           " " + point(s);
  }
  void write_curve(const FigurePanel& panel, std::size_t s, std::size_t of) {
    if (!panel.half_width) write_bars(panel, s, of);
    out_ << ", \\\n  " << source() << " using (" << curve_x(panel, s) << "):(column("
         << script_string(panel.metric + (panel.half_width ? "_hw" : "")) << ")) with linespoints " << style(s, of)
         << " notitle";
  }
  void write_bars(const FigurePanel& panel, std::size_t s, std::size_t of) {
    const std::string y = script_string(panel.metric), low = script_string(panel.metric + "_low"),
                      high = script_string(panel.metric + "_high");
    const auto end = [&](const std::string& bar) { return "(end_of(column(" + bar + "), column(" + y + ")))"; };
    out_ << ", \\\n  " << source() << " using (" << curve_x(panel, s) << "):(column(" << y << ")):" << end(low) << ":"
         << end(high) << " with yerrorbars linecolor rgb '" << colours(of)[s] << "' linewidth 1.2 dashtype 1 "
         << point(s) << " notitle";
  }
  /// In the curve's colour, by the same column of x.
  void write_theory(const FigurePanel& panel, const std::string& name, std::size_t s, std::size_t of) {
    const auto t = static_cast<std::size_t>(std::ranges::find(theories_, name) - theories_.begin());
    out_ << ", \\\n  " << source() << " using (" << curve_x(panel, s) << "):(column(" << script_string(name)
         << ")) with lines " << theory_style(t, has_series() ? colours(of)[s] : theory_grey(t)) << " notitle";
  }
  /// gnuplot's expression for x: NaN in rows that are none of this curve's.
  std::string curve_x(const FigurePanel& panel, std::size_t s) const {
    std::vector<FigureCondition> conditions = panel.where;
    if (has_series()) conditions.push_back({figure_.series.key, series_.texts[s], {}});
    const std::string x = x_of(panel);
    return conditions.empty() ? x : filter(conditions) + " ? " + x + " : NaN";
  }
  /// gnuplot's expression for x in a row of the panel's.
  std::string x_of(const FigurePanel& panel) const {
    const std::string& metric = figure_.x_metric_of(panel);
    if (metric.empty()) return "position(strcol(" + script_string(key_name(figure_.x.key)) + "))";
    const int power = x_power(static_cast<std::size_t>(&panel - figure_.panels.data()));
    return "column(" + script_string(metric) + ")" + (power == 0 ? "" : "/1e" + std::to_string(power));
  }
  std::string filter(const std::vector<FigureCondition>& conditions) const {
    std::string out;
    for (const auto& c : conditions)
      out += (out.empty() ? "" : " && ") + ("strcol(" + script_string(key_name(c.key))) + ") eq " +
             value_string(c.key, c.value);
    return out;
  }

  // ---- surfaces ----

  void write_surface(std::size_t p) {
    const std::string id = std::to_string(p + 1);
    const FigurePanel& panel = figure_.panels[p];
    write_axis("y", figure_.y, y_, "y_label");
    line("set zlabel label_" + id + " enhanced rotate parallel offset -1,0");
    line(panel.log ? "set logscale zcb" : "unset logscale zcb");
    line("set view 58, 325; set xyplane relative 0; set ticslevel 0; set border 127 linewidth 0.8");
    line("set grid x y z vertical linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'; unset key");
    const double right = page_.panel_left(p) + page_.panel_width + 40;
    line("set colorbox vertical user origin " + screen(right, page_.above + 0.8 * page_.panel_height) +
         " size screen " + script_number(14 / page_.width()) + ", screen " +
         script_number(0.6 * page_.panel_height / page_.height()));
    write_palette();
    line("set pm3d depthorder border linecolor rgb 'black' linewidth 0.7");
    if (panels_[p].empty())
      line("set zrange [1:2]; set cbrange [1:2]; set label 4 'no results' at graph 0.5, graph 0.5, graph 0.5 center");
    else line("set autoscale z; set autoscale cb; unset label 4");
    line("splot $panel" + id +
         " using 1:2:3 with pm3d notitle, '' using 1:2:3 with linespoints linecolor rgb 'black' linewidth 0.8 "
         "pointtype 7 pointsize 0.4 notitle");
  }
  void write_palette() {
    constexpr int kSteps = 14;
    out_ << "set palette defined (";
    for (int i = 0; i <= kSteps; ++i)
      out_ << (i > 0 ? ", " : "") << i << " '" << colour_at(static_cast<double>(i) / kSteps) << "'";
    out_ << ")\n";
  }

  const Figure& figure_;
  const Summary& summary_;
  const std::string& name_;
  AxisScale x_, y_, series_;
  std::vector<std::vector<const SummaryRow*>> panels_;
  Page page_{};
  std::vector<std::string> theories_;  ///< of all panels
  std::vector<std::string> title_;
  bool is_coded_ = false;  ///< codes stand for texts in the script's data
  std::map<std::string, std::vector<std::string>> values_;  ///< of each swept key, each once
  bool has_powers_ = false, has_x_powers_ = false;  ///< of ten, on y and x, until a panel says otherwise
  OffLogScale off_log_scale_;
  std::ostringstream out_;
};

}  // namespace

std::string figure_script(const Figure& figure, const Summary& summary, const std::string& name) {
  if (figure.kind == FigureKind::winners) return winners_script(figure, summary, name);
  if (figure.kind == FigureKind::workstations) return workstations_script(figure, summary, name);
  return ScriptWriter(figure, summary, name).write();
}

}  // namespace nowsim

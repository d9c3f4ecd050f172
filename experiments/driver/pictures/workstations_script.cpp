// Choosing a point's workstations and their order, and writing marks with error bars.
#include "experiments/driver/pictures/workstations_script.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "experiments/driver/pictures/colours.hpp"
#include "experiments/driver/pictures/figure_rows.hpp"
#include "experiments/driver/pictures/figure_texts.hpp"
#include "experiments/driver/pictures/label_text.hpp"
#include "experiments/driver/pictures/page_places.hpp"
#include "experiments/driver/pictures/picture_page.hpp"
#include "experiments/driver/pictures/y_range.hpp"
#include "experiments/driver/running/summary_output.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr int kWorkstationsPointTypes[] = {7, 4,
                                           9};     // of a panel's metrics: a full disc, an open square, a full triangle
constexpr double kPointSizes[] = {0.7, 1.1, 0.8};  // the open one around the others
constexpr std::size_t kMostNamed = 40;             // workstations whose names stand below the axis
/// Pixels: a panel, beside it, a letter of the names and of the legend.
constexpr double kWorkstationsWidth = 520, kHeight = 330, kWorkstationsLeft = 92, kRight = 20, kNameLetter = 6.6,
                 kWorkstationsLetter = 8.6;

/// Whether a bar has a length.
bool has_bar(const Estimate& e) { return std::isfinite(e.low) && std::isfinite(e.high) && e.low < e.high; }

/// A workstation of a panel and its estimates of the panel's metrics.
struct Column {
  std::string name;
  double sorted_by = 0;
  std::vector<Estimate> estimates;
};

class WorkstationsWriter {
 public:
  WorkstationsWriter(const Figure& figure, const Summary& summary, const std::string& name)
      : figure_(figure), summary_(summary), name_(name) {
    for (const auto& panel : figure.panels) {
      panels_.push_back(columns_of(panel));
      for (const auto& metric : panel.metrics)
        if (std::ranges::count(shown_, metric) == 0) shown_.push_back(metric);
    }
    if (std::ranges::all_of(panels_, [](const auto& columns) { return columns.empty(); }))
      throw RunError("there is nothing to draw in the figure " + name + ": no workstation has a value of " +
                     figure.panels.front().metrics.front());
    find_page();
  }

  std::string write() {
    out_ << script_head(name_);
    for (std::size_t p = 0; p < panels_.size(); ++p) write_data(p);
    write_texts();
    out_ << begin_pages(width_, height_, off_log_scale().text());
    for (std::size_t p = 0; p < panels_.size(); ++p) write_panel(p);
    out_ << end_pages();
    return out_.str();
  }

 private:
  // ---- what is drawn ----

  const Metric& metric_of(const std::string& name) const {
    return **std::ranges::find(summary_.metrics, name, [](const Metric* m) { return m->name; });
  }
  /// The point's workstations that have all values, in their order.
  std::vector<Column> columns_of(const FigurePanel& panel) const {
    const auto row = std::ranges::find_if(
        summary_.rows, [&](const SummaryRow& r) { return !r.estimates.empty() && fits(summary_, r, panel.where); });
    std::vector<Column> out;
    if (row == summary_.rows.end()) return out;
    for (std::size_t i = 0; i < row->workstations.size(); ++i) {
      Column column{row->workstations[i], 0, {}};
      for (const auto& metric : panel.metrics) column.estimates.push_back(estimates_in(summary_, *row, metric)[i]);
      if (!figure_.sort.empty()) column.sorted_by = estimates_in(summary_, *row, figure_.sort)[i].value;
      const auto is_known = [](const Estimate& e) { return std::isfinite(e.value); };
      if (std::isfinite(column.sorted_by) && std::ranges::all_of(column.estimates, is_known))
        out.push_back(std::move(column));
    }
    std::ranges::stable_sort(out, std::ranges::greater{}, &Column::sorted_by);
    return out;
  }

  // ---- texts ----

  std::string legend_text(const std::string& metric) const {
    const auto own = figure_.series.labels.find(metric);
    return label_text(own == figure_.series.labels.end() ? metric : own->second);
  }
  std::string panel_label(const FigurePanel& panel) const {
    if (!panel.label.empty()) return label_text(panel.label);
    std::string names;
    for (const auto& metric : panel.metrics) names += (names.empty() ? "" : ", ") + label_text(metric);
    return with_unit(names, metric_of(panel.metrics.front()).unit);
  }
  std::string x_label() const {
    if (!figure_.x.label.empty()) return label_text(figure_.x.label);
    return "workstation" + (figure_.sort.empty() ? "" : ", by falling " + label_text(figure_.sort));
  }
  std::string footer() const {
    const Provenance p = provenance_of(summary_);
    if (p.replications == "1") return "1 replication, " + p.origin();
    const std::string level = p.confidence == "several" ? "several confidences" : p.confidence + " confidence";
    return p.replications + " replications, bars: " + level + ", " + p.origin();
  }
  OffLogScale off_log_scale() const {
    OffLogScale off;
    for (std::size_t p = 0; p < panels_.size(); ++p)
      for (const auto& column : panels_[p])
        for (const Estimate& e : column.estimates)
          if (figure_.panels[p].log && e.value <= 0) off.add(e.value);
    return off;
  }

  // ---- places, in pixels from the page's upper left corner ----

  bool has_names(std::size_t p) const { return panels_[p].size() <= kMostNamed; }
  void find_page() {
    std::size_t longest = 0, entry = 0;
    for (std::size_t p = 0; p < panels_.size(); ++p)
      for (const auto& column : panels_[p])
        if (has_names(p)) longest = std::max(longest, label_width(name_text(column.name)));
    for (const auto& metric : shown_) entry = std::max(entry, label_width(legend_text(metric)));
    names_ = std::max(18.0, kNameLetter * static_cast<double>(longest) + 6);
    legend_ = shown_.size() < 2 ? 0 : 55 + kWorkstationsLetter * static_cast<double>(entry) + 15;
    width_ = static_cast<double>(panels_.size()) * (kWorkstationsLeft + kWorkstationsWidth + kRight) + legend_;
    title_ = title_lines(summary_.title, width_);
    above_ = 22 + 21 * static_cast<double>(title_.size()) + (has_captions(figure_) ? 24 : 0);
    height_ = above_ + kHeight + names_ + 66;
  }
  static double panel_left(std::size_t p) {
    return kWorkstationsLeft + static_cast<double>(p) * (kWorkstationsLeft + kWorkstationsWidth + kRight);
  }
  std::string screen(double x, double y) const { return PageSize{width_, height_}.at(x, y); }

  // ---- the script ----

  void line(const std::string& text) { out_ << text << '\n'; }
  /// All texts are variables: nothing of them stands in a command.
  void text(const std::string& variable, const std::string& value) { line(variable + " = " + script_string(value)); }
  static std::string id(std::size_t i) { return std::to_string(i + 1); }

  /// Per workstation its place, and per metric value and the ends of its bar: none where unknown or of no length.
  void write_data(std::size_t p) {
    line("$panel" + id(p) + " << END_OF_PANEL");
    for (std::size_t i = 0; i < panels_[p].size(); ++i) {
      out_ << i + 1;
      for (const Estimate& e : panels_[p][i].estimates)
        out_ << ',' << number_text(e.value)
             << (has_bar(e) ? "," + number_text(e.low) + "," + number_text(e.high) : ",NaN,NaN");
      out_ << '\n';
    }
    line("END_OF_PANEL\n");
  }
  void write_texts() {
    text("title", joined_lines(title_));
    text("footer", footer());
    text("x_label", x_label());
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      text("label_" + id(p), panel_label(figure_.panels[p]));
      text("caption_" + id(p), panel_caption(figure_, p));
    }
    for (std::size_t m = 0; m < shown_.size(); ++m) text("series_" + id(m), legend_text(shown_[m]));
    line("");
  }
  void write_panel(std::size_t p) {
    line("\n# panel " + id(p));
    line(PageSize{width_, height_}.plot_area(panel_left(p), above_, kWorkstationsWidth, kHeight));
    if (has_captions(figure_))
      line("set label 3 caption_" + id(p) + " at " + screen(panel_left(p) + kWorkstationsWidth / 2, above_ - 14) +
           " center enhanced");
    write_axes(p);
    write_key(p);
    line("set grid linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'; set errorbars 0.7; set border linewidth 1.2");
    write_marks(p);
    if (p == 0) line(unset_page_texts(off_log_scale().text()));
  }
  void write_axes(std::size_t p) {
    const std::size_t n = panels_[p].size();
    // gnuplot would put an axis' label where it guesses that the names end.
    line("set label 5 x_label at " + screen(panel_left(p) + kWorkstationsWidth / 2, above_ + kHeight + names_ + 22) +
         " center enhanced");
    line("set ylabel label_" + id(p) + " enhanced");
    line("set xrange [0.25:" + script_number(static_cast<double>(std::max<std::size_t>(n, 1)) + 0.75) + "]");
    write_names(p);
    const YRange range = figure_.same_scale ? range_of_metrics(figure_.panels[p].metrics) : range_in(p);
    const YRange shown = range.with_margin(figure_.panels[p].log);
    line(figure_.panels[p].log ? "set logscale y" : "unset logscale y");
    if (n == 0) return line("set yrange [1:2]; set label 4 'no results' at graph 0.5, graph 0.5 center");
    line("set yrange [" + number_text(shown.least) + ":" + number_text(shown.most) + "]; unset label 4");
  }
  void write_names(std::size_t p) {
    if (!has_names(p)) return line("set xtics norotate autofreq font ',12'");
    out_ << "set xtics rotate by 90 right noenhanced font ',9' (";
    for (std::size_t i = 0; i < panels_[p].size(); ++i)
      out_ << (i > 0 ? ", " : "") << tic_string(short_name(panels_[p][i].name)) << ' ' << i + 1;
    out_ << ")\n";
  }
  YRange range_in(std::size_t p) const {
    YRange range;
    for (const auto& column : panels_[p])
      for (const Estimate& e : column.estimates)
        for (const double y : {e.value, e.low, e.high}) range.add(y, figure_.panels[p].log);
    return range;
  }
  /// Of all panels that show the same metrics.
  YRange range_of_metrics(const std::vector<std::string>& metrics) const {
    YRange range;
    for (std::size_t p = 0; p < panels_.size(); ++p)
      if (figure_.panels[p].metrics == metrics) range.add(range_in(p));
    return range;
  }
  void write_key(std::size_t p) {
    if (legend_ == 0 || p + 1 < panels_.size()) return line("unset key");
    line("set key at " + screen(panel_left(p) + kWorkstationsWidth + 12, above_ + 4) +
         " left top Left reverse vertical enhanced samplen 1 spacing 1.25");
  }
  std::size_t number_of(const std::string& metric) const {
    return static_cast<std::size_t>(std::ranges::find(shown_, metric) - shown_.begin());
  }
  std::string colour(std::size_t shown) const {
    return "linecolor rgb '" + colours(shown_.size())[shown] + "' linewidth 1.4";
  }
  std::string style(std::size_t shown) const {
    return colour(shown) + " pointtype " +
           std::to_string(kWorkstationsPointTypes[shown % std::size(kWorkstationsPointTypes)]) + " pointsize " +
           short_number(kPointSizes[shown % std::size(kPointSizes)]);
  }
  bool has_bars(std::size_t p, std::size_t m) const {
    return std::ranges::any_of(panels_[p], [m](const Column& column) { return has_bar(column.estimates[m]); });
  }
  /// Bars first: gnuplot blanks what lies behind a mark with a bar.
  void write_marks(std::size_t p) {
    const std::size_t marks = panels_[p].empty() ? 0 : figure_.panels[p].metrics.size();
    out_ << "plot NaN notitle";
    for (std::size_t m = 0; m < marks; ++m)
      if (has_bars(p, m))
        out_ << ", \\\n  $panel" << id(p) << " using 1:" << 3 * m + 2 << ":" << 3 * m + 3 << ":" << 3 * m + 4
             << " with yerrorbars " << colour(number_of(figure_.panels[p].metrics[m])) << " pointtype -1 notitle";
    for (std::size_t m = 0; m < marks; ++m)
      out_ << ", \\\n  $panel" << id(p) << " using 1:" << 3 * m + 2 << " with points "
           << style(number_of(figure_.panels[p].metrics[m])) << " notitle";
    for (std::size_t k = 0; k < shown_.size() && legend_ > 0 && p + 1 == panels_.size(); ++k)
      out_ << ", \\\n  keyentry with points " << style(k) << " title series_" << id(k);
    out_ << '\n';
  }

  const Figure& figure_;
  const Summary& summary_;
  const std::string& name_;
  std::vector<std::vector<Column>> panels_;
  std::vector<std::string> shown_;  ///< the metrics of all panels, each once
  std::vector<std::string> title_;  ///< lines
  double names_ = 0, legend_ = 0, above_ = 0, width_ = 0, height_ = 0;
  std::ostringstream out_;
};

}  // namespace

std::string workstations_script(const Figure& figure, const Summary& summary, const std::string& name) {
  return WorkstationsWriter(figure, summary, name).write();
}

}  // namespace nowsim

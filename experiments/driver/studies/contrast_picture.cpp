// Writing the script: a data block per panel and kind of mark, panels in rows, the marks' legend below.
#include "experiments/driver/studies/contrast_picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "experiments/driver/pictures/colours.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/script.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/contrast_text.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostContrastPanels = 12, kMostContrastColumns = 3, kLongestValue = 24;
/// Pixels: of panels, what stands around them, a value's line, a letter of a tic's label, of a panel's title and of the
/// footer.
constexpr double kContrastWidth = 300, kContrastAlone = 460, kContrastLeft = 26, kContrastBeside = 22,
                 kContrastTitle = 30, kContrastBelow = 56, kContrastLine = 21, kContrastLetter = 7.6,
                 kContrastTitleLetter = 7.4, kContrastFooterLetter = 6.1, kContrastFooter = 62;

/// How standings are drawn: told from each other on a grey print, too.
struct Mark {
  const char* name;
  int point_type;
  const char* colour;
  std::vector<ContrastStanding> of;
};
const std::vector<Mark>& marks() {
  static const std::vector<Mark> all{
      {"best", 7, "#117733", {ContrastStanding::best}},
      {"may be best", 6, "#332288", {ContrastStanding::may_be_best}},
      {"better", 7, "#117733", {ContrastStanding::better}},
      {"lower", 11, "#332288", {ContrastStanding::lower}},
      {"not told apart", 6, "#606060", {ContrastStanding::not_told, ContrastStanding::same}},
      {"worse", 9, "#cc6677", {ContrastStanding::worse}},
      {"higher", 9, "#cc6677", {ContrastStanding::higher}},
      {"what the others are compared with", 5, "#000000", {ContrastStanding::compared_with}}};
  return all;
}

class ContrastPicture {
 public:
  ContrastPicture(const ContrastReport& report, PictureFormat format) : report_(report), format_(format) {
    for (const auto& contrasts : report.metrics)
      for (const auto& cell : contrasts.cells) {
        if (!cell.nothing.empty()) continue;
        ++cells_;
        if (panels_.size() < kMostContrastPanels) panels_.push_back({&contrasts, &cell});
      }
    if (panels_.empty()) throw RunError("there is nothing to draw: nothing could be compared");
    find_page();
  }

  std::string write() {
    script_ << picture_page({format_, page_, title_, footer()});
    script_.line("set multiplot; set border linewidth 1.2; set format x '%g'; set tics scale 0.5");
    script_.line("set grid xtics linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'; set ytics nomirror scale 0");
    script_.line(
        "set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead back linewidth 1.4 linecolor rgb '#202020'");
    write_legend();
    for (std::size_t p = 0; p < panels_.size(); ++p) write_panel(p);
    script_.line("unset multiplot\nunset output");
    return script_.str();
  }

 private:
  struct Panel {
    const MetricContrasts* contrasts;
    const ContrastCell* cell;
  };

  void find_page() {
    std::size_t longest = 0, most = 0;
    for (const auto& panel : panels_) {
      most = std::max(most, panel.cell->values.size());
      for (const auto& value : panel.cell->values) longest = std::max(longest, shown_width(label_of_value(value)));
    }
    grid_.columns = std::min(kMostContrastColumns, panels_.size());
    grid_.panel_width = panels_.size() == 1 ? kContrastAlone : kContrastWidth;
    grid_.panel_height = kContrastLine * static_cast<double>(std::max<std::size_t>(most, 3));
    grid_.left = kContrastLeft + kContrastLetter * static_cast<double>(longest);
    grid_.beside = grid_.left + kContrastBeside;
    grid_.below = kContrastBelow + kContrastTitle;
    const auto columns = static_cast<double>(grid_.columns);
    const double footers = kContrastFooterLetter * static_cast<double>(shown_width(footer())) + 24;
    page_.width = std::max(footers, columns * (grid_.panel_width + grid_.beside) + 10);
    grid_.panel_width = (page_.width - 10) / columns - grid_.beside;
    title_ = title_lines(report_.summary.title + ": " + question(), page_.width);
    grid_.above = 26 + 21 * static_cast<double>(title_.size()) + kContrastTitle;
    const double rows = std::ceil(static_cast<double>(panels_.size()) / columns);
    page_.height = grid_.above + rows * (grid_.panel_height + grid_.below) + kContrastFooter - kContrastTitle;
  }

  /// Of the one metric that there is, or of all.
  [[nodiscard]] std::string question() const {
    const MetricContrasts* first = panels_.front().contrasts;
    const bool is_one = std::ranges::all_of(panels_, [&](const Panel& p) { return p.contrasts == first; });
    return is_one ? question_of(report_, *first) : "each " + report_.key + " beside " + compared_name(report_);
  }

  static std::string label_of_value(const ContrastValue& value) {
    return shortened(short_name(value.value), kLongestValue);
  }

  [[nodiscard]] std::string footer() const {
    const Provenance p = provenance_of(report_.summary);
    const std::string some = cells_ == panels_.size() ? ""
                                                      : "the first " + std::to_string(panels_.size()) + " of " +
                                                            std::to_string(cells_) + " cells; ";
    return some + p.replications + (p.replications == "1" ? " replication, " : " replications, ") + "bars: " +
           p.confidence + " confidence (" + joint_text(report_) + "), " + p.origin();
  }

  [[nodiscard]] std::string title_of(const Panel& panel) const {
    const bool is_one_metric = report_.metrics.size() == 1;
    const std::string cell = cell_text(*panel.cell);
    const std::string metric = is_one_metric ? "" : panel.contrasts->metric->name + (cell.empty() ? "" : ": ");
    return shortened(short_name(metric + cell), static_cast<std::size_t>(grid_.panel_width / kContrastTitleLetter));
  }

  // ---- a panel ----

  /// In the unit of differences; where its interval is not known, or has no end, a value alone is drawn.
  static Estimate drawn(const Panel& panel, const ContrastValue& value) {
    const double unit = contrast_unit(*panel.contrasts).seconds;
    const Estimate& e = value.difference;
    return std::isfinite(e.low) && std::isfinite(e.high) ? Estimate{e.value / unit, e.low / unit, e.high / unit}
                                                         : exactly(e.value / unit);
  }

  static std::string range_of(const Panel& panel) {
    double low = 0, high = 0;
    for (const auto& value : panel.cell->values) {
      low = std::min(low, drawn(panel, value).low);
      high = std::max(high, drawn(panel, value).high);
    }
    const double edge = high > low ? 0.06 * (high - low) : 1;
    return "set xrange [" + script_value(low - edge) + ":" + script_value(high + edge) + "]; set xtics " +
           script_value(step_of(high - low + 2 * edge));
  }
  /// Between tics, so that their numbers keep apart: 1, 2 or 5 times a power of ten, five or fewer of an axis.
  static double step_of(double range) {
    const double least = range / 5, power = std::pow(10, std::floor(std::log10(least)));
    for (const double step : {1.0, 2.0, 5.0})
      if (step * power >= least) return step * power;
    return 10 * power;
  }
  static std::string script_value(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.8g", x);
    return text;
  }

  void write_panel(std::size_t p) {
    const Panel& panel = panels_[p];
    const std::size_t n = panel.cell->values.size();
    for (std::size_t k = 0; k < marks().size(); ++k) write_data(p, k);
    script_.line(page_.plot_area(grid_.left_of(p), grid_.top_of(p), grid_.panel_width, grid_.panel_height));
    script_.line(range_of(panel));
    script_.line("set yrange [0.4:" + std::to_string(n) + ".6]");
    std::string tics;
    for (std::size_t i = 0; i < n; ++i)
      tics += (i > 0 ? ", " : "") + tic_string(label_of_value(panel.cell->values[i])) + " " + std::to_string(n - i);
    script_.line("set ytics (" + tics + ") noenhanced");
    script_.line("set title " + script_string(title_of(panel)) + " noenhanced offset 0,-0.5");
    const std::string unit = difference_unit(contrast_unit(*panel.contrasts));
    script_.line("set xlabel " +
                 script_string(panel.contrasts->metric->name + " less that of " +
                               shortened(short_name(compared_name(report_)), kLongestValue) +
                               (unit.empty() ? "" : " [" + unit + "]")) +
                 " noenhanced offset 0,0.3");
    script_ << "plot NaN notitle";
    for (std::size_t k = 0; k < marks().size(); ++k) write_marks(p, k);
    script_.line(p == 0 ? "\nunset label" : "");
  }

  static std::string look_of(const Mark& mark) {
    return std::string(" linecolor rgb '") + mark.colour + "' pointtype " + std::to_string(mark.point_type) +
           " pointsize 0.9";
  }

  /// Beneath all panels; drawn with the first.
  void write_legend() {
    double left = 20;
    int tag = 10;
    for (const Mark& mark : marks()) {
      if (std::ranges::none_of(panels_, [&](const Panel& at) { return is_marked(*at.cell, mark); })) continue;
      script_.line("set label " + std::to_string(tag++) + " " + script_string(mark.name) + " at " +
                   page_.at(left, page_.height - 32) + " left noenhanced point" + look_of(mark) + " offset 1,0");
      left += 40 + 1.15 * kContrastLetter * static_cast<double>(shown_width(mark.name));
    }
  }

  static bool is_marked(const ContrastCell& cell, const Mark& mark) {
    return std::ranges::any_of(cell.values, [&](const ContrastValue& value) {
      return std::ranges::find(mark.of, value.standing) != mark.of.end();
    });
  }

  void write_data(std::size_t p, std::size_t k) {
    const ContrastCell& cell = *panels_[p].cell;
    if (!is_marked(cell, marks()[k])) return;
    std::string rows;
    for (std::size_t i = 0; i < cell.values.size(); ++i) {
      const ContrastValue& value = cell.values[i];
      if (std::ranges::find(marks()[k].of, value.standing) == marks()[k].of.end()) continue;
      const Estimate e = drawn(panels_[p], value);
      rows += script_value(e.value) + " " + std::to_string(cell.values.size() - i) + " " + script_value(e.low) + " " +
              script_value(e.high) + "\n";
    }
    script_.block("panel" + std::to_string(p) + "_" + std::to_string(k), rows);
  }

  void write_marks(std::size_t p, std::size_t k) {
    const Mark& mark = marks()[k];
    if (is_marked(*panels_[p].cell, mark))
      script_ << ", \\\n  $panel" << p << "_" << k << " using 1:2:3:4 with xerrorbars linewidth 1.6" << look_of(mark)
              << " notitle";
  }

  const ContrastReport& report_;
  PictureFormat format_;
  std::vector<Panel> panels_;
  std::size_t cells_ = 0;
  PanelGrid grid_;
  std::vector<std::string> title_;
  Page page_;
  Script script_;
};

}  // namespace

std::string contrast_script(const ContrastReport& report, PictureFormat format) {
  return ContrastPicture(report, format).write();
}

}  // namespace nowsim

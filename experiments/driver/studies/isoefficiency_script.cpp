// Writing the script: data and lines of each curve, two panels side by side, a legend at their right.
#include "experiments/driver/studies/isoefficiency_script.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "experiments/driver/pictures/colours.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/script.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/isoefficiency_text.hpp"
#include "experiments/driver/studies/plan_text.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace {

/// A law, and its label.
struct Panel {
  const char* law;
  const char* label;
  bool is_power;  ///< its unit is that of p_T
};
/// A law of heterogeneous systems, and the one of classic isoefficiency that it becomes where all machines are alike.
using PanelPair = std::array<Panel, 2>;
/// BO's Fig. 1 (b) and (a) first, then Fig. 2's.
constexpr PanelPair kPairs[] = {{{{"p_T_log_p", "p_T log_2 p", true}, {"p_log_p", "p log_2 p", false}}},
                                {{{"p_T_p", "p_T p", true}, {"p_p", "p^2", false}}},
                                {{{"p_T", "p_T", true}, {"p", "p", false}}}};
constexpr int kGrowthPointTypes[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};

/// Pixels: of a panel, beside and between panels, of the page's lower edge, of a letter and of a line of the legend.
constexpr double kGrowthPlotWidth = 400, kGrowthPlotHeight = 340, kGrowthLeft = 104, kGrowthGap = 24, kGrowthBelow = 84,
                 kGrowthLetter = 8.4, kGrowthLegendLine = 21;
constexpr double kLongNumbers = 1e4;  // from here on numbers beneath an axis would touch each other
constexpr double kManyTimes = 50;     // the largest sizes of curves so far apart: then axes are logarithmic

bool has(const PanelPair& pair, const GrowthLaw& law) {
  return std::ranges::any_of(pair, [&](const Panel& panel) { return std::string(panel.law) == law.name; });
}

/// The pair of the law that all curves tell which tell one; else the first.
const PanelPair& pair_for(const std::vector<const IsoefficiencyCurve*>& curves) {
  const PanelPair* told = nullptr;
  for (const auto* curve : curves) {
    const auto best = curve->best();
    if (best.empty()) continue;
    const auto& own =
        *std::ranges::find_if(kPairs, [&](const PanelPair& pair) { return has(pair, *best.front()->law); });
    if (told != nullptr && told != &own) return kPairs[0];
    told = &own;
  }
  return told != nullptr ? *told : kPairs[0];
}

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.8g", x);
  return text;
}

class GrowthWriter {
 public:
  GrowthWriter(const IsoefficiencyReport& report, PictureFormat format) : report_(report), format_(format) {
    std::size_t longest = 0;
    for (const auto& curve : report.family.curves) {
      if (std::ranges::none_of(curve.points, &IsoefficiencyPoint::has_size)) continue;
      curves_.push_back(&curve);
      longest = std::max(longest, shown_width(legend(curve)));
    }
    if (curves_.empty()) throw RunError("there is nothing to draw: no size was found");
    panels_ = pair_for(curves_);
    for (const auto* curve : curves_)
      for (const auto& point : curve->points)
        if (point.has_size) note(point.system);
    is_log_ = spread_of_tops() > kManyTimes;
    power_ = work_unit(most_x_[0]);
    if (most_x_[1] >= kLongNumbers) thousands_ = static_cast<int>(std::log10(most_x_[1]) / 3);
    page_.width = panel_left(panels_.size()) - kGrowthLeft + 66 + kGrowthLetter * static_cast<double>(longest);
    title_ = title_lines(report.summary.title + ": " + report.key + " that keeps " + report.metric, page_.width);
    above_ = 26 + 21 * static_cast<double>(title_.size()) + 10;
    page_.height = above_ +
                   std::max(kGrowthPlotHeight, kGrowthLegendLine * static_cast<double>(curves_.size() + 1) - 40) +
                   kGrowthBelow;
  }

  std::string write() {
    for (std::size_t p = 0; p < panels_.size(); ++p)
      for (std::size_t c = 0; c < curves_.size(); ++c) write_data(p, c);
    script_ << picture_page({format_, page_, title_, footer()});
    script_.line("set multiplot");
    script_.line(
        "set grid linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'; set border linewidth 1.2; set format '%g'");
    script_.line("set key at " + page_.at(panel_left(panels_.size()) - kGrowthLeft - kGrowthGap + 12, above_ + 4) +
                 " left top Left reverse vertical noenhanced samplen 2 spacing 1.25");
    for (std::size_t p = 0; p < panels_.size(); ++p) write_panel(p);
    script_.line("unset multiplot\nunset output");
    return script_.str();
  }

 private:
  static double panel_left(std::size_t p) {
    return kGrowthLeft + static_cast<double>(p) * (kGrowthLeft + kGrowthPlotWidth + kGrowthGap);
  }

  [[nodiscard]] std::string legend(const IsoefficiencyCurve& curve) const {
    return short_name(curve_text(report_, curve));
  }

  // ---- what is drawn ----

  static const GrowthLaw& law_of(const Panel& panel) {
    const auto is_it = [&](const GrowthLaw& law) { return std::string(law.name) == panel.law; };
    return *std::ranges::find_if(growth_laws(), is_it);
  }
  static const GrowthFit& fit_of(const IsoefficiencyCurve& curve, const Panel& panel) {
    return *std::ranges::find_if(curve.fits, [&](const GrowthFit& fit) { return fit.law == &law_of(panel); });
  }
  void note(const GrowthPoint& point) {
    for (std::size_t p = 0; p < panels_.size(); ++p)
      most_x_[p] = std::max(most_x_[p], law_of(panels_[p]).of(point.processors, point.power_flops));
    most_size_ = std::max(most_size_, point.size.value);
  }
  [[nodiscard]] double spread_of_tops() const {
    double least = most_size_;
    for (const auto* curve : curves_) {
      double top = 0;
      for (const auto& point : curve->points)
        if (point.has_size) top = std::max(top, point.system.size.value);
      least = std::min(least, top);
    }
    return most_size_ / least;
  }
  [[nodiscard]] double unit_of(const Panel& panel) const {
    return panel.is_power ? power_.flop : std::pow(1000.0, thousands_);
  }
  [[nodiscard]] double x_of(const Panel& panel, const GrowthPoint& at) const {
    return law_of(panel).of(at.processors, at.power_flops) / unit_of(panel);
  }
  static std::string block(const std::string& what, std::size_t p, std::size_t c) {
    return what + std::to_string(p) + "_" + std::to_string(c);
  }
  void write_data(std::size_t p, std::size_t c) {
    std::vector<std::pair<double, Estimate>> sizes;
    for (const auto& point : curves_[c]->points)
      if (point.has_size) sizes.emplace_back(x_of(panels_[p], point.system), point.system.size);
    std::ranges::sort(sizes, {}, [](const auto& entry) { return entry.first; });
    std::string rows;
    for (const auto& [x, size] : sizes) {
      const bool has_interval = std::isfinite(size.low) && std::isfinite(size.high);
      rows += number(x) + " " + number(size.value) + " " + number(has_interval ? size.low : size.value) + " " +
              number(has_interval ? size.high : size.value) + "\n";
    }
    script_.block(block("sizes", p, c), rows);
    write_fitted(p, c, sizes.front().first, sizes.back().first);
  }
  /// Sampled, since on logarithmic axes lines are curves.
  void write_fitted(std::size_t p, std::size_t c, double from, double to) {
    const int samples = is_log_ ? 100 : 1;
    const GrowthFit& fit = fit_of(*curves_[c], panels_[p]);
    const double unit = unit_of(panels_[p]);
    std::string rows;
    for (int k = 0; k <= samples && !std::isnan(fit.line.slope); ++k) {
      const double part = static_cast<double>(k) / samples;
      const double x = is_log_ && from > 0 ? from * std::pow(to / from, part) : from + part * (to - from);
      const double y = fit.line.intercept + fit.line.slope * x * unit;
      if (!is_log_ || (x > 0 && y > 0)) rows += number(x) + " " + number(y) + "\n";
    }
    script_.block(block("line", p, c), rows);
  }

  // ---- the page ----

  [[nodiscard]] std::string footer() const {
    const Provenance p = provenance_of(report_.summary);
    return p.replications + (p.replications == "1" ? " replication, " : " replications, ") + "bars: " + p.confidence +
           " confidence; thin: fitted lines; " + p.origin();
  }
  [[nodiscard]] Label law_label(const Panel& panel) const {
    std::string label = panel.label;
    if (panel.is_power && report_.family.power == bosque::Power::left) label.replace(0, 3, "p_{T_a}");
    const std::string thousands = thousands_ == 0 ? "" : " [10^{" + std::to_string(3 * thousands_) + "}]";
    return label_of(label + (panel.is_power ? " [" + power_.name + "/s]" : thousands));
  }
  void write_panel(std::size_t p) {
    script_.line(page_.plot_area(panel_left(p), above_, kGrowthPlotWidth, kGrowthPlotHeight));
    script_.line("set xlabel " + script_string(enhanced(law_label(panels_[p]))) + " enhanced");
    script_.line("set ylabel " + script_string(size_name(report_)) + " noenhanced");
    script_.line(is_log_ ? "set logscale xy; set xrange [*:*]; set yrange [*:*]; set format y '10^{%T}'"
                         : "set xrange [0:*]; set yrange [0:*]; set offsets 0, graph 0.03, graph 0.04, 0");
    script_ << "plot ";
    for (std::size_t c = 0; c < curves_.size(); ++c) write_curve(p, c);
    script_.line("\nunset label");
  }
  void write_curve(std::size_t p, std::size_t c) {
    const std::string colour = coloured(distinct_colours(curves_.size())[c]);
    const bool is_last = p + 1 == panels_.size();
    script_ << (c > 0 ? ", \\\n  " : "") << (is_drawn(p, c) ? "$" + block("line", p, c) : std::string("NaN"))
            << (is_drawn(p, c) ? " using 1:2" : "") << " with lines" << colour << " linewidth 0.8 notitle, \\\n  "
            << '$' << block("sizes", p, c) << " using 1:2:3:4 with yerrorbars" << colour << " linewidth 1.4 pointtype "
            << kGrowthPointTypes[c % std::size(kGrowthPointTypes)] << " pointsize 0.9 "
            << (is_last ? "title " + script_string(legend(*curves_[c])) : std::string("notitle"));
  }
  [[nodiscard]] bool is_drawn(std::size_t p, std::size_t c) const {
    return !std::isnan(fit_of(*curves_[c], panels_[p]).line.slope);
  }

  const IsoefficiencyReport& report_;
  PictureFormat format_;
  std::vector<const IsoefficiencyCurve*> curves_;
  PanelPair panels_{};
  std::array<double, 2> most_x_{};
  double most_size_ = 0;
  bool is_log_ = false;
  WorkUnit power_{"flop", 1};
  int thousands_ = 0;  ///< powers of 1000 that an axis without a unit leaves out
  std::vector<std::string> title_;
  double above_ = 0;
  Page page_;
  Script script_;
};

}  // namespace

std::string isoefficiency_script(const IsoefficiencyReport& report, PictureFormat format) {
  return GrowthWriter(report, format).write();
}

}  // namespace nowsim

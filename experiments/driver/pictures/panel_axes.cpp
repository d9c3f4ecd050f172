// One line for each: name, scale, range and tics.
#include "experiments/driver/pictures/panel_axes.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/text.hpp"

namespace nowsim {

std::string caption(const Page& page, const PanelGrid& grid, std::size_t panel, int tag) {
  return "set label " + std::to_string(tag) + " caption_" + std::to_string(panel + 1) + " at " +
         page.at(grid.left_of(panel) + grid.panel_width / 2, grid.top_of(panel) - 14) + " center enhanced";
}

std::string tic_list(const std::vector<AxisTic>& tics, bool is_enhanced) {
  std::string out;
  for (const auto& [at, label] : tics)
    out +=
        (out.empty() ? "(" : ", ") + tic_string(is_enhanced ? enhanced(label) : label.text()) + " " + number_text(at);
  return (out.empty() ? "(" : out) + ")";
}

void write_axis(Script& script, const std::string& axis, const ResolvedAxis& about, const std::string& label,
                const std::string& label_options, const std::string& tic_options) {
  script.line("set " + axis + "label " + label + " enhanced" + label_options);
  script.line((about.log ? "set logscale " : "unset logscale ") + axis);
  script.line("set " + axis + "range [" + number_text(about.least) + ":" + number_text(about.most) + "]");
  if (about.tics.empty()) return script.line("set " + axis + "tics autofreq" + tic_options);
  const bool is_plain = std::ranges::all_of(about.tics, [](const AxisTic& tic) { return tic.label.is_plain(); });
  script.line("set " + axis + "tics" + tic_options + (is_plain ? " noenhanced " : " enhanced ") +
              tic_list(about.tics, !is_plain));
}

void write_value_range(Script& script, const ResolvedPanel& panel) {
  script.line("set ytics autofreq");
  if (!panel.has_results)
    return script.line("set yrange [1:2]; set label 4 'no results' at graph 0.5, graph 0.5 center");
  if (std::isnan(panel.value.least)) return script.line("set autoscale y; unset label 4");
  script.line("set yrange [" + number_text(panel.value.least) + ":" + number_text(panel.value.most) +
              "]; unset label 4");
  if (!panel.value.log || panel.value.most >= 100 * panel.value.least) return;
  std::vector<AxisTic> tics;  // gnuplot would name the powers of ten alone, of which there may be one
  for (const double at : log_tics(panel.value.least, panel.value.most)) tics.push_back({at, short_number(at)});
  script.line("set ytics " + tic_list(tics, false));
}

}  // namespace nowsim

// What figures of all kinds have, then what the kind makes of its panels.
#include "experiments/driver/pictures/resolved_figure.hpp"

#include <algorithm>

#include "experiments/driver/pictures/axis_units.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace {

bool has_panel_captions(const Figure& figure) {
  return figure.panels.size() > 1 || std::ranges::any_of(figure.panels, [](const auto& p) { return !p.title.empty(); });
}

/// A panel's title, behind its letter where there are several panels.
Label panel_caption(const Figure& figure, std::size_t panel) {
  const std::string letter =
      figure.panels.size() > 1 ? "(" + std::string(1, static_cast<char>('a' + panel % 26)) + ") " : "";
  return letter + label_of(figure.panels[panel].title);
}

/// How the results came about; bars or bands are of the confidence, where a figure shows any.
std::string footer_text(const Provenance& p, bool has_bars, bool has_bands) {
  if (p.replications == "1") return "1 replication, " + p.origin();
  const std::string level = p.confidence == "several" ? "several confidences" : p.confidence + " confidence";
  return p.replications + " replications, " + (has_bars ? "bars: " + level + ", " : "") +
         (has_bands ? "bands: " + level + " at each t, " : "") + p.origin();
}

/// What a figure's rows have no value of.
std::string wanted(const Figure& figure) {
  const FigurePanel& panel = figure.panels.front();
  if (figure.kind->shows_times) return "no point has replications";
  return panel.metrics.empty() ? "no row has a value of " + panel.metric
                               : "no workstation has a value of " + panel.metrics.front();
}

}  // namespace

ResolvedFigure resolved_figure(const Figure& figure, const Summary& summary, const std::string& name) {
  ResolvedFigure out;
  out.name = name;
  out.kind = figure.kind->name;
  out.title = summary.title;
  out.provenance = provenance_of(summary);
  out.has_captions = has_panel_captions(figure);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    out.panels.emplace_back();
    out.panels[p].caption = panel_caption(figure, p);
    out.panels[p].where = figure.panels[p].where;
  }
  figure.kind->resolve(figure, summary, out);
  tell_times(figure, summary, out);
  out.footer = footer_text(out.provenance, figure.kind->has_bars, out.has_bands);
  if (std::ranges::none_of(out.panels, &ResolvedPanel::has_results))
    throw RunError("there is nothing to draw in the figure " + name + ": " + wanted(figure));
  return out;
}

}  // namespace nowsim

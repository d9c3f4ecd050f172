// What figures of all kinds have, then what the kind makes of its panels.
#include "experiments/driver/pictures/resolved_figure.hpp"

#include <algorithm>

#include "experiments/driver/pictures/axis_units.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace {

/// "policy = equal, TH = 0.28": which rows a panel has for itself; what all panels have is not said.
Label conditions_text(const FigurePanel& panel) {
  Label out;
  for (const auto& condition : panel.where) {
    if (condition.place.key.starts_with("figure.where.")) continue;
    FigureAxis key;
    key.key = condition.key;
    out += (out.empty() ? "" : ", ") + series_label(key) + " = " + short_name(condition.value);
  }
  return out;
}

Label panel_text(const FigurePanel& panel) {
  return panel.title.empty() ? conditions_text(panel) : label_of(panel.title);
}

bool has_panel_captions(const Figure& figure) {
  return figure.panels.size() > 1 || !panel_text(figure.panels.front()).empty();
}

/// A panel's title or its conditions, behind its letter where there are several panels.
Label panel_caption(const Figure& figure, std::size_t panel) {
  const std::string letter =
      figure.panels.size() > 1 ? "(" + std::string(1, static_cast<char>('a' + panel % 26)) + ") " : "";
  return letter + panel_text(figure.panels[panel]);
}

/// "with owner.TH = 0.3, job.size = 4".
std::string changes_text(const Figure& figure) {
  std::string out;
  for (const auto& change : figure.changes) out += (out.empty() ? "with " : ", ") + short_name(change);
  return out;
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

ResolvedFigure resolved_figure(const Figure& figure, const ResultTable& summary, const std::string& name) {
  ResolvedFigure out;
  out.name = name;
  out.kind = figure.kind->name;
  const FigurePrint& print = figure.print;
  out.title = print.title.value_or(summary.title);
  out.changes = changes_text(figure);
  out.print = print;
  out.provenance = provenance_of(summary);
  out.has_captions = has_panel_captions(figure);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    out.panels.emplace_back();
    out.panels[p].caption = panel_caption(figure, p);
    out.panels[p].where = figure.panels[p].where;
  }
  figure.kind->resolve(figure, summary, out);
  tell_times(figure, summary, out);
  if (print.has_footer) {
    out.footer = footer_text(out.provenance, figure.kind->has_bars, out.has_bands);
    if (out.title.empty() && !out.changes.empty()) out.footer += ", " + out.changes;
  }
  if (std::ranges::none_of(out.panels, &ResolvedPanel::has_results))
    throw RunError("there is nothing to draw in the figure " + name + ": " + wanted(figure));
  return out;
}

}  // namespace nowsim

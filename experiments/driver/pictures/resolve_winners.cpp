// The kind winners, and its map as data: who is best in each cell, and how to read it.
#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/figure_kinds.hpp"
#include "experiments/driver/pictures/figure_rows.hpp"
#include "experiments/driver/pictures/winners.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/reading/map_block.hpp"

namespace nowsim {
namespace {

/// Values stand on the axis as they are written, with their units, side by side: the label has none.
ResolvedAxis axis_of_cells(const FigureAxis& about, const AxisScale& scale) {
  ResolvedAxis out;
  out.shows = about.key;
  out.label = about.label.empty() ? Label(short_name(about.key)) : label_of(about.label);
  for (std::size_t i = 0; i < scale.texts.size(); ++i) {
    const auto at = static_cast<double>(i + 1);
    out.tics.push_back({at, value_label(about, scale.texts[i])});
    out.values.push_back({scale.texts[i], at});
  }
  out.least = 0.5;
  out.most = static_cast<double>(scale.texts.size()) + 0.5;
  return out;
}

/// A winner by numbers of the legend.
WinnerCell cell_of(const Winner& winner, std::size_t column, std::size_t row,
                   const std::vector<ResolvedSeries>& series) {
  const auto number_of = [&](const std::string& value) {
    return static_cast<std::size_t>(std::ranges::find(series, value, &ResolvedSeries::value) - series.begin());
  };
  WinnerCell out{column, row, number_of(winner.best), {}, {}, winner.excess, winner.is_among_fewer};
  for (const auto& tie : winner.ties) out.ties.push_back(number_of(tie));
  if (!winner.compared.empty()) out.compared = number_of(winner.compared);
  return out;
}

std::vector<WinnerCell> cells_of(const Figure& figure, const FigurePanel& panel, const ResultTable& summary,
                                 const ResolvedFigure& out) {
  std::vector<WinnerCell> cells;
  for (std::size_t i = 0; i < out.x.values.size(); ++i)
    for (std::size_t j = 0; j < out.y->values.size(); ++j)
      if (const auto winner = winner_at(figure, panel, summary, out.x.values[i].text, out.y->values[j].text))
        cells.push_back(cell_of(*winner, i, j, out.series));
  return cells;
}

// ---- how to read it ----

/// "lowest tau", with the panel's letter where panels differ in it.
Label criterion(const Figure& figure) {
  const auto name = [](const FigurePanel& panel) { return panel.label.empty() ? panel.metric : panel.label; };
  const auto one = [&](const FigurePanel& panel) {
    return Label(is_highest_best(panel) ? "highest " : "lowest ") + label_of(name(panel));
  };
  const FigurePanel& first = figure.panels.front();
  if (std::ranges::all_of(figure.panels, [&](const FigurePanel& panel) {
        return is_highest_best(panel) == is_highest_best(first) && name(panel) == name(first);
      }))
    return one(first);
  Label out;
  for (std::size_t p = 0; p < figure.panels.size(); ++p)
    out += (p > 0 ? ", (" : "(") + std::string(1, static_cast<char>('a' + p)) + ") " + one(figure.panels[p]);
  return out;
}

bool any_cell(const ResolvedFigure& figure, bool (*is)(const WinnerCell&)) {
  return std::ranges::any_of(figure.panels, [&](const ResolvedPanel& panel) {
    return std::ranges::any_of(std::get<std::vector<WinnerCell>>(panel.content), is);
  });
}

Label note_of(const Figure& figure, const ResolvedFigure& resolved) {
  const auto is_compared = [&](const auto& series) { return same_axis_value(series.value, own_of(figure).against); };
  const auto against = std::ranges::find_if(resolved.series, is_compared);
  const Label other = against == resolved.series.end() ? "the second best"
                                                       : against->label + ", or where it is best the second's,";
  Label out = "In each cell: the " + resolved.series_label + " with the " + criterion(figure) +
              ", and how far that of " + other + " is from it.";
  if (any_cell(resolved, [](const WinnerCell& cell) { return !cell.ties.empty(); }))
    out += " Lighter: not told apart from those behind ≈ (intervals of differences, " + resolved.provenance.confidence +
           " together in a cell, replications paired).";
  if (any_cell(resolved, [](const WinnerCell& cell) { return cell.is_among_fewer; }))
    out += " *: of fewer, not all have results.";
  return out;
}

// ---- the kind ----

std::any read_winners(MapBlock& block) {
  WinnersFigure own;
  read_placed(block, "against", own.against, own.against_place);
  return own;
}

std::any read_winners_panel(MapBlock& block) { return WinnersPanel{block.read().word("best") == 1}; }

void check_winners(const Figure& figure, FigureCheck& check) {
  const auto& [against, place] = own_of(figure);
  check.axes();
  if (!against.empty()) check.value({figure.series.key, against, place});
  check.panels();
}

void reduce_winners(Figure& figure, const SweptAndMeasured& measured) {
  const auto competing = measured.sweep.values_of(figure.series.key);
  if (AxisValues(competing).find(own_of(figure).against) == nullptr) figure.own = WinnersFigure{};
}

void resolve_winners(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) {
  out.x = axis_of_cells(figure.x, scale_of_key(summary, figure.x.key));
  out.y = axis_of_cells(*figure.y, scale_of_key(summary, figure.y->key));
  out.series_key = figure.series.key;
  out.series_label = series_label(figure.series);
  out.has_legend = true;
  for (const auto& value : scale_of_key(summary, figure.series.key).texts)
    out.series.push_back({value, value_label(figure.series, value)});
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    auto cells = cells_of(figure, figure.panels[p], summary, out);
    out.panels[p].has_results = !cells.empty();
    out.panels[p].content = std::move(cells);
    out.panels[p].value = axis_of_values(figure.panels[p], summary.metric(figure.panels[p].metric));
  }
  out.note = note_of(figure, out);
}

}  // namespace

namespace figures {

FigureKind winners() {
  return {
      .name = "winners",
      .summary = "over two swept keys, which value of a third is best, and by how much",
      .keys = {"x", "x_labels", "y", "y_label", "y_labels", "series", "series_label", "labels", "against"},
      .panel_keys = {"metric", "best"},
      .own_keys = {{{"against", KeyType::text, "",
                     "the value that the best is compared with; the second best where not given"},
                    "labels"}},
      .own_panel_keys = {{{"best", KeyType::word, "lowest", "which value wins", {}, {"lowest", "highest"}}, "scale"}},
      .needs = {{"y", "a figure of winners needs a second swept key, such as y: owner.TH"},
                {"series",
                 "a figure of winners needs the swept key whose values compete, such as series: split.policy"}},
      .has_wide_panels = true,
      .without_series = "surface",
      .over_one_axis = "curves",
      .read = read_winners,
      .read_panel = read_winners_panel,
      .check = check_winners,
      .reduce = reduce_winners,
      .resolve = resolve_winners,
      .script = winners_script};
}

}  // namespace figures
}  // namespace nowsim

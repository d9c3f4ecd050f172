// A figure's data as JSON: object by object, in the order in which a reader wants them. Numbers that are not finite become
// null.
#include "experiments/driver/pictures/resolved_figure.hpp"

#include <nlohmann/json.hpp>

namespace nowsim {
namespace {

using Json = nlohmann::ordered_json;

/// Each of them by its json_of().
template <class Part>
Json array_of(const std::vector<Part>& parts);

Json json_of(const AxisTic& tic) { return {{"at", tic.at}, {"label", label_html(tic.label)}}; }

Json json_of(const AxisValue& value) { return {{"text", value.text}, {"at", value.at}}; }

Json json_of(const ResolvedAxis& axis) {
  Json out{{"shows", axis.shows},
           {"is_metric", axis.is_metric},
           {"label", label_html(axis.label)},
           {"scale", axis.log ? "log" : "linear"},
           {"power", axis.power},
           {"unit", axis.unit}};
  out["range"] = {axis.least, axis.most};
  out["tics"] = array_of(axis.tics);
  out["values"] = array_of(axis.values);
  return out;
}

Json json_of(const std::vector<FigureCondition>& where) {
  Json out = Json::object();
  for (const auto& condition : where) out[condition.key] = condition.value;
  return out;
}

Json json_of(const ResolvedPoint& point) {
  return {{"x", point.x}, {"y", point.y}, {"low", point.low}, {"high", point.high}};
}

Json json_of(const ResolvedCurve& curve) {
  Json out{{"series", curve.series}};
  if (curve.beside != curve.series) out["beside"] = curve.beside;
  out["column"] = curve.column;
  out["where"] = json_of(curve.where);
  out["points"] = array_of(curve.points);
  return out;
}

Json json_of(const SurfacePoint& point) {
  return {{"x", point.x}, {"y", point.y}, {"value", point.value}};
}

Json json_of(const WinnerCell& cell) {
  return {{"column", cell.column},
          {"row", cell.row},
          {"best", cell.best},
          {"ties", cell.ties},
          {"compared", cell.compared ? Json(*cell.compared) : Json()},
          {"excess", cell.excess},
          {"among_fewer", cell.is_among_fewer}};
}

Json json_of(const ResolvedPanel& panel) {
  Json out{{"caption", label_html(panel.caption)}, {"has_results", panel.has_results}, {"where", json_of(panel.where)}};
  if (panel.x) out["x"] = json_of(*panel.x);
  if (panel.deadline_s) out["deadline_s"] = *panel.deadline_s;
  out["value"] = json_of(panel.value);
  constexpr const char* kNames[] = {"curves", "surface", "cells"};
  std::visit([&](const auto& parts) { out[kNames[panel.content.index()]] = array_of(parts); }, panel.content);
  return out;
}

Json json_of(const ResolvedSeries& series) {
  return {{"value", series.value}, {"label", label_html(series.label)}, {"theory", series.is_theory}};
}

Json json_of(const Provenance& p) {
  return {{"replications", p.replications},
          {"confidence", p.confidence},
          {"seed", p.seed},
          {"engine", p.engine},
          {"version", p.version},
          {"variance_reduction", p.variance_reduction}};
}

template <class Part>
Json array_of(const std::vector<Part>& parts) {
  Json out = Json::array();
  for (const auto& part : parts) out.push_back(json_of(part));
  return out;
}

}  // namespace

std::string figure_json(const ResolvedFigure& figure) {
  Json out{{"name", figure.name}, {"kind", figure.kind}, {"title", figure.title}, {"footer", figure.footer}};
  if (!figure.remark.empty()) out["remark"] = figure.remark;
  if (!figure.note.empty()) out["note"] = label_html(figure.note);
  out["provenance"] = json_of(figure.provenance);
  out["x"] = json_of(figure.x);
  if (figure.y) out["y"] = json_of(*figure.y);
  out["series_key"] = figure.series_key;
  out["series_label"] = label_html(figure.series_label);
  out["legend"] = figure.has_legend;
  out["series"] = array_of(figure.series);
  out["panels"] = array_of(figure.panels);
  return out.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace nowsim

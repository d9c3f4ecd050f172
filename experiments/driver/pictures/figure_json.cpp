// A figure's data as JSON: object by object, in the order in which a reader wants them.
#include "experiments/driver/pictures/resolved_figure.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace nowsim {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(); }

Json json_of(const ResolvedAxis& axis) {
  Json out{{"shows", axis.shows},
           {"is_metric", axis.is_metric},
           {"label", label_html(axis.label)},
           {"scale", axis.log ? "log" : "linear"},
           {"power", axis.power},
           {"unit", axis.unit}};
  out["range"] = {number_or_null(axis.least), number_or_null(axis.most)};
  out["tics"] = Json::array();
  for (const auto& [at, label] : axis.tics) out["tics"].push_back({{"at", number_or_null(at)}, {"label", label_html(label)}});
  out["values"] = Json::array();
  for (const auto& [text, at] : axis.values) out["values"].push_back({{"text", text}, {"at", number_or_null(at)}});
  return out;
}

Json json_of(const std::vector<FigureCondition>& where) {
  Json out = Json::object();
  for (const auto& condition : where) out[condition.key] = condition.value;
  return out;
}

Json json_of(const ResolvedCurve& curve) {
  Json out{{"series", curve.series}};
  if (curve.beside != curve.series) out["beside"] = curve.beside;
  out["column"] = curve.column;
  out["where"] = json_of(curve.where);
  out["points"] = Json::array();
  for (const auto& [x, y, low, high] : curve.points)
    out["points"].push_back({{"x", number_or_null(x)},
                             {"y", number_or_null(y)},
                             {"low", number_or_null(low)},
                             {"high", number_or_null(high)}});
  return out;
}

Json json_of(const SurfacePoint& point) {
  return {{"x", number_or_null(point.x)}, {"y", number_or_null(point.y)}, {"value", number_or_null(point.value)}};
}

Json json_of(const WinnerCell& cell) {
  return {{"column", cell.column},
          {"row", cell.row},
          {"best", cell.best},
          {"ties", cell.ties},
          {"compared", cell.compared ? Json(*cell.compared) : Json()},
          {"excess", number_or_null(cell.excess)},
          {"among_fewer", cell.is_among_fewer}};
}

template <class Part>
void add_content(Json& panel, const char* name, const std::vector<Part>& parts) {
  panel[name] = Json::array();
  for (const auto& part : parts) panel[name].push_back(json_of(part));
}

struct ContentWriter {
  Json& panel;
  void operator()(const std::vector<ResolvedCurve>& curves) const { add_content(panel, "curves", curves); }
  void operator()(const std::vector<SurfacePoint>& points) const { add_content(panel, "surface", points); }
  void operator()(const std::vector<WinnerCell>& cells) const { add_content(panel, "cells", cells); }
};

Json json_of(const ResolvedPanel& panel) {
  Json out{{"caption", label_html(panel.caption)}, {"has_results", panel.has_results}, {"where", json_of(panel.where)}};
  if (panel.x) out["x"] = json_of(*panel.x);
  if (panel.deadline_s) out["deadline_s"] = *panel.deadline_s;
  out["value"] = json_of(panel.value);
  std::visit(ContentWriter{out}, panel.content);
  return out;
}

Json json_of(const Provenance& p) {
  return {{"replications", p.replications},
          {"confidence", p.confidence},
          {"seed", p.seed},
          {"engine", p.engine},
          {"version", p.version},
          {"variance_reduction", p.variance_reduction}};
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
  out["series"] = Json::array();
  for (const auto& s : figure.series)
    out["series"].push_back({{"value", s.value}, {"label", label_html(s.label)}, {"theory", s.is_theory}});
  out["panels"] = Json::array();
  for (const auto& panel : figure.panels) out["panels"].push_back(json_of(panel));
  return out.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace nowsim

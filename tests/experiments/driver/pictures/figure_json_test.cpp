// A figure's data as JSON: what each kind holds, with nothing of how it is drawn.
#include "experiments/driver/pictures/resolved_figure.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/experiments/driver/figure_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Json = nlohmann::ordered_json;

namespace {

Json json_of(const std::string& figure, const ResultTable& summary) {
  return Json::parse(figure_json(resolved_figure(figure_of(figure), summary, "fig")));
}

}  // namespace

TEST_CASE("Curves' JSON has points with intervals, axes in the labels' units, and where the CSV has them",
          "[reads][figure]") {
  const Json fig = json_of(
      "{x: owner.interval, x_scale: log, series: owner.TH, panels: [{metric: tau, theory: [tau_HL, tau_renewal]}]}",
      theory_summary());
  CHECK(fig["kind"] == "curves");
  CHECK(fig["title"] == "A title");
  CHECK(fig["provenance"]["seed"] == "1");
  CHECK(fig["x"]["label"] == "owner.interval [s]");
  CHECK(fig["x"]["scale"] == "log");
  CHECK(fig["x"]["tics"][1] == Json({{"at", 60.0}, {"label", "60"}}));
  CHECK(fig["x"]["values"][1] == Json({{"text", "1min"}, {"at", 60.0}}));
  CHECK(fig["x"]["range"][0].get<double>() == Approx(10 * std::pow(6, -0.03)));
  REQUIRE(fig["series"].size() == 4);
  CHECK(fig["series"][1] == Json({{"value", "0.5"}, {"label", "TH = 0.5"}, {"theory", false}}));
  CHECK(fig["series"][2]["label"] == "theory τ<sub>HL</sub>");
  const Json& curves = fig["panels"][0]["curves"];
  REQUIRE(curves.size() == 6);  // for each TH theory first
  CHECK(curves[2]["points"][1] == Json({{"x", 60.0}, {"y", 207.25}, {"low", 205.0}, {"high", 209.5}}));
  CHECK(curves[2]["where"] == Json({{"owner.TH", "0.25"}}));
  CHECK(curves[3]["beside"] == 1);
  CHECK(curves[3]["points"] == Json::parse(R"([{"x": 10.0, "y": 200.5, "low": null, "high": null}])"));
  CHECK_FALSE(fig.contains("y"));
}

TEST_CASE("A surface's JSON has its values row by row, null where there are none", "[figure]") {
  const Json fig = json_of("{kind: surface, x: owner.interval, y: owner.TH, panels: [{metric: tau}]}", time_summary());
  CHECK(fig["y"]["shows"] == "owner.TH");
  CHECK(fig["panels"][0]["value"]["label"] == "τ [s]");
  const Json& points = fig["panels"][0]["surface"];
  REQUIRE(points.size() == 4);
  CHECK(points[1] == Json({{"x", 60.0}, {"y", 0.25}, {"value", 207.25}}));
  CHECK(points[3]["value"].is_null());
}

TEST_CASE("A map's JSON names winners by their number, and those that they cannot be told from", "[figure]") {
  ResultTable s{"<b>", "e.yaml", {"owner.interval", "owner.TH", "split.policy"}, {find_metric("tau")}, {}};
  s.rows = {row_of({"10s", "0.1", "equal"}, {{10, 9, 11}}), row_of({"10s", "0.1", "grain"}, {{20, 19, 21}}),
            row_of({"10s", "0.1", "a & b"}, {{10.5, 9.5, 11.5}})};
  const Json fig = json_of(
      "{kind: winners, x: owner.interval, y: owner.TH, series: split.policy, against: grain, "
      "panels: [{metric: tau}]}",
      s);
  CHECK(fig["series"][2] == Json({{"value", "a & b"}, {"label", "a &amp; b"}, {"theory", false}}));
  CHECK(fig["panels"][0]["cells"] == Json::parse(R"([{"column": 0, "row": 0, "best": 0, "ties": [2], "compared": 1,
      "excess": 1.0, "among_fewer": false}])"));
  CHECK(fig["note"].get<std::string>().find("lowest τ") != std::string::npos);
  CHECK(figure_json(resolved_figure(figure_of("{kind: winners, x: owner.interval, y: owner.TH, series: split.policy, "
                                              "panels: [{metric: tau}]}"),
                                    s, "f"))
            .find("τ") == std::string::npos);
}

TEST_CASE("Positions over a metric are in the unit that the axis' label tells", "[figure]") {
  ResultTable s{"N", "e.yaml", {"platform.workstations"}, {find_metric("tau"), find_metric("sigma_T")}, {}};
  for (const char* n : {"4", "2"}) s.rows.push_back(row_of({n}, {exactly(1), exactly(std::stod(n) * 1e6)}));
  const Json fig = json_of("{x: platform.workstations, x_metric: sigma_T, x_unit: s, panels: [{metric: tau}]}", s);
  CHECK(fig["x"]["label"] == "σ<sub>T</sub> [10<sup>6</sup> s]");
  CHECK(fig["x"]["power"] == 6);
  CHECK(fig["x"]["unit"] == 1e6);
  CHECK(fig["panels"][0]["curves"][0]["points"][0]["x"] == 4.0);
  CHECK(fig["legend"] == false);
}

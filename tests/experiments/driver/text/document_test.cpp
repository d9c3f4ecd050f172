// One list of fields, and what each format makes of it.
#include "experiments/driver/text/document.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace nowsim;

namespace {

struct Measured {
  std::string name;
  Estimate tau;
  std::uint64_t count;
};

Fields fields_of_measured(const Measured& m) {
  return {{"name", m.name, kEverywhere},
          {"tau", m.tau, kEverywhere, "min", 60},
          {"width", m.tau, kInCsv, "", 1, true},
          {"count", m.count},
          {"is_even", m.count % 2 == 0, kInJson},
          {"missing", Value()},
          {"said", std::string("for people"), kInTable}};
}

std::string written(const std::vector<Measured>& all, Format format) {
  const List rows = list_of(all, [](const Measured& m) { return Object{fields_of_measured(m)}; });
  std::ostringstream out;
  write_document({[](std::ostream& o) { o << "people\n"; }, fields_of_measured({}), rows, rows}, format, out);
  return out.str();
}

std::string json_of_value(const Value& value) {
  std::ostringstream out;
  write_json(value, out);
  return out.str();
}

const std::vector<Measured> kMeasured{{"a,b", {180, 120, 240}, 2}, {"c", {3.6e15, NAN, INFINITY}, 3}};

}  // namespace

TEST_CASE("CSV has estimates in columns, and nothing where nothing is known", "[reads][document]") {
  CHECK(written(kMeasured, Format::csv) ==
        "name,tau,tau_low,tau_high,width,width_hw,width_low,width_high,count,missing\n"
        "\"a,b\",180,120,240,180,60,120,240,2,\n"
        "c,3.6e+15,,inf,3.6e+15,,,inf,3,\n");
  CHECK(written({}, Format::csv) == "name,tau,tau_low,tau_high,width,width_hw,width_low,width_high,count,missing\n");
}

TEST_CASE("JSON has estimates as objects, null for what it has no word for, and today's digits", "[document]") {
  const std::string text = written(kMeasured, Format::json);
  CHECK_THAT(text, Catch::StartsWith("[\n  {\"name\": \"a,b\", \"tau\": {\"value\": 180, \"low\": 120, \"high\": 240, "
                                     "\"half_width\": 60}, \"count\": 2, \"is_even\": true, \"missing\": null},\n"));
  const auto json = nlohmann::json::parse(text);
  CHECK(json[1]["tau"]["value"] == 3.6e15);
  CHECK(json[1]["tau"]["high"].is_null());
  CHECK(written({}, Format::json) == "[]\n");
  CHECK(written(kMeasured, Format::table) == "people\n");
}

TEST_CASE("A table shows estimates in a unit, by its name in the head", "[document]") {
  const Fields fields = fields_of_measured(kMeasured.front());
  CHECK(table_head(fields) == std::vector<std::string>{"name", "tau [min]", "said"});
  CHECK(table_cells(fields) == std::vector<std::string>{"a,b", "3 ± 1", "for people"});
}

TEST_CASE("JSON has scalars and estimates on one line, and everything else on a line each", "[document]") {
  const Estimate e{3, 2, 4};
  const std::string told = "{\"value\": 3, \"low\": 2, \"high\": 4, \"half_width\": 1}";
  CHECK(json_of_value(Object{{{"a", true}, {"e", e}}}) == "{\"a\": true, \"e\": " + told + "}\n");
  CHECK(json_of_value(texts({"x", "y"})) == "[\"x\", \"y\"]\n");
  CHECK(json_of_value(Object{{{"a", true}, {"b", texts({"x", "y"})}}}) ==
        "{\n  \"a\": true,\n  \"b\": [\"x\", \"y\"]\n}\n");
  const Field left_out{"people", texts({"x"}), kInTable};
  CHECK(json_of_value(Object{{{"a", true}, left_out}}) == "{\"a\": true}\n");
  const Object inner{{{"list", List{1, [](std::size_t) -> Value { return Object{}; }}}, {"none", texts({})}}};
  CHECK(json_of_value(Object{{{"a", inner}, {"b", 1.5}}}) ==
        "{\n  \"a\": {\n    \"list\": [\n      {}\n    ],\n    \"none\": []\n  },\n  \"b\": 1.5\n}\n");
}

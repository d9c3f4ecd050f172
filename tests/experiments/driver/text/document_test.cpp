// Fields in CSV and JSON: what each format makes of one list, which texts are changed, and that they are read back.
#include "experiments/driver/text/document.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "experiments/driver/text/formats.hpp"
#include "tests/awkward_texts.hpp"

using namespace nowsim;
using namespace nowsim::test;

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

TEST_CASE("What spreadsheets take for a formula gets an apostrophe, and a quantity stays as it is", "[csv]") {
  for (const char* formula : {"=1+1", "@SUM(A1)", "+1+cmd|' /C calc'!A0", "-2+3", "-A1", "-1 * A1", "-1 cmd|'x'!A0",
                              "-1 A(2)", "-inf", "+", "-", "\t=1", "'=1"})
    CHECK(spreadsheet_text(formula) == std::string("'") + formula);
  for (const char* text : {"-0.5", "+3 s", "-5 %", "-1e-3", "-0.862 ± 0.032 to -0.858 ± 0.032", "+.5", "-2Gf/s", "0.5",
                           "", "it's", "'quoted'", "a=b", "node-1"})
    CHECK(spreadsheet_text(text) == text);
}

TEST_CASE("A CSV field is one field whatever its text, and is read back", "[csv]") {
  for (const auto& text : awkward_texts("made")) {
    INFO(shown_line(text));
    const std::string field = csv_field(text);
    const CsvRows csv = parse_csv("a,b\n" + field + ",1\n", "a.csv");
    REQUIRE(csv.rows.size() == 1);
    CHECK(csv.rows[0] == std::vector<std::string>{shown_text(text), "1"});
    const std::string begin = "=@\t\r";
    CHECK(begin.find(field.empty() ? 'a' : field[field[0] == '"' && field.size() > 1 ? 1 : 0]) == std::string::npos);
    CHECK(obeyed_in(field).empty());
  }
  CHECK(csv_field("a,\"b\"\nc") == "\"a,\"\"b\"\"\nc\"");
}

TEST_CASE("A JSON string has no character that a terminal obeys, and no byte that is none", "[json]") {
  CHECK(json_text("a\"\\\n\x1b\x7f\u202E\xff é") == "\"a\\\"\\\\\\u000a\\u001b\\u007f\\u202e\\ufffd é\"");
  for (const auto& text : awkward_texts("made")) CHECK(obeyed_in(json_text(text)).empty());
}

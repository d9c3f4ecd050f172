// Texts in CSV and JSON: what is changed, and that it is read back.
#include "experiments/driver/text/formats.hpp"

#include <catch2/catch.hpp>

#include "tests/awkward_texts.hpp"

using namespace nowsim;
using namespace nowsim::test;

TEST_CASE("What spreadsheets take for a formula gets an apostrophe, and a quantity stays as it is", "[reads][csv]") {
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

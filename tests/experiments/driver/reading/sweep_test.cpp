// Axes, their products and zips, and every way in which a sweep can be wrong.
#include "experiments/driver/reading/sweep.hpp"

#include <catch2/catch.hpp>

#include "tests/experiments/driver/sentences.hpp"


using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

using Words = std::vector<std::string>;

Sweep sweep(const std::string& yaml) {
  Problems problems;
  Sweep out = read_sweep(parse_yaml(yaml, "e.yaml"), "e.yaml", problems);
  CHECK(problems.empty());
  return out;
}

/// The values of the only axis.
Words axis(const std::string& range) {
  const Sweep s = sweep("{k: " + range + "}");
  Words out;
  for (std::size_t p = 0; p < s.size(); ++p) out.push_back(s.at(p).front());
  return out;
}

std::string said_of(const std::string& yaml) {
  Problems problems;
  read_sweep(parse_yaml(yaml, "e.yaml"), "e.yaml", problems);
  std::string texts;
  for (const auto& problem : problems.list()) texts += problem.text() + "\n";
  return texts;
}

}  // namespace

TEST_CASE("Lists are taken as written", "[reads][sweep]") {
  CHECK(axis("[0.1, 2s, '3', equal, = 3 * N]") == Words{"0.1", "2s", "3", "equal", "= 3 * N"});
}

TEST_CASE("Ranges hold both ends, by count and by step", "[sweep]") {
  CHECK(axis("{from: 0, to: 1, count: 5}") == Words{"0", "0.25", "0.5", "0.75", "1"});
  CHECK(axis("{from: 0, to: 0.3, step: 0.1}") == Words{"0", "0.1", "0.2", "0.3"});
  CHECK(axis("{from: -1, to: 1, step: 1}") == Words{"-1", "0", "1"});
  CHECK(axis("{from: 2, to: 2, count: 1}") == Words{"2"});
  CHECK(axis("{from: 2, to: 2, step: 1}") == Words{"2"});
  CHECK(axis("{from: 1e3, to: 3e3, count: 3}") == Words{"1000", "2000", "3000"});
  const Words third = axis("{from: 0, to: 1, count: 4}");
  CHECK(third[1] == "0.333333333333");
}

TEST_CASE("Many steps of a tenth are as many decimals, not what binary numbers make of them", "[sweep]") {
  const Words values = axis("{from: 0, to: 1, step: 0.01}");
  REQUIRE(values.size() == 101);
  CHECK(values[7] == "0.07");
  CHECK(values[29] == "0.29");
  CHECK(values[57] == "0.57");
}

TEST_CASE("Ranges keep their unit and can be logarithmic", "[sweep]") {
  CHECK(axis("{from: 1s, to: 3s, count: 3}") == Words{"1s", "2s", "3s"});
  CHECK(axis("{from: 10%, to: 30%, step: 10%}") == Words{"10%", "20%", "30%"});
  CHECK(axis("{from: 1, to: 1000, count: 4, scale: log}") == Words{"1", "10", "100", "1000"});
  CHECK(axis("{from: 1, to: 3, count: 3, scale: linear}") == Words{"1", "2", "3"});
}

TEST_CASE("The last axis runs fastest and a zip's keys go together", "[sweep]") {
  const Sweep s = sweep("{a: [1, 2], zip: {b: [x, y], c: [u, v]}, d: [7, 8, 9]}");
  REQUIRE(s.size() == 12);
  CHECK(s.keys() == Words{"a", "b", "c", "d"});
  CHECK(s.at(0) == Words{"1", "x", "u", "7"});
  CHECK(s.at(1) == Words{"1", "x", "u", "8"});
  CHECK(s.at(3) == Words{"1", "y", "v", "7"});
  CHECK(s.at(11) == Words{"2", "y", "v", "9"});
}

TEST_CASE("The first point along a key has the other axes' values, and a whole zip's first step", "[sweep]") {
  const Sweep s = sweep("{a: [1, 2], zip: {b: [x, y, z], c: [u, v, w]}, d: [7, 8]}");
  for (std::size_t p = 0; p < s.size(); ++p) {
    const Words at = s.at(p);
    for (const std::string key : {"b", "c"}) CHECK(s.at(*s.first_along(key, p)) == Words{at[0], "x", "u", at[3]});
    CHECK(s.at(*s.first_along("a", p)) == Words{"1", at[1], at[2], at[3]});
    CHECK(s.at(*s.first_along("d", p)) == Words{at[0], at[1], at[2], "7"});
    CHECK_FALSE(s.first_along("e", p));
  }
}

TEST_CASE("A zip may hold ranges, and a list of maps may hold several zips", "[sweep]") {
  const Sweep s = sweep("[{zip: {a: {from: 1, to: 2, count: 2}, b: [3, 4]}}, {zip: {c: [5, 6], d: [7, 8]}}]");
  CHECK(s.size() == 4);
  CHECK(s.at(1) == Words{"1", "3", "6", "8"});
  CHECK(s.at(2) == Words{"2", "4", "5", "7"});
}

TEST_CASE("No axes are one point", "[sweep]") {
  CHECK(Sweep{}.size() == 1);
  CHECK(Sweep{}.at(0).empty());
  CHECK(sweep("{}").size() == 1);
}

TEST_CASE("A key can be dropped, out of a zip too", "[sweep]") {
  Sweep s = sweep("{a: [1, 2], zip: {b: [3, 4], c: [5, 6]}}");
  s.drop("b");
  CHECK(s.keys() == Words{"a", "c"});
  CHECK(s.at(1) == Words{"1", "6"});
  s.drop("c");
  s.drop("unknown");
  CHECK(s.keys() == Words{"a"});
  CHECK(s.size() == 2);
}

TEST_CASE("Every wrong axis is one sentence with its line and key", "[sweep][error]") {
  check_said([](const std::string& yaml) { return said_of("\n" + yaml); }, "e.yaml:2: sweep", {
      {"{a: 3}", "sweep.a: an axis is a list"},
      {"{a: }", "sweep.a: an axis is a list"},
      {"{a: []}", "sweep.a: the list of values is empty"},
      {"{a: [1, 2, 1]}", "sweep.a: '1' is in the list twice"},
      {"{a: [[1]]}", "sweep.a: an axis holds plain values"},
      {"{a: [1, ~]}", "sweep.a: an axis holds plain values"},
      {"{a: {from: 1, to: 2}}", "sweep.a: a range has either a count or a step"},
      {"{a: {from: 1, to: 2, count: 2, step: 1}}", "either a count or a step"},
      {"{a: {to: 2, count: 2}}", "the range has no 'from'"},
      {"{a: {from: 1, count: 2}}", "the range has no 'to'"},
      {"{a: {from: 1, to: [2], count: 2}}", "the range has no 'to'"},
      {"{a: {from: 1, too: 2, count: 2}}", "not 'too'"},
      {"{a: {from: x, to: 2, count: 2}}", "from: 'x' is not a number"},
      {"{a: {from: nan, to: 2, count: 2}}", "from: 'nan' is not a number"},
      {"{a: {from: 0, to: inf, count: 2}}", "to: 'inf' is not a number"},
      {"{a: {from: 2, to: 1, count: 2}}", "sweep.a: the range is reversed: from 2 to 1"},
      {"{a: {from: 1, to: 2, count: 1}}", "count 1 gives one value"},
      {"{a: {from: 1, to: 2, count: 0}}", "count is a whole number"},
      {"{a: {from: 1, to: 2, count: 2.5}}", "count is a whole number"},
      {"{a: {from: 1, to: 2, count: 2s}}", "count is a whole number"},
      {"{a: {from: 1, to: 2, count: 2e6}}", "count is a whole number, from 1 to a million"},
      {"{a: {from: 1, to: 2, step: 0}}", "the step must be more than 0"},
      {"{a: {from: 1, to: 2, step: -1}}", "the step must be more than 0"},
      {"{a: {from: 1, to: 2, step: 0.3}}", "steps of 0.3 from 1 do not meet 2"},
      {"{a: {from: 1, to: 2, step: 1e-9}}", "more than a million"},
      {"{a: {from: 1s, to: 2min, count: 2}}", "have the same unit; here 's' and 'min'"},
      {"{a: {from: 1s, to: 2s, step: 1}}", "have the same unit"},
      {"{a: {from: 0, to: 2, count: 3, scale: log}}", "a log range begins above 0"},
      {"{a: {from: 1, to: 2, step: 1, scale: log}}", "a log range has a count"},
      {"{a: {from: 1, to: 2, count: 2, scale: cubic}}", "scale is linear or log"},
      {"{zip: {a: [1, 2], b: [1]}}", "sweep.zip.b: a zip's lists are equally long; this one holds 1, the first 2"},
      {"{zip: {a: []}}", "sweep.zip.a: the list of values is empty"},
      {"{zip: {}}", "sweep.zip: a zip holds keys"},
      {"{zip: [1]}", "sweep.zip: a zip holds keys"},
      {"{zip: {a: [1], b: [2]}, b: [3]}", "'b' is swept twice"},
      {"[{a: [1]}, {a: [2]}]", "'a' is swept twice"},
      {"3", "sweep: a sweep holds keys"},
      {"[]", "sweep: a sweep holds keys"},
      {"[a]", "sweep: each item of a sweep is key: values"},
      {"{a: {from: 1, to: 2000, count: 2000}, b: {from: 1, to: 2000, count: 2000}}", "more than a million points"},
  });
}

TEST_CASE("A wrong axis costs only itself, and its keys are not missing", "[sweep][error]") {
  Problems problems;
  const Sweep s =
      read_sweep(parse_yaml("a: []\nb: [1, 2]\nc: 3\nzip: {d: [1], e: [1, 2]}\n", "e.yaml"), "e.yaml", problems);
  CHECK(problems.list().size() == 3);
  CHECK(s.keys() == Words{"b"});
  Words broken;
  for (const auto& setting : s.broken) broken.push_back(setting.place.key);
  CHECK(broken == Words{"a", "c", "d", "e"});
}

TEST_CASE("A sweep of too many points is refused by counting them, and none is made", "[sweep][error]") {
  const std::string axis = "{from: 1, to: 1e6, count: 1e6}";
  for (const std::string& yaml : {"{a: " + axis + ", b: " + axis + ", c: [1, 2]}",
                                  "{a: [1, 2], zip: {b: " + axis + ", c: " + axis + "}, d: [1, 2]}"}) {
    INFO(yaml);
    Problems problems;
    const Sweep s = read_sweep(parse_yaml(yaml, "e.yaml"), "e.yaml", problems);
    REQUIRE(problems.list().size() == 1);
    CHECK_THAT(problems.list().front().text(), Contains("more than a million points: "));
    CHECK(s.size() == 1);
    CHECK(s.axes.empty());
    CHECK(s.broken.size() == (yaml.find("zip") == std::string::npos ? 3 : 4));
  }
}

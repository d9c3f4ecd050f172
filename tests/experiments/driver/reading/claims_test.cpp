// Claims as YAML has them, the sentences for wrong ones, those that are shipped, and verdicts in three formats.
#include "experiments/driver/reading/claims.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "experiments/driver/claims/check_parts.hpp"
#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "tests/experiments/driver/claim_fixture.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/experiments/driver/sentences.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const std::string kExperiment =
    "nowsim: 1\nplatform: {workstations: 2}\njob: {workload: base-task, work: 100f}\nowner: {model: intervals, TH: "
    "0.1}\n"
    "metrics: [tau, T_i]\nsweep:\n  owner.TH: [0.1, 20%]\n  split.policy: [equal, proportional]\n  "
    "platform.workstations: [1, 2]\n";

/// The experiment with one claim, from line 10 on.
std::string with_claim(const std::string& keys) {
  return kExperiment + "claims:\n  - {id: c, says: s, source: p, " + keys + "}\n";
}

std::string written(const std::vector<ClaimResult>& results, Format format) {
  std::ostringstream out;
  write_claims(results, format, out);
  return out.str();
}

/// What a made-up claim comes to.
ClaimResult flat_result() {
  ClaimResult result{Verdict::not_reproduced, "tau ± σ", "7.3 ± 0.1 s"};
  result.claim = claim("check: flat, along: x, tolerance: 2%, paper: 13.8 s");
  result.claim.id = "HL-0";
  result.claim.says = "A says, \"b\".";
  result.claim.source = "HL Fig. 0";
  result.differs = "The machines, it seems, differ.";
  return result;
}

}  // namespace

TEST_CASE("A claim is read with all its keys", "[reads][claims]") {
  const Experiment e = loaded(
      with_claim("check: above, metric: tau, along: platform.workstations, across: owner.TH, higher: 0.2, "
                 "lower: 0.1, tolerance: 5%, confidence: 99%, where: {split.policy: equal, owner.TH: [10%, 0.2]}"));
  REQUIRE(e.claims.size() == 1);
  const Claim& c = e.claims[0];
  CHECK(c.id == "c");
  CHECK(c.kind->name == "above");
  CHECK(c.confidence == 0.99);
  CHECK(c.where.at("owner.TH") == std::vector<std::string>{"10%", "0.2"});
  CHECK(c.where.at("split.policy") == std::vector<std::string>{"equal"});
  CHECK(c.place("tolerance").line == 11);
  std::vector<std::string> names;
  for (const auto& [what, key, name, axis] : c.names) names.push_back(key + " " + name + " " + axis);
  CHECK(names == std::vector<std::string>{"metric tau ", "along platform.workstations ", "across owner.TH ",
                                          "higher 0.2 owner.TH", "lower 0.1 owner.TH"});
}

TEST_CASE("A check is handed what its claim asks, by the keys of its kind alone", "[claims]") {
  const auto told = [](const Claim&, const checks::Tolerance& asked, const ResultTable&) {
    ClaimResult result;
    result.figure = asked.tolerance == 0.05 ? "5 %" : "another";
    return result;
  };
  Problems problems;
  const auto read = [&](std::vector<std::string> optional) {
    const std::vector<CheckKind> kinds{{"own", "", {"along"}, optional, false, checks::asking<checks::Tolerance>(told)}};
    const auto claims = read_claims(
        parse_yaml("[{id: c, says: s, source: p, check: own, metric: tau, along: x, tolerance: 5%}]", "e.yaml"),
        "e.yaml", kinds, problems);
    return claims.at(0).check(claims.at(0), {}).figure;
  };
  CHECK(read({"tolerance"}) == "5 %");
  CHECK(problems.empty());
  CHECK_THROWS_AS(read({"within"}), std::logic_error);
}

TEST_CASE("A claim may have the paper's number, and why its verdict is another", "[claims]") {
  const std::string keys = "check: increasing, along: x, paper: \"13.8 s\", differs: \"The machines differ.\"";
  CHECK(claim(keys).paper == "13.8 s");
  const ClaimResult falls = result(keys, curve({9, 5}, 0.5)), rises = result(keys, curve({5, 9}, 0.5));
  CHECK(falls.claim.paper == "13.8 s");
  CHECK(falls.differs == "The machines differ.");
  CHECK(rises.claim.paper == "13.8 s");
  CHECK(rises.differs.empty());  // there is nothing to explain
  CHECK(claim("check: increasing, along: x").paper.empty());
}

TEST_CASE("A claim whose number was put in is told apart", "[claims]") {
  const std::string keys = "check: increasing, along: x";
  CHECK_FALSE(result(keys, curve({5, 9}, 0.5)).claim.calibrated);
  const ClaimResult put_in = result(keys + ", calibrated: true", curve({5, 9}, 0.5));
  CHECK(put_in.claim.calibrated);
  CHECK_THAT(written({put_in, result(keys, curve({5, 9}, 0.5))}, Format::table),
             Contains("1 claim: 1 reproduced, 0 not reproduced, 0 undecided\n"
                      "apart from these 1 reads back what was put in or fitted to: 1 reproduced\n"));
  CHECK_THAT(written({put_in}, Format::csv), Catch::EndsWith(",true,,,,\n"));
  CHECK_THAT(written({put_in}, Format::json), Contains("\"calibrated\": true, "));
  CHECK_THAT(problems_of(with_claim("check: increasing, metric: tau, along: owner.TH, calibrated: maybe")),
             Contains("claims.c.calibrated: 'maybe' is not one of: false, true"));
}

TEST_CASE("Another reading of a claim is told beside it, and moves no count of claims", "[claims]") {
  const std::string keys = "check: increasing, along: x";
  const ClaimResult plain = result(keys, curve({9, 5}, 0.5)),
                    other = result(keys + ", variant_of: b", curve({5, 9}, 0.5));
  CHECK(other.kind() == ClaimKind::variant);
  CHECK(result(keys + ", variant_of: b, calibrated: true", curve({5, 9}, 0.5)).kind() == ClaimKind::variant);
  const std::string table = written({plain, other}, Format::table);
  CHECK_THAT(table, Contains("1 claim: 0 reproduced, 1 not reproduced, 0 undecided\n"
                             "apart from these 1 is another reading: 1 reproduced\n"));
  CHECK_THAT(table, Contains("(another reading of b)"));
}

TEST_CASE("Another reading is of a claim that is none itself", "[claims][error]") {
  const auto claim_of = [](const std::string& id, const std::string& variant_of) {
    return "{id: " + id +
           ", says: s, source: p, metric: tau, check: increasing, along: owner.TH, variant_of: " + variant_of + "}";
  };
  CHECK_THAT(problems_of(kExperiment + "claims: [" + claim_of("a", "a") + "]\n"),
             Contains("claims.a.variant_of: a claim is no other reading of itself"));
  CHECK_THAT(problems_of(kExperiment + "claims: [" + claim_of("a", "z") + ", " + claim_of("b", "a") + "]\n"),
             Contains("claims.b.variant_of: 'a' is another reading itself, of 'z': name that claim"));
  CHECK(problems_of(kExperiment + "claims: [" + claim_of("a", "z") + "]\n").empty());  // of another experiment
}

TEST_CASE("What was chosen after results had been seen is said, and counted among what is reproduced", "[claims]") {
  const std::string keys = "check: increasing, along: x, chosen: \"The window begins at 1.\"";
  const ClaimResult rises = result(keys, curve({5, 9}, 0.5)), falls = result(keys, curve({9, 5}, 0.5));
  const std::string table = written({rises, falls}, Format::table);
  CHECK_THAT(table, Contains("2 claims: 1 reproduced (with 1 something was chosen after results had been seen), 1 not "
                             "reproduced, 0 undecided\n"));
  CHECK_THAT(table, Contains("chosen: The window begins at 1."));
}

TEST_CASE("A claim may have a few of the paper's own words, but no sentences", "[claims]") {
  const std::string keys = "check: increasing, along: x, words: ";
  CHECK_THAT(written({result(keys + "almost linearly", curve({5, 9}, 0.5))}, Format::table),
             Contains("the paper: \"almost linearly\""));
  CHECK_THAT(problems_of(with_claim("check: increasing, metric: tau, along: owner.TH, words: " + std::string(101, 'a'))),
             Contains("claims.c.words: a few of the paper's own words stand here, at most 100 characters, not 101"));
}

TEST_CASE("Why a verdict differs is told with what was measured", "[claims]") {
  const auto told = [](const std::string& sentence, const ResultTable& s) {
    return result("check: increasing, along: x, differs: \"" + sentence + "\"", s).differs;
  };
  const ResultTable falls = curve({9, 5}, 0.5);
  CHECK(told("It falls to {tau x=2} from {tau x=1}.", falls) == "It falls to 5.00 ± 0.50 s from 9.00 ± 0.50 s.");
  CHECK(told("It is {tau}.", falls) == "It is 5.00 ± 0.50 s to 9.00 ± 0.50 s.");
  CHECK(told("It is {tau x=7}.", falls) == "It is no result.");
  // What the claim's `where` leaves; hours where seconds are many.
  CHECK(
      result("check: increasing, along: x, where: {x: [2, 3]}, differs: \"From {tau}.\"", curve({1, 36000, 18000}, 360))
          .differs == "From 5.00 ± 0.10 h to 10.00 ± 0.10 h.");
  const auto problem = [](const std::string& sentence) {
    return problems_of(with_claim("check: increasing, metric: tau, along: owner.TH, differs: \"" + sentence + "\""));
  };
  CHECK_THAT(problem("a {tau"), Contains("claims.c.differs: a '{' has no '}'"));
  CHECK_THAT(problem("a tau}"), Contains("claims.c.differs: a '}' has no '{' before it"));
  CHECK_THAT(problem("a {}"), Contains("names no metric"));
  CHECK_THAT(problem("a {tau owner.TH}"), Contains("has a part without '='"));
  CHECK_THAT(problem("a {tau owner.TH=}"), Contains("an axis or a value that is empty"));
  CHECK_THAT(problem("a {tau owner.TH=0.1, owner.TH=0.2}"), Contains("names 'owner.TH' twice"));
  CHECK_THAT(problem("a {taw}"), Contains("claims.c.differs: there is no metric 'taw'"));
  CHECK_THAT(problem("a {tau owner.SH=1}"), Contains("claims.c.differs: 'owner.SH' is not swept"));
  CHECK_THAT(problem("a {tau owner.TH=0.7}"), Contains("claims.c.differs: 'owner.TH' does not take the value '0.7'"));
}

TEST_CASE("The number that decides is told in short, with its metric", "[claims]") {
  const std::string rises = "check: increasing, along: x";
  // 9 - 5, and the distances 0.3 and 0.4 added as squares: two ends of one curve.
  CHECK(result(rises, curve({around(5, 0.3), around(9, 0.4)})).figure ==
        "tau: from x = 1 to 2 it changes by 4.00 ± 0.50 s");
  CHECK(result(rises, curve({5, 4, 9}, 0.1)).figure ==
        "tau: from x = 1 to 2 it changes by -1.00 ± 0.17 s");  // not the whole rise
  CHECK(result("check: values_between, along: x, more_than: 1", curve({5, 7, 9}, 0.5)).figure ==
        "tau: at x = 1 it is 5.00 ± 0.50 s");
  CHECK(result("check: falls_then_rises, along: x", curve({9, 5, 9}, 0.5)).figure == "tau: 5.00 ± 0.50 s at x = 2");
  CHECK(result("check: maximum_value_between, along: x, most: 10", curve({5, 7, 9}, 0.5)).figure ==
        "tau: 9.00 ± 0.50 s at x = 3");
  CHECK(result(rises, curve({5}, 0.5)).figure.empty());  // nothing to compare
}

TEST_CASE("Every wrong claim is a sentence with its line and key", "[claims][error]") {
  check_said([](const std::string& keys) { return problems_of(with_claim(keys)); }, "e.yaml:11: claims.c", {
      {"check: flatt, metric: tau, along: owner.TH, tolerance: 1%",
       ".check: there is no check 'flatt'; did you mean 'flat'?"},
      {"check: flat, metric: tau, along: owner.TH", ".tolerance: the check 'flat' needs this key"},
      {"check: flat, metric: tau, tolerance: 1%", ".along: the check 'flat' needs this key"},
      {"check: flat, metric: tau, along: owner.TH, tolerance: 1%, across: x",
       ".across: the check 'flat' does not have this key"},
      {"check: flat, along: owner.TH, tolerance: 1%", ".metric: this key is missing"},
      {"metric: tau, along: owner.TH", ".check: this key is missing"},
      {"check: flat, metric: [tau], along: owner.TH, tolerance: 1%",
       ".metric: a text is wanted here, not a list or map"},
      {"check: flat, metric: tau, along: owner.TH, tolerance: x", ".tolerance: 'x'"},
      {"check: flat, metric: tau, along: owner.TH, tolerance: -1%", ".tolerance: -1% (-0.01) is out of range"},
      {"check: increasing, metric: tau, along: owner.TH, confidence: 100%", ".confidence: 100% (1) is out of range"},
      {"check: power_law, metric: tau, along: owner.TH", ": the check 'power_law' needs 'least', 'most' or both"},
      {"check: power_law, metric: tau, along: owner.TH, least: {a: 1}", ".least: one value is wanted here, not a map"},
      {"check: power_law, metric: tau, along: owner.TH, least: 2, most: 1", ".least: 'least' is more than 'most'"},
      {"check: power_law, metric: tau, along: owner.TH, least: 2, above_first: yes",
       ".above_first: 'yes' is not one of: false, true"},
      {"check: grows_more, metric: tau, along: owner.TH, across: owner.TH",
       ".across: 'along' and 'across' are different axes"},
      {"check: increasing, metric: tau, along: owner.TH, where: 3", ".where: this is a map of swept keys"},
      {"check: increasing, metric: tau, along: owner.TH, where: {owner.TH: []}",
       ".where.owner.TH: here stands a value of the axis"},
      {"check: increasing, metric: tau, along: owner.HT", ".along: 'owner.HT' is not swept; did you mean 'owner.TH'?"},
      {"check: grows_more, metric: tau, along: owner.TH, across: let.x", ".across: 'let.x' is not swept"},
      {"check: increasing, metric: tau, along: owner.TH, where: {owner.SH: 1}",
       ".where.owner.SH: 'owner.SH' is not swept"},
      {"check: increasing, metric: tau, along: owner.TH, where: {split.policy: fair}",
       ".where.split.policy: 'split.policy' does not take the value 'fair'; its values: equal, proportional"},
      {"check: above, metric: tau, along: owner.TH, across: platform.workstations, higher: 2, lower: 3",
       ".lower: 'platform.workstations' does not take the value '3'"},
      {"check: increasing, metric: tau, along: split.policy",
       ".along: the check 'increasing' needs numbers along 'split.policy'; 'equal' is none"},
      {"check: increasing, metric: tauu, along: owner.TH", ".metric: there is no metric 'tauu'; did you mean 'tau'?"},
      {"check: increasing, metric: sigma_T, along: owner.TH",
       ".metric: the experiment does not measure 'sigma_T'; its metrics: tau, T_i"},
      {"check: values_between, metric: tau, along: owner.TH",
       ": the check 'values_between' needs 'more_than', 'less_than' or both"},
      {"check: minimum_between, metric: tau, along: owner.TH",
       ": the check 'minimum_between' needs 'least', 'most' or both"},
      {"check: minima_agree, metric: tau, along: owner.TH, within: 0.1",
       ".other: the check 'minima_agree' needs this key"},
      {"check: minima_agree, metric: tau, other: spread, along: owner.TH, within: 0.1",
       ".other: the experiment does not measure 'spread'; its metrics: tau, T_i"},
      {"check: minima_agree, metric: tau, other: spraed, along: owner.TH, within: 0.1",
       ".other: there is no metric 'spraed'; did you mean 'spread'?"},
      {"check: minima_agree, metric: tau, other: tau, along: owner.TH, within: -1", ".within: -1 is out of range"},
      {"check: cross, metric: tau, along: owner.TH, across: platform.workstations, higher: 2, lower: 2",
       ".higher: 'higher' and 'lower' are different values of 'across'"},
      {"check: ratio_between, metric: tau, along: owner.TH, across: platform.workstations, higher: 2, lower: 1",
       ": the check 'ratio_between' needs 'least', 'most' or both"},
      {"check: ratio_between, metric: tau, along: owner.TH, across: platform.workstations, lower: 1, most: 2",
       ".higher: the check 'ratio_between' needs this key"},
      {"check: change_between, metric: tau, along: split.policy, most: 10%",
       ".along: the check 'change_between' needs numbers along 'split.policy'"},
      {"check: change_between, metric: tau, along: owner.TH",
       ": the check 'change_between' needs 'least', 'most' or both"},
      {"check: maximum_value_between, metric: tau, along: owner.TH, least: 1s", ".least: '1s'"},
      {"check: increasing, metric: T_i, along: owner.TH", ".metric: 'T_i' has a value per workstation"},
  });
  CHECK_THAT(problems_of(with_claim("check: flat, metric: tau, along: owner.TH, tolerence: 1%")),
             Contains("e.yaml:11: claims.c.tolerence: this key is not known; did you mean 'tolerance'?"));
  CHECK_THAT(problems_of(with_claim("check: increasing, metric: tau, along: owner.TH, where: {owner.TH: [[1]]}")),
             Contains("e.yaml:11: claims.c.where.owner.TH: a list here holds plain values, not lists or maps"));
}

TEST_CASE("Wrong lists of claims", "[claims][error]") {
  const std::string good = "{id: c, says: s, source: p, check: increasing, metric: tau, along: owner.TH}";
  CHECK_THAT(problems_of(kExperiment + "claims: 3\n"), Contains("e.yaml:10: claims: claims are a list of maps"));
  CHECK_THAT(problems_of(kExperiment + "claims: [3]\n"), Contains("e.yaml:10: claims: a claim is a map"));
  CHECK_THAT(problems_of(kExperiment + "claims:\n"), Contains("claims: claims are a list of maps"));
  CHECK_THAT(problems_of(kExperiment + "claim: []\n"), Contains("did you mean 'claims'?"));
  CHECK_THAT(problems_of(kExperiment + "claims: [" + good + ", " + good + "]\n"),
             Contains("claims.c.id: this id is given twice"));
  CHECK(problems_of(kExperiment + "claims: [" + good + "]\n").empty());
  CHECK(problems_of(kExperiment + "claims: []\n").empty());
}

TEST_CASE("Claims go by any key of a zip, and by words", "[claims]") {
  const std::string zipped =
      "nowsim: 1\nplatform: {workstations: 2}\njob: {workload: base-task, work: 100f}\nowner: {model: intervals, TH: "
      "0.1}\nsweep:\n  zip: {split.policy: [equal, proportional], job.work: [100f, 200f]}\n"
      "  owner.TH: [0.1, 0.2]\nclaims:\n"
      "  - {id: c, says: s, source: p, metric: tau, check: above, along: owner.TH, across: split.policy,\n"
      "     higher: proportional, lower: ";
  CHECK(problems_of(zipped + "equal}\n").empty());
  CHECK_THAT(problems_of(zipped + "fair}\n"),
             Contains("claims.c.lower: 'split.policy' does not take the value 'fair'; its values: equal, "
                      "proportional"));
}

TEST_CASE("A flag may take away what a claim needs: then it is undecided", "[claims]") {
  const std::string yaml =
      with_claim("check: increasing, metric: tau, along: owner.TH, where: {platform.workstations: 2}");
  for (const std::string flag : {"owner.TH=0.1", "metrics=[sigma_T]", "platform.workstations=2"}) {
    const Experiment e = loaded(yaml, {flag});
    const auto results = check_claims(e.claims, ResultTable{e.title, e.file, e.axes, e.metrics, {}});
    REQUIRE(results.size() == 1);
    CHECK(results[0].verdict == Verdict::undecided);
    CHECK_THAT(results[0].measured, Contains("so nothing can be said"));
    CHECK(results[0].claim.id == "c");
  }
}

TEST_CASE("A flag may take away what a claim's reason tells: the verdict stays", "[claims]") {
  std::string yaml = with_claim("check: increasing, metric: tau, along: platform.workstations, differs: \"{sigma_T} "
                                "{tau owner.TH=0.1}\"");
  yaml.replace(yaml.find("T_i"), 3, "sigma_T");
  const Experiment e = loaded(yaml, {"metrics=[tau]", "owner.TH=0.1"});
  ResultTable falls{e.title, e.file, e.axes, e.metrics, {}};
  for (const auto& [n, tau] : {std::pair{"1", 9.0}, std::pair{"2", 5.0}}) {
    falls.rows.push_back(row({}, around(tau, 0.5)));
    for (const auto& axis : e.axes) falls.rows.back().values.push_back(axis == "platform.workstations" ? n : "1");
  }
  const auto results = check_claims(e.claims, falls);
  CHECK(results.at(0).verdict == Verdict::not_reproduced);
  CHECK(results.at(0).differs == "no result no result");
}

TEST_CASE("Numbers of axes carry units", "[claims]") {
  CHECK(axis_number("0.28") == 0.28);
  CHECK(axis_number("28%") == 0.28);
  CHECK(axis_number("2min") == 120.0);
  CHECK(axis_number("4MB") == 4e6);
  CHECK(axis_number("25Mf") == 25e6);
  CHECK_FALSE(axis_number("equal"));
  CHECK_FALSE(axis_number("= 3 * N"));
  CHECK(same_axis_value("1min", "60s"));
  CHECK(same_axis_value("equal", "equal"));
  CHECK_FALSE(same_axis_value("equal", "proportional"));
  CHECK_FALSE(same_axis_value("1", "equal"));
}

TEST_CASE("Of a changed experiment it is said at the top, and no paper is credited", "[claims]") {
  ClaimResult changed = flat_result();
  changed.changed = "owner.TH = 0.3";
  const std::string alone = written({changed}, Format::table), beside = written({changed, flat_result()}, Format::table);
  CHECK(alone.starts_with("of a changed experiment: owner.TH = 0.3\n"));
  CHECK_THAT(alone, Contains("[after HL Fig. 0]") && Contains("\n1 claim of changed experiments: 0 reproduced, 1 not reproduced") &&
                        !Contains("0 claims"));
  CHECK_THAT(beside, Contains("[after HL Fig. 0]") && Contains("[HL Fig. 0]") &&
                         Contains("\n1 claim: 0 reproduced, 1 not reproduced") && Contains("\n1 claim of changed experiments: "));
  CHECK_THAT(written({changed}, Format::csv), Contains(",owner.TH = 0.3\n"));
}

TEST_CASE("Verdicts for programs", "[claims]") {
  CHECK(written({flat_result()}, Format::csv) ==
        "id,verdict,check,confidence,source,says,paper,figure,measured,differs,calibrated,words,chosen,variant_of,changed\n"
        "HL-0,not_reproduced,flat,0.95,HL Fig. 0,\"A says, \"\"b\"\".\",13.8 s,7.3 ± 0.1 s,tau ± σ,"
        "\"The machines, it seems, differ.\",false,,,,\n");
  CHECK(written({flat_result()}, Format::json) ==
        "[\n  {\"id\": \"HL-0\", \"verdict\": \"not_reproduced\", \"check\": \"flat\", \"confidence\": 0.95, "
        "\"source\": \"HL Fig. 0\", "
        "\"says\": \"A says, \\\"b\\\".\", \"paper\": \"13.8 s\", \"figure\": \"7.3 ± 0.1 s\", "
        "\"measured\": \"tau ± σ\", \"differs\": \"The machines, it seems, differ.\", "
        "\"calibrated\": false, \"words\": \"\", \"chosen\": \"\", \"variant_of\": \"\", \"changed\": \"\"}\n]\n");
  CHECK(written({}, Format::json) == "[]\n");
}

TEST_CASE("Verdicts for people are wrapped and counted", "[claims]") {
  ClaimResult wordy = flat_result();
  wordy.claim.id = "HL-99-a-longer-id";
  wordy.verdict = Verdict::undecided;
  for (int i = 0; i < 30; ++i) wordy.claim.says += " größer", wordy.measured += " 3.0 ± 0.1";
  const std::string table = written({flat_result(), wordy}, Format::table);
  std::istringstream in(table);
  for (std::string line; std::getline(in, line);) {
    INFO(line);
    CHECK(shown_width(line) <= 100);
  }
  CHECK_THAT(table, Contains("  HL-0               not reproduced  A says, \"b\". [HL Fig. 0]\n"));
  const std::string indented = "\n                                       ";
  CHECK_THAT(table, Contains(indented + "the paper: 13.8 s" + indented + "tau ± σ" + indented +
                             "The machines, it seems, differ.\n"));
  CHECK_THAT(table, Contains("2 claims: 0 reproduced, 1 not reproduced, 1 undecided\n"));
  CHECK(written({}, Format::table) == "0 claims: 0 reproduced, 0 not reproduced, 0 undecided\n");
}

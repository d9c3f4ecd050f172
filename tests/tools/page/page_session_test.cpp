// The page's questions: the same answers as the command line's, sentences for what is wrong, and nothing of other
// files.
#include "tools/page/page_session.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "tests/awkward_texts.hpp"
#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;
using Json = nlohmann::ordered_json;

namespace {

const nowsim::Registries& page_registries() {
  static const nowsim::Registries all({}, nowsim::builtin_checks(), nowsim::builtin_figures());
  return all;
}

std::string shipped_folder() { return source_folder() + "/experiments"; }
std::string shipped_yaml(const std::string& name) { return content_of(shipped_folder() + "/" + name + ".yaml"); }

/// A session, and questions as objects.
struct AskedSession {
  explicit AskedSession(const std::string& labs = shipped_folder() + "/labs", nowsim::PageOptions options = {})
      : session({shipped_folder(), labs}, page_registries(), std::move(options)) {}

  Json ask(const Json& question) { return Json::parse(session.answer(question.dump())); }
  /// What is not an error.
  Json ok(const Json& question) {
    const Json answer = ask(question);
    INFO(answer.dump().substr(0, 1000));
    REQUIRE(answer.contains("ok"));
    return answer["ok"];
  }
  Json error(const Json& question) {
    const Json answer = ask(question);
    INFO(answer.dump().substr(0, 1000));
    REQUIRE(answer.contains("error"));
    return answer["error"];
  }
  std::string sentence(const Json& question) { return error(question)["sentence"].get<std::string>(); }

  nowsim::PageSession session;
};

Json about(const std::string& what, const std::string& name, const std::vector<std::string>& set) {
  return {{"do", what}, {"yaml", shipped_yaml(name)}, {"name", name + ".yaml"}, {"set", set}};
}
Json of_text(const std::string& what, const std::string& yaml) {
  return {{"do", what}, {"yaml", yaml}, {"name", "mine.yaml"}, {"set", Json::array()}};
}

ProgramRun run_shipped(const std::string& name, const std::vector<std::string>& set, std::vector<std::string> more) {
  more.insert(more.begin(), {"run", name, "-q"});
  for (const std::string& key : set) more.insert(more.end(), {"--set", key});
  return run_program(more);
}

constexpr const char* kSteady = R"(nowsim: 1
title: "Steady"
platform: {workstations: 2, speed: 1Gf}
job: {workload: base-task, work: 10Gf}
owner: {model: intervals, value: uniform, mean: 0.5, TH: 0.3, SH: 0, length: uniform, interval: 1s}
run: {replications: 50}
metrics: [tau]
)";

}  // namespace

TEST_CASE("The catalogue has what there is to choose from, and says what is not here", "[computes][reads][page]") {
  AskedSession here;
  const Json all = here.ok({{"do", "catalogue"}});
  CHECK(all["engines"] == Json::array({"direct", "simgrid"}));
  CHECK(all["absent"].empty());
  const auto has = [](const Json& list, const std::string& name) {
    return std::ranges::any_of(list, [&](const Json& row) { return row["name"] == name; });
  };
  CHECK(has(all["experiments"], "huang-lee-2007/fig05"));
  CHECK_FALSE(has(all["experiments"], "labs/slowest/lab"));
  CHECK(has(all["techniques"], "FAC2"));
  CHECK(has(all["policies"], "proportional"));
  CHECK(has(all["owners"], "intervals"));
  CHECK(has(all["labs"], "slowest"));
  for (const Json& lab : all["labs"]) CHECK(lab["needs_python"] == (lab["name"] == "beat-fac2"));
  for (const Json& experiment : all["experiments"]) {
    const nowsim::YamlNode root = nowsim::parse_yaml(shipped_yaml(experiment["name"]), "x");
    CHECK(experiment["title"] == (root.find("title") != nullptr ? root.find("title")->text : ""));
  }
  AskedSession browser(shipped_folder() + "/labs", {.absent = nowsim::absent_in_browsers()});
  const Json there = browser.ok({{"do", "catalogue"}});
  CHECK(there["engines"] == Json::array({"direct"}));
  CHECK_THAT(there["absent"]["python"].get<std::string>(), Contains("nowsim lab serve"));
  CHECK(here.ok({{"do", "text"}, {"name", "labs/lab-night"}})["yaml"] == shipped_yaml("labs/lab-night"));
}

TEST_CASE("A page's run is the command line's, byte by byte", "[page]") {
  AskedSession page;
  struct Asked {
    std::string name;
    std::vector<std::string> set;
    bool has_figure;
  };
  const std::vector<Asked> asked{{"huang-lee-2007/fig05", {"owner.SH=0", "run.replications=30"}, true},
                                 {"labs/how-late", {"run.replications=40"}, true},
                                 {"labs/steady-machines", {"run.replications=20"}, false},
                                 {"labs/slowest/equal", {"run.replications=10", "let.work=3000"}, false}};
  for (const auto& [name, set, has_figure] : asked) {
    INFO(name);
    const Json answer = page.ok(about("run", name, set));
    const ProgramRun table = run_shipped(name, set, {"--show-splits"});
    CHECK(answer["table"].get<std::string>() +
              (answer["splits"] == "" ? "" : "\n" + answer["splits"].get<std::string>()) ==
          table.out);
    CHECK(answer["csv"] == run_shipped(name, set, {"--format", "csv"}).out);
    CHECK(answer["summary"] == Json::parse(run_shipped(name, set, {"--format", "json"}).out));
    CHECK(answer["has_failures"] == false);
    if (has_figure) CHECK(answer["figure"]["panels"].size() > 0);
  }
  Json few = about("run", "huang-lee-2007/fig05", {"owner.SH=0"});
  few["replications"] = 30;
  CHECK(page.ok(few)["csv"] == page.ok(about("run", asked[0].name, asked[0].set))["csv"]);
}

TEST_CASE("Splits that are found by simulation are told with a run", "[page]") {
  AskedSession page;
  std::string yaml = kSteady;
  yaml += "split: {policy: optimal}\n";
  const Json answer = page.ok(of_text("run", yaml));
  CHECK_THAT(answer["splits"].get<std::string>(), Contains("optimal"));
  CHECK(answer["figure"].is_null());
}

TEST_CASE("A scenario is described without being run", "[page]") {
  AskedSession page;
  const Json answer = page.ok(about("describe", "huang-lee-2007/fig05", {"owner.SH=0", "run.seed=7"}));
  CHECK(answer["points"] == 9);
  CHECK(answer["seed"] == 7);
  CHECK(answer["replications"] == 1000);
  CHECK(answer["engine"] == "direct");
  CHECK(answer["figure"] == "curves");
  REQUIRE(answer["axes"].size() == 1);
  CHECK(answer["axes"][0]["key"] == "owner.TH");
  CHECK(answer["axes"][0]["values"].size() == 9);
  CHECK(answer["metrics"][1]["label"] == "σ<sub>T</sub>");
  CHECK(page.ok(of_text("describe", std::string(kSteady)))["figure"].is_null());
}

TEST_CASE("Times of a point, and the risk of a deadline, are those of the metrics", "[page]") {
  for (const std::string way : {"none", "antithetic", "control-variates"}) {
    INFO(way);
    AskedSession page;
    CHECK_THAT(page.sentence({{"do", "risk"}, {"deadline_s", 20}, {"id", ""}}), Contains("'times' comes first"));
    Json question = of_text("times", kSteady);
    question["set"] = {"run.variance_reduction=" + way};
    question["replications"] = 300;
    const Json times = page.ok(question);
    Json with_deadline = of_text("run", kSteady);
    with_deadline["set"] = {"run.variance_reduction=" + way, "run.replications=300", "run.deadline=11s",
                            "metrics=[tau, sigma_T, RF]"};
    const Json row = page.ok(with_deadline)["summary"]["points"][0];
    const auto same = [&](const Json& mine, const Json& theirs) {
      INFO(theirs.dump());
      for (const char* end : {"value", "low", "high"}) CHECK(mine[end] == theirs[end]);
    };
    INFO(row.dump());
    same(times["mean"], row["metrics"]["tau"]);
    same(times["sd"], row["metrics"]["sigma_T"]);
    const Json asked{{"do", "risk"}, {"deadline_s", 11}, {"id", times["id"]}};
    const Json risk = page.ok(asked);
    same(risk["late"], row["metrics"]["RF"]);
    CHECK_THAT(risk["text"].get<std::string>(), Contains("±") || Contains("["));
    CHECK(times["n"] == 300);
    REQUIRE(times["curve"].size() == 300);
    CHECK(times["curve"].front()["t_s"] == times["least_s"]);
    CHECK(times["curve"].back()["t_s"] == times["most_s"]);
    CHECK(times["curve"].back()["late"] == 0);
    for (const Json& step : times["curve"]) CHECK((step["low"] <= step["late"] && step["late"] <= step["high"]));
    // Another session goes on with what this one remembers.
    AskedSession other;
    other.session.remember_times(page.session.last_times());
    CHECK(other.ok(asked) == risk);
    CHECK(page.ok({{"do", "risk"}, {"deadline_s", 0}, {"id", times["id"]}})["late"]["value"] == 1);
    CHECK(page.error({{"do", "risk"}, {"deadline_s", 0}})["key"] == "id");
  }
}

TEST_CASE("The risk of another scenario than the last times' is refused", "[page]") {
  AskedSession page;
  Json mine = of_text("times", kSteady), theirs = mine;
  mine["replications"] = 20;
  theirs["replications"] = 30;
  const Json first = page.ok(mine)["id"], second = page.ok(theirs)["id"];
  CHECK(first != second);
  const auto risk_of = [](const Json& id) { return Json{{"do", "risk"}, {"deadline_s", 0}, {"id", id}}; };
  CHECK(page.error(risk_of(first))["key"] == "id");
  CHECK_THAT(page.sentence(risk_of(first)), Contains("'times' comes first"));
  CHECK(page.ok(risk_of(second))["late"]["value"] == 1);
  CHECK(page.ok(mine)["id"] == first);
  CHECK(page.ok(risk_of(first))["late"]["value"] == 1);
  theirs["set"] = {"owner.TH=0.2"};
  const Json third = page.ok(theirs)["id"];
  CHECK((third != first && third != second));
}

TEST_CASE("A lab that is half written is told in the catalogue, and the others stay", "[page][labs]") {
  TinyLabs labs;
  write_text(labs.labs() + "/half/lab.yaml", "nowsim-lab: 1\ntitle: \"Half\nquestion: [\n");
  AskedSession page(labs.labs());
  const Json listed = page.ok({{"do", "catalogue"}})["labs"];
  REQUIRE(listed.size() == 2);
  CHECK(listed[0]["name"] == "half");
  CHECK(listed[0]["title"] == "");
  CHECK_THAT(listed[0]["problem"].get<std::string>(), Contains("labs/half/lab.yaml") && !Contains(labs.path()));
  CHECK(listed[1]["title"] == "A tiny lab");
  CHECK_FALSE(listed[1].contains("problem"));
}

TEST_CASE("A page's run names files as the page does", "[page]") {
  AskedSession page;
  const std::string yaml = std::string(kSteady) + "sweep: {owner.TH: [0.1, 0.9]}\n";
  Json question = of_text("run", yaml);
  question["set"] = {"run.infeasible=skip"};
  const Json answer = page.ok(question);
  REQUIRE(answer["summary"]["points"].size() == 2);
  CHECK_THAT(answer["table"].get<std::string>(), Contains("infeasible: owner.TH=0.9: mine.yaml:8:"));
  for (const char* part : {"table", "csv", "summary", "remarks"}) {
    INFO(part);
    CHECK_THAT(answer[part].dump(), !Contains(shipped_folder()));
  }
}

TEST_CASE("A page's replication is the command line's trace", "[page]") {
  AskedSession page;
  const Folder scratch;
  const std::vector<std::string> set{"owner.SH=0", "owner.TH=0.28"};
  Json question = about("gantt", "huang-lee-2007/fig05", set);
  question["replication"] = 3;
  const Json answer = page.ok(question);
  const std::string trace = scratch.path() + "/trace.csv";
  CHECK(run_shipped("huang-lee-2007/fig05", set, {"--trace", trace, "--trace-replication", "3"}).status == 0);
  CHECK(answer["csv"] == content_of(trace));
  REQUIRE(answer["workstations"].size() == 8);
  const Json& first = answer["workstations"][0];
  CHECK(first["bars"][0]["what"] == "compute");
  CHECK(first["availability"].back()["end_s"] == answer["makespan_s"]);
  CHECK(answer["said"] == Json({{"compute", "computes"}, {"idle", "has finished"}}));
  CHECK(answer["barriers_s"].empty());
  const Json phases = page.ok(about("gantt", "labs/gantt/day", {}));
  REQUIRE(phases["barriers_s"].size() == 5);
  CHECK(phases["barriers_s"].back() == phases["makespan_s"]);
  CHECK_THAT(answer["origin"].get<std::string>(), Catch::StartsWith("replication 3, seed 1, engine direct, nowsim "));
  question["replication"] = 1000;
  CHECK_THAT(page.sentence(question), Contains("replications 0 to 999"));
  CHECK_THAT(page.sentence(about("gantt", "huang-lee-2007/fig05", {})),
             Contains("fix what is swept (owner.SH, owner.TH)"));
  CHECK_THAT(page.sentence(about("times", "huang-lee-2007/fig05", {})), Contains("one point"));
}

TEST_CASE("Chunks of tasks that are computed one after the other are one bar of a page", "[page]") {
  AskedSession page;
  const Json answer = page.ok(about("gantt", "labs/failures/farm", {"let.h=0"}));
  std::size_t bars = 0;
  for (const Json& workstation : answer["workstations"])
    for (const Json* before = nullptr; const Json& bar : workstation["bars"]) {
      if (before != nullptr && (*before)["what"] == bar["what"])
        CHECK(bar["begin_s"].get<double>() - (*before)["end_s"].get<double>() > 1e-9);
      before = &bar;
      ++bars;
    }
  CHECK(bars > 20);
  CHECK(answer["said"]["off"] == "switched off");
}

namespace {

/// Keys that are set, and the text that they are written into, make the same; and a comment of the file's stays.
void check_written(AskedSession& page, const std::string& name, const std::vector<std::string>& set) {
  INFO(name << " " << Json(set).dump());
  const Json by_keys = page.ok(about("run", name, set));
  const std::string text = page.ok(about("written", name, set))["yaml"];
  INFO(text);
  Json again = about("run", name, {});
  again["yaml"] = text;
  const Json by_text = page.ok(again);
  for (const char* part : {"title", "table", "csv", "summary", "splits", "figure"})
    CHECK(by_text[part] == by_keys[part]);
  const std::string before = shipped_yaml(name);
  if (const auto comment = before.find("\n# "); comment != before.npos)
    CHECK_THAT(text, Contains(before.substr(comment, before.find('\n', comment + 1) - comment)));
}

}  // namespace

TEST_CASE("A written scenario makes the same bytes as its keys did, and keeps its comments", "[page]") {
  AskedSession page;
  check_written(page, "huang-lee-2007/fig05", {"owner.SH=0", "run.replications=20", "run.seed=3"});
  check_written(page, "huang-lee-2007/fig05",
                {"sweep.owner.TH=[0.1, 0.2]", "run.replications=20", "title='a: \"b\" # c'"});
  check_written(page, "labs/how-late", {"split.policy=equal", "run.replications=20", "metrics=[tau, RF]"});
  check_written(page, "labs/slowest/equal", {"let.work=3000", "run.replications=10"});
  CHECK(page.ok(about("written", "labs/how-late", {}))["yaml"] == shipped_yaml("labs/how-late"));
  Json wrong = about("written", "labs/how-late", {"run.replicatons=3"});
  CHECK(page.error(wrong)["key"] == "run.replicatons");
}

TEST_CASE("Of keys that are swept together the steps stay that a set key leaves", "[page]") {
  AskedSession page;
  const std::string yaml = std::string(kSteady) + "sweep:\n  - zip:  # together\n      owner.TH: [0.1, 0.2, 0.2]\n" +
                           "      job.work: [10Gf, 20Gf, 30Gf]\n  - platform.workstations: [2, 3]\n";
  Json by_keys = of_text("run", yaml);
  by_keys["set"] = {"owner.TH=0.2"};
  Json written = by_keys;
  written["do"] = "written";
  const std::string text = page.ok(written)["yaml"];
  INFO(text);
  const Json run = page.ok(by_keys);
  CHECK(page.ok(of_text("run", text))["csv"] == run["csv"]);
  CHECK(run["summary"]["points"].size() == 4);
}

TEST_CASE("Keys that another model leaves idle are not written", "[page]") {
  AskedSession page;
  Json by_keys = of_text("run", kSteady);
  by_keys["set"] = {"owner.model=dedicated"};
  CHECK(page.ok(by_keys)["remarks"].size() > 0);
  Json written = by_keys;
  written["do"] = "written";
  const std::string text = page.ok(written)["yaml"];
  INFO(text);
  CHECK(page.ok(of_text("run", text))["csv"] == page.ok(by_keys)["csv"]);
  CHECK_THAT(text, !Contains("TH"));
  written["yaml"] = std::string(kSteady) + "sweep: {owner.TH: [0.1, 0.2]}\n";
  CHECK(page.error(written)["key"] == "sweep.owner.TH");  // as it is when it is run
}

TEST_CASE("A scenario that solves for a size is written as it is", "[page][slow]") {
  AskedSession page;
  check_written(page, "bosque-2011/periods", {"run.replications=4", "platform.workstations=4"});
}

TEST_CASE("What is wrong with a question is a sentence with its line and key", "[page]") {
  AskedSession page;
  std::string yaml = kSteady;
  yaml.replace(yaml.find("replications: 50"), 16, "replicatons: 50");
  Json question = of_text("run", yaml);
  const Json one = page.error(question);
  CHECK(one["line"] == 6);
  CHECK(one["key"] == "run.replicatons");
  CHECK_THAT(one["sentence"].get<std::string>(), Catch::StartsWith("this key is not known"));
  CHECK_FALSE(one.contains("all"));
  question["set"] = {"run.sed=3", "novalue"};
  const Json several = page.error(question);
  REQUIRE(several["all"].size() == 3);
  const auto has_key = [&](const std::string& key) {
    return std::ranges::any_of(several["all"], [&](const Json& e) { return e["key"] == key; });
  };
  CHECK((has_key("run.replicatons") && has_key("run.sed")));
  const auto& all = several["all"];
  const auto of_flag = std::ranges::find_if(all, [](const Json& e) { return e["key"] == "run.sed"; });
  REQUIRE(of_flag != all.end());
  CHECK((*of_flag)["line"].is_null());
  CHECK_THAT((*of_flag)["sentence"].get<std::string>(), Catch::StartsWith("this key is not known"));
  Json infeasible = of_text("run", kSteady);
  infeasible["set"] = {"owner.TH=0.7"};
  CHECK(page.error(infeasible)["key"] == "owner.TH");
  CHECK_THAT(page.sentence(infeasible), Catch::StartsWith("TH = 0.7 is more than") && Contains("run.infeasible: skip"));
  CHECK(page.error(of_text("run", "nowsim: 1\na: [\n"))["line"] == 2);
  CHECK_THAT(page.sentence(of_text("run", "")), Contains("the file is empty"));
  CHECK(page.error({{"do", "run"}})["key"] == "yaml");
  CHECK(page.error({{"do", "run"}, {"yaml", 3}, {"name", "x"}})["key"] == "yaml");
  CHECK(page.error({{"do", "run"}, {"yaml", kSteady}, {"name", "x"}, {"set", "a=1"}})["key"] == "set");
  CHECK_THAT(page.sentence({{"do", "ran"}}), Contains("did you mean 'run'?"));
  CHECK(page.error({{"do", nullptr}})["key"] == "do");
  for (const std::string bad : {"", "{", "[]", "3", "{\"do\": \"\xff\"}", "null"})
    CHECK(Json::parse(page.session.answer(bad)).contains("error"));
  for (const std::string& text : awkward_texts("/nowhere/made")) {
    const std::string bytes = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    for (const char* field : {"do", "name", "yaml", "lab", "id"})
      CHECK(Json::parse(page.session.answer("{\"do\": \"run\", \"name\": \"x\", \"yaml\": \"x\", \"" +
                                            std::string(field) + "\": " + bytes + "}"))
                .contains("error"));
  }
}

TEST_CASE("A page's scenario reads no other files than nowsim's own", "[page]") {
  AskedSession page;
  const Folder scratch;
  const std::string outside = scratch.file("load.csv", "0.5\n0.5\n");
  const std::string head = "nowsim: 1\njob: {workload: base-task, work: 1f}\nrun: {replications: 2}\nmetrics: [tau]\n";
  const auto refused = [&](const std::string& yaml) {
    INFO(yaml);
    CHECK_THAT(page.error(of_text("run", head + yaml)).dump(), Contains("only files that come with nowsim"));
  };
  const std::string machines = "platform: {workstations: 2, speed: 1f}\n";
  refused("platform: {file: /etc/passwd}\n");
  refused("platform: {file: ../../../../../../../../etc/passwd}\n");
  refused("platform: {file: ../CMakeLists.txt}\n");
  refused(machines + "owner: {model: trace, file: " + outside + "}\n");
  refused(machines + "owner: {model: trace, folder: /etc, file: passwd}\n");
  refused(machines + "owner: {model: trace, folder: labs/promise, file: ../../../CMakeLists.txt}\n");
  refused(machines + "owner: {model: trace, file: \"{host}/../../../CMakeLists.txt\"}\n");
  std::filesystem::create_symlink(outside, scratch.path() + "/link.csv");
  refused(machines + "owner: {model: trace, file: " + scratch.path() + "/link.csv}\n");
  Json flag = of_text("run", head + machines);
  flag["set"] = {"platform.file=/etc/passwd"};
  CHECK_THAT(page.error(flag).dump(), Contains("only files that come with nowsim"));
  for (const std::string name : {"../x.yaml", "/etc/passwd", "", "a/../../x", "labs/../../x"}) {
    Json elsewhere = of_text("run", kSteady);
    elsewhere["name"] = name;
    CHECK(page.error(elsewhere)["key"] == "name");
  }
  CHECK_THAT(page.sentence({{"do", "text"}, {"name", "../README.md"}}), Contains("there is no experiment"));
  CHECK(page.ok(of_text("describe", head + "platform: {file: ../platforms/lab-now.xml}\n"))["points"] == 1);
}

// ---- labs
// --------------------------------------------------------------------------------------------------------------

namespace {

/// The tiny lab's, with a session and a student's folder of the command line.
struct PageClass : TinyLabs {
  AskedSession page{labs()};

  Json start(const std::string& id = "Jörg \"M.\"") {
    return page.ok({{"do", "lab.start"}, {"lab", "tiny"}, {"id", id}});
  }
  Json check(const Json& files) { return page.ok({{"do", "lab.check"}, {"files", files}}); }
  Json fill(const Json& files, const Json& answers) {
    return page.ok({{"do", "lab.fill"}, {"files", files}, {"answers", answers}});
  }
  [[nodiscard]] std::string folder() const { return path() + "/theirs"; }
  void put(const Json& files) const {
    std::filesystem::remove_all(folder());
    for (const auto& [name, text] : files.items()) write_text(folder() + "/" + name, text.get<std::string>());
  }
  [[nodiscard]] ProgramRun check_there() const {
    return run_program({"lab", "check", ".", "--labs", labs()}, folder());
  }
  [[nodiscard]] Json files_there() const {
    Json files = Json::object();
    for (const auto& entry : std::filesystem::directory_iterator(folder()))
      files[entry.path().filename().string()] = content_of(entry.path().string());
    return files;
  }
};

/// Without regard to order.
std::map<std::string, std::string> sorted_files(const Json& files) {
  return files.get<std::map<std::string, std::string>>();
}

}  // namespace

TEST_CASE("A lab on the page is the lab of the command line, file by file and word by word", "[page][labs]") {
  PageClass c;
  Json state = c.start();
  CHECK(state["lab"] == "tiny");
  CHECK(state["id"] == "Jörg \"M.\"");
  CHECK(state["steps"][0]["is_open"] == true);
  CHECK(state["steps"][1]["is_open"] == false);
  CHECK(state["steps"][1]["questions"].empty());
  const ProgramRun started =
      run_program({"lab", "start", "tiny", "--as", "Jörg \"M.\"", "--out", "theirs", "--labs", c.labs()}, c.path());
  CHECK(started.status == 0);
  CHECK(sorted_files(state["files"]) == sorted_files(c.files_there()));
  const std::vector<Json> answers{{{"step-1", {{"T", "12"}}}},
                                  {{"step-2", {{"parts", {{"first", "2"}, {"second", "3 s"}}}, {"which", "none"}}}},
                                  {{"step-3", {{"guess", "7"}}}}};
  for (std::size_t s = 0; s < answers.size(); ++s) {
    INFO("step " << s + 1);
    const Json filled = c.fill(state["files"], answers[s]);
    c.put(filled["files"]);  // what the page wrote, the command checks
    const Json checked = c.check(filled["files"]);
    const ProgramRun there = c.check_there();
    CHECK(there.status == 0);
    CHECK(checked["text"] == there.out);
    CHECK(sorted_files(checked["files"]) == sorted_files(c.files_there()));
    CHECK(checked["feedback"] == checked["files"]["feedback.html"]);
    CHECK(checked["opened"] == (s == 0 ? "Run" : s == 1 ? "Try" : ""));
    CHECK(checked["is_done"] == (s == 2));
    // The other way round: the page goes on with the command's folder.
    state = c.page.ok({{"do", "lab.state"}, {"files", c.files_there()}});
    CHECK(state["steps"] == checked["steps"]);
  }
  CHECK(state["steps"][0]["is_locked"] == true);
  CHECK(state["steps"][1]["questions"][0]["answer"] == Json({{"first", "2"}, {"second", "3 s"}}));
  CHECK(state["steps"][1]["charts"][0]["title"] == "Your run");
  CHECK(state["steps"][1]["charts"][0]["csv"] == state["files"]["equal-chart.csv"]);
  CHECK(state["steps"][1]["experiments"] == Json::array({"equal.yaml"}));
  CHECK(state["steps"][1]["questions"][1]["options"][0]["word"] == "ws1");
  CHECK(state["steps"][2]["questions"][0]["kind"] == "trial");
  CHECK(state["steps"][2]["questions"][0]["marks"] == 4);
}

TEST_CASE("A page asks back whether another unit was meant, before it locks in", "[page][labs]") {
  PageClass c;
  const Json start = c.start();
  CHECK(start["steps"][0]["questions"][0]["unit"] == "s");
  const auto checked = [&](const std::string& text) {
    return c.check(c.fill(start["files"], {{"step-1", {{"T", text}}}})["files"]);
  };
  const Json asked = checked("2");  // minutes: 50, 100 or 150 s are right
  CHECK_THAT(asked["text"].get<std::string>(), Contains("Did you mean 2 min?"));
  CHECK_THAT(asked["feedback"].get<std::string>(), Contains("Did you mean 2 min?"));
  CHECK(asked["opened"] == "");
  CHECK(asked["steps"][0]["is_locked"] == false);
  for (const char* text : {"2 min", "2!", "12"}) CHECK(checked(text)["steps"][0]["is_locked"] == true);
}

TEST_CASE("A page's handout is data: texts, what its commands run, and what takes a terminal", "[page][labs]") {
  PageClass c;
  const Json first = c.start("Ann");
  CHECK(first["question"] == "How long?");
  CHECK(first["folder"] == "tiny-Ann");
  CHECK_THAT(first["of"].get<std::string>(), Contains("The problem of Ann"));
  CHECK(first["lists"][0] == Json({{"heading", "What you can do afterwards"}, {"items", {"Divide."}}}));
  CHECK_THAT(first["problem"].get<std::string>(), Contains("<p>Two machines, ") && !Contains("<script"));
  CHECK_THAT(first["steps"][0]["text"].dump(), Contains("<p>Think.</p>") && Contains("<code>x</code>"));
  CHECK(first["steps"][1]["text"].empty());
  const Json files = c.check(c.fill(first["files"], {{"step-1", {{"T", "12"}}}})["files"])["files"];
  struct Told {
    std::string text;
    Json runs, terminal;
    std::string html;
    bool is_opened_as_it_is = false;
  };
  const Json none = Json::array();
  for (const auto& [text, runs, terminal, html, is_opened_as_it_is] : std::vector<Told>{
           {"    nowsim contrast a.yaml k --replications 20\n",
            none,
            {"nowsim contrast"},
            "<pre><code>nowsim contrast"},
           {"`nowsim plan`:\n\n    nowsim plan now.xml\n    nowsim run equal.yaml\n",
            {{{"file", "equal.yaml"}, {"set", none}, {"draws", false}}},
            {"nowsim plan"},
            "<code>nowsim plan</code>",
            true},
           {"(`nowsim trace fit ws1.csv`)\n\n* `nowsim trace`, `nowsim`", none, {"nowsim trace"}, "<ul>"},
           {"    python3 -m nowsim run a.yaml --plugin mine.py", none, {"python3 -m nowsim"}, ""},
           {"`nowsim run equal.yaml`\n\n    nowsim run other.yaml", none, none, ""},
           {"    nowsim run equal.yaml --set 'let.work=2 * 3' \\\n      -r 5 --seed 7 --gantt x.svg",
            {{{"file", "equal.yaml"},
              {"set", {"let.work=2 * 3", "run.replications=5", "run.seed=7"}},
              {"draws", true}}},
            none,
            ""},
           {"Is it so? Write it into `answers.yaml`, then `nowsim lab check .` in\nthis folder; it is locked. Then?",
            none, none, "<p>Is it so? Write your answers into the fields below, and press Check. Then?</p>"},
           {"Then `nowsim lab check .`\n\nOn.", none, none, "and press Check.</p>\n<p>On.</p>"}}) {
    INFO(text);
    write_text(c.lab() + "/handout.md", "## Predict\n\n## Run\n\n" + text + "\n");
    const Json step = c.page.ok({{"do", "lab.state"}, {"files", files}})["steps"][1];
    Json found_runs = none, found_terminal = none;
    std::string found_html;
    for (const Json& block : step["text"]) {
      for (const Json& run : block["runs"]) found_runs.push_back(run);
      for (const Json& command : block["terminal"]) found_terminal.push_back(command);
      found_html += block["html"];
    }
    CHECK(found_runs == runs);
    CHECK(found_terminal == terminal);
    CHECK_THAT(found_html, Contains(html));
    CHECK(step["experiments"] == (is_opened_as_it_is ? none : Json::array({"equal.yaml"})));
  }
}

TEST_CASE("How answers stand is told a page step by step, with marks", "[page][labs]") {
  PageClass c;
  Json state = c.start("Ann");
  for (const Json& answers : {Json{{"step-1", {{"T", "12"}}}},
                              Json{{"step-2", {{"parts", {{"first", "1"}, {"second", "?"}}}, {"which", "none"}}}}})
    state = c.check(c.fill(state["files"], answers)["files"]);
  CHECK(state["marks"] == "Marks so far: 1 of 7.");
  REQUIRE(state["judged"].size() == 2);
  CHECK(state["judged"][0]["step"] == "step-1");
  const Json& predicted = state["judged"][0]["answers"][0];
  CHECK(predicted["key"] == "T");
  CHECK(predicted["answer"] == "You answered: 12");
  CHECK_THAT(predicted["says"].get<std::string>(), Contains("<p>It takes <strong>"));
  const Json& answers = state["judged"][1]["answers"];
  CHECK(answers[0]["standing"] == "open");
  CHECK(answers[1]["standing"] == "yes");
  CHECK(answers[1]["sign"] == "✓");
  CHECK(answers[1]["told"] == "right, 1 of 1 mark");
}

TEST_CASE("From the answers alone a page makes the rest of the folder again", "[page][labs]") {
  PageClass c;
  const Json state = c.check(c.fill(c.start()["files"], {{"step-1", {{"T", "12"}}}})["files"]);
  const Json alone{{"answers.yaml", state["files"]["answers.yaml"]}};
  auto all = sorted_files(state["files"]);
  all.erase("feedback.html");
  CHECK(sorted_files(c.page.ok({{"do", "lab.state"}, {"files", alone}})["files"]) == all);
  CHECK(sorted_files(AskedSession(c.labs()).ok(
            {{"do", "lab.fill"}, {"files", alone}, {"answers", Json::object()}})["files"]) == all);
  const auto names = c.check(alone)["files"];
  CHECK((names.contains("feedback.html") && names.contains("equal.yaml") && names.contains("notes.txt")));
}

TEST_CASE("A course is part of a page's numbers too", "[page][labs]") {
  PageClass c;
  const std::string course = "nowsim-course: 1\nname: \"C\"\nseed: 7\nlabs: {tiny: 1}\n";
  const Json state = c.page.ok({{"do", "lab.start"}, {"lab", "tiny"}, {"id", "a"}, {"course", course}});
  CHECK_THAT(state["files"]["answers.yaml"].get<std::string>(), Contains("course: \"C\"\nseed: 7\n"));
  CHECK(state["course"] == "C");
  CHECK_THAT(state["files"]["answers.yaml"].get<std::string>(),
             Contains("problem: \"" + state["signature"].get<std::string>()));
  CHECK_THAT(c.page.sentence({{"do", "lab.start"}, {"lab", "tiny"}, {"id", "a"}, {"course", "x: 1"}}),
             Contains("course.yaml") && !Contains("/tmp"));
}

TEST_CASE("Any answer is read back as it was given, or refused in a sentence", "[page][labs]") {
  PageClass c;
  Json files = c.start("a")["files"];
  const std::string before = files["answers.yaml"];
  std::size_t kept = 0, refused = 0;
  std::vector<std::string> texts = awkward_texts(c.path() + "/made");
  for (const char* more : {"a: b",    "{a: 1}",
                           "[1]",     "null",
                           "~",       "- x",
                           "? y",     "*a",
                           "&a",      "!t",
                           "%d",      "| x",
                           "> y",     "12:30",
                           "010",     "0x10",
                           "true",    "a\\nb",
                           "tab\tin", "...",
                           "---",     "line\n...\nline",
                           "\u2028",  "U+E0001 \U000E0001"})
    texts.emplace_back(more);
  for (const std::string& text : texts) {
    if (text.find('\xff') != text.npos) continue;  // no UTF-8, and so no JSON either
    INFO(text);
    const Json question{{"do", "lab.fill"}, {"files", files}, {"answers", {{"step-1", {{"T", text}}}}}};
    const Json answer = Json::parse(c.page.session.answer(question.dump()));
    const auto begin = text.find_first_not_of(" \t\r\n");
    const std::string wanted =
        begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
    if (answer.contains("ok")) {
      ++kept;
      CHECK(answer["ok"]["steps"][0]["questions"][0]["answer"] == wanted);
      c.put(answer["ok"]["files"]);
      const auto read =
          nowsim::read_answers_file(c.folder() + "/answers.yaml", nowsim::Texts(c.labs() + "/texts.yaml"));
      const nowsim::YamlNode& node = read.root.entries.back().second.entries.front().second;
      CHECK(node.text == wanted);
      CHECK((node.quoted || wanted.empty()));
      // All else stays: with the answer taken out again it is the file that it was, but for a blank.
      const Json cleared = c.fill(answer["ok"]["files"], {{"step-1", {{"T", ""}}}});
      const std::string after = cleared["files"]["answers.yaml"];
      CHECK((after == before || after == std::string(before).replace(before.find("T: \n"), 4, "T:\n")));
    } else {
      ++refused;
      CHECK_THAT(answer["error"]["sentence"].get<std::string>(), Contains("'T'") && Contains("cannot hold"));
    }
  }
  CHECK(kept > 60);
  CHECK(refused >= 2);
  CHECK_FALSE(std::filesystem::exists(c.path() + "/made"));
}

TEST_CASE("Answers go into files that a student wrote in another way", "[page][labs]") {
  PageClass c;
  Json files = c.check(c.fill(c.start("a")["files"], {{"step-1", {{"T", "12"}}}})["files"])["files"];
  const std::string text = files["answers.yaml"];
  const std::string template_of_parts = "  parts:\n    first: \n    second: \n";
  REQUIRE(text.find(template_of_parts) != text.npos);
  const auto with = [&](const std::string& written) {
    Json other = files;
    other["answers.yaml"] = std::string(text).replace(text.find(template_of_parts), template_of_parts.size(), written);
    return other;
  };
  for (const std::string written :
       {"  parts: [1, 2]  # mine\n", "  parts: {first: 1, second: 2}\n", "  parts:\n    - 1\n    - 2\n",
        "  parts:\n    first: |\n      1\n    second: 2  # two\n", "  parts:\r\n    first: 1\r\n    second: 2\r\n"}) {
    INFO(written);
    const Json filled = c.fill(with(written), {{"step-2", {{"parts", {{"first", "5"}}}}}});
    CHECK(filled["steps"][1]["questions"][0]["answer"] == Json({{"first", "5"}, {"second", "2"}}));
    const Json same = c.fill(with(written), {{"step-2", {{"parts", {{"first", "1"}, {"second", "2"}}}}}});
    if (written.find('[') == written.npos && written.find('-') == written.npos)
      CHECK(same["files"]["answers.yaml"] == with(written)["answers.yaml"]);
  }
  // A question's line that is gone comes back.
  const Json gone = c.fill(with(""), {{"step-2", {{"parts", {{"second", "4"}}}}}});
  CHECK(gone["steps"][1]["questions"][0]["answer"] == Json({{"first", ""}, {"second", "4"}}));
  CHECK_THAT(gone["files"]["answers.yaml"].get<std::string>(), Contains("locked-1:") && Contains("# Which is last?"));
}

TEST_CASE("What a lab's question lacks, or must not have, is a sentence without a path of this machine",
          "[page][labs]") {
  PageClass c;
  const Json files = c.start("a")["files"];
  const auto refused = [&](const Json& question, const std::string& sentence) {
    const std::string said = c.page.sentence(question);
    CHECK_THAT(said, Contains(sentence) && !Contains("/tmp/"));
  };
  const auto state_of = [](const std::string& name, const std::string& text) {
    Json question{{"do", "lab.state"}, {"files", Json::object()}};
    question["files"][name] = text;
    return question;
  };
  for (const std::string& name : std::vector<std::string>{"../x", "a/b", "", ".", "..", ".hidden", "a\\b",
                                                          std::string("a\0b", 3), std::string(300, 'x')})
    refused(state_of(name, "x"), "has no file");
  refused(state_of("answers.yaml", ""), "this file is empty");
  refused(state_of("answers.yaml", "x: 1\n"), "no answers to a lab");
  refused(state_of("x", std::string(17 << 20, 'x')), "16 MB");
  refused({{"do", "lab.state"}, {"files", Json::object()}}, "there is no such file");
  refused({{"do", "lab.start"}, {"lab", "../tiny"}, {"id", "a"}}, "there is no lab");
  refused({{"do", "lab.start"}, {"lab", "tiny"}, {"id", " "}}, "an ID has to be given");
  const auto fill = [&](const Json& answers) {
    return Json{{"do", "lab.fill"}, {"files", files}, {"answers", answers}};
  };
  refused(fill({{"step-9", {{"T", "1"}}}}), "there is no step 'step-9'");
  refused(fill({{"step-2", {{"which", "1"}}}}), "not open yet");
  refused(fill({{"step-1", {{"X", "1"}}}}), "there is no question 'X'");
  refused(fill({{"step-1", {{"T", {{"a", "1"}}}}}}), "wants one answer");
  refused(fill({{"step-1", {{"T", 3}}}}), "is to be a text");
  refused(fill({{"step-1", {{"T", std::string(2 << 20, 'x')}}}}), "too long");
  std::string other = files["answers.yaml"];
  other.replace(other.find("problem: \""), 12, "problem: \"00");
  const Json error = c.page.error(state_of("answers.yaml", other));
  CHECK_THAT(error["sentence"].get<std::string>(), Contains("another problem"));
  CHECK(error["line"].is_number());
}

TEST_CASE("Questions that take code say where it cannot be run", "[page][labs]") {
  const auto absent = [](nowsim::PageOptions options) {
    AskedSession page(shipped_folder() + "/labs", std::move(options));
    Json state = page.ok({{"do", "lab.start"}, {"lab", "beat-fac2"}, {"id", "a"}});
    std::size_t open = 0;
    while (state["steps"][open]["questions"].back()["takes"] != "code") {
      Json answers = Json::object();
      for (const Json& question : state["steps"][open]["questions"]) {
        const Json any = question["options"].empty() ? Json("1") : question["options"][0]["word"];
        Json each = Json::object();
        for (const Json& item : question["items"]) each[item.get<std::string>()] = any;
        answers[question["key"].get<std::string>()] = each.empty() ? any : each;
      }
      const std::string step = state["steps"][open++]["key"];
      state = page.ok({{"do", "lab.fill"}, {"files", state["files"]}, {"answers", {{step, answers}}}});
      state = page.ok({{"do", "lab.check"}, {"files", state["files"]}});
      REQUIRE(state["steps"][open]["is_open"] == true);
    }
    std::string said;
    for (const Json& question : state["steps"][open]["questions"]) {
      CHECK((question["takes"] == "code" || question["absent"] == ""));
      said += question["absent"].get<std::string>();
    }
    CHECK(state["files"].contains("mine.py"));
    return said;
  };
  CHECK(absent({}).empty());
  CHECK_THAT(absent({.absent = nowsim::absent_in_browsers()}), Contains("Python code cannot be run in this page"));
}

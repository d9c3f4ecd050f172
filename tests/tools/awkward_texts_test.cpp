// Awkward texts through the program: pictures run nothing, terminals obey nothing, pages hold no markup of users.
#include "tests/awkward_texts.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/tools/program_fixture.hpp"
#include "tools/terminal/shown_stream.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

/// A text in YAML's double quotes.
std::string yaml_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(c) & 255U);
    const bool is_plain = static_cast<unsigned char>(c) >= 32 && c != 127 && c != '"' && c != '\\';
    out += is_plain ? std::string(1, c) : escape;
  }
  return out + "\"";
}

/// Whether YAML may hold it: nowsim refuses control characters, and what is no UTF-8.
bool is_yaml(const std::string& text) { return shown_text(text).find("\\x") == std::string::npos; }

/// The texts that a set of a platform's machines can be called; '=' begins a formula.
std::vector<std::string> set_names(const std::string& made) {
  std::vector<std::string> out;
  for (const auto& text : awkward_texts(made))
    if (!text.empty() && text.size() < 200 && text[0] != '=' && is_yaml(text)) out.push_back(text);
  return out;
}

const std::string kLab =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
    "version=\"4.1\">\n"
    "<zone id=\"z\" routing=\"None\"><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"2f\"/></zone>\n</platform>\n";

/// An experiment whose title, description, sets, values, labels and claims are awkward.
std::string experiment(const std::vector<std::string>& names) {
  std::string sets, values, all;
  for (const auto& name : names) {
    sets += (sets.empty() ? "" : ", ") + yaml_text(name) + ": [a, b]";
    values += (values.empty() ? "" : ", ") + yaml_text(name);
    all += name + " ";
  }
  return "nowsim: 1\ntitle: " + yaml_text(all) + "\ndescription: " + yaml_text(all) +
         "\nplatform: {file: lab.xml, sets: {" + sets + "}, set: " + yaml_text(names[0]) +
         "}\njob: {workload: base-task, work: 30f}\nrun: {replications: 2}\nmetrics: [tau]\n"
         "sweep: {platform.set: [" +
         values + "]}\nfigure: {kind: curves, x: platform.set, x_label: " + yaml_text(all) +
         ", panels: [{metric: tau, label: " + yaml_text(names[5]) + ", title: " + yaml_text(names[6]) + "}]}\n" +
         "claims:\n  - {id: c1, says: " + yaml_text(all) + ", source: " + yaml_text(names[3]) +
         ", check: values_between, metric: tau, where: {platform.set: " + yaml_text(names[9]) +
         "}, along: platform.set, more_than: 1}\n";
}

std::vector<std::string> names_below(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path().filename().string());
  std::ranges::sort(out);
  return out;
}

}  // namespace

TEST_CASE("An experiment full of awkward texts is reproduced without running, obeying or marking up anything",
          "[reads][cli][awkward][gnuplot]") {
  const Folder folder, outside;
  const auto names = set_names(outside.path() + "/made");
  folder.file("lab.xml", kLab);
  const std::string name = "<touch gotcha #' 50 % \x1b[31m";
  folder.file(name + ".yaml", experiment(names));
  const ProgramRun made = run_program({"reproduce", "./" + name + ".yaml", "--out", "r", "--index"}, folder.path());
  INFO(made.error);
  REQUIRE(made.status == 0);
  CHECK(fs::is_empty(outside.path()));
  CHECK(names_below(folder.path()) == std::vector<std::string>{name + ".yaml", "lab.xml", "r"});
  CHECK(obeyed_in(made.out + made.error).empty());
  const std::string page = content_of(folder.path() + "/r/index.html");
  CHECK(obeyed_in(page).empty());
  CHECK_THAT(page, !Contains("<script"));
  for (const char* format : {"table", "csv", "json", "latex"}) {
    const ProgramRun shown = run_program({"show", "r", "--experiment", name, "--format", format}, folder.path());
    CHECK(shown.status == 0);
    CHECK(obeyed_in(shown.out + shown.error).empty());
  }
  CHECK(content_of(folder.path() + "/r/" + name + ".csv") ==
        run_program({"show", "r", "--experiment", name, "--format", "csv"}, folder.path()).out);
  CHECK(run_program({"compare", "r", "r"}, folder.path()).status == 0);
}

TEST_CASE("Errors show a user's control characters and do not obey them", "[cli][awkward][error]") {
  const Folder folder;
  const std::string evil =
      "\x1b]0;evil\x07\r\xC2\x9B"
      "2J\u202E\xff";
  folder.file("e.yaml", "nowsim: 1\n");
  folder.file("p.xml", "<platform version=\"4.1\"><zone id=\"z\" routing=\"None\"><host id=\"a" + evil +
                           "\"/></zone></platform>");
  const std::vector<std::vector<std::string>> commands{{"run", evil},
                                                       {"run", "e.yaml", "--set", evil + "=1"},
                                                       {evil},
                                                       {"run", "e.yaml", "--" + evil},
                                                       {"platform", "show", "p.xml"},
                                                       {"list", evil},
                                                       {"run", "e.yaml", "--format", evil},
                                                       {"show", evil},
                                                       {"run", "e.yaml", "--replications", evil},
                                                       {"trace", "fit", evil},
                                                       {"plan", "p.xml", "--work", evil}};
  for (const auto& command : commands) {
    const ProgramRun r = run_program(command, folder.path());
    INFO(r.error);
    CHECK(r.status == 2);
    CHECK_FALSE(r.error.empty());
    CHECK(obeyed_in(r.out + r.error).empty());
  }
  CHECK_THAT(run_program({evil}, folder.path()).error, Contains("\\x1b]0;evil\\x07\\x0d\\u009b2J\\u202e\\xff"));
}

TEST_CASE("A stream shows characters whole that come byte by byte", "[cli][awkward]") {
  std::ostringstream out;
  {
    const ShownStream shown(out);
    for (const char c : std::string("é漢\x1b\n\t")) out << c;
    out << std::flush << "a\xe6\xbc";
  }
  out << "\x1b";
  CHECK(out.str() == "é漢\\x1b\n\ta\\xe6\\xbc\x1b");
}

// What --format writes, read by the programs that it is for: pandas, R, and LaTeX, where these are.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/run_program.hpp"
#include "sim/base/text.hpp"
#include "tests/skips.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using nowsim::test::run_program;

namespace {

/// An experiment with texts that CSV quotes and LaTeX obeys, points that are skipped, and metrics without intervals.
constexpr const char* kLab =
    "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"><platform version=\"4.1\">"
    "<zone id=\"z\" routing=\"None\"><host id=\"a_1\" speed=\"1f\"/><host id=\"B&#252;ro\" speed=\"2f\"/></zone></platform>";
constexpr const char* kExperiment =
    "nowsim: 1\ntitle: 50 % of \\a_{b} & $5\n"
    "platform: {file: lab.xml, sets: {'a, \"b\"': [a_1], '50 % & more_#1': [a_1, Büro], '[x] ~': [Büro], '@one': [Büro, a_1]}}\n"
    "job: {workload: base-task, work: 90f}\nowner: {model: intervals, TH: 0.4}\nrun: {replications: 20, infeasible: skip}\n"
    "metrics: [tau, sigma_T, sigma_T/tau, T_i, speedup]\nsweep: {owner.TH: [0, 0.2, 0.9], platform.set: ['a, \"b\"', '50 % & more_#1', '[x] ~', '@one']}\n";

struct Answers : Folder {
  Answers() {
    file("lab.xml", kLab);
    file("e.yaml", kExperiment);
  }
  /// By the names of their files, without what they end in.
  const std::vector<std::pair<std::string, std::vector<std::string>>> commands{
      {"run", {"run", "e.yaml"}},
      {"contrast", {"contrast", "e.yaml", "platform.set", "--set", "owner.TH=0.2"}},
      {"plan", {"plan", "lab.xml", "--work", "90f", "--deadline", "40s", "--risk", "5%", "-r", "20"}}};
  /// Each answer in a format.
  void write(const std::string& format) const {
    for (const auto& [name, words] : commands) {
      std::vector<std::string> all = words;
      all.insert(all.end(), {"-q", "-f", format});
      const ProgramRun run = run_program(all, path());
      INFO(name << ": " << run.error);
      REQUIRE(run.status == 0);
      file(name + "." + format, run.out);
    }
  }
  /// What a program says that reads them, nothing where it fails.
  [[nodiscard]] std::string said_by(const std::vector<std::string>& words) const {
    const ProgramEnd end = nowsim::run_program(path(), words, "", {});
    INFO(end.said);
    CHECK(end.status == 0);
    return end.said;
  }
  /// "NAME ROWS COLUMNS SUM" of each, the sum of a column of numbers, as the programs below say.
  [[nodiscard]] std::string expected() const {
    std::string text;
    for (const auto& [name, words] : commands) {
      const CsvRows csv = parse_csv(content_of(path() + "/" + name + ".csv"), name);
      double sum = 0;
      const auto column = std::ranges::find(csv.head, name == "contrast" ? "value" : "tau") - csv.head.begin();
      for (const auto& row : csv.rows) sum += to_number(row[static_cast<std::size_t>(column)]).value_or(0);
      char line[200];
      std::snprintf(line, sizeof line, "%s %zu %zu %.6f\n", name.c_str(), csv.rows.size(), csv.head.size(), sum);
      text += line;
    }
    return text;
  }
};

}  // namespace

TEST_CASE("CSV and JSON read back into pandas", "[computes][read_back]") {
  const Answers answers;
  answers.write("csv");
  answers.write("json");
  answers.file("read.py",
               "import csv, json, pandas\n"
               "for name, column in {'run': 'tau', 'contrast': 'value', 'plan': 'tau'}.items():\n"
               "    table = pandas.read_csv(name + '.csv')\n"
               "    rows = list(csv.reader(open(name + '.csv', encoding='utf-8', newline='')))\n"
               "    assert all(len(row) == len(table.columns) for row in rows) and len(rows) == len(table) + 1\n"
               "    assert pandas.api.types.is_numeric_dtype(table[column]), table.dtypes\n"
               "    json.load(open(name + '.json', encoding='utf-8'))\n"
               "    print(name, len(table), len(table.columns), f\"{table[column].sum():.6f}\")\n");
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"})
    if (python.empty() && is_program("python3") &&
        nowsim::run_program(answers.path(), {candidate, "-c", "import pandas"}, "", {}).status == 0)
      python = candidate;
  if (python.empty()) return skipped("python", "reading CSV by pandas, as there is none (Debian: python3-pandas)");
  CHECK(answers.said_by({python, "read.py"}) == answers.expected());
}

TEST_CASE("CSV reads back into R", "[read_back]") {
  if (!is_program("Rscript")) return skipped("r", "reading CSV by R, as there is no Rscript (Debian: r-base-core)");
  const Answers answers;
  answers.write("csv");
  answers.file("read.R",
               "columns <- c(run = 'tau', contrast = 'value', plan = 'tau')\nfor (name in names(columns)) {\n"
               "  table <- read.csv(paste0(name, '.csv'), check.names = FALSE, encoding = 'UTF-8')\n"
               "  values <- table[[columns[[name]]]]\n  stopifnot(is.numeric(values))\n"
               "  cat(sprintf('%s %d %d %.6f\\n', name, nrow(table), ncol(table), sum(values, na.rm = TRUE)))\n}\n");
  CHECK(answers.said_by({"Rscript", "read.R"}) == answers.expected());
}

TEST_CASE("LaTeX sets the tables that are written for it", "[read_back]") {
  if (!is_program("pdflatex"))
    return skipped("latex", "setting tables, as there is no pdflatex (Debian: texlive-latex-recommended)");
  const Answers answers;
  answers.write("latex");
  std::string document = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n";
  for (const auto& [name, words] : answers.commands) document += "\\input{" + name + ".latex}\n\n";
  answers.file("page.tex", document + "\\end{document}\n");
  const std::string said = answers.said_by({"pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"});
  CHECK_THAT(said, Catch::Contains("Output written on page.pdf"));
  CHECK_THAT(said, !Catch::Contains("Missing character") && !Catch::Contains("LaTeX Warning: Command"));
}

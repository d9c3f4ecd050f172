// Results are those that are recorded beside this test, whatever Debian, compiler and SimGrid the program is built with:
// the direct engine's to the last digit, SimGrid's to 1e-9. After a change that is to change results, record them anew:
// nowsim_tests '[.record]'.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

constexpr double kSimGridTolerance = 1e-9;

/// Of every kind of owner, network and program something; all are computed in a second or two.
constexpr const char* kExperiments[] = {"huang-lee-2007/fig05", "huang-lee-2007/fig09", "zhang-yan-1995/one-run",
                                        "bazterra-2004/fig01",  "labs/lab-night",       "labs/network",
                                        "labs/verification",    "labs/failures/farm"};

fs::path recorded_file(std::string experiment, const std::string& engine) {
  std::ranges::replace(experiment, '/', '_');
  return fs::path(source_folder()) / "tests/tools/recorded_results" / (experiment + "." + engine + ".csv");
}

std::string results(const std::string& experiment, const std::string& engine) {
  const auto run = run_program({"run", experiment, "--engine", engine, "--replications", "3", "--quiet", "--format", "csv"});
  INFO(run.error);
  REQUIRE(run.status == 0);
  std::string out = run.out;  // where files are is of no interest
  for (std::size_t at = 0; (at = out.find(source_folder() + std::string("/"))) != std::string::npos;)
    out.erase(at, std::string(source_folder()).size() + 1);
  return out;
}

using Row = std::map<std::string, std::string>;

/// A table's rows, by column, without what may differ between releases of nowsim. Fields with commas are not among them.
std::vector<Row> rows_of(const std::string& csv) {
  const std::set<std::string> left_out = {"version", "reason"};
  std::istringstream in(csv);
  std::vector<std::string> columns;
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields;
    std::istringstream words(line);
    for (std::string field; std::getline(words, field, ',');) fields.push_back(field);
    if (columns.empty()) {
      columns = fields;
      continue;
    }
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < std::min(fields.size(), columns.size()); ++i)
      if (!left_out.contains(columns[i])) row[columns[i]] = fields[i];
  }
  return rows;
}

bool is_number(const std::string& text, double& value) {
  std::size_t read = 0;
  try {
    value = std::stod(text, &read);
  } catch (const std::exception&) {
    return false;
  }
  return read == text.size() && std::isfinite(value);
}

/// The largest number of a row: what the others are computed from is rounded in its places.
double scale_of(const Row& row) {
  double scale = 0, value = 0;
  for (const auto& [column, text] : row)
    if (is_number(text, value)) scale = std::max(scale, std::abs(value));
  return scale;
}

/// Fields that are other than recorded by more than the tolerance, which is relative to the row's scale; 0: other digits.
std::string differences(const std::vector<Row>& wanted, const std::vector<Row>& found, double tolerance) {
  if (wanted.size() != found.size())
    return std::to_string(wanted.size()) + " rows were recorded, " + std::to_string(found.size()) + " found";
  std::string all;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    for (const auto& [column, text] : wanted[i]) {
      const auto at = found[i].find(column);
      const std::string now = at == found[i].end() ? "(no column)" : at->second;
      double a = 0, b = 0;
      const bool near = tolerance > 0 && is_number(text, a) && is_number(now, b) &&
                        std::abs(a - b) <= tolerance * scale_of(wanted[i]);
      if (text != now && !near) all += "row " + std::to_string(i + 1) + ", " + column + ": " + text + " -> " + now + "\n";
    }
  return all;
}

}  // namespace

TEST_CASE("Results are the recorded ones: the direct engine's to the last digit, SimGrid's to 1e-9",
          "[computes][recorded_results]") {
  for (const std::string experiment : kExperiments) {
    for (const std::string engine : {"direct", "simgrid"}) {
      CAPTURE(experiment, engine);
      const auto wanted = rows_of(content_of(recorded_file(experiment, engine).string()));
      REQUIRE(!wanted.empty());
      CHECK(differences(wanted, rows_of(results(experiment, engine)), engine == "direct" ? 0 : kSimGridTolerance) == "");
    }
  }
}

TEST_CASE("Results that are other than recorded are named", "[recorded_results]") {
  const auto wanted = rows_of("tau,status,version\n200,ok,1\n");
  CHECK(differences(wanted, rows_of("tau,status,version\n200,ok,2\n"), 0) == "");
  CHECK(differences(wanted, rows_of("tau,status,version\n200.00000000000003,ok,1\n"), 0) ==
        "row 1, tau: 200 -> 200.00000000000003\n");
  CHECK(differences(wanted, rows_of("tau,status,version\n200.00000000000003,ok,1\n"), 1e-9) == "");
  CHECK(differences(wanted, rows_of("tau,status,version\n200.000001,ok,1\n"), 1e-9) == "row 1, tau: 200 -> 200.000001\n");
  CHECK(differences(wanted, rows_of("tau,status,version\n200,failed,1\n"), 1e-9) == "row 1, status: ok -> failed\n");
  CHECK(differences(wanted, {}, 1e-9) == "1 rows were recorded, 0 found");
}

TEST_CASE("Records results", "[.record]") {
  for (const std::string experiment : kExperiments)
    for (const std::string engine : {"direct", "simgrid"}) {
      const auto file = recorded_file(experiment, engine);
      fs::create_directories(file.parent_path());
      std::ofstream(file) << results(experiment, engine);
    }
}

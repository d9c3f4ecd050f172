// Running scenarios on both engines; temporary folders.
#include "tests/sim/scenario_fixture.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "sim/engines/direct/engine.hpp"

namespace nowsim::test {
namespace {

/// Whether two numbers agree within 1e-9 of the larger, or of the makespan.
bool agree(double a, double b, double makespan_s) {
  return std::abs(a - b) <= 1e-9 * std::max({std::abs(a), std::abs(b), makespan_s});
}

void check_agreement(const RunResult& simgrid, const RunResult& direct) {
  INFO("replication " << simgrid.replication);
  CHECK(simgrid.replication == direct.replication);
  CHECK(direct.makespan_s == Approx(simgrid.makespan_s).epsilon(1e-9).margin(1e-12));
  for (const Quantity q : kAllQuantities)
    for (std::size_t i = 0; quantity_kind(q).is_per_workstation && i < simgrid[q].size(); ++i)
      if (!agree(simgrid[q][i], direct[q][i], simgrid.makespan_s)) {
        INFO(quantity_kind(q).name << " of workstation " << i);
        CHECK(direct[q][i] == simgrid[q][i]);
      }
}

/// Whether the direct engine throws.
bool direct_fails(const Scenario& s, const Batch& batch) {
  try {
    run_batch_direct(s, batch);
    return false;
  } catch (const std::exception&) {
    return true;
  }
}

}  // namespace

std::vector<RunResult> run(const Scenario& s, std::uint64_t replications, std::uint64_t first) {
  const Batch batch{first, replications};
  const bool is_for_both = !DirectEngine::unsupported_reason(s);
  std::vector<RunResult> results;
  try {
    results = run_batch_simgrid(s, batch);
  } catch (const std::exception&) {
    if (is_for_both) CHECK(direct_fails(s, batch));
    throw;
  }
  if (!is_for_both) return results;
  const auto direct = run_batch_direct(s, batch);
  for (std::size_t k = 0; k < results.size(); ++k) check_agreement(results[k], direct[k]);
  return results;
}

RunResult made_up_run(std::uint64_t replication, double makespan_s,
                      std::initializer_list<std::pair<Quantity, std::vector<double>>> columns) {
  RunResult run{replication, makespan_s};
  for (const auto& [quantity, values] : columns) run[quantity] = values;
  return run;
}

BatchRecord make_record(const Scenario& scenario, const Batch& range, const std::vector<RunResult>& results) {
  RecordBuilder record(scenario, range);
  for (const auto& run : results) record.add(run);
  return record.take();
}

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "nowsim-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Folder::file(const std::string& name, const std::string& text) const {
  const std::string path = path_ + "/" + name;
  std::ofstream(path) << text;
  return path;
}

}  // namespace nowsim::test

// What monitors write, through each monitor's reader and then that of CSV.
#include <functional>
#include <stdexcept>

#include "experiments/driver/reading/load_formats.hpp"
#include "sim/owners/load_table.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/targets/trace_promises.hpp"
#include "tests/fuzz/verdict.hpp"

namespace nowsim::test {

namespace {

std::string fault_of_rows(const std::function<MonitorRows()>& rows_of, InvalidRule invalid, std::string_view input) {
  return fault_of(
      [&] {
        const MonitorRows rows = rows_of();
        const auto columns = load_columns(rows.csv, "load");
        const std::string column = columns.empty() ? "" : columns.front();
        check_promises(LoadTable(rows.csv, "load",
                                  {.column = column, .measure = LoadMeasure::availability, .invalid = invalid,
                                   .after_restart = rows.after_restart})
                           .series());
      },
      input);
}

}  // namespace

void fuzz_monitor(std::string_view input) {
  const std::string text(input);
  for (const InvalidRule invalid : {InvalidRule::fail, InvalidRule::skip}) {
    const std::function<MonitorRows()> monitors[] = {[&] { return rows_of_sadf(text, "load", invalid); },
                                                     [&] { return rows_of_vmstat(text, "load", invalid); },
                                                     [&] { return rows_of_prometheus(text, "load"); }};
    for (const auto& rows_of : monitors)
      if (const std::string fault = fault_of_rows(rows_of, invalid, input); !fault.empty()) throw std::logic_error(fault);
  }
}

}  // namespace nowsim::test

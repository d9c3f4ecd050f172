// What monitors write, through each monitor's reader and then that of CSV.
#include <stdexcept>

#include "experiments/driver/reading/monitor_formats.hpp"
#include "sim/owners/trace_table.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/targets/trace_promises.hpp"
#include "tests/fuzz/verdict.hpp"

namespace nowsim::test {

void fuzz_monitor(std::string_view input) {
  const std::string text(input);
  for (const auto rows_of : {rows_of_sadf, rows_of_vmstat, rows_of_prometheus}) {
    const auto read = [&] {
      const MonitorRows rows = rows_of(text, "load");
      const auto columns = trace_columns(rows.csv, "load");
      const std::string column = columns.empty() ? "" : columns.front();
      check_promises(TraceTable(rows.csv, "load", {.column = column, .measure = TraceMeasure::availability}).trace());
    };
    const std::string fault = fault_of(read, input);
    if (!fault.empty()) throw std::logic_error(fault);
  }
}

}  // namespace nowsim::test

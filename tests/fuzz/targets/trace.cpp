// Load traces in CSV.
#include "sim/owners/load_table.hpp"

#include <stdexcept>

#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/targets/trace_promises.hpp"
#include "tests/fuzz/verdict.hpp"

namespace nowsim::test {
namespace {

/// What a column may hold, and one rule for gaps with each.
struct Way {
  LoadMeasure measure;
  GapRule gaps;
};
constexpr Way kWays[] = {{LoadMeasure::utilisation_percent, GapRule::hold},
                         {LoadMeasure::utilisation_percent, GapRule::left_out},
                         {LoadMeasure::idle_percent, GapRule::off},
                         {LoadMeasure::utilisation, GapRule::drop},
                         {LoadMeasure::availability, GapRule::fail}};

}  // namespace

void fuzz_trace(std::string_view input) {
  const std::string text(input);
  const auto columns = load_columns(text, "a.csv");
  const std::string column = columns.empty() ? "value" : columns.back();
  for (const Way& way : kWays) {
    const auto read = [&] { check_promises(LoadTable(text, "a.csv", {.column = column, .measure = way.measure, .gaps = way.gaps}).series()); };
    if (const std::string fault = fault_of(read, input); !fault.empty()) throw std::logic_error(fault);
  }
}

}  // namespace nowsim::test

// Times as people say them: 1 h 52 min.
#pragma once

#include <string>

namespace nowsim {

/// Seconds to a unit and the next smaller one: "2 d 3 h", "1 h 52 min", "2 h", "3 min 20 s", "45.3 s"; below a second
/// as format_quantity. "no known time" for what is not finite.
std::string duration_text(double seconds);

/// The same of an estimate: from two years on in years.
std::string rough_duration(double seconds);

/// The unit for a column of times that goes up to this many seconds: values of three digits or so.
struct ColumnUnit {
  const char* name;
  double seconds;
};
ColumnUnit column_unit(double most_s);

}  // namespace nowsim

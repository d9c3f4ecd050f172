// Which column of a table of loads is what: told by the columns' names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"

namespace nowsim {

/// The columns of a table of loads, by their places.
struct TraceColumns {
  std::size_t width = 0;               ///< fields in a row
  std::optional<std::size_t> time;     ///< none where values come at an interval
  std::optional<std::size_t> machine;  ///< none where all rows are of one
  std::size_t value = 0;

  /// The column asked for holds the values, also where it is called as machines are; "" asks for
  /// the one that is called as loads are (load_column()), or the only one that can be the load's. @throws InputError at that
  /// place where there is none, or several, and where both an interval and stamps are given.
  static TraceColumns of(const std::vector<std::string>& names, const std::string& asked, bool has_interval,
                         const Place& place);
};

/// Those that can be the load's: neither the moment's nor the machine's, nor '-'.
std::vector<std::string> load_columns(const std::vector<std::string>& names, bool has_interval);
/// @throws InputError that there is no header where one has to be.
[[noreturn]] void refuse_data_as_header(const Place& place);

}  // namespace nowsim

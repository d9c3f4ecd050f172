// Load traces in the formats that monitors write, read as one kind of series, with a word on what had to be assumed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/owners/trace.hpp"

namespace nowsim {

/// A format of load traces.
enum class LoadFormat { csv, profile, sadf, vmstat, prometheus };

struct LoadFormatInfo {
  LoadFormat format;
  const char* name;
  const char* summary;
  bool is_written;  ///< nowsim writes it too
};
std::span<const LoadFormatInfo> load_formats();
/// @throws InputError for an unknown name.
LoadFormat load_format_named(const std::string& name);

/// How a file is to be read.
struct LoadReading {
  std::optional<LoadFormat> format;      ///< else by its contents
  std::string column;                    ///< of CSV; "": by the header
  std::optional<TraceMeasure> measures;  ///< of CSV and Prometheus; else by the column, or per cent
  GapRule gaps = GapRule::hold;
};

struct LoadSeries {
  Trace trace;
  LoadFormat format;
  std::vector<std::string> assumptions;  ///< sentences for people
};

/// Reads a file. @throws InputError as read_trace() does, and where the format is not clear or does not hold a load.
LoadSeries read_load(const std::string& file, const LoadReading& reading);

/// The trace as text of a format that is written; adds what had to be assumed. A deterministic SimGrid profile that
/// loops, or CSV with the column `availability`. Both keep every step: dates and values are the shortest decimals that
/// give the same numbers back.
std::string write_load(const Trace& trace, LoadFormat format, std::vector<std::string>& assumptions);

}  // namespace nowsim

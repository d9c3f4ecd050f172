// Quantities with units, as people write them: 25Mf, 10s, 4MB, 1.5Gbps, 28%.
#pragma once

#include <optional>
#include <string>

namespace nowsim {

/// What a number measures; decides the units it may carry. A bare number is SI.
enum class Dimension { number, count, fraction, speed, work, time, bytes, bandwidth };

/// The SI unit of a dimension as printed in tables and headers: "flop/s", "s", "" ...
const char* unit_name(Dimension dimension);

/// Parses text as a quantity of the dimension, in SI.
///   number    plain decimal (1e3, -0.5)
///   count     a whole number from 0 to 2^53 (1e3 is 1000); k, M, G suffixes
///   fraction  0.28 or 28%
///   speed     f, kf, Mf, Gf, Tf, Pf, Ef (flop/s, SimGrid's spelling; "flops" and "flop/s" too)
///   work      the same letters, flop ("flop" and "flops" too)
///   time      ns us ms s min h d w; sec, second, minute, hour, day, week, year, and several of them; sums with ever
///             smaller units, as duration_text() says times: 4 h 39 min, 1h30min, 2 d 3 h
///   bytes     B kB MB GB TB (1000), KiB MiB GiB TiB (1024)
///   bandwidth Bps kBps MBps GBps, KiBps MiBps ("B/s" too), bps kbps Mbps Gbps (bits)
/// So what format_quantity and duration_text print can be read back. Blanks between number and unit and around the whole are allowed.
/// A power of ten loses no digit: 2.5us is the same double as 2.5e-6, 1.001k as 1001. Prefixes are case-sensitive
/// except that a close miss is suggested.
/// @throws InputError (no place: the caller knows it) saying what was found, what was wanted, with an example; NaN,
/// infinities, hexadecimal, leading zeros as in 010, and trailing text are errors.
double parse_quantity(const std::string& text, Dimension dimension);
/// The same; nothing where the text is none.
std::optional<double> quantity_in(const std::string& text, Dimension dimension);
/// The same of whatever dimension its unit says.
std::optional<double> any_quantity(const std::string& text);

/// Shortest text for people with a fitting prefix and unit, four significant digits ("25 Mflop/s", "2.5 us", "4 MB").
/// Times change to min at 120 s, to h at 120 min, to d at 48 h; counts are whole up to 9999, then "12.35k".
std::string format_quantity(double value, Dimension dimension);

/// A unit of time: "min", 60 s.
struct TimeUnit {
  const char* name;
  double seconds;
};
/// The unit in which format_quantity would write a time, for an axis that goes so far.
TimeUnit time_unit_for(double seconds);

}  // namespace nowsim

// Quantities with units, as people write them: 25Mf, 10s, 4MB, 1.5Gbps, 28%.
#pragma once

#include <string>

namespace nowsim {

/// What a number measures; decides the units it may carry. A bare number is SI.
enum class Dimension { number, count, fraction, speed, work, time, bytes, bandwidth };

/// The SI unit of a dimension as printed in tables and headers: "flop/s", "s", "" ...
const char* unit_name(Dimension dimension);

/// Parses text as a quantity of the dimension, in SI.
///   number    plain decimal (1e3, -0.5)
///   count     a whole number >= 0 (1e3 is 1000); k, M, G suffixes
///   fraction  0.28 or 28%
///   speed     f, kf, Mf, Gf, Tf, Pf, Ef (flop/s, SimGrid's spelling; "flops" too)
///   work      the same letters, flop
///   time      ns us ms s min h d w
///   bytes     B kB MB GB TB (1000), KiB MiB GiB TiB (1024)
///   bandwidth Bps kBps MBps GBps, KiBps MiBps, bps kbps Mbps Gbps (bits)
/// A blank between number and unit is allowed. Prefixes are case-sensitive except that a close miss is suggested.
/// @throws InputError (no place: the caller knows it) saying what was found, what was wanted, with an example; NaN,
/// infinities, hexadecimal, leading zeros as in 010, and trailing text are errors.
double parse_quantity(const std::string& text, Dimension dimension);

/// Shortest text for people with a fitting prefix and unit, four significant digits ("25 Mflop/s", "2.5 us", "4 MB").
std::string format_quantity(double value, Dimension dimension);

}  // namespace nowsim

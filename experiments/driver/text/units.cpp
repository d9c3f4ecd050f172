// Quantities with units, read strictly and printed for people.
#include "experiments/driver/text/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// A unit as people write it: the value in SI is the number times 10^exponent times factor. The power of ten is kept
/// apart because it can be added to the decimal text, where it loses no digit (1.001k is 1001, but 1.001 * 1000 is
/// not).
struct Unit {
  std::string name;
  int exponent;
  double factor;
};

/// A prefix of the SI, or 1024^n for Ki, Mi ... (IEC 80000-13).
struct Prefix {
  std::string_view name;
  int exponent;
  double factor;
};
constexpr double kibi = 1024;
constexpr std::array<Prefix, 7> decimal_prefixes{
    {{"", 0, 1}, {"k", 3, 1}, {"M", 6, 1}, {"G", 9, 1}, {"T", 12, 1}, {"P", 15, 1}, {"E", 18, 1}}};
constexpr std::array<Prefix, 4> binary_prefixes{
    {{"Ki", 0, kibi}, {"Mi", 0, kibi* kibi}, {"Gi", 0, kibi* kibi* kibi}, {"Ti", 0, kibi* kibi* kibi* kibi}}};

/// A family of units: a base with the first few of the decimal and of the binary prefixes.
struct Family {
  Dimension dimension;
  std::string_view base;
  std::size_t decimals;
  std::size_t binaries;
  double factor;
};
constexpr double bits = 0.125;
constexpr Family families[] = {
    {Dimension::count, "", 4, 0, 1},           {Dimension::speed, "f", 7, 0, 1},
    {Dimension::speed, "flops", 7, 0, 1},      {Dimension::speed, "flop/s", 7, 0, 1},
    {Dimension::work, "f", 7, 0, 1},           {Dimension::work, "flops", 7, 0, 1},
    {Dimension::work, "flop", 7, 0, 1},        {Dimension::bytes, "B", 5, 4, 1},
    {Dimension::bandwidth, "Bps", 4, 2, 1},    {Dimension::bandwidth, "B/s", 4, 2, 1},
    {Dimension::bandwidth, "bps", 4, 0, bits},
};

/// A unit without a family.
struct SingleUnit {
  Dimension dimension;
  std::string_view name;
  int exponent;
  double factor;
};
constexpr SingleUnit single_units[] = {
    {Dimension::fraction, "%", -2, 1}, {Dimension::time, "ns", -9, 1},   {Dimension::time, "us", -6, 1},
    {Dimension::time, "ms", -3, 1},    {Dimension::time, "s", 0, 1},     {Dimension::time, "min", 0, 60},
    {Dimension::time, "h", 0, 3600},   {Dimension::time, "d", 0, 86400}, {Dimension::time, "w", 0, 604800},
};

/// Times are told in words too, of one thing or of several.
struct TimeWord {
  std::string_view word;
  double factor;
};
constexpr TimeWord time_words[] = {{"sec", 1},     {"second", 1},    {"minute", 60},    {"hour", 3600},
                                   {"day", 86400}, {"week", 604800}, {"year", 31557600}};

/// What the messages say of a dimension, and how numbers of it are printed: with how many of the decimal prefixes, the
/// second from a limit on, and what stands between number and unit. Times have units of their own.
struct Wording {
  Dimension dimension;
  const char *si, *noun, *wanted;
  std::size_t prefixes = 1;
  const char* gap = "";
  double limit = 1000;
};
constexpr Wording wordings[] = {
    {Dimension::number, "", "a number", "write a plain decimal number, such as 1e3 or -0.5"},
    {Dimension::count, "", "a count", "write a whole number from 0 up, if need be with k, M or G, such as 512 or 1k",
     4, "", 10000},  // whole counts below it fit into four digits as they are
    {Dimension::fraction, "", "a fraction", "write a number or a percentage, such as 0.28 or 28%"},
    {Dimension::speed, "flop/s", "a speed", "write a number with f, kf, Mf, Gf, Tf, Pf or Ef (flop/s), such as 25Mf",
     7, " "},
    {Dimension::work, "flop", "an amount of work",
     "write a number with f, kf, Mf, Gf, Tf, Pf or Ef (flop), such as 25Mf", 7, " "},
    {Dimension::time, "s", "a time", "write a number with ns, us, ms, s, min, h, d or w, such as 10s or 1 h 30 min"},
    {Dimension::bytes, "B", "a size in bytes",
     "write a number with B, kB, MB, GB, TB, KiB, MiB, GiB or TiB, such as 4MB", 5, " "},
    {Dimension::bandwidth, "B/s", "a bandwidth",
     "write a number with Bps, kBps, MBps, GBps, KiBps or MiBps (bytes) or bps, kbps, Mbps or Gbps (bits), such as "
     "1.5Gbps",
     4, " "},
};

const Wording& wording(Dimension dimension) { return *std::ranges::find(wordings, dimension, &Wording::dimension); }

void add_family(const Family& family, std::vector<Unit>& out) {
  const auto add = [&](const Prefix& p) {
    const auto name = std::string(p.name) + std::string(family.base);
    if (!name.empty()) out.push_back({name, p.exponent, p.factor * family.factor});
  };
  std::for_each_n(decimal_prefixes.begin(), family.decimals, add);
  std::for_each_n(binary_prefixes.begin(), family.binaries, add);
}

std::vector<Unit> make_units(Dimension dimension) {
  std::vector<Unit> out{{"", 0, 1}};  // a bare number is SI
  for (const auto& family : families)
    if (family.dimension == dimension) add_family(family, out);
  for (const auto& [of, name, exponent, factor] : single_units)
    if (of == dimension) out.push_back({std::string(name), exponent, factor});
  if (dimension == Dimension::time)
    for (const auto& [word, factor] : time_words)
      for (const char* ending : {"", "s"}) out.push_back({std::string(word) + ending, 0, factor});
  return out;
}

/// Made once: a large sweep reads many thousands of quantities.
const std::vector<Unit>& units_of(Dimension dimension) {
  static const auto table = [] {
    std::map<Dimension, std::vector<Unit>> out;
    for (const auto& w : wordings) out.emplace(w.dimension, make_units(w.dimension));
    return out;
  }();
  return table.at(dimension);
}

/// "25 Mb" cut into its number and its unit; the number is not judged yet.
struct Parts {
  std::string mantissa;  ///< sign, digits and point
  std::string exponent;  ///< digits after e, perhaps with a sign
  std::string unit;
};

constexpr std::string_view digits = "0123456789";

bool is_digit(std::string_view text, std::size_t i) {
  return i < text.size() && digits.find(text[i]) != std::string_view::npos;
}

std::size_t skip_digits(std::string_view text, std::size_t i) {
  return std::min(text.find_first_not_of(digits, i), text.size());
}

std::size_t skip_sign(std::string_view text, std::size_t i) {
  return i < text.size() && (text[i] == '+' || text[i] == '-') ? i + 1 : i;
}

std::size_t mantissa_end(std::string_view text) {
  const auto point = skip_digits(text, skip_sign(text, 0));
  return point < text.size() && text[point] == '.' ? skip_digits(text, point + 1) : point;
}

/// Where the exponent that begins at `e` ends; `e` itself where there is none (the E of 5Ef is a prefix).
std::size_t exponent_end(std::string_view text, std::size_t e) {
  if (e >= text.size() || (text[e] != 'e' && text[e] != 'E')) return e;
  const auto first = skip_sign(text, e + 1);
  return is_digit(text, first) ? skip_digits(text, first) : e;
}

Parts split(std::string_view text) {
  const auto mantissa = mantissa_end(text);
  const auto exponent = exponent_end(text, mantissa);
  return {std::string(text.substr(0, mantissa)),
          std::string(text.substr(mantissa, exponent - mantissa).substr(exponent > mantissa ? 1 : 0)),
          std::string(trimmed(text.substr(exponent)))};
}

/// A quantity being read, for the sake of its error messages.
struct Source {
  std::string text;
  Dimension dimension;

  [[noreturn]] void fail_because(const std::string& reason) const { say_no(": " + reason); }
  [[noreturn]] void say_no(const std::string& reason) const {
    throw InputError(quoted(text) + " is not " + wording(dimension).noun + reason);
  }
  /// A character beyond ASCII is what is wrong, wherever reading has stopped.
  [[noreturn]] void fail(const std::string& end = "") const {
    const std::string hint = foreign_character_hint(text);
    say_no(hint.empty() ? ": " + (wording(dimension).wanted + end) : hint);
  }
};

constexpr std::size_t kLongNumber = 30;  // not written out again

/// "; did you mean 25MB?" where the unit is right but for upper and lower case.
std::string suggestion(const Parts& parts, const std::vector<Unit>& units) {
  std::string out;
  const auto number = parts.mantissa + (parts.exponent.empty() ? "" : "e" + parts.exponent);
  if (number.size() > kLongNumber) return out;
  for (const auto& unit : units)
    if (lower_case(unit.name) == lower_case(parts.unit))
      out += (out.empty() ? "; did you mean " : " or ") + number + unit.name;
  return out.empty() ? out : out + "?";
}

Unit find_unit(const Source& source, const Parts& parts) {
  const auto& units = units_of(source.dimension);
  const auto found = std::ranges::find(units, parts.unit, &Unit::name);
  if (found == units.end()) source.fail(suggestion(parts, units));
  return *found;
}

/// 010 means 8 to some readers and 10 to others.
void check_leading_zeros(const Source& source, const Parts& parts) {
  const auto first = skip_sign(parts.mantissa, 0);
  if (parts.mantissa[first] != '0' || !is_digit(parts.mantissa, first + 1)) return;
  const auto kept = std::min(parts.mantissa.find_first_not_of('0', first), parts.mantissa.size());
  auto number = parts.mantissa.substr(kept);
  if (!is_digit(number, 0)) number.insert(0, "0");
  if (parts.mantissa.size() > kLongNumber) source.fail_because("a number has no leading zeros");
  source.fail_because(parts.mantissa + " has a leading zero; write " + parts.mantissa.substr(0, first) + number);
}

/// from_chars of the whole text. A power beyond int is beyond double too, whatever stands before it.
template <class Number>
std::optional<Number> read_whole(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  Number out{};
  const char *const first = text.data(), *const last = first + text.size();
  std::from_chars_result read{};
  if constexpr (std::is_same_v<Number, double>) read = number_from_chars(first, last, out);
  else read = std::from_chars(first, last, out);
  return read.ec == std::errc{} && read.ptr == last ? std::optional(out) : std::nullopt;
}

double scaled(const Source& source, const Parts& parts, const Unit& unit) {
  const auto power = parts.exponent.empty() ? 0 : read_whole<int>(parts.exponent);
  const auto sane = power && std::abs(*power) < 10'000;  // room to add the unit's own power
  const auto value =
      sane ? read_whole<double>(parts.mantissa + "e" + std::to_string(*power + unit.exponent)) : std::nullopt;
  const bool vanishes = value && *value != 0 && *value * unit.factor == 0;
  if (!value || vanishes || !std::isfinite(*value * unit.factor))
    source.fail_because("it is beyond the numbers a computer holds (about 1e-308 to 1e308)");
  return *value * unit.factor;
}

/// Whole numbers above 2^53 have gaps between them in a double: a count there would not be what was written.
double checked_count(const Source& source, double value) {
  constexpr double largest = 9007199254740992.0;
  if (value < 0 || value != std::floor(value)) source.fail();
  if (value > largest) source.fail_because("a count goes up to 9007199254740992 (2^53)");
  return value;
}

/// A number with its unit, or without.
struct PartWithUnit {
  double value;
  Unit unit;
};

PartWithUnit read_with_unit(const Source& source, const Parts& parts) {
  if (parts.mantissa.find_first_of(digits) == std::string::npos) source.fail();
  check_leading_zeros(source, parts);
  Unit unit = find_unit(source, parts);
  return {scaled(source, parts, unit), std::move(unit)};
}

/// "4 h 39 min", "2 d 3 h 5.5 s": each unit smaller than the one before, no sign, and a point in the last number alone.
double sum_of_times(const Source& source, std::string_view text) {
  double sum = 0, largest = kInfinity;
  while (!text.empty()) {
    Parts parts = split(text);
    const auto next = std::min(parts.unit.find_first_of("0123456789.+-"), parts.unit.size());
    const std::string rest = parts.unit.substr(next);
    parts.unit = trimmed(std::string_view(parts.unit).substr(0, next));
    const bool is_plain = parts.mantissa.find_first_of(rest.empty() ? "+-" : "+-.") == std::string::npos;
    const auto [value, unit] = read_with_unit(source, parts);
    if (unit.name.empty()) source.fail();
    const double size = unit.factor * (unit.exponent == 0 ? 1 : 1e-3);  // those below a second are no two of a sum
    if (!is_plain || !(size < largest))
      source.fail_because("of several units each is smaller than the one before, such as 1 d 4 h or 4 h 39 min");
    sum += value;
    largest = size;
    text.remove_prefix(text.size() - rest.size());
  }
  return sum;
}

}  // namespace

const char* unit_name(Dimension dimension) { return wording(dimension).si; }

double parse_quantity(const std::string& text, Dimension dimension) {
  const Source source{text, dimension};
  const auto parts = split(trimmed(text));
  const bool is_sum = dimension == Dimension::time && parts.unit.find_first_of(digits) != std::string::npos &&
                      parts.mantissa.find_first_of(digits) != std::string::npos;
  if (is_sum) return sum_of_times(source, trimmed(text));
  const double value = read_with_unit(source, parts).value;
  return dimension == Dimension::count ? checked_count(source, value) : value;
}

std::optional<double> quantity_in(const std::string& text, Dimension dimension) {
  try {
    return parse_quantity(text, dimension);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<double> any_quantity(const std::string& text) {
  for (const Wording& known : wordings)
    if (const auto value = quantity_in(text, known.dimension)) return value;
  return std::nullopt;
}

namespace {

/// A unit to print with, fit for values below `limit` of it. In each list the units grow and the last takes all.
struct UnitStep {
  const char* name;
  double factor;
  double limit;
};
// From seconds up, times are read more easily as 90 s than as 1.5 min.
constexpr UnitStep time_steps[] = {{"ns", 1e-9, 1000}, {"us", 1e-6, 1000}, {"ms", 1e-3, 1000},    {"s", 1, 120},
                               {"min", 60, 120},   {"h", 3600, 48},    {"d", 86400, kInfinity}};

template <class... Format>
std::string to_text(double value, Format... format) {
  std::array<char, 400> buffer{};  // the longest fixed notation of a double has 309 digits
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format...).ptr;
  return {buffer.data(), end};
}

double rounded(double value) {
  return std::isfinite(value) ? *read_whole<double>(to_text(value, std::chars_format::scientific, 3)) : value;
}

/// A rounded value without exponent where that stays readable.
std::string plain(double value) {
  const double size = std::abs(value);
  const bool readable = value == 0 || (size >= 1e-4 && size < 1e7);
  return readable ? to_text(value, std::chars_format::fixed) : number_text(value);
}

/// The unit a time is written in; none where it is infinite or not a number.
const UnitStep* step_for(double value) {
  const auto fits = [value](const UnitStep& step) { return std::abs(rounded(value / step.factor)) < step.limit; };
  const auto found = std::ranges::find_if(time_steps, fits);
  return found == std::end(time_steps) ? nullptr : found;
}

std::string format_time(double value) {
  const UnitStep* step = step_for(value);
  return step == nullptr ? plain(value) + " s" : plain(rounded(value / step->factor)) + " " + step->name;
}

std::string format_prefixed(double value, const Wording& of) {
  std::size_t i = 0;
  double limit = of.limit, factor = 1;
  while (i + 1 < of.prefixes && std::abs(rounded(value / factor)) >= limit && std::isfinite(value)) {
    factor = std::pow(10.0, decimal_prefixes[++i].exponent);
    limit = 1000;
  }
  return plain(rounded(value / factor)) + of.gap + std::string(decimal_prefixes[i].name) + of.si;
}

}  // namespace

TimeUnit time_unit_for(double seconds) {
  const UnitStep* step = seconds == 0 ? nullptr : step_for(seconds);
  return step == nullptr ? TimeUnit{"s", 1} : TimeUnit{step->name, step->factor};
}

std::string format_quantity(double value, Dimension dimension) {
  if (value == 0) value = 0;  // not "-0 s"
  if (dimension == Dimension::time) return value == 0 ? "0 s" : format_time(value);
  return format_prefixed(value, wording(dimension));
}

}  // namespace nowsim

// The range of a panel's axis, where it is not left to gnuplot.
#pragma once

namespace nowsim {

/// From the least to the most of what is shown; without any, least is above most.
struct YRange {
  double least, most;
  YRange();
  /// Numbers that an axis cannot show, such as one of unknown size or on a log axis one that is not above 0, are left
  /// out.
  void add(double y, bool log);
  void add(const YRange& other);
  /// Wider at both ends, so that no point lies on the frame: by 4 % of the range, on a log axis of that of logarithms.
  /// Around a single value by 4 % of it, on a log axis by a factor of 2.
  [[nodiscard]] YRange with_margin(bool log) const;
  /// Whether a log axis over it is read more easily in powers of ten: below 1e-3 or above 1e5, and over two at least.
  [[nodiscard]] bool needs_powers() const;
  /// The power of ten, a multiple of 3, that tics of a linear axis over it better leave out; 0 for numbers that are
  /// read at a glance, from 0.001 to a million.
  [[nodiscard]] int power_of_ten() const;
};

}  // namespace nowsim

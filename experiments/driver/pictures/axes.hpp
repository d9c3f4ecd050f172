// A figure's axes: which values they show, where their tics stand, and how they are called.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/text/duration_text.hpp"

namespace nowsim {

/// From the least to the most of what is shown; without any, least is above most.
struct ValueRange {
  double least, most;
  ValueRange();
  /// Numbers that an axis cannot show, such as one of unknown size or on a log axis one that is not above 0, are left
  /// out.
  void add(double y, bool log);
  void add(const ValueRange& other);
  /// Wider at both ends, so that no point lies on the frame: by 4 % of the range, on a log axis of that of logarithms.
  /// Around a single value by 4 % of it, on a log axis by a factor of 2.
  [[nodiscard]] ValueRange with_margin(bool log) const;
  /// Whether a log axis over it is read more easily in powers of ten: below 1e-3 or above 1e5, and over two at least.
  [[nodiscard]] bool needs_powers() const;
  /// The power of ten, a multiple of 3, that tics of a linear axis over it better leave out; 0 for numbers that are
  /// read at a glance, from 0.001 to a million.
  [[nodiscard]] int power_of_ten() const;
};

/// Round numbers from least to most, which is above it and both above 0: 1, 2 and 5 times powers of ten, or all digits
/// times powers of ten where there are fewer than three of those, or both ends where there are still fewer than two.
/// For an axis that gnuplot, which puts them at powers of ten, would leave with one label or none.
std::vector<double> log_tics(double least, double most);
/// A round step, 1, 2 or 5 times a power of ten, of which a range has at most so many.
double round_step(double range, double most);

/// Where a name or a number stands on an axis.
struct AxisTic {
  double at;
  Label label;
};

/// A value of a swept key, as written, and where it lies.
struct AxisValue {
  std::string text;
  double at;
};

/// An axis as a figure shows it. All positions on it are in the unit that its label tells.
struct ResolvedAxis {
  std::string shows;  ///< the key or the metric; "" for what has neither
  bool is_metric = false;
  Label label;
  bool log = false;
  bool in_powers = false;           ///< tics are read more easily as powers of ten
  int power = 0;                    ///< of ten, which the unit has
  double unit = 1;                  ///< what 1 on it is in SI: of minutes 60, with a power of ten that power
  double least, most;               ///< of what is shown; NaN where that is left to the writer
  std::vector<AxisTic> tics{};      ///< none: they are left to the writer
  std::vector<AxisValue> values{};  ///< of a key, in the order of the sweep

  ResolvedAxis();
  void show(const ValueRange& range);
};

/// The axis of a swept key: in SI, times perhaps in minutes, hours or days, or words side by side. `to_edge`: it ends
/// at the first and last value.
ResolvedAxis axis_of_key(const FigureAxis& about, AxisScale scale, bool to_edge);
/// The x axis of a metric. Tics of large numbers leave out a power of ten, which the label tells; of long times, they
/// are in minutes, hours or days.
ResolvedAxis axis_of_metric(const Metric& metric, const FigureAxis& about, ValueRange values);

/// The axis of what a panel shows of a metric: its value, or its interval's half-width. Any range and tics.
ResolvedAxis axis_of_values(const FigurePanel& panel, const Metric& metric);

/// What the values of a swept key are called: by its last word, where there is no label.
Label series_label(const FigureAxis& about);
/// A value's own label, or the value; of a legend behind what the values are called: "TH = 0.3".
Label value_label(const FigureAxis& about, const std::string& value);
Label legend_label(const FigureAxis& about, const std::string& value);
/// How a label calls a metric: by its formula where its name is one (p_T_log_p), else by its name.
std::string name_in_labels(const std::string& metric);
/// A metric's label, its own or made of name and unit, with a power of ten that is left out: "n [10^{3} s]".
Label metric_label(const std::string& label, const Metric& metric, int power);

// ---- in which unit an axis tells its times: seconds, or where they are long minutes, hours or days, or as asked ----

/// Whether an axis shows times by its label, "time [s]".
bool tells_seconds(const Label& label);

/// The unit of an axis of times: the one that the figure asks for; else the fitting one, where the label says "[s]" and
/// so can say another; else seconds.
ColumnUnit axis_unit(const std::string& asked, const Label& label, const ColumnUnit& fitting);

/// A label with the unit in place of its "[s]", or behind it where it tells none: "time" in hours is "time [h]".
Label in_unit(Label label, const ColumnUnit& unit);
/// The same of a label as it is written.
std::string in_unit(std::string label, const ColumnUnit& unit);

}  // namespace nowsim

// What a figure can show of an experiment, and checks of what it is to show, for kinds of figures to choose from.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/reading/swept_names.hpp"

namespace nowsim {

/// Each of its checks notes problems, none of them twice.
class FigureCheck {
 public:
  FigureCheck(const Figure& figure, const SweptAndMeasured& measured, Problems& problems)
      : figure_(figure), measured_(measured), problems_(problems) {}

  /// By the figure's kind.
  void run();
  /// Swept keys, each once, with numbers where their scale is logarithmic; texts for values that they have.
  void axes();
  /// Metrics that are there and can be shown, and for each point of the sweep one place at most.
  void panels();
  /// Where labels are of metrics: texts for those that a panel shows.
  void labels_of_metrics();
  /// A swept key's value.
  void value(const FigureCondition& c);
  /// A metric of the whole run.
  void metric(const std::string& name, const Place& place);
  /// A metric of each workstation.
  void metric_of_each(const std::string& name, const Place& place);
  void problem(const Place& place, const std::string& sentence) { problems_.add(place, sentence); }

 private:
  bool check_swept(const std::string& key, const Place& place);
  void check_axis(const FigureAxis& axis);
  [[nodiscard]] bool shows_values(const FigureAxis& axis) const;
  void check_twice();
  void check_metric_of(const FigurePanel& panel);
  void check_theory(const FigurePanel& panel);
  void check_unit(const std::string& name, const std::string& unit, const Place& place);
  void check_units(const FigurePanel& panel);
  void check_rows(const FigurePanel& panel);
  void check_positions(const FigurePanel& panel, const Axis& axis);
  [[nodiscard]] std::vector<std::string> position_of(const Axis& axis, const std::vector<std::string>& step) const;
  void report_shared_position(const FigurePanel& panel, const Axis& axis, const std::vector<std::string>& one,
                              const std::vector<std::string>& other);
  [[nodiscard]] const char* way_out() const;
  [[nodiscard]] bool is_axis(const std::string& key) const;
  [[nodiscard]] bool uses(const FigurePanel& panel, const std::string& key) const;

  const Figure& figure_;
  const SweptAndMeasured& measured_;
  Problems& problems_;
};

}  // namespace nowsim

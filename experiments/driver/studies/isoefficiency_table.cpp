// Isoefficiency for people: sizes, how well laws fit, and what cannot be reached.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "experiments/driver/running/summary_output.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"
#include "experiments/driver/studies/isoefficiency_text.hpp"
#include "experiments/driver/studies/plan_text.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Row = std::vector<std::string>;

/// What a report's columns share.
class TableWriter {
 public:
  TableWriter(const IsoefficiencyReport& report, std::ostream& out) : report_(report), out_(out) {
    for (const auto& curve : report.family.curves)
      for (const auto& point : curve.points) {
        if (point.system.power_flops > most_power_) most_power_ = point.system.power_flops;
        if (point.tau_s.value > most_s_) most_s_ = point.tau_s.value;
        has_formula_ = has_formula_ || !std::isnan(point.formula_size);
      }
  }

  void write() {
    out_ << report_.summary.title << ": how " << report_.key << " grows with the system to keep " << report_.metric
         << "\n\n";
    write_sizes();
    out_ << "\nR² of the line through the sizes over\n\n";
    write_fits();
    out_ << '\n';
    for (const auto& curve : report_.family.curves)
      out_ << curve_text(report_, curve) << ": " << law_sentence(report_, curve) << ".\n";
    write_reasons();
    write_end();
  }

 private:
  [[nodiscard]] Row head_of_curve() const {
    Row head{report_.metric};
    for (const auto& [key, value] : report_.family.curves.front().others) head.push_back(short_key(key));
    return head;
  }
  static Row begin_row(const IsoefficiencyCurve& curve) {
    Row row{curve.target};
    for (const auto& [key, value] : curve.others) row.push_back(value);
    return row;
  }
  static std::string number(double x) { return std::isnan(x) ? "-" : format_quantity(x, Dimension::number); }

  void write_sizes() {
    const WorkUnit power = work_unit(most_power_);
    const ColumnUnit time = column_unit(most_s_);
    Row head = head_of_curve();
    const std::size_t keep = head.size() + 1;
    head.insert(head.end(), {"p", power_name(report_) + " [" + power.name + "/s]", size_name(report_),
                             "W", std::string("tau [") + time.name + "]"});
    if (has_formula_) head.push_back(size_name(report_) + " by (BO 2)");
    TextTable table(head);
    for (const auto& curve : report_.family.curves)
      for (const auto& point : curve.points) {
        Row row = begin_row(curve);
        row.push_back(number(point.system.processors));
        row.push_back(number(point.system.power_flops / power.flop));
        row.push_back(point.has_size ? estimate_text(point.system.size) : "-");
        row.push_back(point.has_size ? format_quantity(point.work_flop, Dimension::work) : "-");
        row.push_back(point.has_size ? estimate_text(in_unit(point.tau_s, time.seconds)) : "-");
        if (has_formula_) row.push_back(number(point.formula_size));
        table.add(std::move(row));
      }
    table.write(out_, keep);
  }
  void write_fits() {
    Row head = head_of_curve();
    const std::size_t keep = head.size();
    for (const auto& law : growth_laws()) head.push_back(formula_text(report_, law));
    TextTable table(head);
    for (const auto& curve : report_.family.curves) {
      Row row = begin_row(curve);
      for (const auto& fit : curve.fits) row.push_back(r_squared_text(fit.r_squared));
      table.add(std::move(row));
    }
    table.write(out_, keep);
  }
  void write_reasons() {
    bool is_first = true;
    for (const auto& curve : report_.family.curves)
      for (const auto& point : curve.points) {
        if (point.has_size) continue;
        const bool has_failed = report_.summary.rows[point.row].status == "failed";
        out_ << (is_first ? "\n" : "") << (has_failed ? "failed: " : "no size: ") << curve_place(curve) << point.reason
             << '\n';
        is_first = false;
      }
  }
  /// What tells the curve from others besides the efficiency, which the reason names.
  static std::string curve_place(const IsoefficiencyCurve& curve) {
    std::string out;
    for (const auto& [key, value] : curve.others) out += (out.empty() ? "" : ", ") + short_key(key) + " " + value;
    return out.empty() ? "" : out + ": ";
  }
  void write_end() {
    const Provenance p = provenance_of(report_.summary);
    if (p.seed == "-") return;  // nothing has results
    out_ << '\n'
         << p.replications << (p.replications == "1" ? " replication, ± " : " replications, ± ") << p.confidence
         << " confidence, " << p.origin() << '\n';
  }

  const IsoefficiencyReport& report_;
  std::ostream& out_;
  double most_power_ = 0, most_s_ = 0;
  bool has_formula_ = false;
};

}  // namespace

void write_isoefficiency_table(const IsoefficiencyReport& report, std::ostream& out) {
  TableWriter(report, out).write();
}

void write_isoefficiency(const IsoefficiencyReport& report, Format format, std::ostream& out) {
  switch (format) {
    case Format::table:
      return write_isoefficiency_table(report, out);
    case Format::csv:
      return write_isoefficiency_csv(report, out);
    case Format::json:
      return write_isoefficiency_json(report, out);
  }
}

}  // namespace nowsim

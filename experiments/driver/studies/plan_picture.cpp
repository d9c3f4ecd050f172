// Writing the script of a plan's picture: data blocks, the page, one plot command.
#include "experiments/driver/studies/plan_picture.hpp"

#include <algorithm>
#include <vector>

#include "experiments/driver/pictures/colours.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/script.hpp"
#include "experiments/driver/pictures/survival.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/plan_text.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr int kPlanPointTypes[] = {7, 5, 9, 11, 13};
constexpr double kPlanPlotWidth = 640, kPlanPlotHeight = 380, kPlanLeft = 76, kPlanBelow = 92, kPlanLetter = 8.6;

class PlanPicture {
 public:
  PlanPicture(const PlanReport& report, PictureFormat format) : report_(report), format_(format) {
    for (const auto& plan : report.plans)
      if (plan.is_complete()) plans_.push_back(&plan);
    if (plans_.empty()) throw RunError("there is nothing to draw: no policy could be simulated");
    find_range();
    find_page();
  }

  std::string write() {
    for (std::size_t p = 0; p < plans_.size(); ++p) write_curve(p);
    write_page();
    write_marks();
    write_plot();
    return script_.str();
  }

 private:
  [[nodiscard]] std::string time(double t_s) const { return short_number(t_s / unit_.seconds); }

  // ---- what is drawn ----

  void find_range() {
    least_s_ = most_s_ = report_.request.deadline_s.value_or(plans_.front()->makespans_s().front());
    for (const auto* plan : plans_) {
      const auto [least, most] = std::ranges::minmax(plan->makespans_s());
      least_s_ = std::min(least_s_, least);
      most_s_ = std::max(most_s_, most);
    }
    const double edge = most_s_ > least_s_ ? 0.03 * (most_s_ - least_s_) : 0.1 * most_s_;
    least_s_ = std::max(0.0, least_s_ - edge);
    most_s_ += edge;
    unit_ = column_unit(most_s_);
  }
  void find_page() {
    std::size_t longest = 0;
    for (const auto* plan : plans_) longest = std::max(longest, shown_width(legend(*plan)));
    page_.width = kPlanLeft + kPlanPlotWidth + 62 + kPlanLetter * static_cast<double>(longest);
    title_ = title_lines(report_.summary.title + ": how likely is it to take longer?", page_.width);
    above_ = 26 + 21 * static_cast<double>(title_.size()) + 16;
    page_.height = above_ + kPlanPlotHeight + kPlanBelow;
  }
  [[nodiscard]] std::string legend(const PolicyPlan& plan) const {
    if (!report_.request.deadline_s) return plan.policy;
    return plan.policy + ": RF " + percent_text(plan.late);
  }
  /// P[T > t] drops by 1/n at each replication's T.
  void write_curve(std::size_t p) {
    const auto& times_s = plans_[p]->makespans_s();
    std::string rows = time(least_s_) + " 100\n";
    for (const auto& [t_s, longer] : survival_steps(times_s))
      rows += time(t_s) + " " +
              short_number(100 * static_cast<double>(longer) / static_cast<double>(times_s.size())) + "\n";
    script_.block("curve" + std::to_string(p), rows + time(most_s_) + " 0\n");
  }

  // ---- the page ----

  void write_page() {
    script_ << picture_page({format_, page_, title_, footer()});
    script_.line(page_.plot_area(kPlanLeft, above_, kPlanPlotWidth, kPlanPlotHeight));
    script_.line("set xrange [" + time(least_s_) + ":" + time(most_s_) + "]; set yrange [0:104]; set ytics 0,20,100");
    script_.line("set xlabel " + script_string(std::string("t [") + unit_.name + "]") + " noenhanced");
    script_.line("set ylabel 'probability of taking longer than t [%]' noenhanced");
    script_.line(
        "set grid linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'; set border linewidth 1.2; set format '%g'");
    script_.line("set key at " + page_.at(kPlanLeft + kPlanPlotWidth + 12, above_ + 4) +
                 " left top Left reverse vertical noenhanced samplen 3 spacing 1.25");
  }
  [[nodiscard]] std::string footer() const {
    const Provenance p = provenance_of(report_.summary);
    return p.replications + " replications, " +
           (report_.request.deadline_s ? "bars: " + p.confidence + " confidence, " : "") + p.origin();
  }
  /// The deadline's line and words, the risk's.
  void write_marks() {
    if (const auto deadline_s = report_.request.deadline_s) {
      const double part = (*deadline_s - least_s_) / (most_s_ - least_s_);
      script_.line(deadline_mark(*deadline_s, time(*deadline_s), part, 1, 3));
    }
    if (const auto risk = report_.request.risk) {
      const std::string y = short_number(100 * *risk);
      script_.line("set arrow 2 from graph 0, first " + y + " to graph 1, first " + y +
                   " nohead back linewidth 1.2 dashtype (6,4) linecolor rgb '" + kDeadlineColour + "'");
      script_.line("set label 4 " + script_string("risk " + percent_text(*risk)) + " at graph 0, first " + y +
                   " offset 0.6,0.6 left noenhanced font ',10' textcolor rgb '" + kDeadlineColour + "'");
    }
  }

  [[nodiscard]] std::string colour(std::size_t p) const { return coloured(colours(plans_.size())[p]); }

  void write_plot() {
    script_ << "plot NaN notitle";
    for (std::size_t p = 0; p < plans_.size(); ++p)
      script_ << ", \\\n  $curve" << p << " using 1:2 with steps" << colour(p) << " linewidth 2 dashtype "
              << kDashTypes[p % std::size(kDashTypes)] << " title " << script_string(legend(*plans_[p]));
    if (report_.request.deadline_s)
      for (std::size_t p = 0; p < plans_.size(); ++p) write_risk_factor(p);
    script_ << "\nunset output\n";
  }
  void write_risk_factor(std::size_t p) {
    const Estimate late = in_unit(plans_[p]->late, 0.01);
    script_ << ", \\\n  '+' using (" << time(*report_.request.deadline_s) << "):(" << short_number(late.value) << "):("
            << short_number(late.low) << "):(" << short_number(late.high) << ") every ::::0 with yerrorbars"
            << colour(p) << " linewidth 1.4 pointtype " << kPlanPointTypes[p % std::size(kPlanPointTypes)]
            << " pointsize 0.8 notitle";
  }

  const PlanReport& report_;
  PictureFormat format_;
  std::vector<const PolicyPlan*> plans_;
  double least_s_ = 0, most_s_ = 0;
  ColumnUnit unit_{};
  std::vector<std::string> title_;
  double above_ = 0;
  Page page_;
  Script script_;
};

}  // namespace

std::string plan_picture_script(const PlanReport& report, PictureFormat format) {
  return PlanPicture(report, format).write();
}

}  // namespace nowsim

// Drawing replications, and telling them in words.
#include "experiments/driver/labs/lab_charts.hpp"

#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/gantt.hpp"
#include "experiments/driver/pictures/waits.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostBarsTold = 150;  // more are summed up, workstation by workstation

/// In the order of Activity; said as the picture's legend says them.
constexpr const char* kActivityKeys[] = {"activity.compute", "activity.barrier",  "activity.receive",
                                         "activity.send",    "activity.send",     "activity.sleep",
                                         "activity.transfer", "activity.idle",    "activity.off"};
static_assert(std::size(kActivityKeys) == static_cast<std::size_t>(Activity::off) + 1);

/// Of what an operation is for, where its kind does not tell.
constexpr const char* key_of(Meant meant) {
  return meant == Meant::message_work ? "activity.message-work" : "activity.spawn";
}

std::string activity_text(const GanttBar& bar, const Texts& texts) {
  const Meant meant = bar.note.meant;
  return texts.say(meant == Meant::itself ? kActivityKeys[static_cast<std::size_t>(bar.what)] : key_of(meant));
}

TextRows bar_rows(const Timeline& timeline, const Texts& texts) {
  TextRows rows{{texts.say("chart.workstation"), texts.say("chart.does"), texts.say("chart.from"), texts.say("chart.to")}};
  for (const auto& w : timeline.workstations)
    for (const GanttBar& bar : gantt_bars(w, timeline.makespan_s))
      rows.push_back({w.name, activity_text(bar, texts), short_number(bar.begin_s), short_number(bar.end_s)});
  return rows;
}

/// How long each does what.
TextRows sum_rows(const Timeline& timeline, const Texts& texts) {
  TextRows rows{{texts.say("chart.workstation"), texts.say("chart.does"), texts.say("chart.seconds")}};
  for (const auto& w : timeline.workstations) {
    std::map<std::pair<Meant, Activity>, double> seconds;
    for (const GanttBar& bar : gantt_bars(w, timeline.makespan_s))
      seconds[{bar.note.meant, bar.what}] += bar.end_s - bar.begin_s;
    for (const auto& [what, s] : seconds)
      rows.push_back({w.name, activity_text({what.second, 0, s, {what.first}}, texts), short_number(s)});
  }
  return rows;
}

void add_timeline_table(const Timeline& timeline, const Texts& texts, LabChart& chart) {
  TextRows bars = bar_rows(timeline, texts);
  chart.has_sums = bars.size() > kMostBarsTold;
  chart.caption = texts.say(chart.has_sums ? "chart.sums-caption" : "chart.caption",
                            {{"T", short_number(timeline.makespan_s)}});
  chart.table = chart.has_sums ? sum_rows(timeline, texts) : std::move(bars);
}

}  // namespace

LabChart chart_of(const Timeline& timeline, const std::string& experiment, const std::string& title,
                  const Texts& texts) {
  LabChart chart{.experiment = experiment, .title = title};
  std::ostringstream csv;
  write_timeline_csv(timeline, csv);
  chart.csv = csv.str();
  add_timeline_table(timeline, texts, chart);
  try {
    chart.svg = draw_picture(gantt_script(timeline, std::nullopt, title, PictureFormat::svg));
  } catch (const RunError& e) {
    chart.no_picture = e.what();
  }
  return chart;
}

std::vector<LabChart> charts_of(StudentLab& student, std::size_t step) {
  std::vector<LabChart> charts;
  for (const auto& [experiment, title] : student.lab.steps[step].charts)
    charts.push_back(
        chart_of(student.facts.timeline(experiment, 0), experiment, student.facts.filled(title), student.texts));
  return charts;
}

}  // namespace nowsim

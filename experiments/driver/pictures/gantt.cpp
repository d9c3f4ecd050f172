#include "experiments/driver/pictures/gantt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "experiments/driver/pictures/clock_axis.hpp"
#include "experiments/driver/pictures/layers.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/script.hpp"
#include "experiments/driver/pictures/styles.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// What is shorter, as a part of T, takes no time.
constexpr double kRounding = 1e-9;
constexpr std::size_t kActivities = static_cast<std::size_t>(Activity::off) + 1;
constexpr std::size_t kMeanings = static_cast<std::size_t>(Meant::spawn) + 1;

/// What a bar shows, as a number below kActivities * kMeanings.
std::size_t kind_of(const GanttBar& bar) {
  return static_cast<std::size_t>(bar.note.meant) * kActivities + static_cast<std::size_t>(bar.what);
}

/// Equal parts of [0, T]; gives a piece of time to those that it lies in.
class Columns {
 public:
  Columns(double makespan_s, std::size_t count) : width_s_(makespan_s / static_cast<double>(count)), count_(count) {}

  [[nodiscard]] double begin_s(std::size_t column) const { return static_cast<double>(column) * width_s_; }
  [[nodiscard]] double width_s() const { return width_s_; }
  /// Calls take(column, seconds in it).
  template <class Take>
  void share_out(double from_s, double to_s, Take take) const {
    const auto first = std::min(static_cast<std::size_t>(from_s / width_s_), count_ - 1);
    for (std::size_t c = first; c < count_ && begin_s(c) < to_s; ++c)
      take(c, std::max(0.0, std::min(to_s, begin_s(c) + width_s_) - std::max(from_s, begin_s(c))));
  }

 private:
  double width_s_;
  std::size_t count_;
};

/// Adds a bar, or lengthens the last one where it is of the same kind and ends there.
void join(std::vector<GanttBar>& bars, const GanttBar& bar, double makespan_s) {
  const bool goes_on =
      !bars.empty() && bars.back().shows(bar.what, bar.note.meant) && bars.back().note.chunk == bar.note.chunk &&
                       bar.begin_s - bars.back().end_s <= kRounding * makespan_s;
  if (goes_on)
    bars.back().end_s = bar.end_s;
  else
    bars.push_back(bar);
}

/// When the bytes of a send begin to travel: its own begin where no message ends with it.
double travels_from_s(const TimelineActivity& send, const WorkstationTimeline& workstation, double makespan_s) {
  const auto& all = workstation.messages;  // by begin
  for (auto m = std::ranges::lower_bound(all, send.begin_s, {}, &TimelineMessage::begin_s);
       m != all.end() && m->begin_s < send.end_s; ++m)
    if (m->to == send.peer && std::abs(m->end_s - send.end_s) <= kRounding * makespan_s) return m->begin_s;
  return send.begin_s;
}

}  // namespace

std::vector<GanttBar> gantt_bars(const WorkstationTimeline& workstation, double makespan_s) {
  std::vector<GanttBar> bars;
  const auto add = [&](const GanttBar& bar) {
    if (bar.end_s - bar.begin_s > kRounding * makespan_s) join(bars, bar, makespan_s);
  };
  for (const auto& a : workstation.activities) {
    const double from_s = a.what == Activity::send ? travels_from_s(a, workstation, makespan_s) : a.begin_s;
    add({Activity::receive, a.begin_s, from_s});
    add({a.what, from_s, a.end_s, a.note});
  }
  return bars;
}

std::vector<GanttBar> prevailing(const std::vector<GanttBar>& bars, double makespan_s, std::size_t columns) {
  const Columns parts(makespan_s, columns);
  std::vector<std::array<double, kActivities * kMeanings>> seconds(columns);
  for (const auto& bar : bars)
    parts.share_out(bar.begin_s, bar.end_s,
                    [&](std::size_t c, double s) { seconds[c][kind_of(bar)] += s; });
  std::vector<GanttBar> out;
  for (std::size_t c = 0; c < columns; ++c) {
    const auto most = std::ranges::max_element(seconds[c]);
    const auto kind = static_cast<std::size_t>(most - seconds[c].begin());
    const OperationNote note{static_cast<Meant>(kind / kActivities)};
    if (*most > 0)
      join(out, {static_cast<Activity>(kind % kActivities), parts.begin_s(c), parts.begin_s(c) + parts.width_s(), note},
           makespan_s);
  }
  return out;
}

std::vector<TimelineAvailability> gantt_availability(const WorkstationTimeline& workstation, double makespan_s,
                                                     std::size_t columns) {
  if (workstation.availability.size() <= columns) return workstation.availability;
  const Columns parts(makespan_s, columns);
  std::vector<TimelineAvailability> means;
  for (std::size_t c = 0; c < columns; ++c) means.push_back({parts.begin_s(c), parts.begin_s(c) + parts.width_s(), 0});
  for (const auto& a : workstation.availability)
    parts.share_out(a.begin_s, a.end_s,
                    [&](std::size_t c, double s) { means[c].value += a.value * s / parts.width_s(); });
  return means;
}

/// Those of a workstation that was never switched off, where there is one: others may have passed barriers later.
std::vector<double> barrier_ends_s(const Timeline& timeline) {
  const auto stays_on = [](const WorkstationTimeline& w) {
    return std::ranges::none_of(w.activities, [](const auto& a) { return a.what == Activity::off; });
  };
  auto witness = std::ranges::find_if(timeline.workstations, stays_on);
  if (witness == timeline.workstations.end()) witness = timeline.workstations.begin();
  std::vector<double> ends;
  for (const auto& a : witness->activities)
    if (a.what == Activity::barrier && (ends.empty() || a.end_s > ends.back())) ends.push_back(a.end_s);
  return ends;
}

namespace {

constexpr const char* kAvailable = "#9a9a9a";
constexpr const char* kTaken = "#ececec";
constexpr const char* kInUse = "#4a6f8a";

std::string coloured(const std::string& colour) { return " linecolor rgb '" + colour + "'"; }

/// Parts of a workstation's lane, from its upper edge at 0 to the lower at 1.
constexpr double kBarTop = 0.08, kBarBottom = 0.52, kBarMiddle = 0.30, kStripTop = 0.57, kStripBottom = 0.95;

/// How an activity is shown: colour, position in the lane, style in the legend. Waiting is lighter than computing, and
/// what costs nobody anything is grey; of a rank that has finished a line is left; a machine that is off has nothing
/// available either.
struct Look {
  Activity what;
  Meant meant;
  const char* legend;
  std::string colour;
  double top = kBarTop, bottom = kBarBottom;
  const char* style = "boxes";
};
const std::vector<Look>& looks() {
  static const std::vector<Look> all{
      {Activity::compute, Meant::itself, "computes", colour_at(0.26)},
      {Activity::compute, Meant::message_work, "works for a message", "#8a6fa8"},
      {Activity::sleep, Meant::spawn, "starts tasks, or waits to be started", "#b08d57"},
      {Activity::send, Meant::itself, "sends", colour_at(0.5)},
      {Activity::transfer, Meant::itself, "moves bytes", colour_at(0.62)},
      {Activity::receive, Meant::itself, "waits for sender or receiver", colour_at(0.78)},
      {Activity::barrier, Meant::itself, "waits at a barrier", colour_at(0.97)},
      {Activity::sleep, Meant::itself, "sleeps", "#c9c9c9"},
      {Activity::idle, Meant::itself, "has finished", "#707070", kBarMiddle - 0.02, kBarMiddle + 0.02,
       "lines linewidth 2"},
      {Activity::off, Meant::itself, "switched off", "#000000", kBarTop, kStripBottom}};
  return all;
}

bool has_kind(const std::vector<std::vector<GanttBar>>& bars, const Look& look) {
  return std::ranges::any_of(bars, [&](const auto& of_one) {
    return std::ranges::any_of(of_one, [&](const GanttBar& bar) { return bar.shows(look.what, look.meant); });
  });
}

/// Of its data.
std::string block_name(const Look& look) {
  std::string name = activity_name(look.what, look.meant);
  std::ranges::replace(name, '-', '_');
  return name;
}

/// Chunks of tasks that a workstation computes one after the other alternate between two shades, and say how many tasks
/// they have where that fits.
constexpr double kSecondShade = 0.62;  // of the colour; the rest is white
constexpr const char* kChunkLegend = "computes; numbers: tasks of a chunk";
constexpr double kChunkLetter = 6.2, kLeastLabelledBar = 9.5;  // pixels

/// An entry of the legend: its text, and gnuplot's style of what stands before it.
struct LegendEntry {
  std::string text, style;
};

/// Up to here the axis counts seconds, as papers do; beyond, the unit in which the time would be written.
constexpr double kLongestInSeconds = 600, kShortInSeconds = 100;

/// Sizes on the page [pixels].
constexpr double kGanttPlotWidth = 860, kGanttBelow = 86, kLineOfLegend = 21, kRightOfPlot = 22;
constexpr auto kGanttColumns = static_cast<std::size_t>(kGanttPlotWidth);  // finer pieces cannot be seen
constexpr double kNarrowLetter = 10.2, kWideLetter = 16;                   // of 12 points
constexpr double kLinkGap = 14, kLinkHeight = 62;                          // below the lanes
constexpr std::size_t kLongestName = 24, kManyMessages = 60;

TimeUnit unit_for(double makespan_s) {
  return time_unit_for(makespan_s <= kLongestInSeconds ? std::min(makespan_s, kShortInSeconds) : makespan_s);
}

std::string lane_name(const std::string& name) { return shortened(name, kLongestName); }

/// A text's width, rather too much than too little [pixels].
double width_of(const std::string& text) {
  const auto is_wide = [](char c) { return (c >= 'A' && c <= 'Z') || c == 'm' || c == 'w' || c == '@' || c == '%'; };
  const auto wide = std::ranges::count_if(text, [&](char c) { return is_wide(c) || (c & 0xC0) == 0xC0; });
  return kNarrowLetter * static_cast<double>(shown_width(text)) +
         (kWideLetter - kNarrowLetter) * static_cast<double>(wide);
}

class GanttWriter {
 public:
  GanttWriter(const Timeline& timeline, const std::optional<LinkUse>& link, const std::string& title,
              PictureFormat format, const std::optional<ClockMoment>& start)
      : timeline_(timeline),
        link_(link),
        start_(start),
        format_(format),
        count_(std::min(timeline.workstations.size(), kMostGanttWorkstations)),
        unit_(unit_for(timeline.makespan_s)),
        barriers_(barrier_ends_s(timeline)) {
    for (std::size_t i = 0; i < count_; ++i) add_bars(timeline.workstations[i]);
    find_messages();
    set_up_page(title);
  }

  std::string write() {
    write_head();
    add_strips();
    add_link();
    for (const Look& look : looks()) add_bars_of(look);
    const auto [second, texts] = chunks();
    add_layer("second_shade", second, boxes(mixed_with_white(looks().front().colour, kSecondShade)));
    add_barriers();
    add_messages();
    for (const std::size_t shade : {0U, 1U}) add_chunk_sizes(shade, texts[shade]);
    write_page();
    write_plot();
    return script_.str();
  }

 private:
  // ---- what is drawn ----

  [[nodiscard]] bool has_chunks() const {
    return std::ranges::any_of(bars_, [](const auto& bars) { return std::ranges::any_of(bars, &GanttBar::is_chunk); });
  }
  void add_bars(const WorkstationTimeline& workstation) {
    bars_.push_back(gantt_bars(workstation, timeline_.makespan_s));
    if (bars_.back().size() <= kGanttColumns) return;
    bars_.back() = prevailing(bars_.back(), timeline_.makespan_s, kGanttColumns);
    is_condensed_ = true;
  }
  void find_messages() {
    for (std::size_t i = 0; i < count_; ++i)
      for (const auto& m : timeline_.workstations[i].messages)
        if (m.to != m.from && static_cast<std::size_t>(m.to) < count_) messages_.push_back(m);
  }
  [[nodiscard]] bool is_some_taken() const {
    const auto is_taken = [](const TimelineAvailability& a) { return a.value < 1; };
    return std::any_of(timeline_.workstations.begin(), timeline_.workstations.begin() + static_cast<std::ptrdiff_t>(count_),
                       [&](const auto& w) { return std::ranges::any_of(w.availability, is_taken); });
  }
  [[nodiscard]] bool has_barriers() const { return !barriers_.empty() && barriers_.size() <= kMostGanttBarriers; }
  [[nodiscard]] bool has_messages() const {
    std::size_t crossed = 0;
    for (const auto& m : messages_) crossed += static_cast<std::size_t>(std::abs(m.to - m.from));
    return !messages_.empty() && crossed <= kMostGanttLanesCrossed;
  }

  // ---- texts ----

  [[nodiscard]] std::string left_out() const {
    std::string out;
    const auto add = [&](const std::string& text) { out += (out.empty() ? "not drawn: " : ", ") + text; };
    if (count_ < timeline_.workstations.size())
      add("workstations " + std::to_string(count_ + 1) + " to " + std::to_string(timeline_.workstations.size()));
    if (!barriers_.empty() && !has_barriers()) add(std::to_string(barriers_.size()) + " barriers");
    if (!messages_.empty() && !has_messages()) add(std::to_string(messages_.size()) + " messages");
    return out;
  }
  [[nodiscard]] std::string footer() const {
    const std::string more = left_out();
    return gantt_origin(timeline_) + (more.empty() ? "" : "; " + more) +
           (is_condensed_ ? "; each pixel shows what takes most of it" : "");
  }
  [[nodiscard]] const char* unit_text() const { return std::string(unit_.name) == "us" ? "µs" : unit_.name; }
  /// What a chart shows, below the experiment's title.
  [[nodiscard]] std::string subtitle() const {
    const std::size_t n = timeline_.workstations.size();
    char t[32];
    std::snprintf(t, sizeof t, "%.4g", timeline_.makespan_s / unit_.seconds);
    return "One replication on " + std::to_string(n) + (n == 1 ? " workstation" : " workstations") + ": T = " + t +
           " " + unit_text();
  }
  /// "bus in use (42 % of T)".
  [[nodiscard]] std::string link_text() const {
    double in_use_s = 0;
    for (const auto& span : link_->spans) in_use_s += span.end_s - span.begin_s;
    char percent[16];
    std::snprintf(percent, sizeof percent, "%.0f",
                  timeline_.makespan_s > 0 ? 100 * in_use_s / timeline_.makespan_s : 0);
    return lane_name(link_->link) + " in use (" + percent + " % of T)";
  }
  [[nodiscard]] std::vector<LegendEntry> legend() const {
    std::vector<LegendEntry> out;
    for (const Look& look : looks())
      if (has_kind(bars_, look))
        out.push_back({&look == &looks().front() && has_chunks() ? kChunkLegend : look.legend,
                       look.style + coloured(look.colour)});
    out.push_back({"availability (0 to 100 %)", "boxes" + coloured(kAvailable)});
    if (is_some_taken()) out.push_back({"taken by its owner", "boxes" + coloured(kTaken)});
    if (link_) out.push_back({link_text(), "boxes" + coloured(kInUse)});
    if (has_barriers()) out.push_back({"all pass a barrier", "lines" + barrier_style()});
    if (has_messages()) out.push_back({"message", "vectors" + message_style("black")});
    return out;
  }

  // ---- the page ----

  void set_up_page(const std::string& title) {
    const auto lanes = static_cast<double>(count_);
    lane_height_ = std::clamp(440 / lanes, 25.0, 90.0);
    plot_height_ = lanes * lane_height_ + (link_ ? kLinkGap + kLinkHeight : 0);
    double longest = 0;
    std::size_t widest = 0;
    for (std::size_t i = 0; i < count_; ++i)
      longest = std::max(longest, width_of(lane_name(timeline_.workstations[i].name)));
    if (link_) longest = std::max({longest, width_of(lane_name(link_->link)), width_of("100 %")});
    for (const auto& entry : legend()) widest = std::max(widest, shown_width(entry.text));
    left_ = 24 + longest;
    page_.width = left_ + kGanttPlotWidth + kRightOfPlot + 52 + 8.2 * static_cast<double>(widest);
    title_ = title_lines(title, page_.width);
    title_.push_back(subtitle());
    above_ = 26 + 21 * static_cast<double>(title_.size());
    const double legend_height = 10 + kLineOfLegend * static_cast<double>(legend().size());
    page_.height = above_ + std::max(plot_height_ + kGanttBelow, legend_height + 30);
  }
  [[nodiscard]] std::string time(double t_s) const { return number_text(t_s / unit_.seconds); }
  static std::string lane(std::size_t i, double part) { return number_text(static_cast<double>(i) + part); }

  /// Where a part of the link's strip is, 0 its lower and 1 its upper edge.
  [[nodiscard]] std::string link_strip(double part) const {
    const double below_lanes = kLinkGap + (1 - part) * kLinkHeight;
    return number_text(static_cast<double>(count_) + below_lanes / lane_height_);
  }

  // ---- the script ----

  void write_head() {
    script_ << script_head("picture");
    script_.line("set datafile separator whitespace");
    script_.text("title", joined_lines(title_));
    script_.text("footer", footer());
  }
  /// Data, and how it is drawn over what has been added before; nothing where there is none.
  void add_layer(const std::string& name, const std::string& rows, const std::string& look) {
    if (rows.empty()) return;
    script_.block(name, rows);
    plot_ += (plot_.empty() ? "plot $" : ", \\\n  $") + name + " using " + look + " notitle";
  }
  static std::string boxes(const std::string& colour) { return "1:2:3:4:5:6 with boxxyerror" + coloured(colour); }
  static std::string areas(const std::string& colour) { return "1:2 with filledcurves closed" + coloured(colour); }

  /// x, y, and from where to where in both, per bar.
  void add_bars_of(const Look& look) {
    std::string rows;
    for (std::size_t i = 0; i < count_; ++i)
      for (const GanttBar& bar : bars_[i])
        if (bar.shows(look.what, look.meant)) rows += box(bar.begin_s, bar.end_s, i, look.top, look.bottom);
    add_layer(block_name(look), rows, boxes(look.colour));
  }
  /// Every other chunk of a workstation, over its first shade, and the numbers of tasks in bars of either.
  [[nodiscard]] std::pair<std::string, std::array<std::string, 2>> chunks() const {
    std::string second;
    std::array<std::string, 2> texts;
    for (std::size_t i = 0; i < count_; ++i) {
      std::size_t shade = 1;
      std::int64_t last = -1;
      for (const GanttBar& bar : bars_[i]) {
        if (!bar.is_chunk()) continue;
        if (bar.note.chunk != last) shade = 1 - shade;
        last = bar.note.chunk;
        if (shade == 1) second += box(bar.begin_s, bar.end_s, i, kBarTop, kBarBottom);
        if (is_label_fitting(bar))
          texts[shade] += time((bar.begin_s + bar.end_s) / 2) + " " + lane(i, kBarMiddle) + " " +
                          std::to_string(bar.note.tasks) + "\n";
      }
    }
    return {second, texts};
  }
  [[nodiscard]] bool is_label_fitting(const GanttBar& bar) const {
    const double width = (bar.end_s - bar.begin_s) / timeline_.makespan_s * kGanttPlotWidth;
    return lane_height_ * (kBarBottom - kBarTop) >= kLeastLabelledBar &&
           width >= kChunkLetter * static_cast<double>(std::to_string(bar.note.tasks).size()) + 2;
  }
  [[nodiscard]] std::string box(double begin_s, double end_s, std::size_t i, double top, double bottom) const {
    return time(begin_s) + " " + lane(i, top) + " " + time(begin_s) + " " + time(end_s) + " " + lane(i, top) + " " +
           lane(i, bottom) + "\n";
  }
  /// Below each bar a strip as high as 100 %, and in it a polygon as high as the availability.
  void add_strips() {
    std::string strips, available;
    for (std::size_t i = 0; i < count_; ++i) {
      strips += box(0, timeline_.makespan_s, i, kStripTop, kStripBottom);
      available += time(0) + " " + lane(i, kStripBottom) + "\n";
      for (const auto& a : gantt_availability(timeline_.workstations[i], timeline_.makespan_s, kGanttColumns)) {
        const std::string y = lane(i, kStripBottom - std::min(1.0, a.value) * (kStripBottom - kStripTop));
        available += time(a.begin_s) + " " + y + "\n" + time(a.end_s) + " " + y + "\n";
      }
      available += time(timeline_.makespan_s) + " " + lane(i, kStripBottom) + "\n\n";
    }
    add_layer("strips", strips, boxes(kTaken));
    add_layer("available", available, areas(kAvailable));
  }
  /// Steps as high as the part of the time in which the link is in use, on a strip as high as 100 %.
  void add_link() {
    if (!link_) return;
    const std::string end = time(timeline_.makespan_s), bottom = link_strip(0), top = link_strip(1);
    add_layer("link_strip", "0 " + bottom + " 0 " + end + " " + bottom + " " + top + "\n", boxes(kTaken));
    std::string steps = "0 " + bottom + "\n";
    const auto parts = utilisation(*link_, timeline_.makespan_s, kGanttLinkParts);
    const double width_s = timeline_.makespan_s / static_cast<double>(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k)
      for (const std::size_t edge : {k, k + 1})
        steps += time(static_cast<double>(edge) * width_s) + " " + link_strip(parts[k]) + "\n";
    add_layer("link", steps + end + " " + bottom + "\n", areas(kInUse));
  }
  void add_barriers() {
    if (!has_barriers()) return;
    std::string rows;
    for (const double t_s : barriers_) rows += time(t_s) + " 0\n" + time(t_s) + " " + std::to_string(count_) + "\n\n";
    add_layer("barriers", rows, "1:2 with lines" + barrier_style());
  }
  /// From bar to bar: x, y, and how far in both. Black, and cased in white, so that they are seen on dark bars.
  void add_messages() {
    if (!has_messages()) return;
    std::string rows;
    for (const auto& m : messages_)
      rows += time(m.begin_s) + " " + lane(static_cast<std::size_t>(m.from), kBarMiddle) + " " +
              time(m.end_s - m.begin_s) + " " + std::to_string(m.to - m.from) + "\n";
    const std::string vectors = "1:2:3:4 with vectors";
    add_layer("messages", rows, vectors + message_style("white", messages_.size() > kManyMessages ? 0.8 : 1.8));
    plot_ += ", \\\n  $messages using " + vectors + message_style("black") + " notitle";
  }
  /// Over everything else.
  void add_chunk_sizes(std::size_t shade, const std::string& rows) {
    const std::string& first = looks().front().colour;
    const std::string of_bar = shade == 0 ? first : mixed_with_white(first, kSecondShade);
    add_layer("tasks_" + std::to_string(shade), rows,
              "1:2:3 with labels center noenhanced font ',9' textcolor rgb '" + text_colour_on(of_bar) + "'");
  }

  void write_page() {
    script_ << begin_pages(page_, "", 1, format_);
    script_.line(page_.plot_area(left_, above_, kGanttPlotWidth, plot_height_));
    write_axes();
    script_.line("set key at " + page_.at(left_ + kGanttPlotWidth + kRightOfPlot, above_ + 2) +
                 " left top Left reverse vertical noenhanced samplen 2.2 spacing 1.25 maxrows 20");
  }
  void write_axes() {
    script_.line("set xrange [0:" + (timeline_.makespan_s > 0 ? time(timeline_.makespan_s) : "1") + "]");
    script_.line("set yrange [" + (link_ ? link_strip(0) : std::to_string(count_)) + ":0]");
    const auto clock = start_ ? std::optional(axis_clock(*start_)) : std::nullopt;
    script_.line("set xlabel '" + (clock ? std::string("time of day") : std::string("time [") + unit_text() + "]") + "'");
    script_.line("set format x '%g'; set xtics out nomirror; set border 3 linewidth 1.2");
    constexpr std::size_t kMostTics = 9;
    if (clock && timeline_.makespan_s > 0)
      script_.line("set xtics noenhanced " +
                   tic_list(clock_tics(*clock, 0, timeline_.makespan_s, unit_.seconds, kMostTics), false));
    script_.line("set ytics scale 0 noenhanced ()");
    for (std::size_t i = 0; i < count_; ++i)
      script_.line("set ytics add (" + tic_string(lane_name(timeline_.workstations[i].name)) + " " + lane(i, 0.36) +
                   ")");
    if (link_)
      script_.line("set ytics add (" + tic_string("100 %") + " " + link_strip(1) + ", " +
                   tic_string(lane_name(link_->link)) + " " + link_strip(0.5) + ", " + tic_string("0 %") + " " +
                   link_strip(0) + ")");
  }

  void write_plot() {
    script_.line("set style fill solid 1.0 noborder");
    script_ << plot_;
    for (const auto& entry : legend())
      script_ << ", \\\n  keyentry with " << entry.style << " title " << script_string(entry.text);
    script_ << "\n" << end_pages();
  }
  static std::string barrier_style() { return coloured(kDeadlineColour) + " linewidth 1.4"; }
  /// Thinner where there are many; what goes below them is wider.
  [[nodiscard]] std::string message_style(const std::string& colour, double wider = 0) const {
    const bool many = messages_.size() > kManyMessages;
    return std::string(" head filled size screen ") + (many ? "0.005,15" : "0.007,18") + coloured(colour) +
           " linewidth " + short_number((many ? 0.5 : 0.8) + wider);
  }

  const Timeline& timeline_;
  const std::optional<LinkUse>& link_;
  const std::optional<ClockMoment>& start_;
  PictureFormat format_;
  std::size_t count_;
  TimeUnit unit_;
  std::vector<double> barriers_;
  std::vector<TimelineMessage> messages_;
  std::vector<std::vector<GanttBar>> bars_;
  bool is_condensed_ = false;
  std::vector<std::string> title_;
  double lane_height_ = 0, plot_height_ = 0, left_ = 0, above_ = 0;
  Page page_;
  Script script_;
  std::string plot_;  ///< what has been added of its command
};

}  // namespace

std::vector<std::pair<std::string, std::string>> gantt_legend(const std::vector<std::vector<GanttBar>>& bars) {
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const Look& look : looks())
    if (has_kind(bars, look)) kinds.emplace_back(activity_name(look.what, look.meant), look.legend);
  return kinds;
}

std::string gantt_origin(const Timeline& timeline) {
  const VarianceReduction& how = *timeline.variance_reduction;
  const std::string reduction = &how == &kNoVarianceReduction ? "" : ", variance reduction: " + std::string(how.name);
  return "replication " + std::to_string(timeline.replication) + ", seed " + std::to_string(timeline.seed) +
         ", engine " + engine_name(timeline.engine) + reduction + ", nowsim " + version();
}

std::string gantt_script(const Timeline& timeline, const std::optional<LinkUse>& link, const std::string& title,
                         PictureFormat format, const std::optional<ClockMoment>& start) {
  return GanttWriter(timeline, link, title, format, start).write();
}

}  // namespace nowsim

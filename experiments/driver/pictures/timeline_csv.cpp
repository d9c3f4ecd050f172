#include "experiments/driver/pictures/timeline_csv.hpp"

#include <algorithm>
#include <fstream>
#include <ostream>
#include <string>

#include "experiments/driver/pictures/waits.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/text/formats.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// By these a trace is known, whatever later columns another version gives it.
constexpr const char* kFirstColumns = "workstation,name,what,begin_s,end_s,";

/// What not every row has; "" where it does not.
struct Details {
  std::string peer, flop, bytes, availability, demand_s, chunk, tasks, call;
};

bool has_calls(const Timeline& timeline) {
  return std::ranges::any_of(timeline.workstations, [](const WorkstationTimeline& w) {
    return std::ranges::any_of(w.activities, [](const TimelineActivity& a) { return a.note.call >= 0; });
  });
}

class Writer {
 public:
  Writer(const Timeline& timeline, std::ostream& out)
      : out_(out),
        has_calls_(has_calls(timeline)),
        tail_("," + std::to_string(timeline.replication) + "," + std::to_string(timeline.seed) + "," +
              engine_name(timeline.engine) + "," + csv_field(version()) + "," + timeline.variance_reduction->name +
              "\n") {
    out_ << kFirstColumns << "peer,flop,bytes,availability,demand_s,chunk,tasks," << (has_calls_ ? "call," : "")
         << "replication,seed,engine,version,variance_reduction\n";
  }

  void write(std::size_t i, const WorkstationTimeline& w) {
    head_ = std::to_string(i + 1) + "," + csv_field(w.name) + ",";
    for (const auto& a : w.activities) row(activity_name(a.what, a.note.meant), a.begin_s, a.end_s, details(a));
    for (const auto& m : w.messages)
      row("message", m.begin_s, m.end_s, {.peer = workstation(m.to), .bytes = number_text(m.bytes)});
    for (const auto& a : w.availability)
      row("availability", a.begin_s, a.end_s, {.availability = number_text(a.value)});
    for (const auto& b : w.bandwidth) row("bandwidth", b.begin_s, b.end_s, {.availability = number_text(b.value)});
    for (const auto& j : w.owner_jobs) row("owner-job", j.arrival_s, j.end_s, {.demand_s = number_text(j.demand_s)});
  }

 private:
  static std::string workstation(int rank) { return rank < 0 ? "" : std::to_string(rank + 1); }
  static Details details(const TimelineActivity& a) {
    const bool moves_bytes = a.what == Activity::send || a.what == Activity::transfer;
    return {.peer = workstation(a.peer),
            .flop = a.what == Activity::compute ? number_text(a.amount) : "",
            .bytes = moves_bytes ? number_text(a.amount) : "",
            .chunk = a.note.chunk < 0 ? "" : std::to_string(a.note.chunk + 1),
            .tasks = a.note.chunk < 0 ? "" : std::to_string(a.note.tasks),
            .call = call_text(a.note)};
  }
  void row(const char* what, double begin_s, double end_s, const Details& d) {
    out_ << head_ << what << ',' << number_text(begin_s) << ',' << number_text(end_s) << ',' << d.peer << ',' << d.flop
         << ',' << d.bytes << ',' << d.availability << ',' << d.demand_s
         << ',' << d.chunk << ',' << d.tasks << (has_calls_ ? "," + d.call : "") << tail_;
  }

  std::ostream& out_;
  bool has_calls_;
  std::string head_, tail_;
};

}  // namespace

void write_timeline_csv(const Timeline& timeline, std::ostream& out) {
  Writer writer(timeline, out);
  for (std::size_t i = 0; i < timeline.workstations.size(); ++i) writer.write(i, timeline.workstations[i]);
}

bool is_timeline_csv(const std::string& file) { return begins_with(file, kFirstColumns); }

bool begins_with(const std::string& file, std::string_view text) {
  std::ifstream in(file, std::ios::binary);
  std::string head(text.size(), '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  return in && head == text;
}

}  // namespace nowsim

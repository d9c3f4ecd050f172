// Reading what machines have done and what was recorded of their owners; simulated beginnings, machine by machine.
#include "experiments/driver/studies/under_way.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>

#include "experiments/driver/reading/load_formats.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/program/computing_time.hpp"

namespace nowsim {
namespace {

const Words& columns() {
  static const Words names{"machine", "done", "part", "seen", "done_items"};
  return names;
}

/// Those of a plan's split (plan_files.hpp) besides: `share` stands for `part`, `done_items` is of `items`, and the others
/// say the same again.
const Words& columns_of_splits() {
  static const Words names{"share", "work_flop", "hours", "items", "first_item", "last_item"};
  return names;
}

/// The index of a workstation. @throws InputError.
std::size_t machine_named(const std::string& name, const Words& names, const Place& place) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw InputError(place, "the platform has no machine " + quoted(name) + did_you_mean(name, names));
  return static_cast<std::size_t>(found - names.begin());
}

// ---- the file of what is done ----

/// Spreadsheets put a byte order mark before UTF-8.
std::string without_mark(std::string text) { return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text; }

class DoneFile {
 public:
  DoneFile(const std::string& file, const Scenario& planned)
      : file_(file), planned_(planned), names_(machine_names(planned)),
        csv_(parse_csv(without_mark(read_user_file(file, kMostDataBytes)), file)) {
    for (const auto& name : csv_.head)
      if (!contains(columns(), name) && !contains(columns_of_splits(), name))
        throw InputError({file_, 1, ""}, "there is no column " + quoted(name) + did_you_mean(name, columns()) +
                                             " Known: " + joined(columns()));
    const bool by_items = contains(csv_.head, "done_items");
    for (const char* needed : {"machine", by_items ? "items" : "done"})
      if (!contains(csv_.head, needed)) throw InputError({file_, 1, ""}, "the column '" + std::string(needed) + "' is missing");
    if (by_items && contains(csv_.head, "done"))
      throw InputError({file_, 1, ""}, "either 'done' or 'done_items' says what is done");
  }

  std::vector<MachineProgress> read() {
    std::vector<std::optional<MachineProgress>> found(names_.size());
    for (row_ = 0; row_ < csv_.rows.size(); ++row_) {
      const std::size_t i = machine_named(*cell("machine"), names_, place("machine"));
      if (found[i]) throw InputError(place("machine"), names_[i] + " is there twice");
      found[i] = machine(i);
    }
    std::vector<MachineProgress> machines;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i] && !has_parts() && planned_.share_flop[i] > 0)
        throw InputError({file_, 0, ""}, "nothing is said of " + names_[i] +
                                             "; machines that have no part may be left out where there is a column 'part'");
      machines.push_back(found[i].value_or(MachineProgress{}));
    }
    if (has_parts()) fit_parts(machines);
    return machines;
  }

 private:
  /// "" where all have the plan's parts.
  [[nodiscard]] std::string part_column() const {
    for (const char* name : {"part", "share"})
      if (contains(csv_.head, name)) return name;
    return "";
  }
  [[nodiscard]] bool has_parts() const { return !part_column().empty(); }
  [[nodiscard]] Place place(const std::string& column) const { return {file_, static_cast<int>(row_) + 2, column}; }
  /// Nothing where there is no such column, or nothing in it.
  [[nodiscard]] std::optional<std::string> cell(const std::string& column) const {
    const auto at = std::ranges::find(csv_.head, column);
    if (at == csv_.head.end()) return std::nullopt;
    const std::string& text = csv_.rows[row_][static_cast<std::size_t>(at - csv_.head.begin())];
    if (text.empty() && column != "machine") return std::nullopt;
    return text;
  }
  [[nodiscard]] double quantity(const std::string& column, const std::string& text, Dimension dimension,
                                const char* otherwise = "") const try {
    return parse_quantity(text, dimension);
  } catch (const InputError& e) {
    throw InputError(place(column), std::string(e.what()) + otherwise);
  }
  /// A share from 0 to 1 of a whole, or an amount of work up to it.
  [[nodiscard]] double amount(const std::string& column, const std::string& text, double whole_flop) const {
    constexpr double kRounding = 1e-9;
    const char* const otherwise = ", or an amount of work, such as 4Tf";
    const bool is_share = text.find('f') == text.npos;
    const double flop = is_share ? quantity(column, text, Dimension::fraction, otherwise) * whole_flop
                                 : quantity(column, text, Dimension::work, otherwise);
    if (flop < 0 || flop > whole_flop * (1 + kRounding))
      throw InputError(place(column), quoted(text) + " is not between nothing and all of it, 100% or " +
                                          format_quantity(whole_flop, Dimension::work));
    return std::min(flop, whole_flop);
  }
  /// Of its part, in items. Nothing where nothing is said.
  [[nodiscard]] std::optional<double> share_of_items() const {
    const auto done = cell("done_items"), of = cell("items");
    if (!done || !of) return std::nullopt;
    const double count = quantity("done_items", *done, Dimension::count), all = quantity("items", *of, Dimension::count);
    if (count > all) throw InputError(place("done_items"), *done + " are more than the " + *of + " items there are");
    return all > 0 ? count / all : 0;
  }
  /// Of its part [flop]. Nothing where nothing is said.
  [[nodiscard]] std::optional<double> done_flop(double part_flop) const {
    if (const auto done = cell("done")) return amount("done", *done, part_flop);
    if (const auto share = share_of_items()) return *share * part_flop;
    return std::nullopt;
  }
  MachineProgress machine(std::size_t i) const {
    MachineProgress m;
    const double all = planned_.workload->program().work_flop;
    const auto part = cell(part_column()), seen = cell("seen");
    m.part_flop = !has_parts() ? planned_.share_flop[i] : part ? amount(part_column(), *part, all) : 0;
    const auto done = done_flop(m.part_flop);
    m.done_flop = done.value_or(0);
    if (!done && m.takes_part()) throw InputError(place("done"), "how much " + names_[i] + " has done is missing");
    if (seen) {
      m.seen = quantity("seen", *seen, Dimension::fraction);
      if (*m.seen < 0 || *m.seen > 1) throw InputError(place("seen"), quoted(*seen) + " is no availability, 0 to 1");
    }
    return m;
  }

  /// Parts that were written in few digits are all of the job.
  void fit_parts(std::vector<MachineProgress>& machines) const {
    const double all = planned_.workload->program().work_flop;
    double sum = 0;
    for (const auto& m : machines) sum += m.part_flop;
    constexpr double kDigits = 0.01;
    if (std::abs(sum - all) > kDigits * all)
      throw InputError({file_, 0, "part"}, "the parts come to " + format_quantity(sum, Dimension::work) +
                                               ", the job's work is " + format_quantity(all, Dimension::work));
    for (auto& m : machines) {
      m.part_flop *= all / sum;
      m.done_flop *= all / sum;
    }
  }

  std::string file_;
  const Scenario& planned_;
  Words names_;
  CsvRows csv_;
  std::size_t row_ = 0;
};

// ---- what was recorded ----

/// A look of this long ago says little of now.
constexpr double kRecent_s = 600;

/// What owners left last, and a remark where that is some time ago.
void add_seen(const std::vector<std::string>& files, const Words& names, JobProgress& progress) {
  using namespace std::chrono;
  const double now_s = duration<double>(system_clock::now().time_since_epoch()).count();
  for (const auto& file : files) {
    const std::size_t i = machine_named(machine_of_file(file), names, {file, 0, ""});
    auto& seen = progress.machines[i].seen;
    if (seen) throw InputError({file, 0, ""}, "what the owner of " + names[i] + " leaves is said twice");
    const LoadSeries trace = read_load(file, {}).loads.front().trace;
    seen = trace.availability.back();
    const double age_s = now_s - (static_cast<double>(trace.first.whole_s) + trace.first.rest_s + trace.clock_end_s());
    if (trace.first.kind == StampKind::utc && age_s > kRecent_s)
      progress.remarks.push_back(file + " was recorded until " + rough_duration(age_s) + " ago: it is taken as now");
  }
}

void check_speeds(const Scenario& planned, JobProgress& progress) {
  constexpr double kMargin = 1.02;  // speeds are measured, too
  Words fast;
  for (std::size_t i = 0; i < progress.machines.size(); ++i) {
    const Workstation& w = planned.platform->workstations[i];
    if (progress.machines[i].done_flop > kMargin * w.speed_flops * progress.elapsed_s) fast.push_back(w.name);
  }
  if (!fast.empty())
    progress.remarks.push_back("in " + duration_text(progress.elapsed_s) + " more is done than the speed allows of " +
                               joined(fast) + ": the platform file has it too slow, or more is said to be done than is");
}

// ---- a share of the job ----

/// What each machine would have done by now, on average [flop], whatever its part is.
std::vector<double> expected_flop(const Scenario& planned, double elapsed_s) {
  constexpr Batch kSome{0, 400};
  std::vector<double> flop;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    Moments left_s;
    if (planned.owners[i]->jobs() == nullptr)
      for (const double s : available_time(planned, i, elapsed_s, kSome)) left_s.add(s);
    else
      left_s.add(planned.owners[i]->mean() * elapsed_s);
    flop.push_back(planned.platform->workstations[i].speed_flops * left_s.mean());
  }
  return flop;
}

/// Each has done that, times a factor, or all of its part: so that it comes to the share.
std::vector<MachineProgress> as_planned(const Scenario& planned, double elapsed_s, double share) {
  const ProgramDescription& program = planned.workload->program();
  std::vector<MachineProgress> machines;
  for (const double part : planned.share_flop) machines.push_back({part, part * share});
  if (program.phases != 1 || share == 0 || share == 1) return machines;
  const std::vector<double> expected = expected_flop(planned, elapsed_s);
  const double wanted = share * program.work_flop;
  const auto done_at = [&](double factor) {
    double sum = 0;
    for (std::size_t i = 0; i < machines.size(); ++i) {
      machines[i].done_flop = std::min(machines[i].part_flop, factor * expected[i]);
      sum += machines[i].done_flop;
    }
    return sum;
  };
  double low = 0, high = 1;
  constexpr double kMost = 1e300;  // beyond, some machine is never expected to do its part
  while (done_at(high) < wanted && high < kMost) high *= 2;
  constexpr int kHalvings = 100;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (low + high);
    (done_at(middle) < wanted ? low : high) = middle;
  }
  done_at(high);
  return machines;
}

template <class Of>
double sum_over(const std::vector<MachineProgress>& machines, Of of) {
  double sum = 0;
  for (const auto& m : machines) sum += std::invoke(of, m);
  return sum;
}

}  // namespace

double JobProgress::part_flop() const { return sum_over(machines, &MachineProgress::part_flop); }
double JobProgress::done_flop() const { return sum_over(machines, &MachineProgress::done_flop); }
double JobProgress::left_flop() const { return sum_over(machines, &MachineProgress::left_flop); }

JobProgress job_progress(const ProgressRequest& request, const Scenario& planned) {
  JobProgress progress;
  progress.elapsed_s = request.elapsed_s;
  if (request.done_file.empty()) {
    progress.machines = as_planned(planned, request.elapsed_s, request.done.value_or(0));
  } else {
    progress.machines = DoneFile(request.done_file, planned).read();
  }
  add_seen(request.seen_files, machine_names(planned), progress);
  check_speeds(planned, progress);
  return progress;
}

namespace {

constexpr std::uint64_t kBeginnings = 1000;

ExpectedShare share_of(std::vector<double> done_flop, double part_flop) {
  std::ranges::sort(done_flop);
  const auto at = [&](double q) {
    return done_flop[static_cast<std::size_t>(q * static_cast<double>(done_flop.size() - 1))] / part_flop;
  };
  const double sum = std::accumulate(done_flop.begin(), done_flop.end(), 0.0);
  constexpr double kTail = 0.05;
  return {at(kTail), sum / static_cast<double>(done_flop.size()) / part_flop, at(1 - kTail), at(0), at(1)};
}

}  // namespace

std::optional<ExpectedProgress> expected_progress(const Scenario& planned, const JobProgress& progress) {
  const ProgramDescription& program = planned.workload->program();
  if (program.phases != 1 || program.communicates) return std::nullopt;
  ExpectedProgress out{kBeginnings, {}, std::vector<std::optional<ExpectedShare>>(planned.size())};
  std::vector<double> whole_flop(kBeginnings, 0.0);
  bool is_whole = true;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const double part = progress.machines[i].part_flop, speed = planned.platform->workstations[i].speed_flops;
    if (part == 0) continue;
    if (planned.owners[i]->jobs() != nullptr) {
      is_whole = false;
      continue;
    }
    std::vector<double> done_flop = available_time(planned, i, progress.elapsed_s, {0, kBeginnings});
    for (std::size_t k = 0; k < done_flop.size(); ++k) {
      done_flop[k] = std::min(part, speed * done_flop[k]);
      whole_flop[k] += done_flop[k];
    }
    out.machines[i] = share_of(std::move(done_flop), part);
  }
  if (is_whole) out.whole = share_of(std::move(whole_flop), progress.part_flop());
  return out;
}

}  // namespace nowsim

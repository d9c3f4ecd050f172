// Rounding to whole items, and writing each kind of file; names and commands are checked for what they would be there.
#include "experiments/driver/studies/plan_files.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {

std::vector<std::uint64_t> whole_items(const std::vector<double>& shares, std::uint64_t items) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<std::uint64_t> out;
  std::uint64_t left = items;
  constexpr double kRounding = 1e-12;  // so that no more are dealt than there are; what it takes away is dealt below
  for (const double share : shares) {
    out.push_back(std::min(left, static_cast<std::uint64_t>(share / sum * static_cast<double>(items) * (1 - kRounding))));
    left -= out.back();
  }
  // Who exceeds its share the least with one more is next; of equals the first.
  using Next = std::pair<double, std::size_t>;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  const auto add = [&](std::size_t i) {
    if (shares[i] > 0) next.emplace(static_cast<double>(out[i] + 1) / shares[i], i);
  };
  for (std::size_t i = 0; i < shares.size(); ++i) add(i);
  for (; left > 0; --left) {
    const std::size_t i = next.top().second;
    next.pop();
    ++out[i];
    add(i);
  }
  return out;
}

Alternative in_whole_items(const Alternative& plan, const PlanRequest& request, std::uint64_t items, double confidence,
                           const StudyManner& manner) {
  Scenario scenario = *plan.scenario;
  const std::vector<std::uint64_t> counts = whole_items(scenario.share_flop, items);
  for (std::size_t i = 0; i < counts.size(); ++i)
    scenario.share_flop[i] = request.work_flop * static_cast<double>(counts[i]) / static_cast<double>(items);
  if (scenario.controls) scenario.controls = std::make_shared<const ControlVariates>(scenario);
  Point point;
  point.values = {plan.name()};
  point.plan = plan.plan;
  point.plan.precision = 0;
  point.plan.replications = plan.makespans_s().size();
  point.state = ready_point(std::move(scenario));
  const PointOutcome outcome = run_with_makespans({point}, manner).front();
  Experiment tried;
  tried.metrics = plan_metrics(request.deadline_s.has_value());
  Alternative out = alternative(summarise_point(tried, point, outcome), point, outcome, request, confidence);
  if (!out.is_complete()) throw RunError("the split in whole items could not be simulated");
  return out;
}

// ---- a split ---------------------------------------------------------------------------------------------------------

namespace {

JobParts parts_of(const std::vector<std::string>& machines, const std::vector<double>& work_flop, const PlanRequest& request,
                  std::uint64_t items, const std::string& policy) {
  JobParts out;
  out.title = work_text(request) + " on " + machines_text(request) + ", split by '" + policy + "'" +
              (items > 0 ? ", in " + std::to_string(items) + (items == 1 ? " item" : " items") : "");
  const double all_flop = out.work_flop = std::accumulate(work_flop.begin(), work_flop.end(), 0.0);
  out.hour_flop = request.work_time_s > 0 ? work_unit(request).flop : 0;
  out.items = items;
  const std::vector<std::uint64_t> counts = items > 0 ? whole_items(work_flop, items) : std::vector<std::uint64_t>();
  std::uint64_t next = 1;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const std::uint64_t count = items > 0 ? counts[i] : 0;
    const double in_items_flop = all_flop * static_cast<double>(count) / static_cast<double>(items);
    out.parts.push_back({machines[i], items > 0 ? in_items_flop : work_flop[i], next, count});
    next += count;
  }
  return out;
}

}  // namespace

JobParts job_parts(const Alternative& plan, const PlanRequest& request, std::uint64_t items) {
  return parts_of(machine_names(*plan.scenario), plan.scenario->share_flop, request, items, plan.name());
}

JobParts even_parts(const Scenario& scenario, const PlanRequest& request, std::uint64_t items) {
  return parts_of(machine_names(scenario), std::vector<double>(scenario.size(), 1.0), request, items, "");
}

std::string parts_csv(const JobParts& parts) {
  const bool has_hours = parts.hour_flop > 0, has_items = parts.items > 0;
  std::string out = std::string("machine,share,work_flop") + (has_hours ? ",hours" : "") +
                    (has_items ? ",items,first_item,last_item" : "") + "\n";
  for (const MachinePart& p : parts.parts) {
    out += csv_field(p.machine) + "," + csv_number(p.work_flop / parts.work_flop) + "," + csv_number(p.work_flop);
    if (has_hours) out += "," + csv_number(p.work_flop / parts.hour_flop);
    if (has_items) out += "," + std::to_string(p.items);
    if (has_items && p.items > 0) out += "," + std::to_string(p.first_item) + "," + std::to_string(p.first_item + p.items - 1);
    else if (has_items) out += ",,";
    out += "\n";
  }
  return out;
}

namespace {

/// A name that means itself wherever it stands: to shells, in lists of Slurm and of MPI.
bool is_plain_name(const std::string& name) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  return !name.empty() && name.front() != '-' && name.find_first_not_of(kPlain) == name.npos;
}

/// @throws InputError.
const std::string& plain_name(const std::string& name, const std::string& where) {
  if (!is_plain_name(name))
    throw InputError("the machine " + quoted(name) + " cannot be named " + where + ": letters, digits, '.', '-' and '_' can");
  return name;
}

bool has_controls(const std::string& text) { return shown_line(text) != text; }

/// What stands between braces in a command.
struct CommandWord {
  const char* name;
  bool is_of_items;
  std::string (*text)(const JobParts& parts, const MachinePart& part);
};
constexpr CommandWord kCommandWords[] = {
    {"machine", false, [](const JobParts&, const MachinePart& p) { return plain_name(p.machine, "by {machine}"); }},
    {"share", false, [](const JobParts& all, const MachinePart& p) { return number_text(p.work_flop / all.work_flop); }},
    {"work", false, [](const JobParts&, const MachinePart& p) { return number_text(p.work_flop); }},
    {"items", true, [](const JobParts&, const MachinePart& p) { return std::to_string(p.items); }},
    {"first", true, [](const JobParts&, const MachinePart& p) { return std::to_string(p.first_item); }},
    {"last", true, [](const JobParts&, const MachinePart& p) { return std::to_string(p.first_item + p.items - 1); }}};

std::string in_braces(const CommandWord& word) { return "{" + std::string(word.name) + "}"; }

/// The word that the text begins with; null where it is none.
const CommandWord* word_at(std::string_view text) {
  for (const CommandWord& word : kCommandWords)
    if (text.starts_with(in_braces(word))) return &word;
  return nullptr;
}

std::string comment(const std::string& text) { return "# " + shown_line(text) + " (nowsim plan)\n"; }

std::vector<const MachinePart*> with_work(const JobParts& parts) {
  std::vector<const MachinePart*> out;
  for (const MachinePart& part : parts.parts)
    if (part.has_work()) out.push_back(&part);
  return out;
}

}  // namespace

std::string part_command(const std::string& command, const JobParts& parts, const MachinePart& part) {
  if (has_controls(command)) throw InputError("a command is one line, without control characters");
  std::string out;
  bool tells_part = false;
  for (std::size_t i = 0; i < command.size();) {
    const CommandWord* word = word_at(std::string_view(command).substr(i));
    if (word == nullptr) {
      out += command[i++];
      continue;
    }
    if (word->is_of_items && parts.items == 0)
      throw InputError(in_braces(*word) + " is of work that comes in items: in how many, by --items 400");
    tells_part = true;
    out += word->text(parts, part);
    i += in_braces(*word).size();
  }
  if (!tells_part)
    throw InputError("nothing in it says which part of the work is meant: " +
                     std::string(parts.items > 0 ? "{first} and {last}, {items}" : "{share} (of 1), {work} (flop)") +
                     " or {machine} do");
  return out;
}

std::string parallel_script(const JobParts& parts, const std::string& command) {
  std::string out = "#!/bin/sh\n" + comment(parts.title) +
                    "# A line per machine, which is called so by ssh; all begin at once.\n"
                    "commands() {\n  cat << 'END'\n";
  for (const MachinePart* part : with_work(parts)) {
    if (has_controls(part->machine))
      throw InputError("the machine " + quoted(part->machine) + " cannot be called by ssh: its name has control characters");
    out += "ssh -n -- " + shell_word(part->machine) + " " + shell_word(part_command(command, parts, *part)) + "\n";
  }
  return out + "END\n}\n"
               "commands | PARALLEL_SHELL=/bin/sh parallel --jobs 0\n"
               "# without GNU parallel: commands | xargs -d '\\n' -n 1 -P 0 sh -c\n";
}

std::string slurm_script(const JobParts& parts, const std::string& command) {
  constexpr std::size_t kMostComponents = 128;  // of a heterogeneous job
  std::vector<std::pair<double, std::vector<std::string>>> components;  // by part, in the machines' order
  std::string cases;
  for (const MachinePart* part : with_work(parts)) {
    const std::string& name = plain_name(part->machine, "in a job of Slurm");
    auto found = std::ranges::find(components, part->work_flop, [](const auto& c) { return c.first; });
    if (found == components.end()) found = components.insert(found, {part->work_flop, {}});
    found->second.push_back(name);
    cases += "  (" + name + ")\n    " + part_command(command, parts, *part) + "\n    ;;\n";
  }
  if (components.size() > kMostComponents)
    throw InputError("a heterogeneous job of Slurm has " + std::to_string(kMostComponents) +
                     " components at most, and there are " + std::to_string(components.size()) + " different parts");
  std::string out = "#!/bin/sh\n" + comment(parts.title);
  for (const auto& [work_flop, machines] : components) {
    std::string list;
    for (const auto& name : machines) list += (list.empty() ? "" : ",") + name;
    const std::string count = std::to_string(machines.size());
    if (&machines != &components.front().second) out += "#SBATCH hetjob\n";
    out += "#SBATCH --nodelist=" + list + " --nodes=" + count + " --ntasks=" + count + " --ntasks-per-node=1\n";
  }
  const bool are_several = components.size() > 1;
  return out + "part=$(cat << 'END'\ncase $SLURMD_NODENAME in\n" + cases + "esac\nEND\n)\nsrun " +
         (are_several ? "--het-group=0-" + std::to_string(components.size() - 1) + " " : "") + "sh -c \"$part\"\n";
}

// ---- a placement -----------------------------------------------------------------------------------------------------

namespace {

/// "desk3:2,desk1:1": hosts in the order of ranks, with how many in a row.
std::string hosts_in_order(const Placement& placement, const std::vector<Workstation>& machines) {
  std::string out;
  for (std::size_t k = 0; k < placement.size();) {
    std::size_t end = k;
    while (end < placement.size() && placement[end] == placement[k]) ++end;
    out += (out.empty() ? "" : ",") + machines[placement[k]].name + ":" + std::to_string(end - k);
    k = end;
  }
  return out;
}

constexpr const char* kInMpi = "to mpirun";

}  // namespace

std::string mpi_hostfile(const std::string& title, const Placement& placement, const std::vector<Workstation>& machines) {
  const auto ranks = ranks_by_machine(placement, machines.size());
  std::string lines;
  for (std::size_t m = 0; m < ranks.size(); ++m)
    if (!ranks[m].empty()) lines += plain_name(machines[m].name, kInMpi) + " slots=" + std::to_string(ranks[m].size()) + "\n";
  return comment(title) + "# Open MPI: mpirun --hostfile this, with --rankfile for which rank goes where\n# MPICH: mpiexec -hosts " +
         hosts_in_order(placement, machines) + " -n " + std::to_string(placement.size()) + "\n" + lines;
}

std::string mpi_rankfile(const std::string& title, const Placement& placement, const std::vector<Workstation>& machines) {
  std::string out = comment(title) + "# Open MPI 4: mpirun --rankfile this; 5: mpirun --map-by rankfile:file=this\n"
                                       "# slot: the cores that a rank may be on, all of its machine\n";
  for (std::size_t rank = 0; rank < placement.size(); ++rank) {
    const Workstation& w = machines[placement[rank]];
    out += "rank " + std::to_string(rank) + "=" + plain_name(w.name, kInMpi) + " slot=0" +
           (w.cores > 1 ? "-" + std::to_string(w.cores - 1) : "") + "\n";
  }
  return out;
}

}  // namespace nowsim

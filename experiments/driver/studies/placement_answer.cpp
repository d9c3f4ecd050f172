// What is said of placements: a report's making, sentences, tables for people, and fields for programs.
#include "experiments/driver/studies/placement_choice.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "experiments/driver/mpi/mpi_recording.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/studies/contrast.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostTold = 8;  // machines in a sentence

std::string where_ranks_are(const PlacementReport& r, const NamedPlacement& placement) {
  const auto ranks = ranks_by_machine(placement.machines, r.machines().size());
  Words words;
  for (std::size_t m = 0; m < ranks.size(); ++m)
    if (!ranks[m].empty()) words.push_back(ranks_text(ranks[m]) + " on " + r.machines()[m].name);
  if (words.size() > kMostTold) return "as the table has them";
  return joined(words);
}

std::string verdict(const PlacementReport& r, const NamedPlacement& placement, const Alternative& best) {
  const std::string so = "Put the ranks so ('" + placement.name + "'): " + where_ranks_are(r, placement);
  if (!r.request.deadline_s) return so + "; the program takes " + duration_text(best.tau().value) + " on average" +
                                    also_by_clock(r.request, best.tau().value) + ".";
  const std::string deadline = "the deadline of " + when_text(r.request, *r.request.deadline_s);
  if (best.late().value < 1) return so + "; " + deadline + " holds with probability " + kept_text(best.late()) + ".";
  return so + "; " + deadline + " does not hold even so: its probability is " + kept_text(best.late()) +
         ", and the program takes " + duration_text(best.tau().value) + " on average" +
         also_by_clock(r.request, best.tau().value) + ".";
}

std::string how_searched(const PlacementReport& r) {
  const std::string tried = r.found.tried == 1 && !r.found.was_ended
                                ? "1 placement tried: all others are like it"
                                : std::to_string(r.found.tried) + " placements tried";
  return tried + ", judged by " +
         objective_text(r.found.objective) + "; seed " + std::to_string(r.found.seed) +
         (r.found.was_ended ? ". --at-most ended the search: more time may find better ones" : "") +
         ". What is said of them is measured anew, seed " + std::to_string(r.summary.rows.front().seed) + ".";
}

/// Of a measured recording how far its repetitions differ.
std::string how_recorded(const MpiProvenance& p) {
  std::string out = "Recorded from " + quoted(p.program) + " with " + std::to_string(p.ranks) + " ranks; its computing was ";
  if (p.is_explicit) return out + "stated by the program.";
  out += "measured, as on a machine of " + format_quantity(p.host_speed_flops, Dimension::speed);
  if (p.repetitions < 2) return out + ", once: how far it varies is not known.";
  return out + ", " + std::to_string(p.repetitions) + " times, which differ by " + percent_text(p.spread.total) + " in all.";
}

/// Whether a word of YAML means itself without quotes.
bool is_plain(const std::string& name) {
  static const Words others{"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_of_name = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, is_of_name) &&
         !contains(others, lower_case(name));
}

/// The placement whose promise at the risk is the earliest, the recommended one of equals.
std::size_t earliest(const PlacementReport& r) {
  std::size_t best = *r.best;
  for (std::size_t k = 0; k < r.placements.size(); ++k)
    if (const auto& safe = r.placements[k].safe_deadline; safe && safe->value < r.placements[best].safe_deadline->value) best = k;
  return best;
}

}  // namespace

PlacementReport placement_report(const PlanRequest& request, const Experiment& measured,
                                 const std::vector<PointOutcome>& outcomes, PlacementField field,
                                 FoundPlacements found) {
  PlacementReport out;
  out.request = request;
  out.summary = summarise(measured, outcomes);
  out.placements = alternatives(out.summary, measured, outcomes, request);
  out.comparisons = compare_placements(out.summary, request.deadline_s.has_value());
  out.best = best_row(out.comparisons);
  // Where the deadline cannot be kept at the risk, who comes nearest to it at any price is not who should be taken.
  if (request.risk && request.deadline_s && out.best && out.placements[*out.best].late().low > *request.risk)
    out.best = earliest(out);
  out.remarks = measured.remarks;
  out.field = std::move(field);
  out.found = std::move(found);
  return out;
}

std::vector<std::string> recording_sentences(const MpiTrace& recorded, const std::string& trace) {
  std::vector<std::string> out{
      "Each of the " + std::to_string(recorded.ranks()) +
      " ranks computes and sends what it did when it was recorded: a program that deals out work while it runs would "
      "do that otherwise on these machines."};
  const auto provenance = std::filesystem::is_directory(trace) ? read_mpi_provenance(trace) : std::nullopt;
  if (provenance) out.push_back(how_recorded(*provenance));
  return out;
}

PlacementKeys placement_keys(const Placement& placement, const std::vector<Workstation>& machines) {
  std::vector<std::pair<std::size_t, std::size_t>> rows;  // machines and how many ranks in a row
  for (const std::size_t machine : placement) {
    if (rows.empty() || rows.back().first != machine) rows.emplace_back(machine, 0);
    ++rows.back().second;
  }
  PlacementKeys out;
  out.ranks_per_machine = rows.front().second;
  if (std::ranges::any_of(rows, [&](const auto& row) { return row.second != out.ranks_per_machine; })) {
    out.ranks_per_machine = 1;
    rows.clear();
    for (const std::size_t machine : placement) rows.emplace_back(machine, 1);
  }
  for (const auto& [machine, ranks] : rows) {
    const std::string& name = machines[machine].name;
    out.machines += (out.machines.empty() ? "[" : ", ") + (is_plain(name) ? name : "\"" + name + "\"");
  }
  out.machines += "]";
  return out;
}

std::string ranks_text(const std::vector<std::size_t>& ranks) {
  std::string out;
  for (std::size_t k = 0; k < ranks.size();) {
    std::size_t end = k + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    out += (out.empty() ? "" : ", ") + std::to_string(ranks[k]);
    if (end - k > 1) out += (end - k > 2 ? "-" : ", ") + std::to_string(ranks[end - 1]);
    k = end;
  }
  return out;
}

namespace {

/// Which placement, how surely the deadline holds, what cannot be told, how that was found: a sentence each.
std::vector<std::string> placement_sentences(const PlacementReport& r) {
  const NamedPlacement* placement = r.recommended();
  if (placement == nullptr) return {"No placement could be simulated."};
  const Alternative& best = r.placements[*r.best];
  std::vector<std::string> out{verdict(r, *placement, best)};
  for (auto& sentence : promise_sentences(r.request, best, r.confidence_of_limits())) out.push_back(std::move(sentence));
  for (const auto& contrasts : r.comparisons.metrics) {
    if (r.found.best.size() < 2) break;
    const auto told = contrast_sentences(r.comparisons, contrasts);
    out.push_back("W" + question_of(r.comparisons, contrasts).substr(1) + " " + told.front());
    if (&contrasts == &r.comparisons.metrics.back() && told.size() > 1) out.push_back(told.back());
  }
  out.push_back(how_searched(r));
  return out;
}

/// What a placement is more than the best one.
struct BesideBest {
  Estimate more = kUnknownEstimate;
  std::string standing;
};
BesideBest beside_best(const PlacementReport& r, std::size_t row, const std::string& metric) {
  const ComparedRow* compared = r.comparisons.row(metric, row);
  return compared != nullptr ? BesideBest{compared->difference, standing_text(compared->standing)} : BesideBest{};
}

// ---- for people ----------------------------------------------------------------------------------------------------

std::string title_of(const PlacementReport& r) {
  const std::size_t machines = r.machines().size(), ranks = r.field.loads.ranks();
  return r.summary.title + ": " + std::to_string(ranks) + (ranks == 1 ? " rank on " : " ranks on ") +
         std::to_string(machines) + (machines == 1 ? " machine" : " machines") + deadline_text(r.request);
}

void show_estimates(const PlacementReport& r, const ColumnUnit& unit, Answer& answer) {
  const auto row = [&](const Alternative& p) {
    const bool is_best = r.best && &p == &r.placements[*r.best];
    Fields fields{text_field("placement", (is_best ? "* " : "") + p.name())};
    for (std::size_t m = 0; m < plan_metrics(r.request.deadline_s.has_value()).size(); ++m)
      fields.push_back(estimate_field(p, static_cast<PlanMetric>(m), unit));
    if (r.request.risk) fields.push_back(promised_field(promised_name(r.request), p, unit));
    return fields;
  };
  answer.show(table_of(r.placements, row), 1);
}

void show_comparisons(const PlacementReport& r, const ColumnUnit& unit, Answer& answer) {
  const auto row = [&](const Alternative& p) {
    const auto k = static_cast<std::size_t>(&p - r.placements.data());
    const BesideBest tau = beside_best(r, k, "tau"), late = beside_best(r, k, "RF");
    Fields fields{text_field("placement", p.name()), time_field("tau more", tau.more, unit),
                  text_field("by tau", tau.standing)};
    if (!r.request.deadline_s) return fields;
    fields.push_back(points_field("RF more", late.more));
    fields.push_back(text_field("by RF", late.standing));
    return fields;
  };
  answer.say({"beside the best (" + joint_text(r.comparisons) + "):"});
  answer.show(table_of(r.placements, row), 1);
}

void show_machines(const PlacementReport& r, const NamedPlacement& placement, const ColumnUnit& unit, Answer& answer) {
  const auto ranks = ranks_by_machine(placement.machines, r.machines().size());
  const Scenario& scenario = *r.placements.front().scenario;
  TextTable table({"machine", "speed", "cores", "a", "ranks", "their work", "computing [" + std::string(unit.name) + "]"});
  table.read_left(4);
  std::size_t unused = 0, shown = 0;
  for (std::size_t m = 0; m < ranks.size(); ++m) {
    if (ranks[m].empty()) ++unused;
    if (ranks[m].empty() || ++shown > kMostListed) continue;
    const Workstation& w = r.machines()[m];
    double flop = 0;
    for (const std::size_t rank : ranks[m]) flop += r.field.loads.rank_flop[rank];
    table.add({w.name, format_quantity(w.speed_flops, Dimension::speed), std::to_string(w.cores),
               format_quantity(scenario.owners[m]->mean(), Dimension::number), ranks_text(ranks[m]),
               format_quantity(flop, Dimension::work),
               format_quantity(r.field.computing_s(m, ranks[m]) / unit.seconds, Dimension::number)});
  }
  answer.say({"which rank is where, by '" + placement.name + "':"});
  answer.show(std::move(table), 1, and_more(shown, "--format json has all"));
  answer.say({"  (computing: at the machine's mean speed, if nothing makes its ranks wait" +
              (unused > 0 ? "; " + std::to_string(unused) + (unused == 1 ? " machine has" : " machines have") + " no rank" : "") +
              ")"});
}

void say_keys(const PlacementReport& r, const NamedPlacement& placement, Answer& answer) {
  const PlacementKeys keys = placement_keys(placement.machines, r.machines());
  const std::string count = std::to_string(keys.ranks_per_machine);
  const bool are_rows = keys.ranks_per_machine > 1;
  std::vector<std::string> in_yaml{"  job.placement: " + keys.machines};
  if (are_rows) in_yaml.push_back("  job.ranks_per_machine: " + count);
  answer.say({"in an experiment, or by flags:"});
  answer.say(std::move(in_yaml));
  answer.say({"  --set " + shell_word("job.placement=" + keys.machines) +
              (are_rows ? " --set job.ranks_per_machine=" + count : "")});
}

// ---- for programs --------------------------------------------------------------------------------------------------

/// A placement. CSV has its machines in one field, with blanks between.
Fields placement_fields(const PlacementReport& r, std::size_t k) {
  const Alternative& p = r.placements[k];
  Words names;
  std::string in_a_row;
  for (const std::size_t machine : r.found.best[k].machines) {
    names.push_back(r.machines()[machine].name);
    in_a_row += (in_a_row.empty() ? "" : " ") + names.back();
  }
  Fields fields{{"placement", p.name()}};
  add_asked(r.request, fields);
  add_estimates(r.request, p, fields);
  const BesideBest tau = beside_best(r, k, "tau"), late = beside_best(r, k, "RF");
  fields.push_back({"tau_more", tau.more});
  fields.push_back({"by_tau", tau.standing});
  fields.push_back({"RF_more", late.more});
  fields.push_back({"by_RF", late.standing});
  fields.push_back({"recommended", std::uint64_t{r.best == k ? 1U : 0U}, kInCsv});
  add_run(p.row, fields);
  fields.push_back({"machines", in_a_row, kInCsv});
  fields.push_back({"machines", texts(names), kInJson});
  return fields;
}

Object machine_object(const PlacementReport& r, std::size_t m, const std::vector<std::size_t>& ranks) {
  const Workstation& w = r.machines()[m];
  const auto rank = [](std::size_t number) -> Value { return std::uint64_t{number}; };
  const List numbers{ranks.size(), [ranks, rank](std::size_t i) { return rank(ranks[i]); }};
  return {{{"name", w.name},
           {"speed_flops", w.speed_flops},
           {"cores", std::uint64_t{static_cast<unsigned>(w.cores)}},
           {"availability", r.placements.front().scenario->owners[m]->mean()},
           {"ranks", numbers},
           {"computing_s", r.field.computing_s(m, ranks)}}};
}

Object whole_of(const PlacementReport& r, const List& placements) {
  const NamedPlacement* best = r.recommended();
  const auto ranks = best != nullptr ? ranks_by_machine(best->machines, r.machines().size())
                                     : std::vector<std::vector<std::size_t>>();
  const List machines{ranks.size(), [&r, ranks](std::size_t m) -> Value { return machine_object(r, m, ranks[m]); }};
  const PlacementKeys keys = best != nullptr ? placement_keys(best->machines, r.machines()) : PlacementKeys();
  Object whole{whole_head(r.summary.title, r.request)};
  append(whole.fields,
         {{"trace", r.request.mpi->trace},
          {"ranks", std::uint64_t{r.field.loads.ranks()}},
          {"confidence", r.confidence()},
          {"confidence_of_limits", r.confidence_of_limits()},
          {"placements_tried", std::uint64_t{r.found.tried}},
          {"search_seed", r.found.seed},
          {"search_was_ended", r.found.was_ended},
          {"placements", placements},
          {"recommended", best != nullptr ? Value(best->name) : Value()},
          {"job.placement", keys.machines},
          {"job.ranks_per_machine", std::uint64_t{keys.ranks_per_machine}},
          {"machines", machines},
          {"advice", texts(placement_sentences(r))},
          {"recording", texts(r.recording)},
          {"remarks", texts(r.remarks)}});
  return whole;
}

}  // namespace

Answer placement_answer(PlacementReport report) {
  const auto kept = std::make_shared<const PlacementReport>(std::move(report));
  const PlacementReport& r = *kept;
  Answer answer;
  const ColumnUnit unit = unit_of_times(r.request, pointers_to(r.placements));
  answer.say({title_of(r)});
  show_estimates(r, unit, answer);
  if (r.placements.size() > 1) show_comparisons(r, unit, answer);
  if (const NamedPlacement* placement = r.recommended()) {
    show_machines(r, *placement, unit, answer);
    say_keys(r, *placement, answer);
  }
  std::vector<std::string> sentences = placement_sentences(r);
  sentences.insert(sentences.end(), r.recording.begin(), r.recording.end());
  answer.say(std::move(sentences));
  answer.say(run_lines(r.summary));
  answer.tables.push_back(rows_of(".csv", r.placements.size(), [&r](std::size_t k) { return placement_fields(r, k); }));
  answer.whole = whole_of(r, answer.tables.front().rows);
  answer.script = [&r](PictureFormat format) {
    return risk_script(r.request, r.summary, r.placements, format, r.best ? &r.placements[*r.best] : nullptr);
  };
  answer.has_failures = r.summary.has_failures();
  answer.made_of = kept;
  return answer;
}

}  // namespace nowsim

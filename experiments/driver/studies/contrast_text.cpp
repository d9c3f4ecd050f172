// Sentences about cells, and how they were compared.
#include "experiments/driver/studies/contrast_text.hpp"

#include <algorithm>
#include <map>

#include "experiments/driver/studies/isoefficiency_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/told_times.hpp"

namespace nowsim {
namespace {

/// "1 cell", "3 cells".
std::string cells_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " cell" : " cells"); }

Words values_with(const ContrastCell& cell, ContrastStanding standing) {
  Words out;
  for (const auto& value : cell.values)
    if (value.standing == standing) out.push_back(value.value);
  return out;
}

std::size_t compared_cells(const MetricContrasts& contrasts) {
  return static_cast<std::size_t>(std::ranges::count(contrasts.cells, "", &ContrastCell::nothing));
}

/// "AF in 3, SS in 1", the most frequent first.
std::string counts_text(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::pair<std::string, std::size_t>> all(counts.begin(), counts.end());
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.second > b.second; });
  Words words;
  for (const auto& [name, n] : all) words.push_back(name + " in " + std::to_string(n));
  return joined(words);
}

std::string sentence_of_one(const ContrastCell& cell) {
  const Words best = values_with(cell, ContrastStanding::best);
  const Words may_be = values_with(cell, ContrastStanding::may_be_best);
  const std::string worse = values_with(cell, ContrastStanding::worse).empty() ? "." : "; all others are worse.";
  if (best.empty()) return "Any of these may be best: " + joined(may_be) + worse;
  return (best.size() == 1 ? "Best is " : "Best are, all the same, ") + joined(best) + worse;
}

std::string sentence_on_best(const MetricContrasts& contrasts) {
  if (contrasts.cells.size() == 1) return sentence_of_one(contrasts.cells.front());
  std::map<std::string, std::size_t> told;
  std::size_t cells = 0;
  for (const auto& cell : contrasts.cells) {
    const Words best = values_with(cell, ContrastStanding::best);
    cells += best.empty() ? 0 : 1;
    for (const auto& value : best) ++told[value];
  }
  return "The best is told in " + std::to_string(cells) + " of " + cells_text(compared_cells(contrasts)) +
         (told.empty() ? "." : ": " + counts_text(told) + ".");
}

/// "Beside SS: 6 better, 1 worse, 2 not told apart."
std::string sentence_on_one(const ContrastReport& report, const MetricContrasts& contrasts) {
  std::map<ContrastStanding, std::size_t> counts;
  for (const auto& cell : contrasts.cells)
    for (const auto& value : cell.values)
      if (cell.nothing.empty() && value.standing != ContrastStanding::compared_with) ++counts[value.standing];
  std::string told;
  for (const auto& [standing, n] : counts)
    told += (told.empty() ? "" : ", ") + std::to_string(n) + " " + standing_text(standing);
  return "Beside " + report.against + ": " + told + ".";
}

std::string sentence_on_pairing(const std::string& word) {
  if (word == "exact") return "as they are: they follow from the description";
  if (word == "none")
    return "as if correlated in an unknown way, but not negatively: what replications contribute is not known";
  const std::string by = word == "replications" ? "replication by replication" : "by " + word;
  return by + " on the same random numbers";
}

}  // namespace

std::string question_of(const ContrastReport& report, const MetricContrasts& contrasts) {
  if (!report.against.empty())
    return contrasts.metric->name + " of each " + report.key + ", beside " + report.against;
  return "which " + report.key + " has the " + (contrasts.better == Better::lower ? "lowest " : "highest ") +
         contrasts.metric->name + "?";
}

std::string compared_name(const ContrastReport& report) { return report.against.empty() ? "the best" : report.against; }

std::string cell_text(const ContrastCell& cell) {
  std::string out;
  for (const auto& [key, value] : cell.at) out += (out.empty() ? "" : ", ") + short_key(key) + " " + value;
  return out + (out.empty() || cell.workstation.empty() ? "" : ", ") + cell.workstation;
}

std::string pairing_word(const ContrastCell& cell) {
  if (cell.is_exact) return "exact";
  if (cell.pairing.by == Pairing::By::nothing) return "none";
  if (cell.pairing.by == Pairing::By::replications) return "replications";
  return "groups of " + std::to_string(cell.pairing.replications) + " replications";
}

ColumnUnit contrast_unit(const MetricContrasts& contrasts) {
  if (contrasts.metric->unit != "s") return {contrasts.metric->unit.c_str(), 1};
  TimeRange times;
  for (const auto& cell : contrasts.cells)
    for (const auto& value : cell.values) times.add(value.estimate.value);
  return unit_of_times(times);
}

std::string difference_unit(const ColumnUnit& unit) {
  return std::string_view(unit.name) == "%" ? "points" : unit.name;
}

std::vector<std::string> contrast_sentences(const ContrastReport& report, const MetricContrasts& contrasts) {
  const std::size_t compared = compared_cells(contrasts);
  if (compared == 0) return {"Nothing can be compared."};
  std::vector<std::string> out{report.against.empty() ? sentence_on_best(contrasts)
                                                      : sentence_on_one(report, contrasts)};
  std::map<std::string, std::size_t> ways;
  for (const auto& cell : contrasts.cells)
    if (cell.nothing.empty()) ++ways[pairing_word(cell)];
  std::string how;
  for (const auto& [word, cells] : ways)
    how += (how.empty() ? "" : "; ") + sentence_on_pairing(word) + (ways.size() == 1 ? "" : " in " + cells_text(cells));
  out.push_back("Compared " + how + ".");
  return out;
}

std::string joint_text(const ContrastReport& report) {
  std::size_t most = 0;
  for (const auto& contrasts : report.metrics)
    for (const auto& cell : contrasts.cells) most = std::max(most, cell.values.size());
  if (most <= 2) return "differences too";
  return "differences: all " + std::to_string(most - 1) + " of a cell hold together";
}

}  // namespace nowsim

// Looking the values up.
#include "experiments/driver/claims/told_sentence.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/claims/check_parts.hpp"
#include "experiments/driver/text/name_lists.hpp"

namespace nowsim {
namespace {

bool is_told(const ResultRow& row, const ToldValue& value, const Claim& claim, const ResultTable& summary) {
  return std::ranges::all_of(summary.axes, [&](const std::string& axis) {
    const auto is_here = [&](const std::string& wanted) { return summary.has(row, axis, wanted); };
    if (const auto own = value.where.find(axis); own != value.where.end()) return is_here(own->second);
    const auto where = claim.where.find(axis);
    return where == claim.where.end() || std::ranges::any_of(where->second, is_here);
  });
}

std::string told_value_text(const ToldValue& value, const Claim& claim, const ResultTable& summary) {
  const std::size_t metric = summary.metric_index(value.metric);
  if (metric == summary.metrics.size()) return "no result";
  for (const auto& [axis, at] : value.where)
    if (!contains(summary.axes, axis)) return "no result";  // a flag has given it one value, which may be another
  checks::Figures figures;
  for (const auto& row : summary.rows)
    if (row.has_results() && is_told(row, value, claim, summary) && std::isfinite(row.estimates[metric].front().value))
      figures.push_back({"", row.estimates[metric].front()});
  return figures.empty() ? "no result" : checks::span_of(figures, checks::unit_of(value.metric));
}

}  // namespace

std::string told(const ToldSentence& sentence, const Claim& claim, const ResultTable& summary) {
  std::string text = sentence.texts.front();
  for (std::size_t k = 0; k < sentence.values.size(); ++k)
    text += told_value_text(sentence.values[k], claim, summary) + sentence.texts[k + 1];
  return text;
}

}  // namespace nowsim

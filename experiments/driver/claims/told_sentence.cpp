// Looking the values up.
#include "experiments/driver/claims/told_sentence.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/claims/check_parts.hpp"
#include "experiments/driver/text/name_lists.hpp"

namespace nowsim {
namespace {

bool is_told(const SummaryRow& row, const ToldValue& value, const Claim& claim, const Summary& summary) {
  for (std::size_t a = 0; a < summary.axes.size(); ++a) {
    const auto is_here = [&](const std::string& wanted) { return same_axis_value(row.values[a], wanted); };
    if (const auto own = value.where.find(summary.axes[a]); own != value.where.end()) {
      if (!is_here(own->second)) return false;
    } else if (const auto where = claim.where.find(summary.axes[a]); where != claim.where.end()) {
      if (std::ranges::none_of(where->second, is_here)) return false;
    }
  }
  return true;
}

std::string told_value_text(const ToldValue& value, const Claim& claim, const Summary& summary) {
  const auto metric = std::ranges::find(summary.metrics, value.metric, &Metric::name);
  if (metric == summary.metrics.end()) return "no result";
  for (const auto& [axis, at] : value.where)
    if (!contains(summary.axes, axis)) return "no result";  // a flag has given it one value, which may be another
  const auto m = static_cast<std::size_t>(metric - summary.metrics.begin());
  checks::Figures figures;
  for (const auto& row : summary.rows)
    if (row.has_results() && is_told(row, value, claim, summary) && std::isfinite(row.estimates[m].front().value))
      figures.push_back({"", row.estimates[m].front()});
  return figures.empty() ? "no result" : checks::span_of(figures, checks::unit_of(value.metric));
}

}  // namespace

std::string told(const ToldSentence& sentence, const Claim& claim, const Summary& summary) {
  std::string text = sentence.texts.front();
  for (std::size_t k = 0; k < sentence.values.size(); ++k)
    text += told_value_text(sentence.values[k], claim, summary) + sentence.texts[k + 1];
  return text;
}

}  // namespace nowsim

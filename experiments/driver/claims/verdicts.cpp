// The table of checks; checking claims one by one, telling what they differ by, and writing verdicts.
#include "experiments/driver/claims/verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

#include "experiments/driver/claims/check_parts.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/registry.hpp"

namespace nowsim {
namespace checks {

using CheckMaker = CheckKind();

// clang-format off
/// In the order in which they are listed. Each stands with what it asks in one of the files checks_*.cpp.
NOWSIM_LISTED(CheckMaker, kAll,
              flat,
              meet,
              increasing,
              decreasing,
              linear,
              proportional,
              grows_more,
              steeper,
              peak_inside,
              falls_then_rises,
              minimum_between,
              maximum_between,
              minima_agree,
              peak_at_minimum,
              peaks_rise,
              maximum_value_between,
              values_between,
              power_law,
              r_squared,
              above,
              cross,
              ratio_between,
              change_between);
// clang-format on

}  // namespace checks

std::span<const CheckKind> builtin_checks() {
  static const std::vector<CheckKind> kinds = made(checks::kAll);
  return kinds;
}

namespace {

/// Why the summary cannot tell anything about the claim, or "".
std::string obstacle(const Claim& claim, const ResultTable& summary) {
  Words axes;
  for (const auto& [what, key, name, axis] : claim.names) {
    if (key == "differs") continue;  // what is only told decides nothing
    if (what == Named::axis) axes.push_back(name);
    if (what == Named::metric && summary.metric_index(name) == summary.metrics.size())
      return "'" + name + "' is not among the metrics";
  }
  for (const auto& [axis, values] : claim.where) axes.push_back(axis);
  for (const auto& axis : axes)
    if (!contains(summary.axes, axis)) return "'" + axis + "' is not swept";
  return "";
}

// ---- what a claim differs by ---------------------------------------------------------------------------------------

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
  checks::LabelledEstimates figures;
  for (const auto& row : summary.rows)
    if (row.has_results() && is_told(row, value, claim, summary) && std::isfinite(row.estimates[metric].front().value))
      figures.push_back({"", row.estimates[metric].front()});
  return figures.empty() ? "no result" : checks::span_of(figures, checks::unit_of(value.metric));
}

/// The sentence, each of its values as it was measured, with interval and unit. A value is told of the points that its
/// own axes and, for all other axes, the claim's `where` select: of several the smallest and the largest; "no result"
/// of none.
std::string told(const ToldSentence& sentence, const Claim& claim, const ResultTable& summary) {
  std::string text = sentence.texts.front();
  for (std::size_t k = 0; k < sentence.values.size(); ++k)
    text += told_value_text(sentence.values[k], claim, summary) + sentence.texts[k + 1];
  return text;
}

// ---- verdicts written ----------------------------------------------------------------------------------------------

constexpr std::size_t kTextWidth = 100;
constexpr std::size_t kLeast = 30;  // of a column of sentences, however long the ids are

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, shown_width(text)), ' ');
}

/// What the paper prints: its number, and a few of its words.
std::string printed_text(const Claim& claim) {
  const std::string words = claim.words.empty() ? "" : "\"" + claim.words + "\"";
  return claim.paper + (claim.paper.empty() || words.empty() ? "" : "; ") + words;
}

/// What a verdict is about that no paper or author is credited with.
std::string changed_text(const std::string& changed) { return "of a changed experiment: " + changed; }

/// Columns: id, verdict, and below one another the statement, the paper's number, what was measured and why that
/// differs. On a terminal that has no room for three, sentences stand below id and verdict.
class ClaimTable {
 public:
  ClaimTable(const std::vector<ClaimResult>& results, std::ostream& out) : out_(out) {
    for (const auto& r : results) id_ = std::max(id_, shown_width(r.claim.id));
    const std::size_t columns = columns_of(out), all = columns > 0 ? columns : kTextWidth, used = id_ + verdict_ + 6;
    is_below_ = columns > 0 && used + kLeast > columns;
    width_ = is_below_ ? all - 4 : std::max(kLeast, all - std::min(all, used));
  }

  void write_head() const {
    write_first("claim", "verdict", "statement, and what was measured");
    if (!is_below_) write_first(std::string(id_, '-'), std::string(verdict_, '-'), std::string(width_, '-'));
  }
  void write(const ClaimResult& r) const {
    const Claim& claim = r.claim;
    auto lines = broken_lines(claim.says + (r.changed.empty() ? " [" : " [after ") + claim.source + "]", width_);
    const auto add = [&](const std::string& text) {
      for (const auto& line : broken_lines(text, width_ - 2))
        if (!line.empty()) lines.push_back("  " + line);
    };
    if (const std::string printed = printed_text(claim); !printed.empty()) add("the paper: " + printed);
    add(r.measured);
    add(r.differs);
    if (!claim.chosen.empty()) add((claim.calibrated ? "put in or fitted: " : "chosen: ") + claim.chosen);
    if (claim.calibrated) add("(read back)");
    if (!claim.variant_of.empty()) add("(another reading of " + claim.variant_of + ")");
    if (!r.changed.empty()) add("(" + changed_text(r.changed) + ")");
    write_first(claim.id, verdict_name(r.verdict), lines.front());
    const std::string margin(is_below_ ? 4 : id_ + verdict_ + 6, ' ');
    for (std::size_t i = 1; i < lines.size(); ++i) out_ << margin << lines[i] << '\n';
  }

 private:
  void write_first(const std::string& id, const std::string& verdict, const std::string& sentence) const {
    out_ << "  " << padded(id, is_below_ ? 0 : id_) << "  " << padded(verdict, is_below_ ? 0 : verdict_)
         << (is_below_ ? "\n    " : "  ") << sentence << '\n';
  }
  std::ostream& out_;
  std::size_t id_ = 5, verdict_ = 14, width_ = 0;
  bool is_below_ = false;
};

/// Those that are reproduced because they were put in say nothing of the model, and other readings nothing of the claim.
void write_counts(const std::vector<ClaimResult>& results, bool of_changed, std::ostream& out) {
  std::map<ClaimKind, VerdictCounts> kinds;
  for (const auto& r : results)
    if (r.changed.empty() != of_changed) kinds[r.kind()].add(r);
  if (of_changed && kinds.empty()) return;
  const VerdictCounts plain = kinds[ClaimKind::plain], variants = kinds[ClaimKind::variant];
  VerdictCounts calibrated = kinds[ClaimKind::calibrated];
  calibrated.chosen = 0;  // all of them were
  out << plain.total() << (plain.total() == 1 ? " claim" : " claims")
      << (of_changed ? " of changed experiments: " : ": ") << counts_text(plain) << '\n';
  if (calibrated.total() > 0)
    out << "apart from these " << calibrated.total() << (calibrated.total() == 1 ? " reads" : " read")
        << " back what was put in or fitted to: " << counts_text(calibrated, true) << '\n';
  if (variants.total() > 0)
    out << "apart from these " << variants.total()
        << (variants.total() == 1 ? " is another reading: " : " are other readings: ") << counts_text(variants, true)
        << '\n';
}

/// Before anything else: each way in which experiments were changed.
void write_changes(const std::vector<ClaimResult>& results, std::ostream& out) {
  Words told;
  for (const auto& r : results)
    if (!r.changed.empty() && !contains(told, r.changed)) told.push_back(r.changed);
  for (const auto& changed : told) out << changed_text(changed) << '\n';
  if (!told.empty()) out << "(what comes of it is not what its paper says, whatever the verdict)\n\n";
}

void write_table(const std::vector<ClaimResult>& results, std::ostream& out) {
  write_changes(results, out);
  const ClaimTable table(results, out);
  if (!results.empty()) table.write_head();
  for (const auto& r : results) table.write(r);
  if (!results.empty()) out << '\n';
  const bool all_changed =
      !results.empty() && std::ranges::none_of(results, &std::string::empty, &ClaimResult::changed);
  if (!all_changed) write_counts(results, false, out);
  write_counts(results, true, out);
}

std::string program_name(Verdict verdict) {
  std::string name = verdict_name(verdict);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

Fields claim_fields(const ClaimResult& r) {
  const Claim& claim = r.claim;
  return {{"id", claim.id},
          {"verdict", program_name(r.verdict)},
          {"check", claim.kind == nullptr ? "" : claim.kind->name},
          {"confidence", claim.confidence},
          {"source", claim.source},
          {"says", claim.says},
          {"paper", claim.paper},
          {"figure", r.figure},
          {"measured", r.measured},
          {"differs", r.differs},
          {"calibrated", claim.calibrated},
          {"words", claim.words},
          {"chosen", claim.chosen},
          {"variant_of", claim.variant_of},
          {"changed", r.changed}};
}

}  // namespace

const char* verdict_name(Verdict verdict) {
  constexpr const char* names[] = {"reproduced", "not reproduced", "undecided"};
  return names[static_cast<int>(verdict)];
}

ClaimKind ClaimResult::kind() const {
  if (!claim.variant_of.empty()) return ClaimKind::variant;
  return claim.calibrated ? ClaimKind::calibrated : ClaimKind::plain;
}

void VerdictCounts::add(const ClaimResult& result) {
  ++of[static_cast<std::size_t>(result.verdict)];
  chosen += result.verdict == Verdict::reproduced && !result.claim.chosen.empty() ? 1 : 0;
}

std::string counts_text(const VerdictCounts& counts, bool present) {
  Words parts;
  for (const Verdict verdict : {Verdict::reproduced, Verdict::not_reproduced, Verdict::undecided}) {
    const auto count = counts.of[static_cast<std::size_t>(verdict)];
    if (present && count == 0) continue;
    parts.push_back(std::to_string(count) + " " + verdict_name(verdict));
    if (verdict == Verdict::reproduced && counts.chosen > 0)
      parts.back() += " (with " + std::to_string(counts.chosen) + " something was chosen after results had been seen)";
  }
  return joined(parts);
}

std::vector<ClaimResult> check_claims(const std::vector<Claim>& claims, const ResultTable& summary) {
  std::vector<ClaimResult> results;
  for (const auto& claim : claims) {
    const std::string why = obstacle(claim, summary);
    results.push_back(why.empty() ? claim.check(claim, summary) : ClaimResult{});
    ClaimResult& result = results.back();
    if (!why.empty()) result.measured = why + ", so nothing can be said";
    if (!result.figure.empty() && !result.figure.starts_with(claim.metric + " "))
      result.figure = claim.metric + ": " + result.figure;
    result.claim = claim;
    if (result.verdict != Verdict::reproduced) result.differs = told(claim.differs, claim, summary);
  }
  return results;
}

void write_claims(const std::vector<ClaimResult>& results, Format format, std::ostream& out) {
  const List rows = list_of(results, [](const auto& r) { return Object{claim_fields(r)}; });
  write_document({[&](std::ostream& o) { write_table(results, o); }, claim_fields({}), rows, rows}, format, out);
}

}  // namespace nowsim

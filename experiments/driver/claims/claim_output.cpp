// What is said of a verdict.
#include "experiments/driver/claims/claim_output.hpp"

#include <algorithm>
#include <map>
#include <ostream>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/wrapped_text.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kTextWidth = 100;
constexpr std::size_t kLeast = 30;  // of a column of sentences, however long the ids are

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, shown_width(text)), ' ');
}

/// What the paper prints: its number, and a few of its words.
std::string printed_text(const ClaimResult& r) {
  const std::string words = r.words.empty() ? "" : "\"" + r.words + "\"";
  return r.paper + (r.paper.empty() || words.empty() ? "" : "; ") + words;
}

/// What a verdict is about that no paper or author is credited with.
std::string changed_text(const std::string& changed) { return "of a changed experiment: " + changed; }

/// Columns: id, verdict, and below one another the statement, the paper's number, what was measured and why that
/// differs. On a terminal that has no room for three, sentences stand below id and verdict.
class ClaimTable {
 public:
  ClaimTable(const std::vector<ClaimResult>& results, std::ostream& out) : out_(out) {
    for (const auto& r : results) id_ = std::max(id_, shown_width(r.id));
    const std::size_t columns = columns_of(out), all = columns > 0 ? columns : kTextWidth, used = id_ + verdict_ + 6;
    is_below_ = columns > 0 && used + kLeast > columns;
    width_ = is_below_ ? all - 4 : std::max(kLeast, all - std::min(all, used));
  }

  void write_head() const {
    write_first("claim", "verdict", "statement, and what was measured");
    if (!is_below_) write_first(std::string(id_, '-'), std::string(verdict_, '-'), std::string(width_, '-'));
  }
  void write(const ClaimResult& r) const {
    auto lines = broken_lines(r.says + (r.changed.empty() ? " [" : " [after ") + r.source + "]", width_);
    const auto add = [&](const std::string& text) {
      for (const auto& line : broken_lines(text, width_ - 2))
        if (!line.empty()) lines.push_back("  " + line);
    };
    if (const std::string printed = printed_text(r); !printed.empty()) add("the paper: " + printed);
    add(r.measured);
    add(r.differs);
    if (!r.chosen.empty()) add((r.calibrated ? "put in or fitted: " : "chosen: ") + r.chosen);
    if (r.calibrated) add("(read back)");
    if (!r.variant_of.empty()) add("(another reading of " + r.variant_of + ")");
    if (!r.changed.empty()) add("(" + changed_text(r.changed) + ")");
    write_first(r.id, verdict_name(r.verdict), lines.front());
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
  return {{"id", r.id},
          {"verdict", program_name(r.verdict)},
          {"check", r.check},
          {"confidence", r.confidence},
          {"source", r.source},
          {"says", r.says},
          {"paper", r.paper},
          {"figure", r.figure},
          {"measured", r.measured},
          {"differs", r.differs},
          {"calibrated", r.calibrated},
          {"words", r.words},
          {"chosen", r.chosen},
          {"variant_of", r.variant_of},
          {"changed", r.changed}};
}

}  // namespace

void write_claims(const std::vector<ClaimResult>& results, Format format, std::ostream& out) {
  const List rows = list_of(results, [](const auto& r) { return Object{claim_fields(r)}; });
  write_document({[&](std::ostream& o) { write_table(results, o); }, claim_fields({}), rows, rows}, format, out);
}

}  // namespace nowsim

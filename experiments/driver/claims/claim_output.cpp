// What is said of a verdict.
#include "experiments/driver/claims/claim_output.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>

#include "experiments/driver/text/text_table.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kTextWidth = 100;
constexpr std::size_t kLeast = 30;  // of a column of sentences, however long the ids are

/// Words in lines of at most `width` columns.
std::vector<std::string> folded(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    const bool fits = !lines.empty() && shown_width(lines.back()) + 1 + shown_width(word) <= width;
    if (fits)
      lines.back() += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, shown_width(text)), ' ');
}

/// What the paper prints: its number, and a few of its words.
std::string printed_text(const ClaimResult& r) {
  const std::string words = r.words.empty() ? "" : "\"" + r.words + "\"";
  return r.paper + (r.paper.empty() || words.empty() ? "" : "; ") + words;
}

/// Columns: id, verdict, and below one another the statement, the paper's number, what was measured and why that
/// differs.
class ClaimTable {
 public:
  explicit ClaimTable(const std::vector<ClaimResult>& results) {
    for (const auto& r : results) id_ = std::max(id_, shown_width(r.id));
  }

  void write_head(std::ostream& out) const {
    write_line("claim", "verdict", "statement, and what was measured", out);
    write_line(std::string(id_, '-'), std::string(verdict_, '-'), std::string(sentence_width(), '-'), out);
  }
  void write(const ClaimResult& r, std::ostream& out) const {
    auto lines = folded(r.says + " [" + r.source + "]", sentence_width());
    const auto add = [&](const std::string& text) {
      for (const auto& line : folded(text, sentence_width() - 2)) lines.push_back("  " + line);
    };
    if (const std::string printed = printed_text(r); !printed.empty()) add("the paper: " + printed);
    add(r.measured);
    add(r.differs);
    if (!r.chosen.empty()) add((r.calibrated ? "put in or fitted: " : "chosen: ") + r.chosen);
    if (r.calibrated) add("(read back)");
    if (!r.variant_of.empty()) add("(another reading of " + r.variant_of + ")");
    for (std::size_t i = 0; i < lines.size(); ++i)
      write_line(i == 0 ? r.id : "", i == 0 ? verdict_name(r.verdict) : "", lines[i], out);
  }

 private:
  [[nodiscard]] std::size_t sentence_width() const {
    const std::size_t used = id_ + verdict_ + 6;
    return used + kLeast > kTextWidth ? kLeast : kTextWidth - used;
  }
  void write_line(const std::string& id, const std::string& verdict, const std::string& sentence,
                  std::ostream& out) const {
    out << "  " << padded(id, id_) << "  " << padded(verdict, verdict_) << "  " << sentence << '\n';
  }
  std::size_t id_ = 5, verdict_ = 14;
};

/// Those that are reproduced because they were put in say nothing of the model, and other readings nothing of the claim.
void write_counts(const std::vector<ClaimResult>& results, std::ostream& out) {
  std::map<ClaimKind, VerdictCounts> kinds;
  for (const auto& r : results) kinds[r.kind()].add(r);
  const VerdictCounts plain = kinds[ClaimKind::plain], variants = kinds[ClaimKind::variant];
  VerdictCounts calibrated = kinds[ClaimKind::calibrated];
  calibrated.chosen = 0;  // all of them were
  out << plain.total() << (plain.total() == 1 ? " claim: " : " claims: ") << counts_text(plain) << '\n';
  if (calibrated.total() > 0)
    out << "apart from these " << calibrated.total() << (calibrated.total() == 1 ? " reads" : " read")
        << " back what was put in or fitted to: " << counts_text(calibrated, true) << '\n';
  if (variants.total() > 0)
    out << "apart from these " << variants.total()
        << (variants.total() == 1 ? " is another reading: " : " are other readings: ") << counts_text(variants, true)
        << '\n';
}

void write_table(const std::vector<ClaimResult>& results, std::ostream& out) {
  const ClaimTable table(results);
  if (!results.empty()) table.write_head(out);
  for (const auto& r : results) table.write(r, out);
  if (!results.empty()) out << '\n';
  write_counts(results, out);
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
          {"variant_of", r.variant_of}};
}

}  // namespace

void write_claims(const std::vector<ClaimResult>& results, Format format, std::ostream& out) {
  const List rows = list_of(results, [](const auto& r) { return Object{claim_fields(r)}; }, Lines::each);
  write_document({[&](std::ostream& o) { write_table(results, o); }, claim_fields({}), rows, rows}, format, out);
}

}  // namespace nowsim

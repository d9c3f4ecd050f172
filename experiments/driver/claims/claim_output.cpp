// What is said of a verdict.
#include "experiments/driver/claims/claim_output.hpp"

#include <algorithm>
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
    if (!r.paper.empty()) add("the paper: " + r.paper);
    add(r.measured);
    add(r.differs);
    if (r.calibrated) add("(an input of the experiment, read back)");
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

/// Those that are reproduced because they were put in say nothing of the model.
void write_calibrated(const std::vector<ClaimResult>& results, std::ostream& out) {
  const auto count = std::ranges::count_if(
      results, [](const ClaimResult& r) { return r.calibrated && r.verdict == Verdict::reproduced; });
  if (count > 0) out << " (of these " << count << (count == 1 ? " reads" : " read") << " back what was put in)";
}

void write_counts(const std::vector<ClaimResult>& results, std::ostream& out) {
  out << results.size() << (results.size() == 1 ? " claim:" : " claims:");
  const char* separator = " ";
  for (const Verdict verdict : {Verdict::reproduced, Verdict::not_reproduced, Verdict::undecided}) {
    const auto is_that = [&](const ClaimResult& r) { return r.verdict == verdict; };
    out << separator << std::count_if(results.begin(), results.end(), is_that) << ' ' << verdict_name(verdict);
    if (verdict == Verdict::reproduced) write_calibrated(results, out);
    separator = ", ";
  }
  out << '\n';
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
          {"calibrated", r.calibrated}};
}

}  // namespace

void write_claims(const std::vector<ClaimResult>& results, Format format, std::ostream& out) {
  const List rows = list_of(results, [](const auto& r) { return Object{claim_fields(r)}; }, Lines::each);
  write_document({[&](std::ostream& o) { write_table(results, o); }, claim_fields({}), rows, rows}, format, out);
}

}  // namespace nowsim

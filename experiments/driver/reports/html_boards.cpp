// Claims sorted into boards by who makes them, and what is said of one wherever it stands.
#include <algorithm>
#include <iterator>

#include "experiments/driver/reports/html_parts.hpp"
#include "experiments/driver/reports/html_text.hpp"

namespace nowsim::html {
namespace {

std::string signs_of(const VerdictCounts& counts) {
  std::string text;
  for (const Verdict verdict : {Verdict::reproduced, Verdict::not_reproduced, Verdict::undecided})
    if (const auto count = counts.of[static_cast<std::size_t>(verdict)]; count > 0)
      text += " <span title=\"" + std::string(verdict_name(verdict)) + "\">" + verdict_sign(verdict) + " " +
              std::to_string(count) + "</span>";
  return text;
}

}  // namespace

std::vector<Board> boards_of(const Report& report) {
  std::vector<Board> boards;
  for (const Paper& paper : kPapers) boards.push_back({std::string(paper.letters), std::string(paper.name), {}, true});
  boards.push_back({"own", "nowsim's own", {}});
  boards.push_back({"others", "others", {}});
  boards.push_back({"changed", "changed experiments", {}});
  const auto board_of = [&](const ClaimResult& claim) -> Board& {
    if (!claim.changed.empty()) return boards.back();
    const Paper* paper = paper_of_source(claim.source);
    if (paper != nullptr) return boards[static_cast<std::size_t>(paper - kPapers.data())];
    return boards[kPapers.size() + (claim.source.starts_with("nowsim") ? 0 : 1)];
  };
  std::vector<BoardEntry> all;
  for (const auto& e : report.experiments)
    for (const auto& claim : e.claims) all.push_back({&e, &claim});
  // The claim that an entry stands behind: the first of that name that is no other reading itself; else none.
  const auto read_by = [&](const BoardEntry& entry) {
    return std::ranges::find_if(all, [&](const BoardEntry& e) {
      return e.claim->id == entry.claim->variant_of && e.claim->variant_of.empty();
    });
  };
  for (auto e = all.begin(); e != all.end(); ++e) {
    if (read_by(*e) != all.end()) continue;
    std::vector<BoardEntry>& entries = board_of(*e->claim).entries;
    entries.push_back(*e);
    std::ranges::copy_if(all, std::back_inserter(entries), [&](const BoardEntry& v) { return read_by(v) == e; });
  }
  std::erase_if(boards, [](const Board& board) { return board.entries.empty(); });
  return boards;
}

std::string claim_address(const ReportedExperiment& e, const ClaimResult& claim) {
  return "claim-" + html_address(e.path() + "-" + claim.id);
}

std::string tally(const std::vector<ClaimResult>& claims) {
  VerdictCounts proper, apart;
  for (const auto& claim : claims) (claim.kind() == ClaimKind::plain ? proper : apart).add(claim);
  const std::string signs = signs_of(apart);
  return "<span class=\"tally\">" + signs_of(proper) + (signs.empty() ? "" : " <small>apart:" + signs + "</small>") +
         "</span>";
}

std::string mark_text(const ClaimResult& claim) {
  std::string text = claim.variant_of.empty() ? "" : "another reading of " + claim.variant_of;
  const auto add = [&](bool is_so, const char* what) {
    if (is_so) text += (text.empty() ? "" : "; ") + std::string(what);
  };
  add(claim.calibrated, "read back");
  add(is_chosen(claim), "chosen after looking");
  const std::string of = "of a changed experiment: " + claim.changed;
  add(!claim.changed.empty(), of.c_str());
  return text;
}

bool is_chosen(const ClaimResult& claim) { return !claim.calibrated && !claim.chosen.empty(); }

std::string chosen_text(const ClaimResult& claim) {
  if (claim.chosen.empty()) return "";
  return (claim.calibrated ? "Put in or fitted: " : "Chosen: ") + claim.chosen;
}

}  // namespace nowsim::html

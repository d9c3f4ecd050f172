// The page of a report: what its templates (report.mustache, article.mustache) tell of experiments, claims and papers.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "experiments/driver/reports/papers.hpp"
#include "experiments/driver/reports/report.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/html.hpp"
#include "experiments/driver/text/name_lists.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostValues = 12;    // of an axis; more are told by their ends
constexpr std::size_t kMostRowsOpen = 20;  // of a table; more are folded away
constexpr std::size_t kMostReasons = 5;    // the CSV has all

constexpr const char* kReportTemplate =
#include "experiments/driver/reports/report.mustache"
    ;
constexpr const char* kArticleTemplate =
#include "experiments/driver/reports/article.mustache"
    ;

constexpr Verdict kVerdicts[] = {Verdict::reproduced, Verdict::not_reproduced, Verdict::undecided};

/// A verdict in words, with a sign and a colour that differ for everybody.
HtmlObject verdict_values(Verdict verdict) {
  constexpr std::pair<const char*, const char*> kMarks[] = {{"yes", "✓"}, {"no", "✗"}, {"open", "?"}};
  const auto& [name, sign] = kMarks[static_cast<std::size_t>(verdict)];
  return {{"name", name}, {"sign", sign}, {"word", verdict_name(verdict)}};
}

// Claims, one by one and counted.

/// A claim with the experiment that it is about.
struct ReportedClaim {
  const ExperimentArticle* experiment;
  const ClaimResult* result;
};

/// Claims of one origin: a paper's, nowsim's own, others, or whosever of experiments that were changed; each before its
/// other readings, whoever reads it so.
struct ClaimBoard {
  std::string name;  ///< a class in the page: the paper's letters, "own", "others" or "changed"
  std::string heading;
  std::vector<ReportedClaim> claims;
  bool is_papers = false;
};

/// Those that have claims: papers first, in their order.
std::vector<ClaimBoard> claim_boards(const Report& report) {
  std::vector<ClaimBoard> boards;
  for (const Paper& paper : kPapers) boards.push_back({std::string(paper.letters), std::string(paper.name), {}, true});
  boards.push_back({"own", "nowsim's own", {}});
  boards.push_back({"others", "others", {}});
  boards.push_back({"changed", "changed experiments", {}});
  const auto board_of = [&](const ClaimResult& result) -> ClaimBoard& {
    if (!result.changed.empty()) return boards.back();
    const Paper* paper = paper_of_source(result.claim.source);
    if (paper != nullptr) return boards[static_cast<std::size_t>(paper - kPapers.data())];
    return boards[kPapers.size() + (result.claim.source.starts_with("nowsim") ? 0 : 1)];
  };
  std::vector<ReportedClaim> all;
  for (const auto& e : report.experiments)
    for (const auto& result : e.claims) all.push_back({&e, &result});
  // The claim that another one stands behind: the first of that name that is no other reading itself; else none.
  const auto read_by = [&](const ReportedClaim& reading) {
    return std::ranges::find_if(all, [&](const ReportedClaim& c) {
      return c.result->claim.id == reading.result->claim.variant_of && c.result->claim.variant_of.empty();
    });
  };
  for (auto c = all.begin(); c != all.end(); ++c) {
    if (read_by(*c) != all.end()) continue;
    std::vector<ReportedClaim>& claims = board_of(*c->result).claims;
    claims.push_back(*c);
    std::ranges::copy_if(all, std::back_inserter(claims), [&](const ReportedClaim& v) { return read_by(v) == c; });
  }
  std::erase_if(boards, [](const ClaimBoard& board) { return board.claims.empty(); });
  return boards;
}

/// Whether something in it was chosen after results had been seen, rather than fitted to them.
bool is_chosen(const ClaimResult& result) { return !result.claim.calibrated && !result.claim.chosen.empty(); }

/// What is said of a claim beside its verdict: read back, chosen after results had been seen, another reading.
std::string mark_text(const ClaimResult& result) {
  std::string text = result.claim.variant_of.empty() ? "" : "another reading of " + result.claim.variant_of;
  const auto add = [&](bool is_so, const std::string& mark) {
    if (is_so) text += (text.empty() ? "" : "; ") + mark;
  };
  add(result.claim.calibrated, "read back");
  add(is_chosen(result), "chosen after looking");
  add(!result.changed.empty(), "of a changed experiment: " + result.changed);
  return text;
}

HtmlObject claim_values(const std::string& experiment, const ClaimResult& result) {
  const Claim& c = result.claim;
  constexpr const char* kKinds[] = {"plain", "calibrated", "variant"};
  const std::string number = result.figure.empty() ? result.measured : result.figure;
  return {{"id", c.id},
          {"claim_address", "claim-" + html_address(experiment + "-" + c.id)},
          {"experiment_address", html_address(experiment)},
          {"says", c.says},
          {"source", c.source},
          {"paper", if_any(c.paper)},
          {"words", if_any(c.words)},
          {"number", number},
          {"measured", result.measured},
          {"is_short", number != result.measured},
          {"verdict", verdict_values(result.verdict)},
          {"kind", kKinds[static_cast<std::size_t>(result.kind())]},
          {"marks", if_any(mark_text(result))},
          {"is_chosen", is_chosen(result)},
          {"chosen", if_any(c.chosen.empty() ? "" : (c.calibrated ? "Put in or fitted: " : "Chosen: ") + c.chosen)},
          {"differs", if_any(result.differs)}};
}

HtmlList board_values(const std::vector<ClaimBoard>& boards) {
  HtmlList all;
  for (const ClaimBoard& board : boards) {
    HtmlList claims;
    for (const auto& [experiment, result] : board.claims) claims.emplace_back(claim_values(experiment->path, *result));
    all.emplace_back(HtmlObject{{"board", board.name}, {"heading", board.heading}, {"claims", claims}});
  }
  return all;
}

HtmlObject counted_claims(const std::string& whose, const std::vector<ReportedClaim>& claims) {
  std::map<ClaimKind, VerdictCounts> kinds;
  for (const auto& c : claims) kinds[c.result->kind()].add(*c.result);
  HtmlList counts;
  const auto add = [&](std::size_t count, const std::string& told) {
    counts.emplace_back(HtmlObject{{"count", std::to_string(count)}, {"told", if_any(told)}});
  };
  const VerdictCounts& plain = kinds[ClaimKind::plain];
  for (std::size_t v = 0; v < plain.of.size(); ++v)
    add(plain.of[v], v == 0 && plain.chosen > 0 ? "of these chosen later: " + std::to_string(plain.chosen) : "");
  add(plain.total(), "");
  for (const ClaimKind kind : {ClaimKind::calibrated, ClaimKind::variant}) {
    VerdictCounts apart = kinds[kind];
    apart.chosen = 0;
    add(apart.total(), apart.total() > 0 ? counts_text(apart, true) : "");
  }
  return {{"whose", whose}, {"counts", counts}};
}

/// How many claims are reproduced, not reproduced and undecided, paper by paper, and nowsim's own; those that are read
/// back, and other readings, apart.
HtmlList totals(const std::vector<ClaimBoard>& boards) {
  HtmlList all;
  std::vector<ReportedClaim> papers;
  for (std::size_t k = 0; k < boards.size(); ++k) {
    all.emplace_back(counted_claims(boards[k].heading, boards[k].claims));
    if (!boards[k].is_papers) continue;
    papers.insert(papers.end(), boards[k].claims.begin(), boards[k].claims.end());
    if (k + 1 == boards.size() || !boards[k + 1].is_papers)
      all.emplace_back(counted_claims("the papers together", papers));
  }
  return all;
}

/// What chooses claims without a script: of each group one choice is checked, and shows the claims that have its name
/// among their classes.
HtmlList choice_groups(const std::vector<ClaimBoard>& boards) {
  using Choices = std::vector<std::pair<std::string, std::string>>;  // names and labels
  Choices origins;
  for (const ClaimBoard& board : boards) origins.emplace_back(board.name, board.heading);
  HtmlList groups;
  const auto add = [&](const std::string& group, const std::string& label, Choices choices) {
    choices.insert(choices.begin(), {"all", "all"});
    HtmlList values;
    for (const auto& [name, told] : choices)
      values.emplace_back(HtmlObject{{"name", name},
                                     {"label", told},
                                     {"id", "show-" + group + "-" + name},
                                     {"is_all", name == "all"},
                                     {"is_board", group == "paper"}});
    groups.emplace_back(HtmlObject{{"group", group}, {"group_label", label}, {"choices", values}});
  };
  add("paper", "claims of", origins);
  add("verdict", "verdict", {{"yes", "✓ reproduced"}, {"no", "✗ not reproduced"}, {"open", "? undecided"}});
  add("mark", "mark",
      {{"plain", "claims proper"},
       {"calibrated", "read back"},
       {"variant", "other readings"},
       {"chosen", "chosen after looking"}});
  return groups;
}

// An experiment.

/// How many claims have which verdict, those alone that there are.
HtmlList tally(const VerdictCounts& counts) {
  HtmlList signs;
  for (const Verdict verdict : kVerdicts)
    if (const auto count = counts.of[static_cast<std::size_t>(verdict)]; count > 0) {
      HtmlObject sign = verdict_values(verdict);
      sign.emplace("count", std::to_string(count));
      signs.emplace_back(sign);
    }
  return signs;
}

/// An axis's values as a list, each once.
std::string values_text(const ResultTable& s, std::size_t axis) {
  const Words values = s.values(s.axes[axis]);
  if (values.size() <= kMostValues) return joined(values);
  return values[0] + ", " + values[1] + ", ..., " + values.back() + " (" + std::to_string(values.size()) + " values)";
}

/// The engines that ran, with the points that each ran where they are several.
std::string engines_text(const ResultTable& s) {
  const auto engines = values_that_ran(s, &ResultRow::engine);
  if (engines.size() == 1) return engines.front().first;
  Words told;
  for (const auto& [engine, points] : engines)
    told.push_back(engine + " (" + std::to_string(points) + (points == 1 ? " point)" : " points)"));
  return told.empty() ? "-" : joined(told);
}

std::string points_text(const ResultTable& s) {
  std::string text = std::to_string(s.rows.size());
  for (const PointStatus status : {PointStatus::infeasible, PointStatus::failed, PointStatus::pending})
    if (const std::size_t count = s.count(status); count > 0)
      text += ", " + std::to_string(count) + " " + status_name(status);
  return text;
}

/// How the results came about.
HtmlList facts_of(const ReportedExperiment& e) {
  const Provenance p = provenance_of(e.summary);
  HtmlList facts;
  const auto add = [&](const std::string& fact, const std::string& value) {
    if (!value.empty()) facts.emplace_back(HtmlObject{{"fact", fact}, {"value", value}});
  };
  add("engine", engines_text(e.summary));
  add("replications", p.replications);
  add("seed", p.seed);
  add("confidence", p.confidence);
  add("variance reduction", p.variance_reduction);
  add("simulated by", p.version == "-" ? "" : "nowsim " + p.version);
  add("points", points_text(e.summary));
  for (std::size_t a = 0; a < e.summary.axes.size(); ++a) add("swept: " + e.summary.axes[a], values_text(e.summary, a));
  Words metrics;
  for (const Metric* metric : e.summary.metrics) metrics.push_back(metric->name);
  add("metrics", joined(metrics));
  for (const auto& [key, value] : e.described.parameters)
    if (!contains(e.summary.axes, key)) add(key, value);
  return facts;
}

/// The estimates of all points but for metrics per workstation, which have a table of their own.
HtmlList tables_of(const ResultTable& summary) {
  HtmlList tables;
  const auto add = [&](const char* what, const TextTable& table) {
    const std::size_t rows = std::max<std::size_t>(table.rows().size(), 1) - 1;  // the first one is the head
    if (rows == 0) return;
    HtmlList all;
    for (std::size_t r = 1; r <= rows; ++r) all.emplace_back(html_list(table.rows()[r]));
    tables.emplace_back(HtmlObject{{"what", what},
                                   {"count", std::to_string(rows)},
                                   {"is_long", rows > kMostRowsOpen},
                                   {"head", html_list(table.rows().front())},
                                   {"rows", all}});
  };
  add("results", point_table(summary, false));
  add("results per workstation", workstation_table(summary));
  return tables;
}

/// Points of which there is something to say, by reason: failed, infeasible, imprecise.
HtmlList exceptions_of(const ResultTable& s) {
  struct Reason {
    std::string text, first;
    std::size_t points = 0;
  };
  constexpr std::pair<PointStatus, const char*> kKinds[] = {
      {PointStatus::failed, "failed"}, {PointStatus::infeasible, "infeasible"}, {PointStatus::ok, "imprecise"}};
  HtmlList told;
  for (const auto& [status, word] : kKinds) {
    std::vector<Reason> reasons;
    for (const auto& row : s.rows) {
      if (row.told_status() != status || row.reason.empty()) continue;
      auto known = std::ranges::find(reasons, row.reason, &Reason::text);
      if (known == reasons.end()) known = reasons.insert(known, {row.reason, point_text(s, row)});
      ++known->points;
    }
    for (std::size_t k = 0; k < std::min(kMostReasons, reasons.size()); ++k) {
      const Reason& r = reasons[k];
      const std::string where = r.points == 1 ? r.first : std::to_string(r.points) + " points, the first " + r.first;
      told.emplace_back(word + (": " + where) + (r.first.empty() ? "" : ": ") + r.text);
    }
    if (reasons.size() > kMostReasons)
      told.emplace_back(word + (": and " + std::to_string(reasons.size() - kMostReasons)) +
                        " more reasons, all in the CSV");
  }
  return told;
}

HtmlValue picture(const std::string& address, const std::string& bytes) {
  return bytes.empty() ? HtmlValue(false) : HtmlValue(address);
}

std::string article_text(const ReportedExperiment& e) {
  HtmlList claims, files;
  for (const auto& claim : e.claims) claims.emplace_back(claim_values(e.path(), claim));
  for (const auto& file : e.files)
    files.emplace_back(
        HtmlObject{{"file_address", html_address(file)}, {"file", file.substr(file.find_last_of('/') + 1)}});
  const HtmlList exceptions = exceptions_of(e.summary);
  return filled_template(kArticleTemplate, {{"address", html_address(e.path())},
                                            {"path", e.path()},
                                            {"title", e.described.title},
                                            {"description", if_any(e.described.description)},
                                            {"text", e.described.text},
                                            {"failure", if_any(e.failure)},
                                            {"has_results", e.failure.empty()},
                                            {"svg", picture(svg_address(e.svg), e.svg)},
                                            {"no_picture", if_any(e.no_picture)},
                                            {"tables", e.svg.empty() ? tables_of(e.summary) : HtmlList()},
                                            {"facts", facts_of(e)},
                                            {"has_files", !files.empty()},
                                            {"files", files},
                                            {"has_exceptions", !exceptions.empty()},
                                            {"exceptions", exceptions},
                                            {"has_claims", !claims.empty()},
                                            {"claims", claims}});
}

/// What is missing of an experiment, or "".
std::string gap_of(const ReportedExperiment& e) {
  if (!e.failure.empty()) return "no results: " + e.failure;
  const auto failed = e.summary.count(PointStatus::failed);
  std::string gap = failed > 0 ? std::to_string(failed) + (failed == 1 ? " point" : " points") + " failed" : "";
  if (!e.no_picture.empty()) gap += (gap.empty() ? "no picture: " : "; no picture: ") + e.no_picture;
  return gap;
}

// The whole.

/// An experiment in the gallery, and its article.
HtmlObject experiment_values(const ExperimentArticle& e) {
  VerdictCounts proper, apart;
  for (const auto& claim : e.claims) (claim.kind() == ClaimKind::plain ? proper : apart).add(claim);
  return {{"address", html_address(e.path)},
          {"title", e.title},
          {"blank", e.has_failed ? "no results" : "a table"},
          {"thumbnail", picture(png_address(e.thumbnail), e.thumbnail)},
          {"tally", tally(proper)},
          {"has_apart", apart.total() > 0},
          {"apart", tally(apart)},
          {"article", e.html}};
}

/// The folders of the experiments: papers first, in their order.
Words folders_of(const Report& report) {
  Words folders;
  const auto add = [&](const std::string& folder) {
    const auto is_there = [&](const ExperimentArticle& e) { return e.folder == folder; };
    if (std::ranges::any_of(report.experiments, is_there) && !contains(folders, folder)) folders.push_back(folder);
  };
  for (const Paper& paper : kPapers) add(std::string(paper.folder));
  for (const auto& e : report.experiments) add(e.folder);
  return folders;
}

HtmlList folder_values(const Report& report) {
  HtmlList all;
  for (const std::string& folder : folders_of(report)) {
    HtmlList experiments;
    for (const auto& e : report.experiments)
      if (e.folder == folder) experiments.emplace_back(experiment_values(e));
    const Paper* paper = paper_of_folder(folder);
    const Paper shown = paper != nullptr ? *paper : Paper();
    const std::string other = folder.empty() ? "Experiments" : folder;
    all.emplace_back(HtmlObject{{"heading", paper != nullptr ? std::string(paper->name) : other},
                                {"paper_known", paper != nullptr},
                                {"authors", std::string(shown.authors)},
                                {"paper_title", std::string(shown.title)},
                                {"appeared", std::string(shown.appeared)},
                                {"experiments", experiments}});
  }
  return all;
}

HtmlList gaps_of(const Report& report) {
  HtmlList gaps;
  for (const auto& e : report.experiments)
    if (!e.gap.empty()) gaps.emplace_back(HtmlObject{{"address", html_address(e.path)}, {"path", e.path}, {"gap", e.gap}});
  return gaps;
}

/// Texts of all experiments, each once; "-" stands for none.
std::string each_once(const Words& texts) {
  Words found;
  for (const std::string& text : texts)
    if (text != "-" && !contains(found, text)) found.push_back(text);
  return found.empty() ? "-" : joined(found);
}

}  // namespace

ExperimentArticle article_of(ReportedExperiment e) {
  ExperimentArticle article{e.folder, e.path(), e.described.title, gap_of(e), provenance_of(e.summary).seed};
  article.has_failed = !e.failure.empty();
  for (const auto& [engine, points] : values_that_ran(e.summary, &ResultRow::engine)) article.engines.push_back(engine);
  article.html = article_text(e);
  article.thumbnail = std::move(e.thumbnail);
  article.claims = std::move(e.claims);
  return article;
}

std::string html_report(const Report& report) {
  const std::vector<ClaimBoard> boards = claim_boards(report);
  const HtmlList gaps = gaps_of(report);
  Words engines, seeds;
  for (const auto& e : report.experiments) {
    seeds.push_back(e.seed);
    engines.insert(engines.end(), e.engines.begin(), e.engines.end());
  }
  std::ranges::sort(engines);
  const std::size_t count = report.experiments.size();
  return filled_template(kReportTemplate,
                         {{"style", page_style()},
                          {"version", report.version},
                          {"experiments_told", std::to_string(count) + (count == 1 ? " experiment" : " experiments")},
                          {"engines", each_once(engines)},
                          {"seeds", each_once(seeds)},
                          {"flags", report.flags.empty() ? "none" : joined(report.flags)},
                          {"totals", totals(boards)},
                          {"has_gaps", !gaps.empty()},
                          {"gaps", gaps},
                          {"choice_groups", choice_groups(boards)},
                          {"boards", board_values(boards)},
                          {"folders", folder_values(report)}});
}

}  // namespace nowsim

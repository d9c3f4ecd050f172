// The page: Markdown that reads well as plain text.
#include <algorithm>
#include <sstream>

#include "experiments/driver/bundles/bundle_texts.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {
namespace {

/// A cell of a Markdown table.
std::string table_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("|\n", at)) != std::string::npos; at += 2)
    text.replace(at, 1, text[at] == '|' ? "\\|" : "  ");
  return text;
}

void write_contents(const BundleFacts& facts, std::ostream& out) {
  out << "| here | what it is |\n|---|---|\n"
         "| `specification/` | each experiment's description (YAML), and every file that was read for it: platforms, "
         "profiles, recorded series; byte for byte |\n"
         "| `results/` | per experiment its estimates with their intervals (`.csv`, `.json`) and, where it has them, "
         "its "
         "figure (`.svg`, `.png`, `.pdf`, and the gnuplot script `.gp`) and the verdicts on its claims (`-claims.csv`) "
         "|\n";
  if (!facts.code.empty()) out << "| `code/` | Python code that the experiments name |\n";
  out << "| `again.sh` | makes all of it again, and says how far it is from `results/` |\n"
         "| `bundle.json` | what this page says, for programs |\n"
         "| `SHA256SUMS` | of every file: `sha256sum -c SHA256SUMS` says whether any has changed |\n\n";
}

void write_experiments(const BundleFacts& facts, std::ostream& out) {
  out << "| experiment | title | points | replications | seed | engine | nowsim |\n|---|---|---|---|---|---|---|\n";
  for (const auto& entry : facts.entries) {
    const ResultTable& summary = entry.experiment->summary;
    const Provenance from = provenance_of(summary);
    out << "| " << entry.experiment->path() << " | " << table_cell(summary.title) << " | " << summary.rows.size()
        << " | " << from.replications << " | " << from.seed << " | " << from.engine << " | " << from.version << " |\n";
  }
  out << '\n';
  for (const auto& entry : facts.entries)
    if (!entry.flags.empty()) {
      out << "`" << entry.experiment->path() << "` was read with";
      for (const auto& flag : entry.flags) out << " `--set " << flag << '`';
      out << ".\n\n";
    }
}

/// What readers must know of the results.
std::vector<std::string> remarks_on_results(const BundleFacts& facts) {
  std::vector<std::string> remarks = facts.remarks;
  for (const auto& entry : facts.entries) {
    const BundledExperiment& e = *entry.experiment;
    for (const PointStatus status : {PointStatus::pending, PointStatus::infeasible, PointStatus::failed})
      if (const std::size_t n = e.summary.count(status); n > 0)
        remarks.push_back(e.path() + ": " + std::to_string(n) + " of " + std::to_string(e.summary.rows.size()) +
                          " points have no results: " + status_name(status));
    for (const auto& file : e.changed)
      remarks.push_back(e.path() + ": " + file + " was changed by hand after nowsim wrote it");
  }
  return remarks;
}

}  // namespace

std::string bundle_page(const BundleFacts& facts) {
  std::ostringstream out;
  out << "# Results of nowsim, and all that they were made of\n\n"
         "nowsim simulates parallel jobs on machines that others use too. This is what one needs to see how these\n"
         "results came about, and to make them again.\n\n";
  write_contents(facts, out);
  out << "## The experiments\n\n";
  write_experiments(facts, out);
  out << "## To make them again\n\n"
         "    ./again.sh                  # into the folder 'again' beside it; from any folder\n"
         "    ./again.sh DIR --jobs 4     # into another, with 4 processes\n\n"
      << (facts.code.empty() ? "It needs nowsim" : "It needs nowsim's Python module (python3-nowsim)")
      << " and nothing else. A run that was stopped goes on where it was. At its end\n"
         "`nowsim compare results DIR` says how far the two are apart: with nowsim "
      << version()
      << ", or any other of model\n"
         "version "
      << kModelVersion << ", nothing in what its own engine (`direct`) simulated, and about 1e-9 in what SimGrid did.\n"
      << (facts.simgrid.empty() ? "" : "Here SimGrid " + facts.simgrid + " was at hand. ")
      << "Another version of the model gives other results, as nowsim's changelog tells. The replications themselves\n"
         "are not here: `again.sh` makes them too, in its folder's `results.sqlite`.\n";
  const auto remarks = remarks_on_results(facts);
  if (!remarks.empty()) out << "\n## To be known\n\n";
  for (const auto& remark : remarks) out << "- " << remark << '\n';
  return out.str();
}

}  // namespace nowsim

// A bundle's facts, put into its page and its script (bundle_texts.mustache), and for programs.
#include "experiments/driver/bundles/bundle_texts.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/html.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {
namespace {

constexpr const char* kBundleTemplates[] = {
#include "experiments/driver/bundles/bundle_texts.mustache"
};

/// A cell of a Markdown table.
std::string table_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("|\n", at)) != std::string::npos; at += 2)
    text.replace(at, 1, text[at] == '|' ? "\\|" : "  ");
  return text;
}

HtmlObject entry_values(const BundleEntry& entry) {
  const ResultTable& summary = entry.experiment->summary;
  const Provenance from = provenance_of(summary);
  return {{"path", entry.experiment->path()},
          {"title", table_cell(summary.title)},
          {"points", std::to_string(summary.rows.size())},
          {"replications", from.replications},
          {"seed", from.seed},
          {"engine", from.engine},
          {"by", from.version},
          {"has_flags", !entry.flags.empty()},
          {"flags", html_list(entry.flags)}};
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

/// Descriptions that are run by one command: of one store's folder, with the same flags.
HtmlList runs_of(const BundleFacts& facts) {
  using Alike = std::pair<std::string, std::vector<std::string>>;  // a store's folder, and flags
  std::map<Alike, std::vector<std::string>> descriptions;
  for (const auto& entry : facts.entries)
    descriptions[{entry.experiment->folder, entry.flags}].push_back(entry.description);
  HtmlList runs;
  for (const auto& [alike, files] : descriptions) {
    HtmlList words;
    for (const auto& file : files) words.emplace_back(shell_word(file));
    for (const auto& flag : alike.second) words.emplace_back("--set " + shell_word(flag));
    for (const auto& code : facts.code) words.emplace_back("--plugin " + shell_word(code));
    const std::string below = alike.first.empty() ? "" : "/" + shell_word(alike.first);
    runs.emplace_back(HtmlObject{{"words", words}, {"below", below}});
  }
  return runs;
}

using BundleJson = nlohmann::ordered_json;

BundleJson entry_json(const BundleEntry& entry) {
  const BundledExperiment& e = *entry.experiment;
  const Provenance from = provenance_of(e.summary);
  return {{"experiment", e.path()},
          {"title", e.summary.title},
          {"description", entry.description},
          {"reads", entry.reads},
          {"flags", entry.flags},
          {"user_code", e.origin.user_code},
          {"points", e.summary.rows.size()},
          {"points_with_results", e.summary.count(PointStatus::ok)},
          {"replications", from.replications},
          {"seed", from.seed},
          {"confidence", from.confidence},
          {"engine", from.engine},
          {"simulated_by_nowsim", from.version},
          {"changed_by_hand", e.changed}};
}

}  // namespace

std::string bundle_page(const BundleFacts& facts) {
  const std::vector<std::string> remarks = remarks_on_results(facts);
  HtmlList experiments;
  for (const auto& entry : facts.entries) experiments.emplace_back(entry_values(entry));
  return filled_template(kBundleTemplates[0], {{"has_code", !facts.code.empty()},
                                               {"experiments", experiments},
                                               {"version", version()},
                                               {"model", std::to_string(kModelVersion)},
                                               {"simgrid", if_any(facts.simgrid)},
                                               {"has_remarks", !remarks.empty()},
                                               {"remarks", html_list(remarks)}});
}

std::string bundle_script(const BundleFacts& facts) {
  return filled_template(kBundleTemplates[1], {{"has_code", !facts.code.empty()},
                                               {"version", version()},
                                               {"model", std::to_string(kModelVersion)},
                                               {"runs", runs_of(facts)}});
}

std::string bundle_json(const BundleFacts& facts) {
  BundleJson all = {
      {"format", 1},        {"nowsim", version()},      {"model_version", kModelVersion},    {"simgrid", facts.simgrid},
      {"code", facts.code}, {"remarks", facts.remarks}, {"experiments", BundleJson::array()}};
  for (const auto& entry : facts.entries) all["experiments"].push_back(entry_json(entry));
  return all.dump(2, ' ', false, BundleJson::error_handler_t::replace) + "\n";
}

}  // namespace nowsim

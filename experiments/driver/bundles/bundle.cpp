// What a bundle says of itself, to people, to a shell and to programs (bundle_texts.mustache); what stands where in it.
#include "experiments/driver/bundles/bundle.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "experiments/driver/bundles/archive.hpp"
#include "experiments/driver/bundles/bundled_files.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "experiments/driver/text/html.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/simgrid_module.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

// ---- what a bundle says of itself ----------------------------------------------------------------------------------

/// An experiment as it stands in a bundle.
struct BundleEntry {
  const BundledExperiment* experiment = nullptr;
  std::string description;         ///< its place: specification/mine.yaml
  std::vector<std::string> reads;  ///< the places of the other files that it reads
  std::vector<std::string> flags;
};

struct BundleFacts {
  std::vector<BundleEntry> entries;
  std::vector<std::string> code;     ///< places of user code: code/mine.py
  std::vector<std::string> remarks;  ///< sentences
  std::string simgrid;               ///< the release at hand, 3.32; "" where there is none
};

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

/// README.md.
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

/// again.sh: makes all of it again, and says how far it is from what is there.
std::string bundle_script(const BundleFacts& facts) {
  return filled_template(kBundleTemplates[1], {{"has_code", !facts.code.empty()},
                                               {"version", version()},
                                               {"model", std::to_string(kModelVersion)},
                                               {"runs", runs_of(facts)}});
}

/// bundle.json.
std::string bundle_json(const BundleFacts& facts) {
  BundleJson all = {
      {"format", 1},        {"nowsim", version()},      {"model_version", kModelVersion},    {"simgrid", facts.simgrid},
      {"code", facts.code}, {"remarks", facts.remarks}, {"experiments", BundleJson::array()}};
  for (const auto& entry : facts.entries) all["experiments"].push_back(entry_json(entry));
  return all.dump(2, ' ', false, BundleJson::error_handler_t::replace) + "\n";
}

// ---- its files -----------------------------------------------------------------------------------------------------

/// By their places, and so sorted; read when they are written.
using BundleFiles = std::map<std::string, std::function<std::string()>>;

std::function<std::string()> bytes_when_asked(const std::string& path) {
  return [path] {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) throw InputError(path + " went while it was bundled");
    return bytes_of(path);  // as they are, compressed or not
  };
}
/// Of a file that was read, as it was then.
std::function<std::string()> bytes_summed(const StoredFile& file) {
  return [file] {
    std::string bytes = bytes_of(file.path);
    if (checksum(bytes) != file.checksum) throw InputError(file.path + " changed while it was bundled");
    return bytes;
  };
}
std::function<std::string()> text_bytes(std::string text) {
  return [text = std::move(text)] { return text; };
}

FileTree tree_of_bundle(const std::vector<BundledExperiment>& experiments,
                        const std::vector<std::vector<NamedPath>>& paths) {
  std::set<std::string> files, folders;
  for (const auto& e : experiments)
    for (const auto& file : e.origin.files) files.insert(file.path);
  for (const auto& list : paths)
    for (const auto& named : list)
      if (!files.contains(named.path.string()))
        folders.insert(named.path.string().substr(0, named.path.string().find("{host}")));
  return {files, folders};
}

void refuse_missing_code(const std::vector<BundledExperiment>& experiments, const BundleOrder& order) {
  for (const auto& e : experiments)
    if (!e.origin.user_code.empty() && order.code.empty())
      throw InputError(
          e.path() + " was simulated with user code, the " + e.origin.user_code.front() +
          ", which is not nowsim's: where it is Python's, 'python3 -m nowsim bundle " + order.word +
          " --plugin FILE.py' takes it along; that of a C++ program is no file that others' nowsim can run");
}

std::vector<std::string> code_places(const std::vector<std::string>& code) {
  std::vector<std::string> places;
  for (const auto& file : code) {
    const std::string place = "code/" + fs::path(file).filename().string();
    if (std::ranges::count(places, place) > 0) throw InputError("two files of user code have the same name: " + file);
    places.push_back(place);
  }
  return places;
}

std::string simgrid_release() try { return simgrid_module().version(); } catch (const RunError&) {
  return "";  // whatever was simulated needed none
}

std::size_t add_results(const BundledExperiment& e, BundleFiles& files) {
  const std::string home = "results/" + (e.folder.empty() ? "" : e.folder + "/");
  const std::size_t before = files.size();
  files[home + e.name + ".csv"] = text_bytes(summary_text(e.summary, Format::csv));
  files[home + e.name + ".json"] = text_bytes(summary_text(e.summary, Format::json));
  for (const auto& file : e.files) files[home + file] = bytes_when_asked((fs::path(e.store->folder()) / file).string());
  return files.size() - before;
}

std::vector<BundleEntry> bundle_entries(const std::vector<BundledExperiment>& experiments,
                                        const std::vector<std::vector<NamedPath>>& paths, const FileTree& tree) {
  std::vector<BundleEntry> entries;
  for (std::size_t k = 0; k < experiments.size(); ++k) {
    const StoredOrigin& origin = experiments[k].origin;
    BundleEntry entry{
        &experiments[k], tree.place_of(origin.files.front().path), {}, bundled_flags(origin, paths[k], tree, "")};
    for (std::size_t f = 1; f < origin.files.size(); ++f) entry.reads.push_back(tree.place_of(origin.files[f].path));
    entries.push_back(std::move(entry));
  }
  return entries;
}

constexpr const char *kSumsFile = "SHA256SUMS", *kScriptFile = "again.sh", *kPageFile = "README.md",
                     *kFactsFile = "bundle.json";

void write_bundle_files(const BundleFiles& files, const std::string& archive, std::ostream& out) {
  const std::string top = bundle_name(archive) + "/";
  ArchiveWriter writer(archive, out);
  std::string sums;
  for (const auto& [place, bytes_of_file] : files) {
    const std::string bytes = bytes_of_file();
    sums += sha256(bytes) + "  " + place + "\n";
    writer.add(top + place, bytes, place == kScriptFile);
  }
  writer.add(top + kSumsFile, sums);
  writer.finish();
}

std::uint64_t usual_bytes(const std::string& archive) {
  constexpr std::uint64_t kAlways = 1'000'000'000, kTimesItsSize = 100;
  std::error_code ignored;
  const std::uintmax_t size = fs::file_size(archive, ignored);
  return ignored ? kAlways : std::max<std::uint64_t>(kAlways, kTimesItsSize * size);
}

/// The same blocks, which are kept too.
NextBlock kept_blocks(const NextBlock& next, std::string& kept, const std::string& archive) {
  return [&next, &kept, &archive] {
    constexpr std::size_t kMost = std::size_t{32} << 20U;
    const std::string_view block = next();
    if (kept.size() + block.size() > kMost)
      throw InputError(Place{archive, 0, ""}, "its SHA256SUMS is longer than any");
    kept += block;
    return block;
  };
}

}  // namespace

std::string bundle_name(const std::string& archive) {
  std::string name = fs::path(archive).filename().string();
  for (const std::string ending : kArchiveEndings)
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

void check_bundle_order(const BundleOrder& order) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(order.archive, ignored)))
    throw InputError(order.archive +
                     " is there already, and a bundle replaces nothing: say another name by --out, or move it");
  check_output_file(order.archive);
  for (const auto& file : order.code)
    if (!fs::is_regular_file(file, ignored)) throw InputError("there is no file of user code " + quoted(file));
  static_cast<void>(code_places(order.code));
}

Bundled write_bundle(const BundleOrder& order, const Registries& registries) {
  check_bundle_order(order);
  const bool is_folder_told = order.word == order.folder;
  const auto experiments = experiments_to_bundle(order.folder, is_folder_told ? order.folder : "DIR", registries);
  refuse_missing_code(experiments, order);
  std::vector<std::vector<NamedPath>> paths;
  for (const auto& e : experiments) paths.push_back(named_paths(e.origin, registries));
  const FileTree tree = tree_of_bundle(experiments, paths);
  const BundleFacts facts{bundle_entries(experiments, paths, tree), code_places(order.code),
                          rehearse(experiments, paths, tree, registries), simgrid_release()};
  BundleFiles files;
  for (const auto& e : experiments)
    for (const auto& file : e.origin.files) files[tree.place_of(file.path)] = bytes_summed(file);
  Bundled bundled{experiments.size(), files.size(), 0, facts.remarks};
  for (const auto& e : experiments) bundled.results += add_results(e, files);
  for (std::size_t k = 0; k < order.code.size(); ++k) files[facts.code[k]] = bytes_when_asked(order.code[k]);
  files[kScriptFile] = text_bytes(bundle_script(facts));
  files[kPageFile] = text_bytes(bundle_page(facts));
  files[kFactsFile] = text_bytes(bundle_json(facts));
  std::vector<ArchiveMember> members;
  for (const auto& [place, ignored] : files) members.push_back({place});
  check_member_paths(members, order.archive);
  write_output_file(order.archive, [&](std::ostream& out) { write_bundle_files(files, order.archive, out); });
  return bundled;
}

std::size_t check_bundle(const std::string& archive, std::uint64_t most_bytes) {
  std::map<std::string, std::string> all, found, wanted;
  std::vector<InputProblem> problems;
  const Place in_archive{archive, 0, ""};
  std::string top, sums;  // of the folder with the first sums
  read_archive(archive, most_bytes > 0 ? most_bytes : usual_bytes(archive),
               [&](const std::string& path, const NextBlock& next) {
                 const fs::path in = fs::path(path).parent_path();
                 const bool is_sums = top.empty() && path == (in / kSumsFile).string() && !in.has_parent_path();
                 if (is_sums) top = in.string();
                 all[path] = sha256(is_sums ? kept_blocks(next, sums, archive) : next);
               });
  for (const auto& [path, sum] : all)
    if (!path.starts_with(top + "/"))
      problems.push_back({in_archive, path + " is not in the bundle's folder"});
    else if (path != top + "/" + kSumsFile)
      found[path.substr(top.size() + 1)] = sum;
  std::istringstream lines(sums);
  for (std::string sum, place; lines >> sum >> std::ws && std::getline(lines, place);)
    if (!wanted.emplace(place, sum).second) problems.push_back({in_archive, place + " is in " + kSumsFile + " twice"});
  if (wanted.empty()) throw InputError(in_archive, "this is no bundle of nowsim's: it has no SHA256SUMS");
  for (const auto& [place, sum] : wanted)
    if (!found.contains(place))
      problems.push_back({in_archive, place + " is missing"});
    else if (found.at(place) != sum)
      problems.push_back({in_archive, place + " is not as it was bundled"});
  for (const auto& [place, sum] : found)
    if (!wanted.contains(place)) problems.push_back({in_archive, place + " was added after it was bundled"});
  if (!problems.empty()) throw InputError(problems);
  return found.size();
}

}  // namespace nowsim

// What stands where, and one file after the other into the archive.
#include "experiments/driver/bundles/bundle.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "experiments/driver/bundles/archive.hpp"
#include "experiments/driver/bundles/archive_members.hpp"
#include "experiments/driver/bundles/bundle_texts.hpp"
#include "experiments/driver/bundles/bundled_files.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/simgrid_module.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// By their places, and so sorted; read when they are written.
using BundleFiles = std::map<std::string, std::function<std::string()>>;

std::function<std::string()> bytes_when_asked(const std::string& path) {
  return [path] {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) throw InputError(path + " went while it was bundled");
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

std::string summary_json(const ResultTable& summary) {
  std::ostringstream out;
  write_summary(summary, Format::json, out);
  return out.str();
}

std::size_t add_results(const BundledExperiment& e, BundleFiles& files) {
  const std::string home = "results/" + (e.folder.empty() ? "" : e.folder + "/");
  const std::size_t before = files.size();
  files[home + e.name + ".csv"] = text_bytes(summary_csv(e.summary));
  files[home + e.name + ".json"] = text_bytes(summary_json(e.summary));
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
  for (const char* ending : {".tar.gz", ".tgz", ".zip"})
    if (name.ends_with(ending)) name.resize(name.size() - std::string(ending).size());
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
  std::vector<std::string> problems;
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
      problems.push_back(archive + ": " + path + " is not in the bundle's folder");
    else if (path != top + "/" + kSumsFile)
      found[path.substr(top.size() + 1)] = sum;
  std::istringstream lines(sums);
  for (std::string sum, place; lines >> sum >> std::ws && std::getline(lines, place);)
    if (!wanted.emplace(place, sum).second)
      problems.push_back(archive + ": " + place + " is in " + kSumsFile + " twice");
  if (wanted.empty()) throw InputError(Place{archive, 0, ""}, "this is no bundle of nowsim's: it has no SHA256SUMS");
  for (const auto& [place, sum] : wanted)
    if (!found.contains(place))
      problems.push_back(archive + ": " + place + " is missing");
    else if (found.at(place) != sum)
      problems.push_back(archive + ": " + place + " is not as it was bundled");
  for (const auto& [place, sum] : found)
    if (!wanted.contains(place)) problems.push_back(archive + ": " + place + " was added after it was bundled");
  if (!problems.empty()) throw InputErrors(problems);
  return found.size();
}

}  // namespace nowsim

// Identities as JSON, in NAME.sweep.
#include "experiments/driver/shards/sweep_identity.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "experiments/driver/shards/attempt.hpp"
#include "experiments/driver/shards/round.hpp"
#include "experiments/driver/sweeps/stored_origin.hpp"
#include "experiments/driver/text/user_cache.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSweepEnding = ".sweep";

std::string file_of(const std::string& experiment) { return experiment + kSweepEnding; }

std::string json_of(const SweepIdentity& identity) {
  Json files = Json::object();
  for (const auto& [path, sum] : identity.files) files[path] = sum;
  return Json{{"plan", identity.plan}, {"program", identity.program}, {"version", identity.version},
              {"host", identity.host}, {"files", files}}.dump(2) + "\n";
}

SweepIdentity identity_in(const std::string& text, const std::string& file) try {
  const Json json = Json::parse(text);
  SweepIdentity identity{json.at("plan"), json.at("program"), json.at("version"), json.at("host"), {}};
  for (const auto& [path, sum] : json.at("files").items()) identity.files.emplace_back(path, sum);
  return identity;
} catch (const Json::exception&) {
  throw InputError(file + " is damaged: remove it");
}

/// "traces/a.csv, e.yaml": files of one name in both whose bytes differ.
std::string changed_files(const SweepIdentity& there, const SweepIdentity& here) {
  std::map<std::string, std::string> sums;
  const auto name_of = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  for (const auto& [path, sum] : there.files) sums[name_of(path)] = sum;
  std::string changed;
  for (const auto& [path, sum] : here.files)
    if (const auto found = sums.find(name_of(path)); found != sums.end() && found->second != sum)
      changed += (changed.empty() ? "" : ", ") + path;
  return changed;
}

std::string difference(const SweepIdentity& there, const SweepIdentity& here) {
  if (there.program != here.program)
    return "the program is another one: nowsim " + there.version + " (" + there.program + ") there, " + here.version + " (" +
           here.program + ") here";
  const std::string changed = changed_files(there, here);
  return changed.empty() ? "flags, or what they name, are others" : "these files are others: " + changed;
}

}  // namespace

SweepIdentity identity_of(const Experiment& experiment, const ExecutionPlan& execution) {
  SweepIdentity identity{plan_hash(execution), program_hash(), version(), host_name(), {}};
  for (const auto& file : origin_to_store(experiment).files)
    identity.files.emplace_back(file.path, file.checksum ? std::to_string(*file.checksum) : "unknown");
  return identity;
}

void check_identity(const ShardFolder& folder, const std::string& experiment, const SweepIdentity& identity) {
  const std::string file = file_of(experiment);
  if (!folder.get(file)) folder.put(file, json_of(identity), true);
  const SweepIdentity there = identity_in(folder.get(file).value_or(json_of(identity)), (folder.path() / file).string());
  if (there.plan == identity.plan && there.program == identity.program) return;
  throw InputError("this sweep was begun on " + there.host + " with something else than is here: " + difference(there, identity) +
                   "; make it alike, or begin anew with what is here: the same command with --next-round in place of --shard"
                   " (or 'nowsim submit'), which keeps all that fits");
}

std::string publish_identity(const ShardFolder& folder, const std::string& experiment, const SweepIdentity& identity) {
  const std::string file = file_of(experiment);
  std::string remark;
  try {
    static_cast<void>(folder.get(file));
  } catch (const InputError& e) {
    remark = std::string(e.what()) + "; " + folder.set_aside(file);
  }
  folder.put(file, json_of(identity), false);
  return remark;
}

std::vector<std::pair<std::string, std::string>> sweeps_in(const ShardFolder& folder,
                                                           std::vector<std::string>& remarks) {
  std::vector<std::pair<std::string, std::string>> found;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder.path(), error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() != kSweepEnding) continue;
    const std::string experiment = it->path().stem().string();
    if (!ShardFolder::is_plain(experiment)) continue;
    try {
      found.emplace_back(experiment,
                         identity_in(folder.get(file_of(experiment)).value_or(""), it->path().string()).plan);
    } catch (const std::runtime_error& e) {
      remarks.emplace_back(e.what());
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace nowsim

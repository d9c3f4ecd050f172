// The facts, for programs.
#include <nlohmann/json.hpp>

#include "experiments/driver/bundles/bundle_texts.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {
namespace {

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

std::string bundle_json(const BundleFacts& facts) {
  BundleJson all = {
      {"format", 1},        {"nowsim", version()},      {"model_version", kModelVersion},    {"simgrid", facts.simgrid},
      {"code", facts.code}, {"remarks", facts.remarks}, {"experiments", BundleJson::array()}};
  for (const auto& entry : facts.entries) all["experiments"].push_back(entry_json(entry));
  return all.dump(2, ' ', false, BundleJson::error_handler_t::replace) + "\n";
}

}  // namespace nowsim

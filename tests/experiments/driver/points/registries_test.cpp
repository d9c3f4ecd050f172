// Names of one's own beside nowsim's: each means one thing.
#include "experiments/driver/points/experiment.hpp"

#include <catch2/catch.hpp>

using namespace nowsim;

namespace {

void join_metrics(const std::vector<std::string>& names) {
  Additions additions;
  for (const auto& name : names) additions.metrics.emplace_back().name = name;
  const Registries all(additions, {}, FigureKinds());
  for (const auto& name : names) CHECK(all.metrics.find(name) != nullptr);
}

}  // namespace

TEST_CASE("A metric of one's own is no quantile and none that there is", "[reads][registries]") {
  join_metrics({"T_mean", "delay"});
  const auto name = GENERATE("tau", "T_95", "T_99.9", "T_0", "T_095");
  CHECK_THROWS_WITH(join_metrics({"delay", name}), "there is already a metric '" + std::string(name) +
                                                       "': one's own needs another name");
  CHECK_THROWS_AS(join_metrics({"delay", "delay"}), InputError);
}

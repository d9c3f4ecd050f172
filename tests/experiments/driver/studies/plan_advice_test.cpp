// What a plan's sentences promise, from estimates that are given.
#include <catch2/catch.hpp>

#include "experiments/driver/studies/plan_report.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Of one policy whose most work was tried on other random numbers with that RF, at a risk of 5 %.
std::string about_most_work(const Estimate& late) {
  Alternative plan;
  plan.scenario = std::make_shared<const Scenario>(computing(machines(1, NetworkKind::none), 1e12, dedicated_owner()));
  plan.plan.deadline_s = 100;
  plan.row.values = {"equal"};
  plan.row.estimates.assign(plan_metrics(true).size(), {Estimate{90, 85, 95}});
  plan.row.estimates.back() = {Estimate{0, 0, 0.01}};
  plan.safe_deadline = Estimate{90, 85, 95};
  plan.most_work = WorkLimit{{1.1e12, 1e12, 1.2e12}, late};
  PlanReport report;
  report.request.work_flop = 1e12;
  report.request.deadline_s = 100;
  report.request.risk = 0.05;
  report.request.policies = {plan.name()};
  report.plans = {plan};
  report.advice.best = 0;
  return advice_sentences(report).back();
}

}  // namespace

TEST_CASE("Work is said to fit only where other random numbers do not gainsay it", "[computes][plan]") {
  CHECK_THAT(about_most_work({0.04, 0.03, 0.06}), Contains("1 Tflop fit by"));
  CHECK_THAT(about_most_work({0.08, 0.06, 0.1}), Contains("is not sure") && !Contains(" fit by"));
}

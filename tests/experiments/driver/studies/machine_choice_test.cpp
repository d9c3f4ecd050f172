// What sets of machines are tried, by judges that need no simulation.
#include "experiments/driver/studies/machine_choice.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <set>

using namespace nowsim;

namespace {

MachineField field_of(std::size_t n) {
  MachineField f;
  f.machines = n;
  f.orders.emplace_back(n);
  std::iota(f.orders.front().begin(), f.orders.front().end(), std::size_t{0});
  f.kinds = f.orders.front();
  return f;
}

/// tau of 1000 units of work where each machine adds one unit of speed and costs `cost` for synchronising, but machines
/// of `bad` add nothing.
JudgeSets judge_of(double cost, const std::set<std::size_t>& bad = {}) {
  return [=](const std::vector<MachineSet>& sets) {
    std::vector<SetOutcome> out;
    for (const auto& set : sets) {
      const auto good = std::ranges::count_if(set, [&](std::size_t i) { return !bad.contains(i); });
      out.push_back({0, 0, 1000 / (static_cast<double>(good) + 1e-9) + cost * static_cast<double>(set.size())});
    }
    return out;
  };
}

}  // namespace

TEST_CASE("Of few machines every set is tried", "[computes][machines]") {
  const MachineSearch search = search_machines(field_of(5), judge_of(0));
  CHECK(search.is_exhaustive);
  CHECK(search.tried.size() == 31);
  CHECK(search.best(1).front().size() == 5);
  CHECK(search.best_by_size().size() == 5);
}

TEST_CASE("Machines that are alike are counted, not told apart", "[machines]") {
  MachineField f = field_of(6);
  f.kinds = {0, 1, 1, 1, 1, 5};
  const MachineSearch search = search_machines(f, judge_of(0));
  CHECK(search.tried.size() == 2 * 5 * 2 - 1);
  CHECK(search.tried.contains({1, 2}));
  CHECK_FALSE(search.tried.contains({1, 3}));
}

TEST_CASE("More machines are taken only as long as they pay", "[machines]") {
  // 1000/k + 10 k is least at k = 10.
  const MachineSearch search = search_machines(field_of(30), judge_of(10));
  CHECK_FALSE(search.is_exhaustive);
  CHECK(search.best(1).front().size() == 10);
  CHECK(search.tried.size() < 5000);
}

TEST_CASE("Machines that are in the way of every order's prefix are dropped one by one", "[machines]") {
  const std::set<std::size_t> bad{3, 7, 11};
  const MachineSearch search = search_machines(field_of(20), judge_of(1, bad));
  const MachineSet best = search.best(1).front();
  CHECK(best.size() == 17);
  for (const std::size_t i : bad) CHECK(std::ranges::count(best, i) == 0);
}

TEST_CASE("A job that needs several machines is not tried on fewer", "[machines]") {
  MachineField f = field_of(4);
  f.least = 3;
  CHECK(search_machines(f, judge_of(1000)).best(1).front().size() == 3);
}

TEST_CASE("RF is the objective where it tells sets apart, else the quantile or tau", "[machines]") {
  const auto judged_by = [](double late_of_small, double late_of_large, bool has_risk, double tau_of_small = 1) {
    MachineField f = field_of(3);
    f.has_deadline = true;
    f.has_risk = has_risk;
    return search_machines(f,
                           [=](const std::vector<MachineSet>& sets) {
                             std::vector<SetOutcome> out;
                             for (const auto& set : sets)
                               out.push_back(set.size() < 3 ? SetOutcome{late_of_small, 1, tau_of_small}
                                                            : SetOutcome{late_of_large, 1, 1});
                             return out;
                           })
        .objective;
  };
  CHECK(judged_by(0.5, 0.2, true) == SetObjective::late);
  CHECK(judged_by(1, 0.9, false) == SetObjective::late);
  CHECK(judged_by(0.5, 0, true) == SetObjective::late);  // one that never misses the deadline tells most of all
  CHECK(judged_by(0, 0.3, false) == SetObjective::late);
  CHECK(judged_by(0, 0, true) == SetObjective::quantile);
  CHECK(judged_by(0, 0, false) == SetObjective::tau);
  CHECK(judged_by(1, 1, false) == SetObjective::tau);
  CHECK(judged_by(1, 0, false, HUGE_VAL) == SetObjective::tau);  // those that cannot run tell nothing
}

TEST_CASE("Sets of one RF are ordered by the quantile, then by tau", "[machines]") {
  MachineSearch search;
  search.objective = SetObjective::late;
  CHECK(search.is_better({0.1, 9, 9}, {0.2, 1, 1}));
  CHECK(search.is_better({0.1, 1, 9}, {0.1, 2, 1}));
  CHECK(search.is_better({0.1, 1, 1}, {0.1, 1, 2}));
}

TEST_CASE("Of a size, sets judged by all replications come before lucky ones", "[machines]") {
  MachineSearch search;
  search.tried = {{{0}, {0, 0, 5}}, {{1}, {0, 0, 4}}, {{2}, {0, 0, 3}}, {{0, 1}, {1, HUGE_VAL, HUGE_VAL}}};
  CHECK(search.best_by_size() == std::vector<MachineSet>{{2}});  // nor is there one of two that can run
  search.confirmed = {{0}, {1}};
  CHECK(search.best_by_size() == std::vector<MachineSet>{{1}});
}

TEST_CASE("A choice that is surely worse on fresh random numbers is not the plan's", "[machines]") {
  const auto judged = [](const Estimate& late_less, const Estimate& takes_less) {
    MachineChoice choice;
    choice.objective = SetObjective::late;
    choice.by_size.resize(2);
    choice.late_less = late_less;
    choice.takes_less = takes_less;
    reject_if_worse(choice);
    return choice;
  };
  const MachineChoice worse = judged({-0.2, -0.3, -0.1}, {5, 4, 6});
  CHECK(worse.takes_all());
  CHECK(worse.rejected == 0U);
  CHECK(judged({-0.1, -0.3, 0.1}, {-5, -6, -4}).takes_all());  // RF does not tell, tau does
  const MachineChoice better = judged({0.2, 0.1, 0.3}, {-5, -6, -4});
  CHECK_FALSE(better.takes_all());
  CHECK_FALSE(better.rejected);
}

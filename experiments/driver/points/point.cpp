// Going over a point's states.
#include "experiments/driver/points/point.hpp"

#include <array>

namespace nowsim {
namespace {

/// In the order of PointStatus.
constexpr std::array kStatusNames{"ok", "infeasible", "infeasible", "failed", "pending"};

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // which clang needs until its version 17

}  // namespace

const char* status_name(PointStatus status) { return kStatusNames.at(static_cast<std::size_t>(status)); }

std::optional<PointStatus> status_named(const std::string& name) {
  for (std::size_t k = 0; k < kStatusNames.size(); ++k)
    if (name == kStatusNames[k]) return static_cast<PointStatus>(k);
  return std::nullopt;
}

std::vector<const Scenario*> PointScenarios::all() const {
  std::vector<const Scenario*> all;
  for (const auto& s : {scenario, baseline, step1})
    if (s) all.push_back(s.get());
  return all;
}

const PointScenarios* Point::simulated() const {
  using Found = const PointScenarios*;
  return std::visit(Overloaded{[](const ReadyPoint& ready) -> Found { return &ready.scenarios; },
                                 [](const OpenSplit& open) -> Found { return &open.provisional; },
                                 [](const OpenSize& open) -> Found {
                                   return open.provisional ? &*open.provisional : nullptr;
                                 },
                                 [](const UnreadPoint&) -> Found { return nullptr; },
                                 [](const InfeasiblePoint&) -> Found { return nullptr; },
                                 [](const UnsolvedPoint&) -> Found { return nullptr; },
                                 [](const FailedPoint&) -> Found { return nullptr; }},
                    state);
}

std::shared_ptr<const Scenario> Point::scenario() const {
  const PointScenarios* known = simulated();
  return known != nullptr ? known->scenario : nullptr;
}

PointStatus Point::status() const {
  return std::visit(Overloaded{[](const UnreadPoint&) { return PointStatus::infeasible; },
                                 [](const InfeasiblePoint&) { return PointStatus::infeasible; },
                                 [](const UnsolvedPoint&) { return PointStatus::unsolved; },
                                 [](const FailedPoint&) { return PointStatus::failed; },
                                 [](const OpenSize&) { return PointStatus::pending; },
                                 [](const OpenSplit&) { return PointStatus::pending; },
                                 [](const ReadyPoint&) { return PointStatus::pending; }},
                    state);
}

std::string Point::reason() const {
  return std::visit(
      [](const auto& known) -> std::string {
        if constexpr (requires { known.reason; }) return known.reason;
        else return "";
      },
      state);
}

}  // namespace nowsim

// SS and CSS: chunks of one size.
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

Technique pure_self_scheduling() {
  return {.name = "SS",
          .summary = "one task at a time",
          .citation = "Tang & Yew, ICPP 1986",
          .next = [](LoopState&, std::size_t) { return std::int64_t{1}; },
          .has_least = false};
}

Technique chunk_self_scheduling() {
  return {.name = "CSS",
          .summary = "k tasks at a time",
          .citation = "Kruskal & Weiss, IEEE TSE 11(10), 1985",
          .next = [](LoopState& s, std::size_t) { return s.parameters.whole_or("chunk", 1); },
          .has_least = false,
          .keys = {{"chunk", KeyType::count, kMustBeGiven, "tasks at a time", {1}}}};
}

/// Nothing to schedule: in a list of techniques, what they are compared with.
Technique static_chunking() {
  return {.name = "static",
          .summary = "each worker gets the share that the split gives it, at once",
          .next = nullptr,
          .has_least = false,
          .uses_shares = true};
}

}  // namespace nowsim

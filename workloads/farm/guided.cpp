// GSS: a part of what remains.
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

Technique guided_self_scheduling() {
  return {.name = "GSS",
          .summary = "guided: ceil(R/P) of the R tasks that remain, for P workers",
          .citation = "Polychronopoulos & Kuck, IEEE TC 36(12), 1987",
          .next = [](LoopState& s, std::size_t) { return ceil_div(s.remaining, s.workers()); }};
}

}  // namespace nowsim

// A self-scheduling technique of one's own: a part of a fair share of what remains.
#include "additions.hpp"

nowsim::Technique half_of_a_share() {
  return {.name = "half-share",
          .summary = "ceil(R/(divisor*P)) of the R tasks that remain, for P workers",
          .next = [](nowsim::LoopState& s, std::size_t) {
            return nowsim::ceil_div(s.remaining, s.parameters.whole_or("divisor", 2) * s.workers());
          },
          .keys = {{"divisor", nowsim::KeyType::count, "2", "of a fair share", {1}}}};
}

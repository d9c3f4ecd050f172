// The sentences.
#include "sim/statistics/law_requirements.hpp"

#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

void require(bool holds, const std::string& sentence) {
  if (!holds) throw InputError(sentence);
}

void require_positive(double x, const std::string& what) {
  require(x > 0 && std::isfinite(x),
          what + " = " + number_text(x) + " is not possible: it must be positive and finite");
}

void require_sd(double sd, const std::string& what) {
  require_positive(sd, what);
  require(std::isfinite(sd * sd),
          what + " = " + number_text(sd) + " is not possible: its square is beyond what doubles hold");
}

}  // namespace nowsim

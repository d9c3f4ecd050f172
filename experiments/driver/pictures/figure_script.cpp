// By the table of kinds.
#include "experiments/driver/pictures/figure_script.hpp"

namespace nowsim {

std::string figure_script(const Figure& figure, const ResultTable& summary, const std::string& name) {
  return figure.kind->script(resolved_figure(figure, summary, name));
}

}  // namespace nowsim

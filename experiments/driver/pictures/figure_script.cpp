// By the table of kinds.
#include "experiments/driver/pictures/figure_script.hpp"

#include "experiments/driver/pictures/figure_kinds.hpp"

namespace nowsim {

std::string figure_script(const Figure& figure, const Summary& summary, const std::string& name) {
  return drawing_of(figure.kind()).script(resolved_figure(figure, summary, name));
}

}  // namespace nowsim

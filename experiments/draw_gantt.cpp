// Having the chart's script drawn.
#include "experiments/draw_gantt.hpp"

#include "experiments/draw_script.hpp"

namespace nowsim {

std::string draw_gantt(const Timeline& timeline, const std::string& title, PictureFormat format) {
  return draw_script(gantt_script(timeline, title, format));
}

}  // namespace nowsim

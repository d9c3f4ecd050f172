// The chart's script, drawn.
#include "experiments/driver/pictures/draw_gantt.hpp"

namespace nowsim {

std::string draw_gantt(const Timeline& timeline, const std::optional<LinkUse>& link, const std::string& title,
                       PictureFormat format) {
  return draw_picture(gantt_script(timeline, link, title, format));
}

}  // namespace nowsim

// Where there are no processes there is no gnuplot.
#include "experiments/driver/pictures/draw_picture.hpp"
#include "sim/base/error.hpp"

namespace nowsim {

void check_gnuplot() { throw RunError("gnuplot, which draws pictures, cannot be called here"); }

void run_gnuplot(const std::filesystem::path&, const std::string&) { check_gnuplot(); }

}  // namespace nowsim

// The functions' approximations.
#include "sim/statistics/portable.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace nowsim::portable {

double log(double x) { return std::log(x); }
double log1p(double x) { return std::log1p(x); }
double log2(double x) { return std::log2(x); }
double exp(double x) { return std::exp(x); }
double expm1(double x) { return std::expm1(x); }
double pow(double x, double y) { return std::pow(x, y); }
double erfc(double x) { return std::erfc(x); }
double erfc_inv(double y) { return boost::math::erfc_inv(y); }
double cos_of_turns(double turns) { return std::cos(2 * std::numbers::pi * turns); }

}  // namespace nowsim::portable

// Elementary functions with the same bits on every machine, with any C library and at every width of register.
#pragma once

namespace nowsim::portable {

/// Natural logarithm. x > 0.
double log(double x);
/// log(1 + x), x > -1.
double log1p(double x);
double log2(double x);
double exp(double x);
/// exp(x) - 1.
double expm1(double x);
/// x > 0.
double pow(double x, double y);
/// The complementary error function, and its inverse on (0, 2).
double erfc(double x);
double erfc_inv(double y);
/// cos(2 pi turns).
double cos_of_turns(double turns);

}  // namespace nowsim::portable

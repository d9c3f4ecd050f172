// Elementary functions, and quantiles of beta and Student's laws, with the same bits on every machine, with any C
// library and at every width of register.
#pragma once

// Made of IEEE additions, subtractions, multiplications, divisions, square roots, comparisons and integers alone,
// compiled without contraction. Errors are the greatest found against long double, in units in the last place (ulp) of
// the result, rounded up; portable_test.cpp measures them.

namespace nowsim::portable {

/// Natural logarithm, within 0.9 ulp. -inf of 0, NaN of what is below.
double log(double x);
/// log(1 + x), x > -1, within 0.9 ulp. -inf of -1, NaN of what is below.
double log1p(double x);
/// Within 1.8 ulp; exact for powers of two.
double log2(double x);
/// Within 1 ulp, subnormal results too; 0 or infinite beyond.
double exp(double x);
/// exp(x) - 1, within 1.3 ulp.
double expm1(double x);
/// x^y, x > 0, within 1.5 ulp wherever the result is normal; pow(x, 1) == x. NaN for x < 0.
double pow(double x, double y);
/// The length of a vector, within 1.3 ulp wherever the result is normal.
double hypot(double x, double y);
/// The complementary error function, within 3.8 ulp down to the least subnormal numbers; 1.2 ulp for x < 1/2.
double erfc(double x);
/// Its inverse on (0, 2), within 3 ulp at both ends and around 1; infinite at 0 and 2, NaN outside.
double erfc_inv(double y);
/// cos(2 pi turns) for any finite number of turns, within 1.3 ulp; exact at quarters.
double cos_of_turns(double turns);

}  // namespace nowsim::portable

namespace nowsim {

/// The x that a beta law is below with this probability, or above; one of a > 0 and b > 0 is at least 1. 0 < probability
/// < 1.
double beta_quantile(double a, double b, double below);
double beta_quantile_above(double a, double b, double above);
/// The t that Student's law is above with a probability of at most 1/2.
double student_quantile_above(double degrees_of_freedom, double above);

}  // namespace nowsim

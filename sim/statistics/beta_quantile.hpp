// Quantiles of beta and Student's laws, with the same bits on every machine: the intervals of shares and of means.
#pragma once

namespace nowsim {

/// The x that a beta law is below with this probability, or above; one of a > 0 and b > 0 is at least 1. 0 < probability
/// < 1.
double beta_quantile(double a, double b, double below);
double beta_quantile_above(double a, double b, double above);
/// The t that Student's law is above with a probability of at most 1/2.
double student_quantile_above(double degrees_of_freedom, double above);

}  // namespace nowsim

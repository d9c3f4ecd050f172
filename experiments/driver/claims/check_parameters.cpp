// Reading what claims ask, and what makes no sense of it.
#include "experiments/driver/reading/axis_scale.hpp"
#include "experiments/driver/claims/check_parameters.hpp"

namespace nowsim::checks {

CheckReader asking_nothing(ClaimResult (*check)(const Claim&, const ResultTable&)) {
  return [check](Reader&) -> BoundCheck { return check; };
}

std::optional<double> number_if_given(Reader& read, const std::string& key) {
  return read.has(key) ? std::optional(read.value(key)) : std::nullopt;
}

void need_either(Reader& read, const std::string& a, const std::string& b) {
  if (!read.has_block(a) && !read.has_block(b))
    read.problem("", "the check '" + read.text("check") + "' needs '" + a + "', '" + b + "' or both");
}

ClaimedBounds::ClaimedBounds(Reader& read)
    : least(number_if_given(read, "least")), most(number_if_given(read, "most")) {
  if (least && most && *least > *most) read.problem("least", "'least' is more than 'most'");
  need_either(read, "least", "most");
}

AcrossAxis::AcrossAxis(Reader& read) : across(read.text("across")) {
  if (!across.empty() && across == read.text("along"))
    read.problem("across", "'along' and 'across' are different axes");
}

TwoCurves::TwoCurves(Reader& read) : AcrossAxis(read), higher(read.text("higher")), lower(read.text("lower")) {
  if (!higher.empty() && same_axis_value(higher, lower))
    read.problem("higher", "'higher' and 'lower' are different values of 'across'");
}

}  // namespace nowsim::checks

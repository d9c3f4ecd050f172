// Availability profiles: what is read is written so that it is read again as the same, and has a path.
#include "sim/owners/profile.hpp"

#include <cmath>
#include <stdexcept>

#include "sim/base/error.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/verdict.hpp"

namespace nowsim::test {
namespace {

void read_profile_as(ProfileQuantity quantity, const std::string& text) {
  const Profile profile = parse_profile(text, "a.profile", quantity);
  try {
    if (parse_profile(write_profile(profile), "b.profile", quantity) != profile)
      throw std::logic_error("what is written is another profile");
  } catch (const InputError& e) {
    throw std::logic_error("what is written cannot be read: " + std::string(e.what()));
  }
  const auto path = profile_path(std::make_shared<const Profile>(profile), quantity, 1, 0, {});
  constexpr int kSteps = 20;
  for (int i = 0; i < kSteps; ++i) {
    const Step step = path->next();
    if (!(step.duration_s > 0) || !std::isfinite(step.value) || step.value < 0)
      throw std::logic_error("a step that cannot be");
  }
}

}  // namespace

void fuzz_profile(std::string_view input) {
  const std::string text(input);
  for (const auto quantity :
       {ProfileQuantity::fraction, ProfileQuantity::bandwidth, ProfileQuantity::latency, ProfileQuantity::state}) {
    const std::string fault = fault_of([&] { read_profile_as(quantity, text); }, input);
    if (!fault.empty()) throw std::logic_error(fault);
  }
}

}  // namespace nowsim::test

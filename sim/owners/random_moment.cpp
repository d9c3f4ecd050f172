// Drawing the moments at which paths start.
#include "sim/owners/random_moment.hpp"

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

double drawn_start(StreamKey key) {
  if (key.purpose == Purpose::owner) key.purpose = Purpose::owner_offset;
  return Stream(key).uniform();
}

double drawn_start_of_set(const StreamKey& key, std::uint64_t set) {
  return Stream({key.seed, key.replication, kAllWorkstations - set, Purpose::owner_offset}).uniform();
}

const std::vector<std::string>& trace_start_names() {
  static const std::vector<std::string> names{"random", "independent", "common", "beginning"};
  return names;
}

RandomMoment::RandomMoment(double correlation, bool is_random) : factor_(correlation) {
  if (correlation > 0 && !is_random)
    throw InputError("a correlation is one of random starts: paths that start at a given moment have none");
}

double RandomMoment::draw(const StreamKey& key) const {
  const double own = drawn_start(key);
  if (!is_correlated()) return own;
  const Purpose purpose = key.purpose == Purpose::owner ? Purpose::common_offset : Purpose::common_bandwidth_offset;
  const double common = Stream({key.seed, key.replication, kAllWorkstations, purpose}).uniform();
  return factor_.uniform(CommonFactor::normal(common), CommonFactor::normal(own));
}

std::string RandomMoment::text() const {
  return is_correlated() ? " correlation=" + number_text(factor_.weight()) : "";
}

}  // namespace nowsim

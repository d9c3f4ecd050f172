// What people are told: estimates in units that they read, times side by side, names near to one that is not there.
#include <catch2/catch.hpp>
#include <limits>
#include <string>

#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"

using namespace nowsim;
using nowsim::did_you_mean;
using nowsim::near_names;
using nowsim::Words;

namespace {

Estimate exact(double value) { return {value, value, value}; }

TimeRange range(std::initializer_list<double> times_s) {
  TimeRange out;
  for (const double t_s : times_s) out.add(t_s);
  return out;
}

std::string unit(std::initializer_list<double> times_s) { return unit_of_times(range(times_s)).name; }

const Words kKeys{"title", "owner.TH", "owner.SH", "owner.model", "bandwidth.TH", "job.technique", "run.replications", "run.seed"};

}  // namespace

TEST_CASE("Times are told in units that people read", "[reads][estimate_text]") {
  CHECK(quantity_text(exact(7200), " s") == "2 h");
  CHECK(quantity_text(exact(7199.4), " s") == "119.99 min");
  CHECK(quantity_text(exact(600), " s") == "10 min");
  CHECK(quantity_text(exact(599), " s") == "599 s");
  CHECK(quantity_text(exact(0.1), " s") == "0.1 s");
  CHECK(quantity_text(exact(0.05), " s") == "50 ms");
  CHECK(quantity_text(exact(5e-5), " s") == "50 us");
  CHECK(quantity_text(exact(-36000), " s") == "-10 h");
  CHECK(quantity_text(exact(0), " s") == "0 s");
  CHECK(quantity_text({61200, 60840, 61560}, " s") == "17.00 ± 0.10 h");
  CHECK(quantity_text({0, -0.02, 0.02}, " s") == "0 ± 20 ms");  // the interval's size, where the value has none
}

TEST_CASE("Other units are told as they are", "[estimate_text]") {
  CHECK(quantity_text(exact(7200), " %") == "7200 %");
  CHECK(quantity_text(exact(0.01), "") == "0.01");
  CHECK(quantity_text(exact(36000), told_unit(60, " s")) == "36000 s");  // as the largest of a sentence wants it
}

TEST_CASE("What has no value has no unit, and what is infinite or has no interval keeps its own", "[estimate_text]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  CHECK(quantity_text({nan, nan, nan}, " s") == "-");
  CHECK(quantity_text({1800, nan, nan}, " s") == "30 ± ? min");
  CHECK(quantity_text(exact(infinity), " s") == "inf ± ? s");
}

TEST_CASE("Times are told in minutes or more where each is of ten minutes at least", "[told_times]") {
  CHECK(unit({}) == "s");
  CHECK(unit({599, 40000}) == "s");
  CHECK(unit({600, 40000}) == "min");
  CHECK(unit({600, 50000}) == "h");
  CHECK(unit({1e4, 2e6}) == "d");
  CHECK(unit({0, -700, 900}) == "min");  // differences have a size too, and 0 has none
  CHECK(unit({700, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) == "min");
  CHECK(unit_of_times(range({700})).seconds == 60);
}

TEST_CASE("Of ranges side by side the longest decides, and very short ones stay in seconds", "[told_times]") {
  const auto units = units_of_times({range({100, 200}), range({6000, 7000}), range({5, 900}), range({})});
  REQUIRE(units.size() == 4);
  CHECK(std::string(units[0].name) == "min");
  CHECK(std::string(units[1].name) == "min");
  CHECK(std::string(units[2].name) == "s");  // 5 s are less than a tenth of a minute
  CHECK(std::string(units[3].name) == "min");
  // The longest is told in seconds: so are all.
  for (const auto& u : units_of_times({range({700, 800}), range({100, 5000})})) CHECK(std::string(u.name) == "s");
  CHECK(units_of_times({}).empty());
}

TEST_CASE("Of names with parts a bare last part, or one in a wrong block, finds the whole", "[near_names]") {
  CHECK(near_names("replications", kKeys) == Words{"run.replications"});
  CHECK(near_names("TH", kKeys) == Words{"owner.TH", "bandwidth.TH"});
  CHECK(near_names("job.replications", kKeys) == Words{"run.replications"});
  CHECK(near_names("model", kKeys) == Words{"owner.model"});
  CHECK(near_names("lab-night", {"labs/lab-night", "self-scheduling/lab-now"}) == Words{"labs/lab-night"});
}

TEST_CASE("Few letters off are forgiven in each part of a name", "[near_names]") {
  CHECK(near_names("ownr.TH", kKeys) == Words{"owner.TH"});
  CHECK(near_names("owner.THH", kKeys) == Words{"owner.TH"});
  CHECK(near_names("jobs.tecnique", kKeys) == Words{"job.technique"});
  CHECK(near_names("replication", kKeys) == Words{"run.replications"});
  CHECK(near_names("runs.replication", kKeys) == Words{"run.replications"});
  CHECK(near_names("OWNER.th", kKeys) == Words{"owner.TH"});
  CHECK(near_names("owner.XYZ", kKeys).empty());  // three letters of three: nothing is left of them
  CHECK(near_names("x", {"y"}).empty());
  CHECK(near_names("zzzzzz", kKeys).empty());
}

TEST_CASE("Of several equally near names at most three are told, and the nearest alone where there is one",
          "[near_names]") {
  CHECK(near_names("ab", {"ac", "ad", "ae", "af"}) == Words{"ac", "ad", "ae"});
  CHECK(near_names("abcdef", {"abcdxx", "abcdex"}) == Words{"abcdex"});
  CHECK(near_names("gss", {"SS", "GSS"}) == Words{"GSS"});
  CHECK(near_names("ab", {"ac", "ac"}) == Words{"ac"});
  CHECK(did_you_mean("ab", {"ac"}) == "; did you mean 'ac'?");
  CHECK(did_you_mean("ab", {"ac", "ad"}) == "; did you mean 'ac' or 'ad'?");
  CHECK(did_you_mean("ab", {"ac", "ad", "ae"}, "x.") == "; did you mean 'x.ac', 'x.ad' or 'x.ae'?");
  CHECK(did_you_mean("ab", {"cd"}).empty());
}

TEST_CASE("Beginnings of names, and words within them, find them where nothing is nearer", "[near_names]") {
  CHECK(near_names("--form", {"--set", "--format"}) == Words{"--format"});
  CHECK(near_names("lab-ni", {"labs/lab-night"}) == Words{"labs/lab-night"});
  CHECK(near_names("night", {"labs/lab-night", "labs/clock"}) == Words{"labs/lab-night"});
  CHECK(near_names("la", {"labs/lab-night"}).empty());  // too short to tell
  CHECK(near_names("", {"labs/lab-night"}).empty());
}

#include "experiments/driver/text/name_lists.hpp"

#include <catch2/catch.hpp>

using nowsim::did_you_mean;
using nowsim::near_names;
using nowsim::Words;

namespace {

const Words kKeys{"title", "owner.TH", "owner.SH", "owner.model", "bandwidth.TH", "job.technique", "run.replications", "run.seed"};

}  // namespace

TEST_CASE("Of names with parts a bare last part, or one in a wrong block, finds the whole", "[reads][near_names]") {
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

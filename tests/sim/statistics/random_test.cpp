// Random streams: known answers that may never change, independence of streams, and uniformity.
// clang-format off
#include <initializer_list>  // before sim/statistics/random.hpp, which loops over one without including this
#include "sim/statistics/random.hpp"
// clang-format on

#include <array>
#include <bit>
#include <boost/math/distributions/chi_squared.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

using namespace nowsim;

namespace {

/// The published generators, written from their definitions and checked below against published outputs.
std::uint64_t split_mix_finaliser(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

struct ReferenceMixer {
  std::uint64_t state;
  std::uint64_t next() { return split_mix_finaliser(state += 0x9e3779b97f4a7c15ULL); }
};

struct Xoshiro256Plus {
  std::array<std::uint64_t, 4> s;
  std::uint64_t next() {
    const std::uint64_t result = s[0] + s[3], t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t;
    s[3] = std::rotl(s[3], 45);
    return result;
  }
};

/// A stream as its documentation says it is made: the key's words hashed one after the other, then SplitMix64.
Xoshiro256Plus documented_stream(const StreamKey& key) {
  std::uint64_t h = 0;
  for (const std::uint64_t word : {key.seed, key.replication, key.workstation, std::uint64_t(key.purpose)})
    h = ReferenceMixer{h + word}.next();
  ReferenceMixer seeder{h};
  return {{seeder.next(), seeder.next(), seeder.next(), seeder.next()}};
}

std::vector<double> draws(const StreamKey& key, int n) {
  Stream stream(key);
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(stream.uniform());
  return out;
}

/// Pearson's statistic of counts that should be equal.
double chi_square(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

/// Within the central 99.9 % of the law of the statistic: too even is as wrong as too uneven.
void check_chi_square(double statistic, double degrees) {
  const boost::math::chi_squared law(degrees);
  CHECK(statistic > quantile(law, 0.0005));
  CHECK(statistic < quantile(law, 0.9995));
}

double correlation(const std::vector<double>& a, const std::vector<double>& b, std::size_t lag = 0) {
  double sum = 0;
  const std::size_t n = a.size() - lag;
  for (std::size_t i = 0; i < n; ++i) sum += (a[i] - 0.5) * (b[i + lag] - 0.5);
  return 12 * sum / static_cast<double>(n);
}

}  // namespace

TEST_CASE("the reference generators reproduce their published outputs", "[computes][random]") {
  ReferenceMixer mixer{1234567};
  for (const std::uint64_t expected : {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
                                       4593380528125082431ULL, 16408922859458223821ULL})
    CHECK(mixer.next() == expected);
  Xoshiro256Plus generator{{1, 2, 3, 4}};
  for (const std::uint64_t expected : {5ULL, 211106232532999ULL, 211106635186183ULL, 9223759065350669058ULL,
                                       9250833439874351877ULL, 13862484359527728515ULL, 2346507365006083650ULL,
                                       1168864526675804870ULL, 34095955243042024ULL, 3466914240207415127ULL})
    CHECK(generator.next() == expected);
}

TEST_CASE("a stream is xoshiro256+ seeded by SplitMix64 from its key, upper 53 bits", "[random]") {
  for (const StreamKey& key : {StreamKey{}, StreamKey{42, 7, 3, Purpose::workload},
                               StreamKey{~0ULL, 999, kAllWorkstations, Purpose::latency}}) {
    Stream stream(key);
    Xoshiro256Plus reference = documented_stream(key);
    for (int i = 0; i < 1000; ++i) REQUIRE(stream.uniform() == std::ldexp(double(reference.next() >> 11), -53));
  }
}

TEST_CASE("the first numbers of two streams are these for ever", "[random]") {
  CHECK(draws({1, 0, 0, Purpose::owner}, 3) ==
        std::vector<double>{0x1.94d1278b0bf3ap-1, 0x1.9db229b888edp-1, 0x1.5a06423fca16cp-3});
  CHECK(draws({42, 7, 3, Purpose::workload}, 3) ==
        std::vector<double>{0x1.e6579cc9a5c74p-1, 0x1.39faea81fdb08p-2, 0x1.8435d9cff1a7p-5});
}

TEST_CASE("the purposes keep their numbers, which are part of the results", "[random]") {
  const std::array purposes{Purpose::owner,    Purpose::owner_offset, Purpose::bandwidth,
                            Purpose::workload, Purpose::state,        Purpose::latency};
  for (std::size_t i = 0; i < purposes.size(); ++i) CHECK(static_cast<std::size_t>(purposes[i]) == i + 1);
}

TEST_CASE("a change of any one component of the key changes the stream", "[random]") {
  const StreamKey key{5, 6, 7, Purpose::bandwidth};
  const std::array others{key,
                          StreamKey{6, 6, 7, Purpose::bandwidth},
                          StreamKey{5, 7, 7, Purpose::bandwidth},
                          StreamKey{5, 6, 8, Purpose::bandwidth},
                          StreamKey{5, 6, 7, Purpose::workload},
                          StreamKey{6, 5, 7, Purpose::bandwidth},
                          StreamKey{5, 6, kAllWorkstations, Purpose::bandwidth}};
  std::set<std::vector<double>> different;
  for (const StreamKey& other : others) different.insert(draws(other, 2));
  CHECK(different.size() == others.size());
}

TEST_CASE("no two of many neighbouring keys share their first number", "[random]") {
  std::set<double> first;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (std::uint64_t replication = 0; replication < 100; ++replication)
      for (std::uint64_t workstation = 0; workstation < 20; ++workstation)
        for (const Purpose purpose : {Purpose::owner, Purpose::bandwidth})
          first.insert(Stream({seed, replication, workstation, purpose}).uniform());
  CHECK(first.size() == 40000);
}

TEST_CASE("draws lie from 0 up to 1 on a grid of 2^-53", "[random]") {
  for (const double u : draws({}, 10000)) {
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    REQUIRE(std::ldexp(u, 53) == std::floor(std::ldexp(u, 53)));
  }
}

TEST_CASE("one stream is uniform by the chi-square test at 99.9 %", "[random]") {
  std::vector<int> counts(256);
  for (const double u : draws({2024, 1, 1, Purpose::owner}, 256000)) ++counts[static_cast<std::size_t>(u * 256)];
  check_chi_square(chi_square(counts, 1000), 255);
}

TEST_CASE("the first draws of successive replications are uniform by the chi-square test at 99.9 %", "[random]") {
  std::vector<int> counts(100);
  for (std::uint64_t replication = 0; replication < 100000; ++replication)
    ++counts[static_cast<std::size_t>(Stream({1, replication, 0, Purpose::owner}).uniform() * 100)];
  check_chi_square(chi_square(counts, 1000), 99);
}

TEST_CASE("pairs of first draws of neighbouring workstations fill the square evenly at 99.9 %", "[random]") {
  std::vector<int> counts(400);
  for (std::uint64_t i = 0; i < 40000; ++i) {
    const double x = Stream({1, 0, i, Purpose::owner}).uniform(), y = Stream({1, 0, i + 1, Purpose::owner}).uniform();
    ++counts[static_cast<std::size_t>(x * 20) * 20 + static_cast<std::size_t>(y * 20)];
  }
  check_chi_square(chi_square(counts, 100), 399);
}

TEST_CASE("streams of neighbouring workstations, and one stream at a lag, are uncorrelated", "[random]") {
  // Each correlation of n pairs is nearly normal with sd 1/sqrt(n); 5 sd is exceeded once in 1.7 million.
  const int n = 20000;
  const double bound = 5 / std::sqrt(double(n));
  std::vector<double> previous = draws({1, 0, 0, Purpose::owner}, n);
  for (std::uint64_t workstation = 1; workstation <= 20; ++workstation) {
    const std::vector<double> current = draws({1, 0, workstation, Purpose::owner}, n);
    CHECK(std::abs(correlation(previous, current)) < bound);
    CHECK(std::abs(correlation(previous, current, 1)) < bound);
    CHECK(std::abs(correlation(current, current, 1)) < bound);
    previous = current;
  }
}

// HL's base task as a plain loop over replications, workstations and intervals, without an engine: the program one
// writes first in C++. A peer for the benchmark, not a part of nowsim.
// usage: scalar_loop [--xoshiro] [--replications R]   (100,000 replications from std::mt19937_64 unless given)
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>

#include "sim/statistics/random.hpp"

namespace {

constexpr int kWorkstations = 8;
constexpr double kWork = 100, kMean = 0.5, kTh = 0.28, kInterval = 10;

/// Draws through the standard library alone.
class Standard {
 public:
  double value() { return value_(generator_); }
  double length() { return length_(generator_); }

 private:
  std::mt19937_64 generator_{1};
  std::uniform_real_distribution<> value_{kMean * (1 - kTh * std::sqrt(3.0)), kMean * (1 + kTh * std::sqrt(3.0))};
  std::uniform_real_distribution<> length_{0, 2 * kInterval};
};

/// nowsim's own stream, xoshiro256+, one for all.
class Xoshiro {
 public:
  double value() { return least_ + width_ * stream_.uniform(); }
  double length() { return 2 * kInterval * stream_.uniform(); }

 private:
  nowsim::Stream stream_{nowsim::StreamKey{}};
  double least_ = kMean * (1 - kTh * std::sqrt(3.0)), width_ = 2 * kMean * kTh * std::sqrt(3.0);
};

template <class Random>
void simulate(long replications) {
  const std::clock_t begin = std::clock();  // processor time
  Random random;
  long intervals = 0;
  double mean = 0, squares = 0;  // Welford's running mean and sum of squared deviations
  for (long r = 1; r <= replications; ++r) {
    double makespan = 0;
    for (int i = 0; i < kWorkstations; ++i) {
      double clock = 0, work = kWork;
      for (;;) {
        ++intervals;
        const double value = random.value(), length = random.length();
        if (value * length >= work) {
          makespan = std::max(makespan, clock + work / value);
          break;
        }
        clock += length;
        work -= value * length;
      }
    }
    const double off = makespan - mean;
    mean += off / static_cast<double>(r);
    squares += off * (makespan - mean);
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("replications %ld tau %.6g sigma_T %.6g intervals %ld seconds %.6f ns_per_interval %.4g\n",
              replications, mean, std::sqrt(squares / static_cast<double>(replications - 1)), intervals, seconds,
              1e9 * seconds / static_cast<double>(intervals));
}

}  // namespace

int main(int argc, char** argv) {
  bool xoshiro = false;
  long replications = 100'000;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--xoshiro") == 0) {
      xoshiro = true;
    } else if (std::strcmp(argv[i], "--replications") == 0 && i + 1 < argc) {
      replications = std::atol(argv[++i]);
    } else {
      return 2;
    }
  }
  if (replications < 2) return 2;
  if (xoshiro)
    simulate<Xoshiro>(replications);
  else
    simulate<Standard>(replications);
}

// The NAS kernel EP: pairs of Gaussian deviates are counted by the annuli they fall into, and only counts travel.
//
//   ep [pairs] [--shares 1,0.39,...]
//
// The messages are those of nowsim's workload `ep`: rank 0 tells each other rank its first pair and how many there are
// (16 bytes), and gets ten counts and the sums of both deviates back (96 bytes). Numbers are those of Bailey et al.,
// "The NAS parallel benchmarks" (1991), so that counts and sums for 2^24 pairs, class S, are known; for other numbers
// of pairs rank 0 counts all of them again by itself.
#include <math.h>

#include "program.h"

/// What NASA counted per pair: 26.68e9 for the 2^28 of class A, as the workload takes it. (Not counted here: logarithms
/// and roots are not one operation.)
static const double FLOP_PER_PAIR = 26.68e9 / (1 << 28);

enum { ANNULI = 10, RESULTS = ANNULI + 2 };

/// x(k+1) = a x(k) mod 2^46. Products are needed modulo 2^46 alone, and unsigned ones come modulo 2^64.
static const uint64_t FACTOR = 1220703125, SEED_OF_ALL = 271828183, MASK = ((uint64_t)1 << 46) - 1;

/// x(k).
static uint64_t state_at(uint64_t k) {
  uint64_t state = SEED_OF_ALL, power = FACTOR;
  for (; k > 0; k /= 2) {
    if (k % 2 == 1) state = state * power & MASK;
    power = power * power & MASK;
  }
  return state;
}

/// Pair j (from 0) is made of x(2j + 1) and x(2j + 2), by the polar method.
static void count_pairs(uint64_t first, uint64_t pairs, double results[RESULTS]) {
  uint64_t state = state_at(2 * first);
  for (uint64_t j = 0; j < pairs; ++j) {
    state = state * FACTOR & MASK;
    const double x = 2 * ((double)state * 0x1p-46) - 1;
    state = state * FACTOR & MASK;
    const double y = 2 * ((double)state * 0x1p-46) - 1;
    const double t = x * x + y * y;
    if (t > 1) continue;
    const double scale = sqrt(-2 * log(t) / t), gx = x * scale, gy = y * scale;
    results[(int)fmax(fabs(gx), fabs(gy))] += 1;
    results[ANNULI] += gx;
    results[ANNULI + 1] += gy;
  }
}

/// The benchmark's own, of 2^24 pairs.
static const double CLASS_S[RESULTS] = {6140517, 5865300, 1100361, 68546, 1648, 17, 0, 0, 0, 0,
                                        -3.247834652034740e3, -6.958407078382297e3};

/// Counts have to be the same; sums are added up in another order. 1e-8 is the benchmark's tolerance.
static void check(const double results[RESULTS], long pairs) {
  double expected[RESULTS] = {0};
  if (pairs == 1 << 24) memcpy(expected, CLASS_S, sizeof expected);
  else count_pairs(0, (uint64_t)pairs, expected);
  for (int i = 0; i < RESULTS; ++i) {
    const double most = i < ANNULI ? 0 : 1e-8 * fmax(1, fabs(expected[i]));
    if (!(fabs(results[i] - expected[i]) <= most))
      fail("ep: of %ld pairs result %d is %.15g, not %.15g", pairs, i, results[i], expected[i]);
  }
}

int main(int argc, char** argv) {
  int rank, ranks;
  begin(&argc, &argv, &rank, &ranks);
  const long pairs = number_argument(argc, argv, 1, 1, 65536);
  uint64_t task[2] = {0, (uint64_t)part_of(pairs, 0, ranks)};
  if (rank > 0) MPI_Recv(task, 2, MPI_UINT64_T, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int to = 1; rank == 0 && to < ranks; ++to) {
    const uint64_t theirs[2] = {(uint64_t)part_begin(pairs, to, ranks), (uint64_t)part_of(pairs, to, ranks)};
    MPI_Send(theirs, 2, MPI_UINT64_T, to, TAG, MPI_COMM_WORLD);
  }

  double results[RESULTS] = {0};
  count_pairs(task[0], task[1], results);
  flops((double)task[1] * FLOP_PER_PAIR);

  if (rank > 0) MPI_Send(results, RESULTS, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
  for (int from = 1; rank == 0 && from < ranks; ++from) {
    double theirs[RESULTS];
    MPI_Recv(theirs, RESULTS, MPI_DOUBLE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < RESULTS; ++i) results[i] += theirs[i];
  }
  if (rank == 0) check(results, pairs);
  return end_well(rank, "ep: %ld pairs, sums %.12e %.12e", pairs, results[ANNULI], results[ANNULI + 1]);
}

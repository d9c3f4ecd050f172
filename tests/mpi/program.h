// What the MPI programs here have in common: arguments, a generator of data, parts, and saying what was computed.
#ifndef NOWSIM_TESTS_MPI_PROGRAM_H
#define NOWSIM_TESTS_MPI_PROGRAM_H

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// All messages of these programs have it.
enum { TAG = 1 };

/// Ends the program on all ranks, with a sentence about what is wrong.
static inline void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  fflush(stderr);
#ifdef SMPI_H  // SMPI's own mpi.h is there. Its MPI_Abort ends the program with status 0
  _exit(1);
#endif
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

/// What work is dealt in proportion to, one per rank; NULL: all are equal.
static double* shares;

/// Takes "--shares 1,0.91,0.39" out of the arguments, wherever it is: a positive number for each rank.
static inline void take_shares(int* argc, char** argv, int ranks) {
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    if (strcmp(argv[i], "--shares") != 0) {
      argv[kept++] = argv[i];
      continue;
    }
    if (++i == *argc) fail("--shares: a number for each rank, with commas between them");
    shares = calloc((size_t)ranks, sizeof *shares);
    char* at = argv[i];
    for (int rank = 0; rank < ranks; ++rank) {
      char* end = NULL;
      shares[rank] = strtod(at, &end);
      if (end == at || !(shares[rank] > 0) || *end != (rank + 1 < ranks ? ',' : '\0'))
        fail("--shares: %d positive numbers with commas between them, not '%s'", ranks, argv[i]);
      at = end + 1;
    }
  }
  *argc = kept;
}

/// Starts MPI. A rank's number and how many there are.
static inline void begin(int* argc, char*** argv, int* rank, int* ranks) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, ranks);
  take_shares(argc, *argv, *ranks);
}

/// Says on rank 0 what has come out, and ends MPI. Other ranks that find theirs wrong end the program with a status
/// that is not 0, whatever rank 0 has said by then.
static inline int end_well(int rank, const char* format, ...) {
  if (rank == 0) {
    va_list arguments;
    va_start(arguments, format);
    printf("OK ");
    vprintf(format, arguments);
    printf("\n");
    fflush(stdout);
    va_end(arguments);
  }
  MPI_Finalize();
  return 0;
}

/// The number that is argument `at`, or else `otherwise`.
static inline long number_argument(int argc, char** argv, int at, long least, long otherwise) {
  if (at >= argc) return otherwise;
  char* end = NULL;
  const long value = strtol(argv[at], &end, 10);
  if (end == argv[at] || *end != '\0' || value < least) fail("argument %d: %ld or more, not '%s'", at, least, argv[at]);
  return value;
}

/// Which of the words, of which the last is NULL, argument `at` is; the first without it.
static inline int word_argument(int argc, char** argv, int at, const char* const* words) {
  if (at >= argc) return 0;
  for (int i = 0; words[i] != NULL; ++i)
    if (strcmp(argv[at], words[i]) == 0) return i;
  fail("argument %d: '%s' is none of its words", at, argv[at]);
  return 0;
}

/// Room for so many elements, zeroed, and never nothing.
static inline void* room_for(long elements, size_t element_bytes) {
  void* room = calloc(elements > 0 ? (size_t)elements : 1, element_bytes);
  if (room == NULL) fail("no memory for %ld elements of %zu bytes", elements, element_bytes);
  return room;
}

/// MPI counts in int.
static inline int as_count(long elements) {
  if (elements > INT_MAX) fail("a message of %ld elements is too long", elements);
  return (int)elements;
}

/// Data: 64 random bits per number, without a state (the finaliser of SplitMix64), so that every rank can make any
/// element by itself.
static inline uint64_t bits_of(uint64_t number) {
  uint64_t z = (number + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// A rank's share of `total`, not yet whole. (Computed as nowsim's whole_parts does, so that both round alike.)
static inline double quota_of(long total, int rank, int ranks) {
  double sum = 0;
  for (int i = 0; i < ranks; ++i) sum += shares[i];
  return (double)total * (shares[rank] / sum);
}

/// How many of `total` a rank gets: its quota rounded down, and one more for the largest remainders, of equal ones the
/// first.
static inline long part_of(long total, int rank, int ranks) {
  if (shares == NULL) return total / ranks + (rank < total % ranks);
  const double quota = quota_of(total, rank, ranks), remainder = quota - floor(quota);
  long left = total, before = 0;
  for (int i = 0; i < ranks; ++i) {
    const double other = quota_of(total, i, ranks), others = other - floor(other);
    left -= (long)floor(other);
    before += others > remainder || (others == remainder && i < rank);
  }
  return (long)floor(quota) + (before < left);
}
/// The first of them.
static inline long part_begin(long total, int rank, int ranks) {
  long begin = 0;
  for (int i = 0; i < rank; ++i) begin += part_of(total, i, ranks);
  return begin;
}

/// Says how many floating-point operations this rank has just done. Where SMPI runs the program they are the work that
/// its trace tells and that the simulated machine computes: run it with --cfg=smpi/simulate-computation:no, or the time
/// that they really took comes on top, another in each run. An ordinary MPI takes no notice.
static inline void flops(double flop) {
#ifdef SMPI_H
  if (flop > 0) smpi_execute_flops(flop);
#else
  (void)flop;
#endif
}

#endif

// Merge sort: rank 0 deals elements out, each rank sorts its part, and sorted runs are merged up a binomial tree.
//
//   merge_sort [elements] [--shares 1,0.39,...]
//
// The messages are those of nowsim's workload `merge-sort`, elements are of 4 bytes. All ranks know from the number of
// elements how long each run is, so that messages need no lengths. What is counted are operations as in the workload,
// PER_ELEMENT for each element that passes a merge. In sorting n elements that is said to be n log2 n times: exact
// where n is a power of 2, else short of what sorting by halves does, by 0.09 times per element at most.
#include <math.h>

#include "program.h"

/// A comparison, a move, two increments of indices and the loop's test.
static const double PER_ELEMENT = 5;

static void merge(const int32_t* a, long a_count, const int32_t* b, long b_count, int32_t* into) {
  long i = 0, j = 0;
  while (i < a_count || j < b_count) {
    if (j == b_count || (i < a_count && a[i] <= b[j])) *into++ = a[i++];
    else *into++ = b[j++];
  }
}

/// Through `other`, which has room for as many.
static void sort(int32_t* run, long count, int32_t* other) {
  if (count < 2) return;
  const long half = count / 2;
  sort(run, half, other);
  sort(run + half, count - half, other);
  merge(run, half, run + half, count - half, other);
  memcpy(run, other, (size_t)count * sizeof *run);
}

/// Elements of so many ranks from this one on.
static long run_of(long elements, int rank, int of_ranks, int ranks) {
  const int end = rank + of_ranks < ranks ? rank + of_ranks : ranks;
  return part_begin(elements, end, ranks) - part_begin(elements, rank, ranks);
}

/// Elements in any order have the same.
static uint64_t checksum(const int32_t* run, long count) {
  uint64_t sum = 0;
  for (long i = 0; i < count; ++i) sum += bits_of((uint64_t)(uint32_t)run[i]);
  return sum;
}

static void deal_out(int32_t* all, long elements, int rank, int ranks) {
  const long mine = part_of(elements, rank, ranks);
  if (rank > 0) {
    if (mine > 0) MPI_Recv(all, as_count(mine), MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  for (int to = 1; to < ranks; ++to) {
    const int count = as_count(part_of(elements, to, ranks));
    if (count > 0) MPI_Send(all + part_begin(elements, to, ranks), count, MPI_INT, to, TAG, MPI_COMM_WORLD);
  }
}

/// In round k rank r with r mod 2^(k+1) = 2^k sends its run to r - 2^k, and is done. Empty runs are not sent.
/// @return where the rank's run is then
static int32_t* merge_up(int32_t* run, int32_t* other, long elements, int rank, int ranks) {
  for (int half = 1; half < ranks; half *= 2) {
    const long mine = run_of(elements, rank, half, ranks);
    if (rank % (2 * half) == half) {
      if (mine > 0) MPI_Send(run, as_count(mine), MPI_INT, rank - half, TAG, MPI_COMM_WORLD);
      return run;
    }
    if (rank + half >= ranks) continue;
    const long theirs = run_of(elements, rank + half, half, ranks);
    if (theirs == 0) continue;
    MPI_Recv(run + mine, as_count(theirs), MPI_INT, rank + half, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    merge(run, mine, run + mine, theirs, other);
    if (mine > 0) flops((double)(mine + theirs) * PER_ELEMENT);
    int32_t* merged = other;
    other = run;
    run = merged;
  }
  return run;
}

int main(int argc, char** argv) {
  int rank, ranks;
  begin(&argc, &argv, &rank, &ranks);
  const long elements = number_argument(argc, argv, 1, 1, 4096);
  int width = 1;  // of ranks whose runs come to this one
  while (width < ranks && rank % (2 * width) == 0) width *= 2;
  const long most = run_of(elements, rank, width, ranks);
  int32_t *run = room_for(most, sizeof *run), *other = room_for(most, sizeof *other);
  for (long i = 0; rank == 0 && i < elements; ++i) run[i] = (int32_t)(uint32_t)bits_of((uint64_t)i);
  const uint64_t before = checksum(run, rank == 0 ? elements : 0);

  deal_out(run, elements, rank, ranks);
  const long mine = part_of(elements, rank, ranks);
  sort(run, mine, other);
  if (mine > 1) flops((double)mine * log2((double)mine) * PER_ELEMENT);
  run = merge_up(run, other, elements, rank, ranks);

  if (rank == 0) {
    for (long i = 1; i < elements; ++i)
      if (run[i - 1] > run[i]) fail("merge_sort: element %ld is greater than the next", i - 1);
    if (checksum(run, elements) != before) fail("merge_sort: these are not the elements that there were");
  }
  return end_well(rank, "merge_sort: %ld elements, checksum %016llx", elements, (unsigned long long)before);
}

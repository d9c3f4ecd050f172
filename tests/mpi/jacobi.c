// Jacobi's iteration on a square grid by rows: halo rows to the neighbours, the greatest change to all now and then.
//
//   jacobi [size [sweeps [every [sendrecv|waitall|shift]]]]
//
// In each sweep a rank exchanges a row with the ranks above and below it and updates its rows; after every so many
// sweeps all learn the greatest change. Rows are exchanged by Sendrecv with one neighbour after the other, even ranks
// with the one below first; by Isend, Irecv and one Waitall; or (shift) by Sendrecv all upwards, then all downwards,
// with MPI_PROC_NULL at the ends: SMPI's traces (3.32) say nothing of such calls, so that messages are missing there.
// At the end rank 0 gathers the grid. No workload of nowsim does the same. What is counted are 4 operations per point
// and sweep, three sums and a product, and 2 more, a difference and a comparison, where the change is looked for.
#include <math.h>

#include "program.h"

enum { SENDRECV, WAITALL, SHIFT };

/// A rank's rows with one more above and below, each with a border at both ends.
struct Grid {
  long rows, width;
  double *now, *next;
};

/// The grid's upper border is 1, the others 0, its inside random.
static struct Grid make(long size, long first_row, long rows) {
  struct Grid grid = {rows, size + 2, NULL, NULL};
  grid.now = room_for((rows + 2) * grid.width, sizeof *grid.now);
  grid.next = room_for((rows + 2) * grid.width, sizeof *grid.next);
  for (long i = 0; i < rows + 2; ++i) {
    const long row = first_row + i;  // 0 and size + 1 are borders
    for (long j = 0; j < grid.width; ++j) {
      const int is_inside = row > 0 && row <= size && j > 0 && j <= size;
      const double value = is_inside ? (double)(bits_of((uint64_t)(row * grid.width + j)) >> 11) * 0x1p-53 : row == 0;
      grid.now[i * grid.width + j] = grid.next[i * grid.width + j] = value;
    }
  }
  return grid;
}

/// @return the greatest change, if it is asked for
static double sweep(struct Grid* grid, int asks_change) {
  const long w = grid->width;
  double change = 0;
  for (long i = 1; i <= grid->rows; ++i)
    for (long j = 1; j < w - 1; ++j) {
      const double* at = grid->now + i * w + j;
      const double value = 0.25 * (at[-w] + at[w] + at[-1] + at[1]);
      if (asks_change) change = fmax(change, fabs(value - *at));
      grid->next[i * w + j] = value;
    }
  double* before = grid->now;
  grid->now = grid->next;
  grid->next = before;
  return change;
}

static void sendrecv(double* row, int to, double* into, int from, int count) {
  MPI_Sendrecv(row, count, MPI_DOUBLE, to, TAG, into, count, MPI_DOUBLE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange(struct Grid* grid, int above, int below, int is_odd, int how) {
  const int count = as_count(grid->width);
  double *top = grid->now, *first = top + count, *last = top + grid->rows * count, *bottom = last + count;
  if (how == SHIFT) {
    sendrecv(first, above, bottom, below, count);
    sendrecv(last, below, top, above, count);
    return;
  }
  if (how == SENDRECV) {
    if (is_odd) sendrecv(first, above, top, above, count);  // who is odd has somebody above
    if (below != MPI_PROC_NULL) sendrecv(last, below, bottom, below, count);
    if (!is_odd && above != MPI_PROC_NULL) sendrecv(first, above, top, above, count);
    return;
  }
  MPI_Request requests[4];
  MPI_Status statuses[4];  // not MPI_STATUSES_IGNORE, of which gcc warns with MPICH: it is no array of that many
  int n = 0;
  for (int i = 0; i < 2; ++i) {
    const int neighbour = i == 0 ? above : below;
    if (neighbour == MPI_PROC_NULL) continue;
    MPI_Irecv(i == 0 ? top : bottom, count, MPI_DOUBLE, neighbour, TAG, MPI_COMM_WORLD, &requests[n++]);
    MPI_Isend(i == 0 ? first : last, count, MPI_DOUBLE, neighbour, TAG, MPI_COMM_WORLD, &requests[n++]);
  }
  MPI_Waitall(n, requests, statuses);
}

/// The same sweeps by one rank give the same numbers, bit by bit.
static void check(const double* all, double change, long size, long sweeps, long every) {
  struct Grid grid = make(size, 0, size);
  double expected = 0;
  for (long step = 1; step <= sweeps; ++step) {
    const double here = sweep(&grid, step % every == 0);
    if (step % every == 0) expected = here;
  }
  if (change != expected) fail("jacobi: the last change is %.17g, not %.17g", change, expected);
  const int differs = memcmp(all, grid.now + grid.width, (size_t)(size * grid.width) * sizeof *all);
  if (differs) fail("jacobi: the grid is wrong");
}

int main(int argc, char** argv) {
  int rank, ranks;
  begin(&argc, &argv, &rank, &ranks);
  const long size = number_argument(argc, argv, 1, 1, 64), sweeps = number_argument(argc, argv, 2, 0, 40);
  if (part_of(size, rank, ranks) == 0) fail("jacobi: %ld rows are too few, rank %d has none", size, rank);
  const long every = number_argument(argc, argv, 3, 1, 10);
  const int how = word_argument(argc, argv, 4, (const char* const[]){"sendrecv", "waitall", "shift", NULL});
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  struct Grid grid = make(size, part_begin(size, rank, ranks), part_of(size, rank, ranks));

  double change = 0;
  for (long step = 1; step <= sweeps; ++step) {
    exchange(&grid, above, below, rank % 2, how);
    const int asks_change = step % every == 0;
    const double mine = sweep(&grid, asks_change);
    flops((double)(grid.rows * size) * (asks_change ? 6 : 4));
    if (asks_change) MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }

  int *counts = room_for(ranks, sizeof *counts), *begins = room_for(ranks, sizeof *begins);
  for (int i = 0; i < ranks; ++i) {
    counts[i] = as_count(part_of(size, i, ranks) * grid.width);
    begins[i] = as_count(part_begin(size, i, ranks) * grid.width);
  }
  double* all = room_for(rank == 0 ? size * grid.width : 0, sizeof *all);
  MPI_Gatherv(grid.now + grid.width, counts[rank], MPI_DOUBLE, all, counts, begins, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) check(all, change, size, sweeps, every);
  return end_well(rank, "jacobi: size %ld, %ld sweeps, last change %.6e", size, sweeps, change);
}

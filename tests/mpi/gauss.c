// Gaussian elimination by interleaved rows: in each step a pivot row goes to all ranks, which update theirs with it.
//
//   gauss [order [full|shrinking [broadcast|point-to-point [synchronised|free]]]] [--shares 1,0.39,...]
//
// The messages are those of nowsim's workload `gauss` with the keys of the same names. Nothing else is sent: all ranks
// make the matrix by themselves, and each checks its own rows of the result.
//
// full: the matrix is inverted in place (Gauss-Jordan). In each of n steps the pivot row is sent as it is, n elements,
// and every row costs n operations: one division for the factor and n - 1 times a product with its difference, which
// count as one as in the workload; the pivot row n divisions.
//
// shrinking: A = L U with ones in U's diagonal. In step k of n - 1 the pivot row is divided by the pivot and sent,
// n - k elements, and each of the n - k rows below costs n - k operations. The workload counts n - k + 1 for each of
// these and nothing for dividing: as many in all, but here the divisions are done by the pivot row's rank, before it
// sends, since those who have not got the pivot can have no operation of their own for the column that ends.
#include <math.h>

#include "program.h"

enum { FULL, SHRINKING };
enum { BROADCAST, POINT_TO_POINT };

/// Rows dealt to ranks in turn, so that the j-th (from 0) of a rank's r rows stands at (j + 1/2)/r of
/// the matrix, and the lowest rank's is first of those at the same place.
static void deal_rows(long n, int ranks, int* rank_of) {
  long *taken = room_for(ranks, sizeof *taken), *rows_of = room_for(ranks, sizeof *rows_of);
  for (int rank = 0; rank < ranks; ++rank) rows_of[rank] = part_of(n, rank, ranks);
  for (long row = 0; row < n; ++row) {
    int first = -1;
    double least = 2;
    for (int rank = 0; rank < ranks; ++rank) {
      const long rows = rows_of[rank];
      const double place = taken[rank] < rows ? ((double)taken[rank] + 0.5) / (double)rows : 2;
      if (place < least) least = place, first = rank;
    }
    rank_of[row] = first;
    ++taken[first];
  }
  free(taken);
  free(rows_of);
}

/// Of a matrix whose diagonal dominates, so that pivots need not be searched.
static double element(long n, long i, long j) {
  return (double)(bits_of((uint64_t)(i * n + j)) >> 11) * 0x1p-52 - 1 + (i == j ? (double)n : 0);
}

/// To all ranks along a binomial tree, or to one after another from the root on.
static void send_to_all(double* row, long elements, int root, int rank, int ranks, int communication) {
  const int count = as_count(elements);
  if (communication == BROADCAST) {
    MPI_Bcast(row, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
  } else if (rank == root) {
    for (int i = 1; i < ranks; ++i) MPI_Send(row, count, MPI_DOUBLE, (root + i) % ranks, TAG, MPI_COMM_WORLD);
  } else {
    MPI_Recv(row, count, MPI_DOUBLE, root, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static double update_in_full(double* row, long n, long k, const double* pivot, int is_pivot) {
  const double factor = is_pivot ? 1 / pivot[k] : row[k] / pivot[k];
  for (long j = 0; j < n; ++j) {
    if (j == k) row[j] = is_pivot ? factor : -factor;
    else if (is_pivot) row[j] /= pivot[k];
    else row[j] -= factor * pivot[j];
  }
  return (double)n;
}

static double update_right(double* row, long n, long k, const double* pivot) {
  for (long j = k + 1; j < n; ++j) row[j] -= row[k] * pivot[j];
  return (double)(n - k - 1);
}

/// How far row i of (inverse) A is from that of the identity, or row i of L U from that of A. `upper` has U's rows.
static double error_of(const double* row, long n, long i, const double* upper, int rows) {
  double worst = 0;
  for (long j = 0; j < n; ++j) {
    double sum = rows == FULL ? -(i == j) : -element(n, i, j);
    if (rows == FULL)
      for (long k = 0; k < n; ++k) sum += row[k] * element(n, k, j);
    else
      for (long k = 0; k <= (i < j ? i : j); ++k) sum += row[k] * (k == j ? 1 : upper[k * n + j]);
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

int main(int argc, char** argv) {
  int rank, ranks;
  begin(&argc, &argv, &rank, &ranks);
  const long n = number_argument(argc, argv, 1, 2, 64);
  const int rows = word_argument(argc, argv, 2, (const char* const[]){"full", "shrinking", NULL});
  const int communication = word_argument(argc, argv, 3, (const char* const[]){"broadcast", "point-to-point", NULL});
  const int is_free = word_argument(argc, argv, 4, (const char* const[]){"synchronised", "free", NULL});

  int* rank_of = room_for(n, sizeof *rank_of);
  deal_rows(n, ranks, rank_of);
  double** row = room_for(n, sizeof *row);  // NULL: another rank's
  for (long i = 0; i < n; ++i) {
    if (rank_of[i] != rank) continue;
    row[i] = room_for(n, sizeof **row);
    for (long j = 0; j < n; ++j) row[i][j] = element(n, i, j);
  }
  double* pivots = room_for(rows == FULL ? n : n * n, sizeof *pivots);  // U is kept for the check

  for (long k = 0; k < (rows == FULL ? n : n - 1); ++k) {
    const long begin = rows == FULL ? 0 : k + 1;
    double* pivot = rows == FULL ? pivots : pivots + k * n;
    if (row[k] != NULL) {
      for (long j = begin; rows == SHRINKING && j < n; ++j) row[k][j] /= row[k][k];
      if (rows == SHRINKING) flops((double)(n - begin));
      memcpy(pivot + begin, row[k] + begin, (size_t)(n - begin) * sizeof *pivot);
    }
    send_to_all(pivot + begin, n - begin, rank_of[k], rank, ranks, communication);
    double done = 0;
    for (long i = begin; i < n; ++i) {
      if (row[i] == NULL) continue;
      done += rows == FULL ? update_in_full(row[i], n, k, pivot, i == k) : update_right(row[i], n, k, pivot);
    }
    flops(done);
    if (!is_free) MPI_Barrier(MPI_COMM_WORLD);
  }

  double worst = 0;
  for (long i = 0; i < n; ++i)
    if (row[i] != NULL) worst = fmax(worst, error_of(row[i], n, i, pivots, rows));
  if (!(worst < 1e-12 * (double)n)) fail("gauss: rank %d's rows are wrong by %g", rank, worst);
  return end_well(rank, "gauss: order %ld, residual %.1e", n, worst);
}

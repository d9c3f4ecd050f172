// C = A B by blocks of rows: rank 0 deals rows of A out, every rank needs all of B, and rows of C come back.
//
//   matrix_multiply [order [each|binomial|rotate|in-place]] [--shares 1,0.39,...]
//
// The messages are those of nowsim's workload `matrix-multiply` with `distribute` of the same name, elements are of 4
// bytes. Rows of A and of B come in one message, for which they are copied behind each other. What is counted are a
// product and a sum for each of an element's terms.
#include "program.h"

enum { EACH, BINOMIAL, ROTATE, IN_PLACE };

/// Small whole numbers: products and sums of floats are then exact (up to an order of 10^6), and so is the check.
static float element(long matrix, long at) { return (float)(bits_of((uint64_t)at * 2 + (uint64_t)matrix) % 9) - 4; }

static void make(float* rows, long matrix, long n, long begin, long count) {
  for (long i = 0; i < count * n; ++i) rows[i] = element(matrix, begin * n + i);
}

/// Adds what `inner` rows of B from row `first` on contribute to `rows` rows of C.
static void multiply(const float* a, const float* b, float* c, long rows, long first, long inner, long n) {
  for (long i = 0; i < rows; ++i)
    for (long k = 0; k < inner; ++k)
      for (long j = 0; j < n; ++j) c[i * n + j] += a[i * n + first + k] * b[k * n + j];
  flops(2 * (double)rows * (double)inner * (double)n);
}

/// Rows of B that come with the rank's rows of A.
static long rows_of_b(long n, int rank, int ranks, int distribute) {
  const long rows = part_of(n, rank, ranks);
  if (distribute == EACH) return rows > 0 ? n : 0;
  return distribute == ROTATE ? rows : 0;
}

/// Rank 0 to one rank after another, rows of A and behind them those of B that come with them.
static void deal_out(const float* a, const float* b, long n, int ranks, int distribute) {
  for (int to = 1; to < ranks; ++to) {
    const long of_a = part_of(n, to, ranks) * n, of_b = rows_of_b(n, to, ranks, distribute) * n;
    if (of_a == 0) continue;
    float* both = room_for(of_a + of_b, sizeof *both);
    memcpy(both, a + part_begin(n, to, ranks) * n, (size_t)of_a * sizeof *both);
    memcpy(both + of_a, distribute == ROTATE ? b + part_begin(n, to, ranks) * n : b, (size_t)of_b * sizeof *both);
    MPI_Send(both, as_count(of_a + of_b), MPI_FLOAT, to, TAG, MPI_COMM_WORLD);
    free(both);
  }
}

/// Of a rank, the most.
static long most_rows(long n, int ranks) {
  long most = 0;
  for (int rank = 0; rank < ranks; ++rank) most = part_of(n, rank, ranks) > most ? part_of(n, rank, ranks) : most;
  return most;
}

/// The ranks that have rows: of equal parts the first ones, by shares all of them, or it is refused.
static int ring_of(long n, int ranks) {
  if (shares == NULL) return n < ranks ? (int)n : ranks;
  for (int rank = 0; rank < ranks; ++rank)
    if (part_of(n, rank, ranks) == 0) fail("matrix_multiply: rank %d has no rows to rotate", rank);
  return ranks;
}

/// Rows of B go round in a ring of the ranks that have some: each multiplies with those it holds, and passes them on.
static void multiply_rotating(const float* a, float* held, float* c, long n, int rank, int ranks) {
  const long mine = part_of(n, rank, ranks);
  const int ring = ring_of(n, ranks);
  float* next = room_for(most_rows(n, ranks) * n, sizeof *next);
  for (int step = 0; step < ring; ++step) {
    const int whose = (rank + ring - step) % ring, next_whose = (whose + ring - 1) % ring;
    multiply(a, held, c, mine, part_begin(n, whose, ranks), part_of(n, whose, ranks), n);
    if (step + 1 == ring) break;
    MPI_Request sending;
    const int count = as_count(part_of(n, whose, ranks) * n), next_count = as_count(part_of(n, next_whose, ranks) * n);
    MPI_Isend(held, count, MPI_FLOAT, (rank + 1) % ring, TAG, MPI_COMM_WORLD, &sending);
    MPI_Recv(next, next_count, MPI_FLOAT, (rank + ring - 1) % ring, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&sending, MPI_STATUS_IGNORE);
    float* sent = held;
    held = next;
    next = sent;
  }
}

/// Freivalds (1977): C r = A (B r) for a random vector r; a wrong product passes each of the tries with 1/2 at most.
static void check(const float* a, const float* b, const float* c, long n) {
  double *r = room_for(n, sizeof *r), *br = room_for(n, sizeof *br);
  for (int tries = 0; tries < 20; ++tries) {
    for (long j = 0; j < n; ++j) r[j] = (double)(bits_of((uint64_t)(tries * n + j) ^ ((uint64_t)1 << 63)) & 1);
    for (long i = 0; i < n; ++i) {
      br[i] = 0;
      for (long j = 0; j < n; ++j) br[i] += b[i * n + j] * r[j];
    }
    for (long i = 0; i < n; ++i) {
      double difference = 0;
      for (long j = 0; j < n; ++j) difference += c[i * n + j] * r[j] - a[i * n + j] * br[j];
      if (difference != 0) fail("matrix_multiply: row %ld of the product is wrong", i);
    }
  }
  free(r);
  free(br);
}

int main(int argc, char** argv) {
  int rank, ranks;
  begin(&argc, &argv, &rank, &ranks);
  const long n = number_argument(argc, argv, 1, 1, 64);
  const int distribute =
      word_argument(argc, argv, 2, (const char* const[]){"each", "binomial", "rotate", "in-place", NULL});
  const long mine = part_of(n, rank, ranks), rows = rank == 0 ? n : mine;  // rank 0 has all rows of all
  float* a = room_for((rows + n) * n, sizeof *a);
  float *b = a + rows * n, *c = room_for(rows * n, sizeof *c);
  if (rank == 0) make(a, 0, n, 0, n);
  if (rank == 0 || distribute == IN_PLACE) make(b, 1, n, 0, n);

  if (rank == 0) deal_out(a, b, n, ranks, distribute);
  else if (mine > 0)
    MPI_Recv(a, as_count((mine + rows_of_b(n, rank, ranks, distribute)) * n), MPI_FLOAT, 0, TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  if (distribute == BINOMIAL && ranks > 1) MPI_Bcast(b, as_count(n * n), MPI_FLOAT, 0, MPI_COMM_WORLD);
  if (mine > 0 && distribute == ROTATE) {  // a copy: what is held is overwritten, and rank 0's B is checked with
    float* held = room_for(most_rows(n, ranks) * n, sizeof *held);
    memcpy(held, b, (size_t)(mine * n) * sizeof *held);
    multiply_rotating(a, held, c, n, rank, ranks);
  } else if (mine > 0) {
    multiply(a, b, c, mine, 0, n, n);
  }
  if (rank > 0 && mine > 0) MPI_Send(c, as_count(mine * n), MPI_FLOAT, 0, TAG, MPI_COMM_WORLD);
  for (int from = 1; rank == 0 && from < ranks; ++from) {
    const int count = as_count(part_of(n, from, ranks) * n);
    if (count == 0) continue;
    MPI_Recv(c + part_begin(n, from, ranks) * n, count, MPI_FLOAT, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0) check(a, b, c, n);
  return end_well(rank, "matrix_multiply: order %ld", n);
}

// A farm of tasks: rank 0 serves chunks of a loop to whoever asks, the others ask, compute and ask again with results.
//
//   task_farm [tasks [chunk]]
//
// The messages are those of nowsim's workload `task-farm` with `technique: CSS`, `request: 8B`, `input: 0` and `result:
// 8B`: a request of 8 bytes with 8 more per task whose result it brings, and answers of 8 bytes, the first task and how
// many; none is the end. Rank 0 receives with MPI_ANY_SOURCE and does not know how long a message is.
//
// A task is a row of the Mandelbrot set, so that tasks cost more in the middle of the loop than at its ends. What is
// counted are 8 operations per iteration of a point, of which the last one breaks off after its test of three.
#include "program.h"

enum { POINTS = 64, ITERATIONS = 256, PER_ITERATION = 8 };

/// @return iterations of all of the row's points
static double compute(long task, long tasks) {
  const double ci = 2.5 * ((double)task + 0.5) / (double)tasks - 1.25;
  long sum = 0;
  for (int point = 0; point < POINTS; ++point) {
    const double cr = 2.5 * (point + 0.5) / POINTS - 2;
    double re = 0, im = 0;
    for (int i = 0; i < ITERATIONS; ++i, ++sum) {
      const double re2 = re * re, im2 = im * im;
      if (re2 + im2 > 4) break;
      im = 2 * re * im + ci;
      re = re2 - im2 + cr;
    }
  }
  return (double)sum;
}

static double compute_chunk(const int32_t chunk[2], long tasks, double* results) {
  double sum = 0;
  for (int i = 0; i < chunk[1]; ++i) sum += results[i] = compute(chunk[0] + i, tasks);
  flops(sum * PER_ITERATION);
  return sum;
}

/// A request begins with the chunk's first task, whose results follow.
static void serve(long tasks, long chunk, int clients, double* results) {
  double* request = room_for(chunk + 1, sizeof *request);
  for (long next = 0; clients > 0;) {
    MPI_Status status;
    int count;
    MPI_Recv(request, as_count(chunk + 1), MPI_DOUBLE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    memcpy(results + (long)request[0], request + 1, (size_t)(count - 1) * sizeof *results);
    const int32_t answer[2] = {(int32_t)next, (int32_t)(tasks - next < chunk ? tasks - next : chunk)};
    MPI_Send(answer, 2, MPI_INT, status.MPI_SOURCE, TAG, MPI_COMM_WORLD);
    next += answer[1];
    if (answer[1] == 0) --clients;
  }
}

static void ask(long tasks, long most) {
  double* request = room_for(most + 1, sizeof *request);
  for (int32_t chunk[2] = {0, 0};;) {
    MPI_Send(request, as_count(chunk[1] + 1L), MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
    MPI_Recv(chunk, 2, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (chunk[1] == 0) return;
    request[0] = chunk[0];
    compute_chunk(chunk, tasks, request + 1);
  }
}

int main(int argc, char** argv) {
  int rank, ranks;
  begin(&argc, &argv, &rank, &ranks);
  const long tasks = number_argument(argc, argv, 1, 1, 64), chunk = number_argument(argc, argv, 2, 1, 1);
  double* results = room_for(rank == 0 ? tasks : 0, sizeof *results);
  if (ranks == 1) compute_chunk((const int32_t[2]){0, as_count(tasks)}, tasks, results);
  else if (rank == 0) serve(tasks, chunk, ranks - 1, results);
  else ask(tasks, chunk);

  double sum = 0;
  for (long task = 0; rank == 0 && task < tasks; ++task) {
    const double expected = compute(task, tasks);
    if (results[task] != expected) fail("task_farm: task %ld's result is %g, not %g", task, results[task], expected);
    sum += expected;
  }
  return end_well(rank, "task_farm: %ld tasks, %.0f iterations", tasks, sum);
}

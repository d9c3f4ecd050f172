// A library that is preloaded into a simulated MPI program (SMPI's) and notes, per rank, what SMPI's traces do not say.
//
// Each call that leaves a line in the trace leaves a line in the file that NOWSIM_MPI_NOTES names, in the rank's order:
// the rank, the trace's word, and what is to know of it; the reader is experiments/driver/mpi/mpi_recording.hpp.
// All ranks are one process, of which one runs at a time, so that one file and one table of requests do for all.
#include <mpi.h>
// Behind it, since SMPI's macros put functions of its own in the place of the system's.
#undef calloc
#undef free
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// ---- The file.

static FILE* notes_file(void) {
  static FILE* file;
  if (file == NULL) {
    const char* name = getenv("NOWSIM_MPI_NOTES");
    file = fopen(name != NULL ? name : "/dev/null", "w");
    if (file == NULL) file = fopen("/dev/null", "w");  // whoever reads the notes finds that they are missing
  }
  return file;
}

static void begin_note(const char* word) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fprintf(notes_file(), "%d %s", rank, word);
}

static void add_to_note(const char* format, ...) {
  va_list values;
  va_start(values, format);
  vfprintf(notes_file(), format, values);
  va_end(values);
}

/// The timer of the program's computing begins anew, so that noting is no part of it.
static void end_note(void) {
  fputc('\n', notes_file());
  smpi_bench_begin();
}

// ---- Types, communicators and ranks.

/// Whether it is a derived type: one that the trace cannot name.
static int is_derived(MPI_Datatype type) {
  int integers, addresses, types, combiner;
  return type != MPI_DATATYPE_NULL &&
         PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
         combiner != MPI_COMBINER_NAMED;
}

/// Bytes of an element, negative of a derived type.
static int element_of(MPI_Datatype type) {
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  return is_derived(type) ? -bytes : bytes;
}

static long bytes_of(int count, MPI_Datatype type) {
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  return (long)count * bytes;
}

/// 0: all ranks in their order; 1: this rank alone; 2: other ranks, or in another order.
static int scope_of(MPI_Comm comm) {
  int size, compared;
  if (comm == MPI_COMM_WORLD) return 0;
  PMPI_Comm_compare(comm, MPI_COMM_WORLD, &compared);
  if (compared == MPI_IDENT || compared == MPI_CONGRUENT) return 0;
  PMPI_Comm_size(comm, &size);
  return size == 1 ? 1 : 2;
}

/// The rank among all of a rank of a communicator.
static int world_rank(int rank, MPI_Comm comm) {
  MPI_Group group, world;
  int found = rank;
  if (rank < 0 || comm == MPI_COMM_WORLD) return rank;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, 1, &rank, world, &found);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return found;
}

/// What was left open: 1 the source, 2 the tag; 4: the partner is MPI_PROC_NULL.
static int openness(int peer, int tag) {
  return (peer == MPI_ANY_SOURCE ? 1 : 0) + (tag == MPI_ANY_TAG ? 2 : 0) + (peer == MPI_PROC_NULL ? 4 : 0);
}

// ---- Requests that are under way: by their handles, which are used again once they are complete.

typedef struct Known {
  MPI_Request request;
  unsigned long number;
  MPI_Comm comm;
  struct Known* next;
} Known;

enum { kChains = 4096 };
static Known* chains[kChains];

static Known** place_of(MPI_Request request) {
  Known** at = &chains[((uintptr_t)request >> 4) % kChains];
  while (*at != NULL && (*at)->request != request) at = &(*at)->next;
  return at;
}

static unsigned long add_request(MPI_Request request, MPI_Comm comm) {
  static unsigned long last;
  Known** at = place_of(request);
  if (*at == NULL) {
    *at = calloc(1, sizeof **at);
    if (*at == NULL) abort();
    (*at)->request = request;
  }
  (*at)->comm = comm;
  return (*at)->number = ++last;
}

/// Its number, source and tag; 0 for its number where it is not known (persistent ones, collectives), and nothing where
/// there was none.
static void note_completed(MPI_Request request, const MPI_Status* status) {
  if (request == MPI_REQUEST_NULL) return;
  Known** at = place_of(request);
  Known* known = *at;
  if (known == NULL) {
    add_to_note(" 0 0 0");
    return;
  }
  add_to_note(" %lu %d %d", known->number, world_rank(status->MPI_SOURCE, known->comm), status->MPI_TAG);
  *at = known->next;
  free(known);
}

/// Handles and statuses of a call that completes some of several requests.
typedef struct {
  MPI_Request* requests;  ///< as they were before
  MPI_Status* statuses;
} Several;

static Several several(int count, const MPI_Request* requests, MPI_Status* statuses) {
  const size_t n = count > 0 ? (size_t)count : 1;
  Several all = {calloc(n, sizeof(MPI_Request)), statuses};
  if (statuses == MPI_STATUSES_IGNORE) all.statuses = calloc(n, sizeof(MPI_Status));
  if (all.requests == NULL || all.statuses == NULL) abort();
  if (count > 0) memcpy(all.requests, requests, n * sizeof(MPI_Request));
  return all;
}

static void release(Several all, const MPI_Status* own) {
  free(all.requests);
  if (all.statuses != own) free(all.statuses);
}

// ---- Messages.

static void note_send(const char* word, MPI_Datatype type, MPI_Comm comm) {
  begin_note(word);
  add_to_note(" %d %d", element_of(type), scope_of(comm));
  end_note();
}

static void note_start(const char* word, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request request) {
  begin_note(word);
  add_to_note(" %d %d %d %lu", element_of(type), scope_of(comm), openness(peer, tag), add_request(request, comm));
  end_note();
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  if (peer == MPI_PROC_NULL) return MPI_SUCCESS;
  const int result = PMPI_Send(data, count, type, peer, tag, comm);
  note_send("send", type, comm);
  return result;
}

int MPI_Rsend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  return MPI_Send(data, count, type, peer, tag, comm);
}

int MPI_Ssend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  if (peer == MPI_PROC_NULL) return MPI_SUCCESS;
  const int result = PMPI_Ssend(data, count, type, peer, tag, comm);
  note_send("Ssend", type, comm);
  return result;
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  const int result = PMPI_Isend(data, count, type, peer, tag, comm, request);
  note_start("isend", type, peer, tag, comm, *request);
  return result;
}

int MPI_Irsend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  return MPI_Isend(data, count, type, peer, tag, comm, request);
}

int MPI_Issend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  const int result = PMPI_Issend(data, count, type, peer, tag, comm, request);
  note_start("ISsend", type, peer, tag, comm, *request);
  return result;
}

/// Of a receive without a partner.
static int receive_nothing(MPI_Status* status) {
  memset(status, 0, sizeof *status);
  status->MPI_SOURCE = MPI_PROC_NULL;
  status->MPI_TAG = MPI_ANY_TAG;
  return MPI_SUCCESS;
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  if (peer == MPI_PROC_NULL) return receive_nothing(status);
  const int result = PMPI_Recv(data, count, type, peer, tag, comm, status);
  begin_note("recv");
  add_to_note(" %d %d %d %d %d", element_of(type), scope_of(comm), openness(peer, tag),
              world_rank(status->MPI_SOURCE, comm), status->MPI_TAG);
  end_note();
  return result;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  const int result = PMPI_Irecv(data, count, type, peer, tag, comm, request);
  note_start("irecv", type, peer, tag, comm, *request);
  return result;
}

/// With one partner alone it is a send or a receive, of which SMPI would leave no line.
int MPI_Sendrecv(const void* sent, int send_count, MPI_Datatype send_type, int to, int send_tag, void* received,
                 int receive_count, MPI_Datatype receive_type, int from, int receive_tag, MPI_Comm comm,
                 MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  if (from == MPI_PROC_NULL || to == MPI_PROC_NULL) {
    const int result = MPI_Send(sent, send_count, send_type, to, send_tag, comm);
    return result != MPI_SUCCESS ? result
                                 : MPI_Recv(received, receive_count, receive_type, from, receive_tag, comm, status);
  }
  const int result = PMPI_Sendrecv(sent, send_count, send_type, to, send_tag, received, receive_count, receive_type,
                                   from, receive_tag, comm, status);
  begin_note("sendRecv");
  add_to_note(" %d %d %d %d %d %d %d", element_of(send_type), element_of(receive_type), scope_of(comm),
              openness(from, receive_tag), send_tag, world_rank(status->MPI_SOURCE, comm), status->MPI_TAG);
  end_note();
  return result;
}

// Of probes there is no line. SMPI would have a time of computing pass in each (smpi/iprobe, which is 0 here), and note
// it as the program's; the ranks sleep for it instead, ever longer, as SMPI does it, so that long waits take few
// probes.

static void sleep_behind_failed_probe(unsigned* failed) {
  const unsigned kEach_us = 100;
  begin_note("polled");
  end_note();
  smpi_usleep(kEach_us * ++*failed);
}

static void note_probe(void) {
  begin_note("probe");
  end_note();
}

int MPI_Iprobe(int peer, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  static unsigned failed;
  const int result = PMPI_Iprobe(peer, tag, comm, flag, status);
  if (*flag)
    failed = 0;
  else
    sleep_behind_failed_probe(&failed);
  if (peer != MPI_PROC_NULL) note_probe();
  return result;
}

int MPI_Probe(int peer, int tag, MPI_Comm comm, MPI_Status* status) {
  unsigned failed = 0;
  int flag = 0;
  for (;;) {
    const int result = PMPI_Iprobe(peer, tag, comm, &flag, status);
    if (flag || result != MPI_SUCCESS) {
      if (peer != MPI_PROC_NULL) note_probe();
      return result;
    }
    sleep_behind_failed_probe(&failed);
  }
}

// ---- Waiting and testing: what has completed.

static int wait_or_test(const char* word, MPI_Request* request, int* flag, MPI_Status* status) {
  const MPI_Request before = *request;
  MPI_Status own;
  int completed = 1;
  if (status == MPI_STATUS_IGNORE) status = &own;
  const int result = flag == NULL ? PMPI_Wait(request, status) : PMPI_Test(request, &completed, status);
  if (flag != NULL) *flag = completed;
  if (before == MPI_REQUEST_NULL) return result;  // of which there is no line
  begin_note(word);
  if (completed) note_completed(before, status);
  end_note();
  return result;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) { return wait_or_test("wait", request, NULL, status); }

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return wait_or_test("test", request, flag, status);
}

static int all_of(const char* word, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  const Several all = several(count, requests, statuses);
  int completed = 1;
  const int result = flag == NULL ? PMPI_Waitall(count, requests, all.statuses)
                                  : PMPI_Testall(count, requests, &completed, all.statuses);
  if (flag != NULL) *flag = completed;
  begin_note(word);
  for (int i = 0; completed && i < count; ++i) note_completed(all.requests[i], &all.statuses[i]);
  end_note();
  release(all, statuses);
  return result;
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  return all_of("waitall", count, requests, NULL, statuses);
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  return all_of("testall", count, requests, flag, statuses);
}

static int any_of(const char* word, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  const Several all = several(count, requests, MPI_STATUSES_IGNORE);
  MPI_Status own;
  int completed = 1;
  if (status == MPI_STATUS_IGNORE) status = &own;
  const int result = flag == NULL ? PMPI_Waitany(count, requests, index, status)
                                  : PMPI_Testany(count, requests, index, &completed, status);
  if (flag != NULL) *flag = completed;
  if (flag != NULL || count > 0) {
    begin_note(word);
    if (completed && *index != MPI_UNDEFINED) note_completed(all.requests[*index], status);
    end_note();
  }
  release(all, MPI_STATUSES_IGNORE);
  return result;
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  return any_of("waitAny", count, requests, index, NULL, status);
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  return any_of("testany", count, requests, index, flag, status);
}

static int some_of(int is_waiting, int count, MPI_Request* requests, int* completed, int* indices,
                   MPI_Status* statuses) {
  const Several all = several(count, requests, statuses);
  const int result = is_waiting ? PMPI_Waitsome(count, requests, completed, indices, all.statuses)
                                : PMPI_Testsome(count, requests, completed, indices, all.statuses);
  // SMPI leaves no line of waitsome: a waitall of nothing marks its place.
  if (is_waiting) PMPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
  begin_note(is_waiting ? "waitsome" : "testsome");
  for (int i = 0; *completed != MPI_UNDEFINED && i < *completed; ++i)
    note_completed(all.requests[indices[i]], &all.statuses[i]);
  end_note();
  release(all, statuses);
  return result;
}

int MPI_Waitsome(int count, MPI_Request* requests, int* completed, int* indices, MPI_Status* statuses) {
  return some_of(1, count, requests, completed, indices, statuses);
}

int MPI_Testsome(int count, MPI_Request* requests, int* completed, int* indices, MPI_Status* statuses) {
  return some_of(0, count, requests, completed, indices, statuses);
}

// ---- Collectives: whose they are; and of derived types the trace's line in bytes (its type 6), as that has neither
// such a type nor always the root.

static void begin_collective(const char* word, MPI_Comm comm) {
  begin_note(word);
  add_to_note(" %d", scope_of(comm));
}

/// The bytes to or from each rank; `counts` is NULL where they are not this rank's.
static void note_each(const int* counts, MPI_Datatype type, MPI_Comm comm) {
  int size;
  PMPI_Comm_size(comm, &size);
  for (int i = 0; i < size; ++i) add_to_note(" %ld", counts != NULL ? bytes_of(counts[i], type) : 0);
}

static int rank_in(MPI_Comm comm) {
  int rank;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

int MPI_Barrier(MPI_Comm comm) {
  const int result = PMPI_Barrier(comm);
  begin_collective("barrier", comm);
  end_note();
  return result;
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int result = PMPI_Bcast(data, count, type, root, comm);
  begin_collective("bcast", comm);
  if (is_derived(type)) add_to_note(" %ld %d 6", bytes_of(count, type), root);
  end_note();
  return result;
}

int MPI_Reduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  const int result = PMPI_Reduce(sent, received, count, type, op, root, comm);
  begin_collective("reduce", comm);
  if (is_derived(type)) add_to_note(" %ld 0 %d 6", bytes_of(count, type), root);
  end_note();
  return result;
}

static void note_reduction(const char* word, int count, MPI_Datatype type, MPI_Comm comm) {
  begin_collective(word, comm);
  if (is_derived(type)) add_to_note(" %ld 0 6", bytes_of(count, type));
  end_note();
}

int MPI_Allreduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int result = PMPI_Allreduce(sent, received, count, type, op, comm);
  note_reduction("allreduce", count, type, comm);
  return result;
}

int MPI_Scan(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int result = PMPI_Scan(sent, received, count, type, op, comm);
  note_reduction("scan", count, type, comm);
  return result;
}

int MPI_Exscan(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int result = PMPI_Exscan(sent, received, count, type, op, comm);
  note_reduction("exscan", count, type, comm);
  return result;
}

int MPI_Reduce_scatter(const void* sent, void* received, const int* counts, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
  const int result = PMPI_Reduce_scatter(sent, received, counts, type, op, comm);
  begin_collective("reducescatter", comm);
  if (is_derived(type)) {
    note_each(counts, type, comm);
    add_to_note(" 0 6");
  }
  end_note();
  return result;
}

int MPI_Reduce_scatter_block(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int result = PMPI_Reduce_scatter_block(sent, received, count, type, op, comm);
  int size;
  PMPI_Comm_size(comm, &size);
  begin_collective("reducescatter", comm);
  if (is_derived(type)) {
    for (int i = 0; i < size; ++i) add_to_note(" %ld", bytes_of(count, type));
    add_to_note(" 0 6");
  }
  end_note();
  return result;
}

/// Of gather and scatter both sides; a type that is not this rank's to say is MPI_DATATYPE_NULL.
static void note_sides(const char* word, int send_count, MPI_Datatype send_type, int receive_count,
                       MPI_Datatype receive_type, int root, MPI_Comm comm) {
  begin_collective(word, comm);
  if (is_derived(send_type) || is_derived(receive_type)) {
    const long sent = send_type != MPI_DATATYPE_NULL ? bytes_of(send_count, send_type) : 0;
    const long received = receive_type != MPI_DATATYPE_NULL ? bytes_of(receive_count, receive_type) : 0;
    // Where this rank does not say its other side, that is as large as its own.
    add_to_note(" %ld %ld", send_type != MPI_DATATYPE_NULL ? sent : received,
                receive_type != MPI_DATATYPE_NULL ? received : sent);
    if (root >= 0) add_to_note(" %d", root);
    add_to_note(" 6 6");
  }
  end_note();
}

int MPI_Gather(const void* sent, int send_count, MPI_Datatype send_type, void* received, int receive_count,
               MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const int result = PMPI_Gather(sent, send_count, send_type, received, receive_count, receive_type, root, comm);
  note_sides("gather", send_count, sent != MPI_IN_PLACE ? send_type : MPI_DATATYPE_NULL, receive_count,
             rank_in(comm) == root ? receive_type : MPI_DATATYPE_NULL, root, comm);
  return result;
}

int MPI_Scatter(const void* sent, int send_count, MPI_Datatype send_type, void* received, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const int result = PMPI_Scatter(sent, send_count, send_type, received, receive_count, receive_type, root, comm);
  note_sides("scatter", send_count, rank_in(comm) == root ? send_type : MPI_DATATYPE_NULL, receive_count,
             received != MPI_IN_PLACE ? receive_type : MPI_DATATYPE_NULL, root, comm);
  return result;
}

int MPI_Allgather(const void* sent, int send_count, MPI_Datatype send_type, void* received, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm) {
  const int result = PMPI_Allgather(sent, send_count, send_type, received, receive_count, receive_type, comm);
  note_sides("allgather", send_count, sent != MPI_IN_PLACE ? send_type : MPI_DATATYPE_NULL, receive_count, receive_type,
             -1, comm);
  return result;
}

int MPI_Alltoall(const void* sent, int send_count, MPI_Datatype send_type, void* received, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm) {
  const int result = PMPI_Alltoall(sent, send_count, send_type, received, receive_count, receive_type, comm);
  note_sides("alltoall", send_count, sent != MPI_IN_PLACE ? send_type : MPI_DATATYPE_NULL, receive_count, receive_type,
             -1, comm);
  return result;
}

int MPI_Gatherv(const void* sent, int send_count, MPI_Datatype send_type, void* received, const int* counts,
                const int* places, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const int result = PMPI_Gatherv(sent, send_count, send_type, received, counts, places, receive_type, root, comm);
  const int is_root = rank_in(comm) == root, sends = sent != MPI_IN_PLACE;
  begin_collective("gatherv", comm);
  if ((sends && is_derived(send_type)) || (is_root && is_derived(receive_type))) {
    add_to_note(" %ld", sends ? bytes_of(send_count, send_type) : 0);
    note_each(is_root ? counts : NULL, receive_type, comm);
    add_to_note(" %d 6 6", root);
  }
  end_note();
  return result;
}

int MPI_Scatterv(const void* sent, const int* counts, const int* places, MPI_Datatype send_type, void* received,
                 int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const int result = PMPI_Scatterv(sent, counts, places, send_type, received, receive_count, receive_type, root, comm);
  const int is_root = rank_in(comm) == root, receives = received != MPI_IN_PLACE;
  begin_collective("scatterv", comm);
  if ((is_root && is_derived(send_type)) || (receives && is_derived(receive_type))) {
    note_each(is_root ? counts : NULL, send_type, comm);
    add_to_note(" %ld %d 6 6", receives ? bytes_of(receive_count, receive_type) : 0, root);
  }
  end_note();
  return result;
}

int MPI_Allgatherv(const void* sent, int send_count, MPI_Datatype send_type, void* received, const int* counts,
                   const int* places, MPI_Datatype receive_type, MPI_Comm comm) {
  const int result = PMPI_Allgatherv(sent, send_count, send_type, received, counts, places, receive_type, comm);
  const int sends = sent != MPI_IN_PLACE;
  begin_collective("allgatherv", comm);
  if ((sends && is_derived(send_type)) || is_derived(receive_type)) {
    add_to_note(" %ld", sends ? bytes_of(send_count, send_type) : bytes_of(counts[rank_in(comm)], receive_type));
    note_each(counts, receive_type, comm);
    add_to_note(" 6 6");
  }
  end_note();
  return result;
}

int MPI_Alltoallv(const void* sent, const int* send_counts, const int* send_places, MPI_Datatype send_type,
                  void* received, const int* receive_counts, const int* receive_places, MPI_Datatype receive_type,
                  MPI_Comm comm) {
  const int result = PMPI_Alltoallv(sent, send_counts, send_places, send_type, received, receive_counts, receive_places,
                                    receive_type, comm);
  const int sends = sent != MPI_IN_PLACE;
  begin_collective("alltoallv", comm);
  if ((sends && is_derived(send_type)) || is_derived(receive_type)) {
    const int* counts = sends ? send_counts : receive_counts;
    const MPI_Datatype type = sends ? send_type : receive_type;
    add_to_note(" 0");  // the buffers' sizes do not matter
    note_each(counts, type, comm);
    add_to_note(" 0");
    note_each(receive_counts, receive_type, comm);
    add_to_note(" 6 6");
  }
  end_note();
  return result;
}

// ---- Computing that the program states itself, with all its digits. For smpi_execute_flops() too the timer stands
// still meanwhile, as SMPI has it for smpi_execute_flops_benched() alone: else what other ranks compute would be this
// one's.

static void execute_stated(double flop) {
  smpi_bench_end();
  begin_note("compute");
  add_to_note(" %.17g", flop);
  fputc('\n', notes_file());
  smpi_execute_flops(flop);
  smpi_bench_begin();
}

// ---- How the calls of the program come here. SMPI loads a copy of the program for each rank with RTLD_DEEPBIND, so
// that it finds SMPI's functions before any that are preloaded; what it has found is replaced.

#if defined __x86_64__
enum { kSlot = R_X86_64_JUMP_SLOT, kData = R_X86_64_GLOB_DAT };
#elif defined __aarch64__
enum { kSlot = R_AARCH64_JUMP_SLOT, kData = R_AARCH64_GLOB_DAT };
#else
#error "the machine's relocations are not known here"
#endif

typedef struct {
  const ElfW(Rela) * first;
  size_t bytes;
} Relocations;

/// What the program is to call by a name: SMPI's own where there is nothing else, NULL where it is none of these.
static void* function_for(const char* name) {
  if (strcmp(name, "smpi_execute_flops") == 0 || strcmp(name, "smpi_execute_flops_benched") == 0)
    return (void*)execute_stated;
  return strncmp(name, "MPI_", 4) == 0 ? dlsym(RTLD_DEFAULT, name) : NULL;
}

static void redirect(const struct link_map* object, Relocations relocations, const ElfW(Sym) * symbols,
                     const char* names) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (size_t i = 0; i < relocations.bytes / sizeof(ElfW(Rela)); ++i) {
    const ElfW(Rela)* at = &relocations.first[i];
    const char* name = names + symbols[ELF64_R_SYM(at->r_info)].st_name;
    const unsigned type = ELF64_R_TYPE(at->r_info);
    void* function = type == kSlot || type == kData ? function_for(name) : NULL;
    void** slot = (void**)(object->l_addr + at->r_offset);
    if (function == NULL || *slot == function) continue;
    mprotect((void*)((uintptr_t)slot & ~(page - 1)), page, PROT_READ | PROT_WRITE);
    *slot = function;
  }
}

static void redirect_calls_of(const struct link_map* object) {
  Relocations calls = {NULL, 0}, others = {NULL, 0};
  const ElfW(Sym)* symbols = NULL;
  const char* names = NULL;
  for (const ElfW(Dyn)* at = object->l_ld; at->d_tag != DT_NULL; ++at) {
    if (at->d_tag == DT_JMPREL) calls.first = (const ElfW(Rela)*)at->d_un.d_ptr;
    if (at->d_tag == DT_PLTRELSZ) calls.bytes = at->d_un.d_val;
    if (at->d_tag == DT_RELA) others.first = (const ElfW(Rela)*)at->d_un.d_ptr;
    if (at->d_tag == DT_RELASZ) others.bytes = at->d_un.d_val;
    if (at->d_tag == DT_SYMTAB) symbols = (const ElfW(Sym)*)at->d_un.d_ptr;
    if (at->d_tag == DT_STRTAB) names = (const char*)at->d_un.d_ptr;
  }
  if (symbols == NULL || names == NULL) return;
  redirect(object, calls, symbols, names);
  redirect(object, others, symbols, names);
}

void* dlopen(const char* file, int flags) {
  static void* (*real)(const char*, int);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "dlopen");
  void* object = real(file, flags);
  struct link_map* map = NULL;
  if (object != NULL && (flags & RTLD_DEEPBIND) != 0 && dlinfo(object, RTLD_DI_LINKMAP, &map) == 0)
    for (; map != NULL; map = map->l_next) redirect_calls_of(map);  // and of libraries that it has brought along
  return object;
}

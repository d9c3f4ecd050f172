// The algorithms. They send what SimGrid 3.32's SMPI sends in the same order (src/smpi/colls), so that times can be held
// against its replay; where they come from is said at each.
#include "workloads/mpi/mpi_collectives.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace nowsim {
namespace {

/// What goes to one of several: variants with a size per rank have it in their counts.
double bytes_to(const MpiCollective& c, int rank) { return c.counts.empty() ? c.send_bytes : c.counts[index_of(rank)]; }

/// A rank modulo the number of ranks.
int wrapped(int rank, int count) { return (rank % count + count) % count; }

int floor_power_of_two(int n) { return static_cast<int>(std::bit_floor(static_cast<unsigned>(n))); }

// ---- barrier -----------------------------------------------------------------------------------------------------

/// All tell rank 0, and it tells all (Open MPI's basic linear).
Task<> barrier_linear(MpiEndpoint& me, MpiCollective) {
  const int n = me.count();
  if (me.index() > 0) {
    co_await me.send(0, 0);
    co_await me.receive(0);
    co_return;
  }
  for (int i = 1; i < n; ++i) me.posted(co_await me.post_receive(i), i, false);
  co_await me.finish_posted();
  for (int i = 1; i < n; ++i) me.posted(co_await me.post_send(i, 0), i, true);
  co_await me.finish_posted();
}

/// Rank r with r ^ 1, r ^ 2, r ^ 4, ...; those beyond the largest power of two have one below for a proxy.
Task<> barrier_recursive_doubling(MpiEndpoint& me, MpiCollective) {
  const int n = me.count(), r = me.index(), power = floor_power_of_two(n);
  if (r >= power) {
    co_await me.exchange(r - power, 0, r - power);
    co_return;
  }
  const bool is_proxy = r < n - power;
  if (is_proxy) co_await me.receive(r + power);
  for (int bit = 1; bit < power; bit <<= 1) co_await me.exchange(r ^ bit, 0, r ^ bit);
  if (is_proxy) co_await me.send(r + power, 0);
}

/// Round k: to the rank 2^k above, from the one 2^k below.
Task<> barrier_bruck(MpiEndpoint& me, MpiCollective) {
  const int n = me.count();
  for (int d = 1; d < n; d <<= 1)
    co_await me.exchange(wrapped(me.index() + d, n), 0, wrapped(me.index() - d, n));
}

/// Up a binomial tree and down again.
Task<> barrier_tree(MpiEndpoint& me, MpiCollective) {
  const int n = me.count(), r = me.index();
  const int depth = static_cast<int>(std::bit_ceil(static_cast<unsigned>(n)));
  const auto is_partner = [&](int other, int jump) { return (other & (jump - 1)) == 0 && other < n; };
  for (int jump = 1; jump < depth; jump <<= 1)
    if (const int other = r ^ jump; is_partner(other, jump)) {
      if (other > r) co_await me.receive(other);
      else co_await me.send(other, 0);
    }
  for (int jump = depth >> 1; jump > 0; jump >>= 1)
    if (const int other = r ^ jump; is_partner(other, jump)) {
      if (other > r) co_await me.send(other, 0);
      else co_await me.receive(other);
    }
}

// ---- from one to all, from all to one ----------------------------------------------------------------------------

/// The root's children in a binomial tree hear of it in the order of their subtrees' sizes (MPICH).
Task<> bcast_binomial(MpiEndpoint& me, MpiCollective c) {
  const int n = me.count(), relative = wrapped(me.index() - c.root, n);
  int bit = 1;
  for (; bit < n; bit <<= 1)
    if ((relative & bit) != 0) {
      co_await me.receive(wrapped(me.index() - bit, n));
      break;
    }
  for (bit >>= 1; bit > 0; bit >>= 1)
    if (relative + bit < n) co_await me.send(wrapped(me.index() + bit, n), c.send_bytes);
}

/// The root to all others at the same time.
Task<> from_root(MpiEndpoint& me, MpiCollective c) {
  if (me.index() != c.root) {
    co_await me.receive(c.root);
    co_return;
  }
  for (int to = 0; to < me.count(); ++to)
    if (to != c.root) me.posted(co_await me.post_send(to, bytes_to(c, to)), to, true);
  co_await me.finish_posted();
}

/// All others to the root at the same time.
Task<> to_root(MpiEndpoint& me, MpiCollective c) {
  if (me.index() != c.root) {
    me.posted(co_await me.post_send(c.root, c.send_bytes), c.root, true);
    co_await me.finish_posted();
    co_return;
  }
  for (int from = 0; from < me.count(); ++from)
    if (from != c.root) me.posted(co_await me.post_receive(from), from, false);
  co_await me.finish_posted();
}

/// MPICH's tree: rank r takes from r + 1, r + 2, r + 4, ..., then sends to where its lowest bit is not.
Task<> reduce_binomial(MpiEndpoint& me, MpiCollective c) {
  if (c.send_bytes == 0) co_return;
  const int n = me.count(), relative = wrapped(me.index() - c.root, n);
  for (int bit = 1; bit < n; bit <<= 1) {
    if ((relative & bit) != 0) {
      co_await me.send(wrapped((relative & ~bit) + c.root, n), c.send_bytes);
      co_return;
    }
    if ((relative | bit) < n) co_await me.receive(wrapped((relative | bit) + c.root, n));
  }
}

// ---- from all to all ---------------------------------------------------------------------------------------------

Task<> allreduce_reduce_bcast(MpiEndpoint& me, MpiCollective c) {
  c.root = 0;
  co_await to_root(me, c);
  co_await bcast_binomial(me, c);
}

/// MPICH's: of the first ranks, as many as there are beyond a power of two, each second one leaves its part to the next.
Task<> allreduce_recursive_doubling(MpiEndpoint& me, MpiCollective c) {
  const int n = me.count(), r = me.index(), power = floor_power_of_two(n), beyond = n - power;
  const bool is_doubled = r < 2 * beyond;
  if (is_doubled && r % 2 == 0) {
    co_await me.send(r + 1, c.send_bytes);
    co_await me.receive(r + 1);
    co_return;
  }
  if (is_doubled) co_await me.receive(r - 1);
  const int place = is_doubled ? r / 2 : r - beyond;
  for (int bit = 1; bit < power; bit <<= 1) {
    const int other = place ^ bit;
    const int partner = other < beyond ? 2 * other + 1 : other + beyond;
    co_await me.exchange(partner, c.send_bytes, partner);
  }
  if (is_doubled) co_await me.send(r - 1, c.send_bytes);
}

/// Sends to each other rank and receives from it; all is posted before anything is waited for.
Task<> allgather_linear(MpiEndpoint& me, MpiCollective c) {
  for (int other = 0; other < me.count(); ++other) {
    if (other == me.index()) continue;
    me.posted(co_await me.post_send(other, c.send_bytes), other, true);
    me.posted(co_await me.post_receive(other), other, false);
  }
  co_await me.finish_posted();
}

/// Round i: to the rank i above, from the one i below.
Task<> rotated(MpiEndpoint& me, MpiCollective c) {
  const int n = me.count(), r = me.index();
  for (int i = 1; i < n; ++i) {
    const int to = wrapped(r + i, n);
    co_await me.exchange(to, bytes_to(c, to), wrapped(r - i, n));
  }
}
/// The same to each, whatever an allgatherv receives from each.
Task<> all_ring(MpiEndpoint& me, MpiCollective c) {
  c.counts = {};
  return rotated(me, c);
}

/// Blocks double from round to round (Bruck et al. 1997); the last one moves what is left.
Task<> allgather_bruck(MpiEndpoint& me, MpiCollective c) {
  const int n = me.count(), r = me.index();
  for (int blocks = 1; blocks < n; blocks *= 2)
    co_await me.exchange(wrapped(r - blocks, n), c.receive_bytes * std::min(blocks, n - blocks), wrapped(r + blocks, n));
}

/// Receives first, from the next rank on; then sends, from the rank before on down (Open MPI's linear).
Task<> alltoall_linear(MpiEndpoint& me, MpiCollective c) {
  const int n = me.count(), r = me.index();
  for (int d = 1; d < n; ++d) {
    const int from = wrapped(r + d, n);
    me.posted(co_await me.post_receive(from), from, false);
  }
  for (int d = 1; d < n; ++d) {
    const int to = wrapped(r - d, n);
    me.posted(co_await me.post_send(to, c.send_bytes), to, true);
  }
  co_await me.finish_posted();
}

/// Rank r with r ^ i; as a ring where the number of ranks is no power of two, which SMPI refuses.
Task<> alltoall_pairwise(MpiEndpoint& me, MpiCollective c) {
  if (!std::has_single_bit(static_cast<unsigned>(me.count()))) co_return co_await all_ring(me, c);
  for (int i = 1; i < me.count(); ++i) co_await me.exchange(me.index() ^ i, c.send_bytes, me.index() ^ i);
}

/// Round k: the blocks whose number has bit k set go 2^k ranks on (Bruck et al. 1997).
Task<> alltoall_bruck(MpiEndpoint& me, MpiCollective c) {
  const int n = me.count(), r = me.index();
  for (int bit = 1; bit < n; bit <<= 1) {
    int blocks = 0;
    for (int block = 1; block < n; ++block) blocks += (block & bit) != 0 ? 1 : 0;
    co_await me.exchange(wrapped(r + bit, n), c.send_bytes * blocks, wrapped(r - bit, n));
  }
}

/// Up to how many ranks and bytes which algorithm is taken: Open MPI's decision as SMPI has it
/// (smpi_openmpi_selector.cpp), whose linear_sync and two_proc are the linear one there.
struct AlltoallChoice {
  int ranks_below;
  double bytes_below;
  Task<> (*run)(MpiEndpoint&, MpiCollective);
};
constexpr int kMany = std::numeric_limits<int>::max();
constexpr AlltoallChoice kAlltoallChoices[] = {
    {2, kInfinity, alltoall_linear},     {3, 2, alltoall_pairwise},           {3, 4, alltoall_linear},
    {3, 16, alltoall_pairwise},          {3, 64, alltoall_linear},            {3, 256, alltoall_pairwise},
    {3, 4096, alltoall_linear},          {3, 32768, alltoall_pairwise},       {3, 1048576, alltoall_linear},
    {3, kInfinity, alltoall_pairwise},   {8, 524288, alltoall_linear},        {8, 1048576, alltoall_pairwise},
    {16, kInfinity, alltoall_linear},    {32, 4, alltoall_linear},            {64, 512, alltoall_bruck},
    {64, kInfinity, alltoall_linear},    {512, 1024, alltoall_bruck},         {256, 262144, alltoall_linear},
    {512, 32768, alltoall_linear},       {512, kInfinity, alltoall_pairwise}, {2048, 512, alltoall_bruck},
    {1024, 262144, alltoall_linear},     {1024, kInfinity, alltoall_pairwise}, {4096, 1024, alltoall_bruck},
    {4096, kInfinity, alltoall_linear},  {kMany, 2048, alltoall_bruck},       {kMany, kInfinity, alltoall_linear},
};

Task<> alltoall_by_size(MpiEndpoint& me, MpiCollective c) {
  const auto* const chosen = std::ranges::find_if(kAlltoallChoices, [&](const AlltoallChoice& it) {
    return me.count() < it.ranks_below && c.send_bytes < it.bytes_below;
  });
  co_await chosen->run(me, c);
}

/// Receives first, then sends, each in the order of ranks.
Task<> alltoallv_linear(MpiEndpoint& me, MpiCollective c) {
  for (int from = 0; from < me.count(); ++from)
    if (from != me.index()) me.posted(co_await me.post_receive(from), from, false);
  for (int to = 0; to < me.count(); ++to)
    if (to != me.index()) me.posted(co_await me.post_send(to, bytes_to(c, to)), to, true);
  co_await me.finish_posted();
}

// ---- reduced, and parts to all -----------------------------------------------------------------------------------

/// All to rank 0, and parts back.
Task<> reduce_scatter_linear(MpiEndpoint& me, MpiCollective c) {
  c.root = 0;
  c.send_bytes = std::accumulate(c.counts.begin(), c.counts.end(), 0.0);
  co_await to_root(me, c);
  co_await from_root(me, c);
}

/// MPICH's recursive doubling: with partner r ^ 2^k what neither's half of the tree has; where a half has nobody to
/// exchange with, those of it that have the data pass it on.
Task<> reduce_scatter_recursive_doubling(MpiEndpoint& me, MpiCollective c) {
  const int n = me.count(), r = me.index();
  const auto bytes_but = [&c, n](int first, int width) {
    double bytes = 0;
    for (int j = 0; j < n; ++j)
      if (j < first || j >= first + width) bytes += bytes_to(c, j);
    return bytes;
  };
  for (int mask = 1; mask < n; mask <<= 1) {
    const int partner = r ^ mask, theirs = partner & ~(mask - 1), mine = r & ~(mask - 1);
    if (partner < n) co_await me.exchange(partner, bytes_but(mine, mask), partner);
    if (theirs + mask <= n) continue;
    const int complete = n - mine - mask;
    for (int bit = mask >> 1, root_bits = mask; bit > 0; bit >>= 1, root_bits >>= 1) {
      const int other = r ^ bit, root = r & ~(root_bits - 1);
      const bool has = r < root + complete, other_has = other < root + complete;
      if (other > r && has && !other_has) co_await me.send(other, bytes_but(theirs, mask));
      else if (other < r && other_has && !has) co_await me.receive(other);
    }
  }
}

/// SMPI's default: equal parts by a reduction to rank 0, others as MPICH does.
Task<> reduce_scatter_by_counts(MpiEndpoint& me, MpiCollective c) {
  const bool is_regular = std::ranges::all_of(c.counts, [&c](double bytes) { return bytes == c.counts.front(); });
  return is_regular ? reduce_scatter_linear(me, c) : reduce_scatter_recursive_doubling(me, c);
}

/// To all above, from all below.
Task<> scan_linear(MpiEndpoint& me, MpiCollective c) {
  for (int from = 0; from < me.index(); ++from) me.posted(co_await me.post_receive(from), from, false);
  for (int to = me.index() + 1; to < me.count(); ++to) me.posted(co_await me.post_send(to, c.send_bytes), to, true);
  co_await me.finish_posted();
}

}  // namespace

Task<Exchanged> MpiEndpoint::exchange(int to, double bytes, int from) {
  if (to == index() && from == index()) co_return Exchanged{from, tag_, bytes + how_.envelope_bytes};
  const RequestId sent = co_await post_send(to, bytes);
  const RequestId received = co_await post_receive(from);
  const Exchanged message = co_await finish(received, {Activity::receive, from});
  if (sent != kNoRequest) co_await finish(sent, {Activity::send, to});
  co_return message;
}

Task<> MpiEndpoint::finish_posted() {
  for (const Posted& it : posted_) co_await finish(it.request, it.shown);
  posted_.clear();
}

const std::vector<MpiAlgorithms>& mpi_algorithms() {
  static const std::vector<MpiAlgorithms> all{
      {MpiCall::barrier, "barrier",
       {{"linear", "default", barrier_linear}, {"recursive-doubling", "ompi_recursivedoubling", barrier_recursive_doubling},
        {"bruck", "ompi_bruck", barrier_bruck}, {"tree", "ompi_tree", barrier_tree}}},
      {MpiCall::bcast, "bcast", {{"binomial", "default", bcast_binomial}, {"linear", "flattree", from_root}}},
      {MpiCall::reduce, "reduce", {{"linear", "default", to_root}, {"binomial", "binomial", reduce_binomial}}},
      {MpiCall::allreduce, "allreduce",
       {{"reduce-bcast", "default", allreduce_reduce_bcast},
        {"recursive-doubling", "rdb", allreduce_recursive_doubling}}},
      {MpiCall::alltoall, "alltoall",
       {{"by-size", "default", alltoall_by_size}, {"linear", "basic_linear", alltoall_linear},
        {"pairwise", "pair", alltoall_pairwise}, {"bruck", "bruck", alltoall_bruck}, {"ring", "ring", all_ring}}},
      {MpiCall::alltoallv, "alltoallv", {{"linear", "default", alltoallv_linear}}},
      {MpiCall::gather, "gather", {{"linear", "default", to_root}}},
      {MpiCall::gatherv, "", {{"linear", "", to_root}}},
      {MpiCall::scatter, "scatter", {{"linear", "default", from_root}}},
      {MpiCall::scatterv, "", {{"linear", "", from_root}}},
      {MpiCall::allgather, "allgather",
       {{"linear", "default", allgather_linear}, {"ring", "ring", all_ring}, {"bruck", "bruck", allgather_bruck}}},
      {MpiCall::allgatherv, "allgatherv", {{"linear", "default", allgather_linear}, {"ring", "ring", all_ring}}},
      {MpiCall::reducescatter, "reduce_scatter",
       {{"by-counts", "default", reduce_scatter_by_counts}, {"pairwise", "mpich_pair", rotated},
        {"recursive-doubling", "mpich_rdb", reduce_scatter_recursive_doubling}}},
      {MpiCall::scan, "", {{"linear", "", scan_linear}}},
      {MpiCall::exscan, "", {{"linear", "", scan_linear}}},
  };
  return all;
}

}  // namespace nowsim

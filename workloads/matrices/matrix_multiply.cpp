// C = A·B by blocks of rows (ZY 4.2's MM): a master deals rows of A, every rank needs all of B, rows of C come back.
#include <algorithm>
#include <vector>

#include "workloads/parts/master.hpp"
#include "workloads/parts/paging.hpp"
#include "workloads/parts/registry.hpp"
#include "workloads/parts/whole_parts.hpp"

namespace nowsim {
namespace {

/// How B reaches the ranks. The paper does not say.
enum class Distribute {
  each,      ///< the master sends all of it to one worker after another, with the worker's rows of A (PVM)
  binomial,  ///< a broadcast along a binomial tree over all ranks, when the rows of A have been sent
  rotate,    ///< each rank gets as many rows of B as of A; they go round in a ring while it multiplies
  in_place,  ///< it is everywhere already
};

const std::vector<std::string> kDistribute{"each", "binomial", "rotate", "in-place"};  // as in Distribute

struct MatrixMultiplyParameters {
  std::int64_t order;
  double element_bytes;
  Distribute distribute;
  double spawn_s;
  /// Calibrated to ZY 4.3: of order 1500 (2·1500³ = 6.75e9 flop on 27 MB), 30 min on a SPARC 10-30 of 32 MiB, which are
  /// 3.75 Mflop/s, and 17 h on both machines of 16 MiB, of which computing at 0.83⁻¹ and 0.48/0.83 times that rate
  /// (4.518 and 2.169 Mflop/s, Table 1) takes 1494 and 3112 s. The mean wait is then 61200 s - 2303 s = 58897 s, and
  ///   page_wait = 58897 s / (6.75e9 · (1 - 16 MiB / 27 MB)) = 23.05 us.
  /// (By these figures 2.4 and 5 % of the 17 hours are computing; the paper measured 10 %.)
  Paging paging;
  MessageWork message_work;

  /// Of rows that are multiplied with `inner` rows of B: one product and one sum for each of an element's terms.
  [[nodiscard]] double flop(std::int64_t rows, std::int64_t inner) const {
    return 2 * static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(order);
  }
  /// That so many rows of a matrix hold.
  [[nodiscard]] double bytes(std::int64_t rows) const {
    return static_cast<double>(rows) * static_cast<double>(order) * element_bytes;
  }
};

/// Rows of A (and of C) per rank. Ranks without any take part in nothing but the tree, whose messages they pass on.
using Rows = std::vector<std::int64_t>;

class MatrixMultiply final : public Workload {
 public:
  explicit MatrixMultiply(const MatrixMultiplyParameters& p)
      : Workload({.work_flop = p.flop(p.order, p.order),
                  .communicates = true,
                  .messages = [p](int ranks) {
                    const double of_b = p.distribute == Distribute::binomial ? 1
                                        : p.distribute == Distribute::rotate ? ranks
                                                                             : 0;
                    return (kMessagesOfMaster + of_b) * (ranks - 1);
                  },
                  .paging_alone_s = [p](const Workstation& host) {
                    return p.paging.wait_s(host, p.flop(p.order, p.order), p.bytes(3 * p.order));
                  }}),
        p_(p) {}

  Process run(Rank& self) const override {
    return self.count() == 1 ? compute_alone(self, program()) : run_with_others(self);
  }

 private:
  Process run_with_others(Rank& self) const {
    co_await begin_after_spawning(self, p_.spawn_s);
    const Rows rows = whole_parts(p_.order, self.shares());
    co_await deal_out(self, [&](int rank) {
      const std::int64_t of_a = rows[index_of(rank)];
      return p_.bytes(of_a + rows_of_b(of_a));
    }, p_.message_work);
    if (p_.distribute == Distribute::binomial) co_await pass_along_tree(self, 0, p_.bytes(p_.order), p_.message_work);
    co_await multiply(self, rows);
    co_await take_back(self, [&](int rank) { return p_.bytes(rows[index_of(rank)]); }, p_.message_work);
  }

  /// That come with so many rows of A.
  [[nodiscard]] std::int64_t rows_of_b(std::int64_t rows) const {
    if (p_.distribute == Distribute::each) return rows > 0 ? p_.order : 0;
    return p_.distribute == Distribute::rotate ? rows : 0;
  }

  Process multiply(Rank& self, const Rows& rows) const {
    const std::int64_t mine = rows[index_of(self.index())];
    if (mine == 0) co_return;
    if (p_.distribute == Distribute::rotate) co_await multiply_rotating(self, rows);
    else co_await compute_in_memory(self, p_.flop(mine, p_.order), p_.bytes(2 * mine + p_.order), p_.paging);
  }

  /// In as many steps as ranks have rows, each multiplies with the rows of B that it holds and passes them on.
  Process multiply_rotating(Rank& self, const Rows& rows) const {
    const std::vector<int> ring = ranks_with(rows);
    const std::size_t n = ring.size();
    const auto me = static_cast<std::size_t>(std::find(ring.begin(), ring.end(), self.index()) - ring.begin());
    const std::int64_t mine = rows[index_of(self.index())];
    const double footprint = p_.bytes(2 * mine + *std::max_element(rows.begin(), rows.end()));
    for (std::size_t step = 0; step < n; ++step) {
      const std::int64_t held = rows[index_of(ring[(me + n - step) % n])];
      co_await compute_in_memory(self, p_.flop(mine, held), footprint, p_.paging);
      if (step + 1 == n) break;
      if (const double flop = p_.message_work.of(p_.bytes(held)); flop > 0) co_await compute_for_message(self, flop);
      co_await self.isend(ring[(me + 1) % n], p_.bytes(held));
      const Message next = co_await self.receive(ring[(me + n - 1) % n]);
      if (const double flop = p_.message_work.of(next.bytes); flop > 0) co_await compute_for_message(self, flop);
    }
  }
  static std::vector<int> ranks_with(const Rows& rows) {
    std::vector<int> ranks;
    for (int rank = 0; rank < static_cast<int>(rows.size()); ++rank)
      if (rows[index_of(rank)] > 0) ranks.push_back(rank);
    return ranks;
  }

  MatrixMultiplyParameters p_;
};

std::shared_ptr<const Workload> make_matrix_multiply(ParameterReader& read) {
  const std::int64_t order = read.count("size", std::nullopt, 1);
  const double element_bytes = read.positive_bytes("element", 4, "an element of the matrices");
  const std::size_t distribute = read.choice("distribute", kDistribute, 0);
  const double spawn_s = read.time("spawn", 0);
  return std::make_shared<MatrixMultiply>(MatrixMultiplyParameters{
      order, element_bytes, static_cast<Distribute>(distribute), spawn_s, Paging{read.time("page_wait", 0)},
      read_message_work(read)});
}

}  // namespace

WorkloadInfo matrix_multiply() {
  return {"matrix-multiply", "C = A·B by blocks of rows, A's dealt by rank 0, which collects C's (ZY 4.2)",
          {{"size", KeyType::count, kMustBeGiven, "order of the matrices", {1}},
           {"element", KeyType::bytes, "4B", "size of an element", kPositive},
           {"distribute", KeyType::word, "each", "how B reaches all", {}, kDistribute},
           spawn_key(),
           page_wait_key(),
           work_per_message_key(),
           work_per_byte_key()},
          make_matrix_multiply,
          1,
          message_work_keys()};
}

}  // namespace nowsim

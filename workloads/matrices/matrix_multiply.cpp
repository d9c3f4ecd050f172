// C = A·B by blocks of rows (ZY 4.2's MM): a master deals rows of A, every rank needs all of B, rows of C come back.
#include <algorithm>
#include <vector>

#include "workloads/parts/master.hpp"
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

/// `page_wait` is calibrated to ZY 4.3: of order 1500 (2·1500³ = 6.75e9 flop on 27 MB), 30 min on a SPARC 10-30 of 32
/// MiB, which are 3.75 Mflop/s, and 17 h on both machines of 16 MiB, of which computing at 0.83⁻¹ and 0.48/0.83 times that
/// rate (4.518 and 2.169 Mflop/s, Table 1) takes 1494 and 3112 s. The mean wait is then 61200 s - 2303 s = 58897 s, and
///   page_wait = 58897 s / (6.75e9 · (1 - 16 MiB / 27 MB)) = 23.05 us.
/// (By these figures 2.4 and 5 % of the 17 hours are computing; the paper measured 10 %.)
struct MatrixMultiplyParameters {
  std::int64_t order;
  double element_bytes;
  Distribute distribute;

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

class MatrixMultiply final : public MasterProgram {
 public:
  MatrixMultiply(const MatrixMultiplyParameters& p, const MasterCosts& costs)
      : MasterProgram({.work_flop = p.flop(p.order, p.order),
                       .messages = [way = p.distribute](int ranks) {
                         const double of_b = way == Distribute::binomial ? 1 : way == Distribute::rotate ? ranks : 0;
                         return (kMessagesOfMaster + of_b) * (ranks - 1);
                       }},
                      costs, p.bytes(3 * p.order)),
        p_(p) {}

 private:
  Process run_with_others(Rank& self) const override {
    const Rows rows = whole_parts(p_.order, self.shares());
    co_await deal_out(self, [&](int rank) {
      const std::int64_t of_a = rows[index_of(rank)];
      return p_.bytes(of_a + rows_of_b(of_a));
    });
    if (p_.distribute == Distribute::binomial) co_await pass_along_tree(self, 0, p_.bytes(p_.order));
    const std::int64_t mine = rows[index_of(self.index())];
    if (mine > 0 && p_.distribute == Distribute::rotate) co_await multiply_rotating(self, rows);
    else if (mine > 0) co_await compute(self, p_.flop(mine, p_.order), p_.bytes(2 * mine + p_.order));
    co_await take_back(self, [&](int rank) { return p_.bytes(rows[index_of(rank)]); });
  }

  /// That come with so many rows of A.
  [[nodiscard]] std::int64_t rows_of_b(std::int64_t rows) const {
    if (p_.distribute == Distribute::each) return rows > 0 ? p_.order : 0;
    return p_.distribute == Distribute::rotate ? rows : 0;
  }

  /// In as many steps as ranks have rows, each multiplies with the rows of B that it holds and passes them on.
  Process multiply_rotating(Rank& self, const Rows& rows) const {
    std::vector<int> ring;
    for (int rank = 0; rank < self.count(); ++rank)
      if (rows[index_of(rank)] > 0) ring.push_back(rank);
    const std::size_t n = ring.size();
    const auto me = static_cast<std::size_t>(std::find(ring.begin(), ring.end(), self.index()) - ring.begin());
    const std::int64_t mine = rows[index_of(self.index())];
    const double footprint = p_.bytes(2 * mine + *std::max_element(rows.begin(), rows.end()));
    for (std::size_t step = 0; step < n; ++step) {
      const std::int64_t held = rows[index_of(ring[(me + n - step) % n])];
      co_await compute(self, p_.flop(mine, held), footprint);
      if (step + 1 == n) break;
      co_await isend(self, ring[(me + 1) % n], p_.bytes(held));
      co_await receive(self, ring[(me + n - 1) % n]);
    }
  }

  MatrixMultiplyParameters p_;
};

}  // namespace

WorkloadInfo matrix_multiply() {
  return master_program(
      {"matrix-multiply", "C = A·B by blocks of rows, A's dealt by rank 0, which collects C's (ZY 4.2)",
       {{"size", KeyType::count, kMustBeGiven, "order of the matrices", {1}},
        {"element", KeyType::bytes, "4B", "size of an element", kPositive},
        {"distribute", KeyType::word, "each", "how B reaches all", {}, kDistribute}},
       [](KeyReader& read) {
         const MatrixMultiplyParameters p{read.whole("size"), read_size(read, "element", "an element of the matrices"),
                                          static_cast<Distribute>(read.word("distribute"))};
         return std::make_shared<MatrixMultiply>(p, read_master_costs(read));
       }});
}

}  // namespace nowsim

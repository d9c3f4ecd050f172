// Cholesky's A = L·Lᵀ by blocks of columns, right-looking, without look-ahead (ZY 4.2; ORNL/TM-12470, its [2]): in step
// k the owner of block k factors it and sends it out, and everybody updates its own columns to the right.
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/matrices/matrix_parts.hpp"
#include "workloads/parts/master.hpp"

namespace nowsim {
namespace {

struct CholeskyParameters {
  BlockColumns matrix;
  double element_bytes;
  /// A panel reaches the ranks that have columns to update along a binomial tree over all ranks, where anybody but the
  /// owner needs it; else the owner buffers it to each of them, and the messages travel at the same time.
  bool by_tree;
  [[nodiscard]] double bytes(double elements) const { return elements * element_bytes; }
};

/// Whose blocks are whose. Ranks without any take part in nothing but the tree, whose messages they pass on.
struct Deal {
  std::vector<int> owner;            ///< of each block
  std::vector<double> elements;      ///< that each rank has, in all its blocks
  std::vector<std::size_t> done_at;  ///< one past each rank's last block

  Deal(const BlockColumns& matrix, std::span<const double> shares)
      : owner(deal_blocks(matrix, shares)), elements(shares.size(), 0), done_at(shares.size(), 0) {
    for (std::size_t k = 0; k < owner.size(); ++k) {
      elements[index_of(owner[k])] += matrix.elements(k);
      done_at[index_of(owner[k])] = k + 1;
    }
  }
  /// Whether a rank gets block k from another, to update columns of its own.
  [[nodiscard]] bool needs(int rank, std::size_t k) const { return rank != owner[k] && done_at[index_of(rank)] > k; }
  [[nodiscard]] bool anybody_needs(std::size_t k) const {
    for (int rank = 0; rank < static_cast<int>(done_at.size()); ++rank)
      if (needs(rank, k)) return true;
    return false;
  }
};

class Cholesky final : public MasterProgram {
 public:
  Cholesky(const CholeskyParameters& p, const MasterCosts& costs)
      : MasterProgram({.work_flop = p.matrix.flop(),
                       .messages = [blocks = static_cast<double>(p.matrix.count())](int ranks) {
                         return (kMessagesOfMaster + blocks) * (ranks - 1);
                       }},
                      costs, p.bytes(p.matrix.elements())),
        p_(p) {}

 private:
  /// All columns of a rank travel in one message, those of A and those of L.
  Process run_with_others(Rank& self) const override {
    const Deal deal(p_.matrix, self.shares());
    const auto bytes_of = [&](int rank) { return p_.bytes(deal.elements[index_of(rank)]); };
    co_await deal_out(self, bytes_of);
    co_await factor(self, deal);
    co_await take_back(self, bytes_of);
  }

  Process factor(Rank& self, const Deal& deal) const {
    const BlockColumns& matrix = p_.matrix;
    double right = deal.elements[index_of(self.index())];  // what it has to the right of the panel
    const double footprint = p_.bytes(right + matrix.elements(0));  // beside its own columns, the largest panel
    for (std::size_t k = 0; k < matrix.count(); ++k) {
      if (deal.owner[k] == self.index()) {
        co_await compute(self, matrix.panel_flop(k), footprint);
        right -= matrix.elements(k);
      }
      co_await spread(self, deal, k);
      if (right > 0) co_await compute(self, matrix.update_flop(k, right), footprint);
    }
  }

  /// Block k as it is stored, its lower trapezoid, from its owner to those who need it.
  Process spread(Rank& self, const Deal& deal, std::size_t k) const {
    const double panel_bytes = p_.bytes(p_.matrix.elements(k)), flop = message_flop(panel_bytes);
    if (p_.by_tree) {
      if (deal.anybody_needs(k)) co_await pass_along_tree(self, deal.owner[k], panel_bytes);
    } else if (deal.owner[k] == self.index()) {
      for (int i = 0; i < self.count(); ++i)
        if (deal.needs(i, k)) {  // without a coroutine's frame per message
          if (flop > 0) co_await compute_for_message(self, flop);
          co_await self.isend(i, panel_bytes);
        }
    } else if (deal.needs(self.index(), k)) {
      co_await self.receive(deal.owner[k]);
      if (flop > 0) co_await compute_for_message(self, flop);
    }
  }

  CholeskyParameters p_;
};

/// Each is a step with a message to every rank: more would take hours.
constexpr std::size_t kMostBlocks = 10'000;

std::shared_ptr<const Workload> make_cholesky(KeyReader& read) {
  const std::int64_t order = read.whole("size");
  const double element_bytes = read_size(read, "element", "an element of the matrix");
  const std::int64_t block = read.whole("block");
  const BlockColumns matrix(order, block);
  if (matrix.count() > kMostBlocks)
    throw InputError("size " + std::to_string(order) + " makes more than " + std::to_string(kMostBlocks) +
                     " blocks of " + std::to_string(block) + " columns: give a larger block");
  const CholeskyParameters p{matrix, element_bytes, read.word("broadcast") == 1};
  return std::make_shared<Cholesky>(p, read_master_costs(read));
}

}  // namespace

WorkloadInfo cholesky() {
  return master_program(
      {"cholesky", "A = L·L^T by blocks of columns, right-looking; rank 0 deals them out and collects them (ZY 4.2)",
       {{"size", KeyType::count, kMustBeGiven, "order of the matrix", {1}},
        {"element", KeyType::bytes, "4B", "size of an element", kPositive},
        {"block", KeyType::count, "32", "columns of a block", {1}},
        {"broadcast", KeyType::word, "each", "how panels are sent out", {}, {"each", "binomial"}}},
       make_cholesky});
}

}  // namespace nowsim

// Gaussian elimination by rows (BO 3): in each step the pivot row's rank sends it to all others, and everybody updates
// its own rows with it. Rows are dealt interleaved, whole rows in proportion to the shares.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "sim/program/supersteps.hpp"
#include "sim/statistics/portable.hpp"
#include "workloads/matrices/matrix_parts.hpp"
#include "workloads/parts/registry.hpp"
#include "workloads/parts/whole_parts.hpp"

namespace nowsim {
namespace {

struct GaussParameters {
  std::int64_t order;
  /// How much of the matrix a step concerns. The paper counts n steps of all n rows of n elements each, which is an
  /// upper bound (BO 3.1, footnote 1): n elements are sent, and each row of the matrix costs n operations. Where rows
  /// shrink there are n - 1 steps: in step k the n - k elements right of the pivot, by which the row has been divided,
  /// are sent, and each of the n - k rows below costs an operation for each of its n - k + 1 elements left.
  bool rows_shrink;
  Tree communication;
  double element_bytes;
};

/// Steps in which all rows have a part, or the rows below the pivot.
class EliminationSteps final : public SuperstepSequence {
 public:
  EliminationSteps(const GaussParameters& p, const std::vector<std::int64_t>& rows)
      : p_(p), left_(p.rows_shrink ? p.order - 1 : p.order), order_(rows), rows_(rows.begin(), rows.end()),
        work_flop_(rows.size()) {}
  const Superstep* next() override {
    if (left_ == 0) return nullptr;
    step_.root = order_.next();
    step_.repeats = !p_.rows_shrink && left_ < p_.order;
    if (p_.rows_shrink) rows_[index_of(step_.root)] -= 1;
    if (!step_.repeats) {
      const auto sent = static_cast<double>(left_), of_row = p_.rows_shrink ? sent + 1 : sent;
      std::ranges::transform(rows_, work_flop_.begin(), [of_row](double rows) { return rows * of_row; });
      step_.bytes = sent * p_.element_bytes;
      step_.work_flop = work_flop_;
    }
    --left_;
    return &step_;
  }

 private:
  GaussParameters p_;
  std::int64_t left_;  ///< steps; where rows shrink that is the next one's n - k, too
  InterleavedRows order_;
  std::vector<double> rows_;  ///< that have a part, per rank
  std::vector<double> work_flop_;
  Superstep step_;
};

/// The program in steps, and what it loses to messages: T_o = n·(p-1)·(lambda + n/beta) from point to point,
/// n·ceil(log2 p)·(lambda + n/beta) by broadcast (BO 3.1), with n elements of so many bytes; where rows shrink the sum
/// over the steps. They say what synchronised steps lose, if the rows come out even; without synchronising it may be
/// less.
class Elimination final : public Supersteps, public OverheadModel {
 public:
  explicit Elimination(const GaussParameters& parameters) : p_(parameters) {}
  std::optional<Tree> broadcast_tree() const override { return p_.communication; }
  std::unique_ptr<SuperstepSequence> begin(std::span<const double> share_flop) const override {
    if (share_flop.size() == 1) return RepeatedStep({.meets = false}, 1).begin(share_flop);
    return std::make_unique<EliminationSteps>(p_, whole_parts(p_.order, share_flop));
  }

  double size() const override { return static_cast<double>(p_.order); }
  /// n³ as the paper counts it; (n³ - n)/3 where rows shrink.
  double work_flop(double n) const override { return p_.rows_shrink ? (n * n * n - n) / 3 : n * n * n; }
  double overhead_s(double n, double ranks, const UniformNetwork& network) const override {
    return rounds(ranks) * (steps(n) * network.latency_s + elements(n) * p_.element_bytes / network.bandwidth_Bps);
  }
  [[nodiscard]] double steps(double n) const { return p_.rows_shrink ? std::max(n - 1, 0.0) : n; }

 private:
  /// Messages that follow each other in a step.
  [[nodiscard]] double rounds(double ranks) const {
    return p_.communication == Tree::linear ? ranks - 1 : std::ceil(portable::log2(ranks));
  }
  /// Sent in all steps.
  [[nodiscard]] double elements(double n) const { return p_.rows_shrink ? steps(n) * n / 2 : n * n; }

  GaussParameters p_;
};

class Gauss final : public Workload {
 public:
  Gauss(const std::shared_ptr<const Elimination>& elimination, bool are_synchronised)
      : Workload({.work_flop = elimination->work_flop(elimination->size()),
                  .communicates = true,
                  .messages = [e = elimination](int ranks) { return e->steps(e->size()) * (ranks - 1); },
                  .supersteps = are_synchronised ? elimination : nullptr,
                  .overhead_model = elimination}),
        elimination_(elimination) {}

  /// Steps begin together, as in the paper's T_R, which adds the times for computing and communicating up. Without that
  /// ranks run ahead as far as rendezvous messages let them, and the messages of a step travel while others compute.
  Process run(Rank& self) const override {
    return program().supersteps || self.count() == 1 ? run_supersteps(self, *elimination_) : run_freely(self);
  }

 private:
  Process run_freely(Rank& self) const {
    const auto sequence = elimination_->begin(self.shares());
    const Tree tree = elimination_->broadcast_tree().value();
    while (const Superstep* step = sequence->next()) co_await broadcast_and_compute(self, *step, tree);
  }

  std::shared_ptr<const Elimination> elimination_;
};

const std::vector<std::string> kRowLengths{"full", "shrinking"};
const std::vector<std::string> kCommunications{"broadcast", "point-to-point"}, kStepBegins{"synchronised", "free"};

std::shared_ptr<const Workload> make_gauss(KeyReader& read) {
  const bool rows_shrink = read.word("rows") == 1;
  const std::int64_t order = read.whole_within("size", {rows_shrink ? 2.0 : 1.0});  // W = 0 else
  const std::size_t communication = read.word("communication");
  const double element_bytes = read_size(read, "element", "an element of the matrix");
  const std::size_t steps = read.word("steps");
  const GaussParameters p{order, rows_shrink, communication == 0 ? Tree::binomial : Tree::linear, element_bytes};
  return std::make_shared<Gauss>(std::make_shared<Elimination>(p), steps == 0);
}

}  // namespace

WorkloadInfo gauss() {
  return {"gauss", "Gaussian elimination by interleaved rows: a pivot row per step goes to all ranks (BO 3)",
          {{"size", KeyType::count, kMustBeGiven, "order of the matrix; with rows: shrinking 2 at least", {1}},
           {"rows", KeyType::word, "full", "whether they stay as long as they are, which bounds the work", {}, kRowLengths},
           {"communication", KeyType::word, "broadcast", "how a pivot row reaches all", {}, kCommunications},
           {"element", KeyType::bytes, "8B", "size of an element", kPositive},
           {"steps", KeyType::word, "synchronised", "whether they begin together", {}, kStepBegins}},
          make_gauss};
}

}  // namespace nowsim

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

/// How much of the matrix a step concerns. The paper counts n steps of all n rows of n elements each, which is an upper
/// bound (BO 3.1, footnote 1).
enum class RowLength {
  full,       ///< n steps: n elements are sent, and each row of the matrix costs n operations
  shrinking,  ///< n - 1 steps: in step k the n - k elements right of the pivot, by which the row has been divided, are
              ///< sent, and each of the n - k rows below costs an operation for each of its n - k + 1 elements left
};

struct GaussParameters {
  std::int64_t order;
  RowLength rows;
  Tree communication;
  double element_bytes;
  /// Steps begin together, as in the paper's T_R, which adds the times for computing and communicating up. Without that
  /// ranks run ahead as far as rendezvous messages let them, and the messages of a step travel while others compute.
  bool are_synchronised;
};

/// Steps in which all rows have a part.
class FullSteps final : public SuperstepSequence {
 public:
  FullSteps(const GaussParameters& p, const std::vector<std::int64_t>& rows)
      : left_(p.order), order_(rows), work_flop_(rows.size()) {
    const auto n = static_cast<double>(p.order);
    std::ranges::transform(rows, work_flop_.begin(), [n](std::int64_t r) { return static_cast<double>(r) * n; });
    step_ = {.root = 0, .bytes = n * p.element_bytes, .work_flop = work_flop_};
  }
  const Superstep* next() override {
    if (left_ == 0) return nullptr;
    step_.repeats = has_begun_;
    has_begun_ = true;
    --left_;
    step_.root = order_.next();
    return &step_;
  }

 private:
  std::int64_t left_;
  InterleavedRows order_;
  std::vector<double> work_flop_;
  Superstep step_;
  bool has_begun_ = false;
};

/// Steps in which the rows below the pivot have a part.
class ShrinkingSteps final : public SuperstepSequence {
 public:
  ShrinkingSteps(const GaussParameters& p, const std::vector<std::int64_t>& rows)
      : below_(p.order), element_bytes_(p.element_bytes), order_(rows), rows_below_(rows.begin(), rows.end()),
        work_flop_(rows.size()) {}
  const Superstep* next() override {
    if (below_ <= 1) return nullptr;
    --below_;
    step_.root = order_.next();
    rows_below_[index_of(step_.root)] -= 1;
    const auto elements = static_cast<double>(below_);
    for (std::size_t i = 0; i < work_flop_.size(); ++i) work_flop_[i] = rows_below_[i] * (elements + 1);
    step_.bytes = elements * element_bytes_;
    step_.work_flop = work_flop_;
    return &step_;
  }

 private:
  std::int64_t below_;  ///< rows below the pivot, n - k
  double element_bytes_;
  InterleavedRows order_;
  std::vector<double> rows_below_;  ///< per rank
  std::vector<double> work_flop_;
  Superstep step_;
};

class GaussSteps final : public Supersteps {
 public:
  explicit GaussSteps(const GaussParameters& parameters) : p_(parameters) {}
  std::optional<Tree> broadcast_tree() const override { return p_.communication; }
  std::unique_ptr<SuperstepSequence> begin(std::span<const double> share_flop) const override {
    if (share_flop.size() == 1) return RepeatedStep({.meets = false}, 1).begin(share_flop);
    const std::vector<std::int64_t> rows = whole_parts(p_.order, share_flop);
    if (p_.rows == RowLength::full) return std::make_unique<FullSteps>(p_, rows);
    return std::make_unique<ShrinkingSteps>(p_, rows);
  }

 private:
  GaussParameters p_;
};

/// T_o = n·(p-1)·(lambda + n/beta) from point to point, n·ceil(log2 p)·(lambda + n/beta) by broadcast (BO 3.1), with n
/// elements of so many bytes; where rows shrink the sum over the steps. They say what synchronised steps lose to
/// messages, if the rows come out even; without synchronising it may be less.
class GaussOverhead final : public OverheadModel {
 public:
  explicit GaussOverhead(const GaussParameters& parameters) : p_(parameters) {}
  double size() const override { return static_cast<double>(p_.order); }
  /// n³ as the paper counts it; (n³ - n)/3 where rows shrink.
  double work_flop(double n) const override {
    return p_.rows == RowLength::full ? n * n * n : (n * n * n - n) / 3;
  }
  double overhead_s(double n, double ranks, const UniformNetwork& network) const override {
    return rounds(ranks) * (steps(n) * network.latency_s + elements(n) * p_.element_bytes / network.bandwidth_Bps);
  }
  [[nodiscard]] double steps(double n) const { return p_.rows == RowLength::full ? n : std::max(n - 1, 0.0); }

 private:
  /// Messages that follow each other in a step.
  [[nodiscard]] double rounds(double ranks) const {
    return p_.communication == Tree::linear ? ranks - 1 : std::ceil(portable::log2(ranks));
  }
  /// Sent in all steps.
  [[nodiscard]] double elements(double n) const { return p_.rows == RowLength::full ? n * n : steps(n) * n / 2; }

  GaussParameters p_;
};

class Gauss final : public Workload {
 public:
  explicit Gauss(const GaussParameters& p) : Gauss(p, std::make_shared<GaussOverhead>(p), std::make_shared<GaussSteps>(p)) {}

  Process run(Rank& self) const override {
    return program().supersteps || self.count() == 1 ? run_supersteps(self, *steps_) : run_freely(self);
  }

 private:
  Gauss(const GaussParameters& p, const std::shared_ptr<const GaussOverhead>& overhead,
        const std::shared_ptr<const GaussSteps>& steps)
      : Workload({.work_flop = overhead->work_flop(overhead->size()),
                  .communicates = true,
                  .messages = [overhead](int ranks) { return overhead->steps(overhead->size()) * (ranks - 1); },
                  .supersteps = p.are_synchronised ? steps : nullptr,
                  .overhead_model = overhead}),
        steps_(steps) {}

  Process run_freely(Rank& self) const {
    const auto sequence = steps_->begin(self.shares());
    const Tree tree = steps_->broadcast_tree().value();
    while (const Superstep* step = sequence->next()) co_await broadcast_and_compute(self, *step, tree);
  }

  std::shared_ptr<const GaussSteps> steps_;
};

const std::vector<std::string> kRowLengths{"full", "shrinking"};  // as in RowLength
const std::vector<std::string> kCommunications{"broadcast", "point-to-point"}, kStepBegins{"synchronised", "free"};

std::shared_ptr<const Workload> make_gauss(KeyReader& read) {
  const auto rows = static_cast<RowLength>(read.word("rows"));
  const std::int64_t order = read.whole_within("size", {rows == RowLength::full ? 1.0 : 2.0});  // W = 0 else
  const std::size_t communication = read.word("communication");
  const double element_bytes = read_size(read, "element", "an element of the matrix");
  const std::size_t steps = read.word("steps");
  return std::make_shared<Gauss>(
      GaussParameters{order, rows, communication == 0 ? Tree::binomial : Tree::linear, element_bytes, steps == 0});
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

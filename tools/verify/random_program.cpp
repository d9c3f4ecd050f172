// Drawing programs, following them, and writing them down.
#include "tools/verify/random_program.hpp"

#include <algorithm>

#include "sim/base/text.hpp"
#include "sim/program/collectives.hpp"

namespace nowsim {
namespace {

using Doing = RandomOperation::Kind;

bool is_collective(Doing kind) { return kind >= Doing::broadcast; }
bool is_of_all(Doing kind) { return is_collective(kind) || kind == Doing::barrier; }

/// Messages of any two ranks, or of each to each, or of all to one.
std::vector<std::pair<int, int>> random_pairs(int ranks, RandomDraws& draws) {
  std::vector<std::pair<int, int>> pairs;
  const auto n = static_cast<std::size_t>(ranks);
  const std::size_t manner = draws.below(4);
  const int root = draws.rank(n);
  for (int a = 0; a < ranks; ++a)
    for (int b = 0; b < ranks; ++b)
      if (a != b && (manner == 0 || (manner == 1 && b == root) || (manner == 2 && a == root)) && !draws.one_in(4))
        pairs.emplace_back(a, b);
  for (std::size_t k = 1 + draws.below(3); manner == 3 && k > 0; --k) {
    const int a = draws.rank(n);
    pairs.emplace_back(a, (a + 1 + draws.rank(n - 1)) % ranks);
  }
  return pairs;
}

RandomOperation random_operation(int ranks, bool own_paths, RandomDraws& draws) {
  constexpr Doing kOperations[] = {Doing::compute, Doing::compute, Doing::messages,  Doing::messages, Doing::messages,
                             Doing::collect, Doing::sleep,   Doing::transfer,  Doing::barrier,  Doing::broadcast,
                             Doing::scatter, Doing::gather,  Doing::reduce};
  RandomOperation op{kOperations[draws.below(std::size(kOperations))], draws.rank(static_cast<std::size_t>(ranks))};
  if (op.kind == Doing::transfer && !own_paths) op.kind = Doing::messages;
  op.buffered = !draws.one_in(3);
  op.binomial = draws.one_in(2);
  switch (op.kind) {
    case Doing::compute: op.amount = draws.amount(10); break;
    case Doing::sleep: op.amount = draws.amount(0.01); break;
    case Doing::barrier: op.amount = draws.one_in(2) ? 0 : draws.amount(1e-3); break;
    default: op.amount = draws.one_in(12) ? 0 : std::round(draws.amount(5000));
  }
  if (op.kind != Doing::messages && op.kind != Doing::collect) return op;
  op.pairs = random_pairs(ranks, draws);
  if (draws.one_in(4)) op.patience_s = draws.amount(0.01);
  // Rendezvous with each other would wait for ever: each sends before it receives.
  if (op.kind == Doing::messages && op.pairs.size() > 1 && !op.buffered) op.pairs.resize(1);
  if (op.kind == Doing::collect) {
    for (auto& [from, to] : op.pairs) to = op.rank;
    std::erase_if(op.pairs, [](const auto& pair) { return pair.first == pair.second; });
  }
  return op;
}

/// What a rank computes when its patience has an end, so that this leaves traces; a hundredth of a second.
double shrug(const Rank& self) { return 0.01 * self.host().speed_flops; }
constexpr int kAttempts = 2;

Task<> send_patiently(Rank& self, const RandomOperation& op, int to) {
  for (int k = 0; op.patience_s > 0 && k < kAttempts; ++k) {
    const bool taken = co_await self.send_within(op.patience_s, to, op.amount);
    if (taken) co_return;
    co_await self.compute(shrug(self));
  }
  co_await self.send(to, op.amount);
}

Task<> send_one(Rank& self, const RandomOperation& op, int to) {
  if (op.buffered) co_await self.isend(to, op.amount);
  else co_await send_patiently(self, op, to);
}

/// From a rank, or from any.
Task<int> receive_patiently(Rank& self, const RandomOperation& op, int from) {
  for (int k = 0; op.patience_s > 0 && k < kAttempts; ++k) {
    const std::optional<Message> message =
        from == Rank::kAnyRank ? co_await self.receive_any(op.patience_s) : co_await self.receive(from, op.patience_s);
    if (message) co_return message->from;
    co_await self.compute(shrug(self));
  }
  const Message message = co_await self.receive(from);
  co_return message.from;
}

Task<> exchange(Rank& self, const RandomOperation& op) {
  for (const auto& [from, to] : op.pairs)
    if (from == self.index()) co_await send_one(self, op, to);
  for (const auto& [from, to] : op.pairs)
    if (to == self.index()) co_await receive_patiently(self, op, from);
}

/// What the collector computes after each message depends on who sent it, so that another order shows.
Task<> collect(Rank& self, const RandomOperation& op) {
  co_await self.barrier();
  for (const auto& [from, to] : op.pairs) {
    if (from == self.index()) co_await send_one(self, op, to);
    if (to != self.index()) continue;
    const int sender = co_await receive_patiently(self, op, Rank::kAnyRank);
    co_await self.compute(shrug(self) * (sender + 1));
  }
  co_await self.barrier();
}

Task<> collective(Rank& self, const RandomOperation& op) {
  const Tree tree = op.binomial ? Tree::binomial : Tree::linear;
  const int root = op.rank;
  if (op.kind == Doing::broadcast) co_await broadcast(self, root, op.amount, {}, tree);
  else if (op.kind == Doing::scatter)
    co_await scatter(self, root, op.amount, std::vector<std::any>(index_of(self.count())), tree);
  else if (op.kind == Doing::gather) co_await gather(self, root, op.amount, {}, tree);
  else co_await reduce(self, root, op.amount, {}, [](std::any a, std::any) { return a; }, 1, tree);
}

/// "rank 0 sends 1000 bytes to rank 1 and waits for it".
std::string messages_text(const RandomOperation& op) {
  std::string text = op.kind == Doing::collect ? "rank " + std::to_string(op.rank) + " takes from any: " : "";
  const char* before = "";
  for (const auto& [from, to] : op.pairs) {
    text += before + std::to_string(from) + " -> " + std::to_string(to);
    before = ", ";
  }
  if (op.pairs.empty()) text += "nothing";
  text += " of " + number_text(op.amount) + " bytes " + (op.buffered ? "each" : "each by rendezvous");
  if (op.patience_s > 0) text += ", patience " + number_text(op.patience_s) + " s";
  return text;
}

std::string operation_text(const RandomOperation& op) {
  constexpr const char* kCollectives[] = {"broadcast", "scatter", "gather", "reduce"};
  const std::string rank = "rank " + std::to_string(op.rank), amount = number_text(op.amount);
  switch (op.kind) {
    case Doing::compute: return rank + " computes " + amount + " flop";
    case Doing::sleep: return rank + " sleeps " + amount + " s";
    case Doing::transfer: return rank + " transfers " + amount + " bytes over its own path";
    case Doing::barrier: return "all wait at a barrier of " + amount + " s";
    case Doing::messages:
    case Doing::collect: return messages_text(op);
    default: break;
  }
  return std::string(kCollectives[static_cast<int>(op.kind) - static_cast<int>(Doing::broadcast)]) + " from or to " +
         rank + " of " + amount + " bytes, " + (op.binomial ? "binomial" : "linear");
}

}  // namespace

RandomProgram random_program(int ranks, bool own_paths, RandomDraws& draws) {
  RandomProgram program;
  for (std::size_t k = 3 + draws.below(10); k > 0; --k) program.push_back(random_operation(ranks, own_paths, draws));
  return program;
}

RandomProgram without_rank(const RandomProgram& program, int rank) {
  RandomProgram left;
  const auto moved = [rank](int r) { return r - (r > rank ? 1 : 0); };
  for (RandomOperation op : program) {
    if (op.rank == rank && !is_of_all(op.kind) && op.kind != Doing::messages) continue;
    op.rank = op.rank == rank ? 0 : moved(op.rank);
    std::erase_if(op.pairs, [rank](const auto& pair) { return pair.first == rank || pair.second == rank; });
    for (auto& [from, to] : op.pairs) {
      from = moved(from);
      to = moved(to);
    }
    left.push_back(std::move(op));
  }
  return left;
}

Process follow(const RandomProgram& program, Rank& self) {
  for (const RandomOperation& op : program) {
    const bool is_mine = op.rank == self.index();
    if (op.kind == Doing::compute && is_mine) co_await self.compute(op.amount);
    if (op.kind == Doing::sleep && is_mine) co_await self.sleep_until(self.now() + op.amount);
    if (op.kind == Doing::transfer && is_mine) co_await self.transfer(op.amount);
    if (op.kind == Doing::barrier) co_await self.barrier(op.amount);
    if (op.kind == Doing::messages) co_await exchange(self, op);
    if (op.kind == Doing::collect) co_await collect(self, op);
    if (is_collective(op.kind)) co_await collective(self, op);
  }
}

std::string program_text(const RandomProgram& program) {
  std::string text;
  for (const RandomOperation& op : program) text += operation_text(op) + '\n';
  return text;
}

}  // namespace nowsim

// The trees behind the collectives. Ranks are numbered relative to the root, which is 0 there.
#include "sim/program/collectives.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace nowsim {
namespace {

/// A rank's place in a tree over 0 .. count-1 with root 0: parent, and children in the order they are served. The
/// subtree of a child c holds the relative ranks c .. c + width - 1.
struct Branch {
  int child;
  int width;
};
struct Position {
  int parent = -1;
  int width = 1;
  std::vector<Branch> children;
};

Position linear_position(int me, int count) {
  if (me > 0) return {0, 1, {}};
  Position root{-1, count, {}};
  for (int c = 1; c < count; ++c) root.children.push_back({c, 1});
  return root;
}

/// The parent is the number without its lowest set bit; children have one bit more below it, the widest first. (Apart
/// from the linear tree: in one function with it a broadcast to 512 took 2 % longer.)
Position binomial_position(int me, int count) {
  Position p;
  int bit = 1;
  while (bit < count && (me & bit) == 0) bit <<= 1;
  if (me > 0) p.parent = me & ~bit;
  p.width = std::min(bit, count - me);
  for (int b = bit >> 1; b > 0; b >>= 1)
    if (me + b < count) p.children.push_back({me + b, std::min(b, count - me - b)});
  return p;
}

Position position(Tree tree, int me, int count) {
  return tree == Tree::linear ? linear_position(me, count) : binomial_position(me, count);
}

/// Numbers relative to the root and back.
struct Relative {
  int root, count;
  Relative(const Rank& self, int root_rank) : root(root_rank), count(self.count()) {
    if (root < 0 || root >= count)
      throw std::invalid_argument("rank " + std::to_string(self.index()) + " names rank " + std::to_string(root) +
                                  " as a root: there are ranks 0 to " + std::to_string(count - 1));
  }
  [[nodiscard]] int from_rank(int rank) const { return (rank - root + count) % count; }
  [[nodiscard]] int to_rank(int relative) const { return (relative + root) % count; }
};

/// Children in the order they are ready in: the nearest first, whose subtree is the smallest; contents come in order.
std::vector<Branch> nearest_first(Position place) {
  std::ranges::sort(place.children, {}, &Branch::child);
  return std::move(place.children);
}

using Parts = std::vector<std::any>;

}  // namespace

std::optional<Tree> tree_named(std::string_view name) {
  if (name == "linear") return Tree::linear;
  if (name == "binomial") return Tree::binomial;
  return std::nullopt;
}

Task<std::any> broadcast(Rank& self, int root, double bytes, std::any content, Tree tree) {
  const Relative at(self, root);
  const Position place = position(tree, at.from_rank(self.index()), self.count());
  if (place.parent >= 0) {
    Message message = co_await self.receive(at.to_rank(place.parent));
    content = std::move(message.content);
  }
  for (const Branch& branch : place.children) co_await self.send(at.to_rank(branch.child), bytes, content);
  co_return content;
}

/// A parent's number is less than its children's.
std::vector<BroadcastPart> broadcast_parts(Tree tree, int count) {
  std::vector<BroadcastPart> parts(static_cast<std::size_t>(count));
  for (int me = 0; me < count; ++me) {
    BroadcastPart& mine = parts[static_cast<std::size_t>(me)];
    for (const Branch& branch : position(tree, me, count).children)
      parts[static_cast<std::size_t>(branch.child)].rounds = mine.rounds + ++mine.sends;
  }
  return parts;
}

Task<std::any> scatter(Rank& self, int root, double bytes, std::vector<std::any> contents, Tree tree) {
  const Relative at(self, root);
  const int me = at.from_rank(self.index());
  const Position place = position(tree, me, self.count());
  Parts parts;  // of my subtree, mine first
  if (place.parent >= 0) {
    Message message = co_await self.receive(at.to_rank(place.parent));
    parts = std::any_cast<Parts>(std::move(message.content));
  } else {
    contents.resize(static_cast<std::size_t>(self.count()));
    for (int r = 0; r < at.count; ++r) parts.push_back(std::move(contents[static_cast<std::size_t>(at.to_rank(r))]));
  }
  for (const Branch& branch : place.children) {
    const auto begin = parts.begin() + (branch.child - me);
    Parts subtree(begin, begin + branch.width);
    co_await self.send(at.to_rank(branch.child), bytes * branch.width, std::any(std::move(subtree)));
  }
  co_return parts.front();
}

Task<std::vector<std::any>> gather(Rank& self, int root, double bytes, std::any content, Tree tree) {
  const Relative at(self, root);
  const int me = at.from_rank(self.index());
  const Position place = position(tree, me, self.count());
  Parts parts(static_cast<std::size_t>(place.width));
  parts.front() = std::move(content);
  for (const Branch& branch : nearest_first(place)) {
    Message message = co_await self.receive(at.to_rank(branch.child));
    Parts subtree = std::any_cast<Parts>(std::move(message.content));
    std::move(subtree.begin(), subtree.end(), parts.begin() + (branch.child - me));
  }
  if (place.parent >= 0) {
    co_await self.send(at.to_rank(place.parent), bytes * place.width, std::any(std::move(parts)));
    co_return Parts{};
  }
  Parts in_rank_order(parts.size());
  for (int r = 0; r < at.count; ++r)
    in_rank_order[static_cast<std::size_t>(at.to_rank(r))] = std::move(parts[static_cast<std::size_t>(r)]);
  co_return in_rank_order;
}

Task<std::any> reduce(Rank& self, int root, double bytes, std::any content,
                      std::function<std::any(std::any, std::any)> combine, double flop, Tree tree) {
  const Relative at(self, root);
  const Position place = position(tree, at.from_rank(self.index()), self.count());
  for (const Branch& branch : nearest_first(place)) {
    Message message = co_await self.receive(at.to_rank(branch.child));
    co_await self.compute(flop);
    content = combine(std::move(content), std::move(message.content));
  }
  if (place.parent < 0) co_return content;
  co_await self.send(at.to_rank(place.parent), bytes, std::move(content));
  co_return std::any{};
}

}  // namespace nowsim

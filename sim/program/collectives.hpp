// Collective operations over send and receive: broadcast, scatter, gather, reduce, each by a named algorithm.
#pragma once

#include <any>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"

namespace nowsim {

/// How a collective is carried out. All ranks name the same.
enum class Tree {
  linear,    ///< the root exchanges a message with each other rank in turn
  binomial,  ///< ceil(log2 count) rounds; in each, every rank that takes part exchanges one message
};
/// "linear" or "binomial"; nothing for another name.
std::optional<Tree> tree_named(std::string_view name);

/// All ranks call it; each gets the root's content. A message has `bytes`. On a non-blocking network the binomial
/// broadcast takes ceil(log2 p)·(latency + bytes/bandwidth).
Task<std::any> broadcast(Rank& self, int root, double bytes, std::any content, Tree tree = Tree::binomial);

/// A rank's part in a broadcast.
struct BroadcastPart {
  int rounds = 0;  ///< messages that follow each other until it has the content
  int sends = 0;   ///< messages that it sends then, one after another
};
/// Those of all ranks, by their numbers relative to the root: rank (root + r) mod count has the r-th. Where a message
/// takes as long between any two ranks, and all begin at once, the rank is through rounds + sends messages later.
std::vector<BroadcastPart> broadcast_parts(Tree tree, int count);

/// Rank i gets the root's contents[i] (empty elsewhere than at the root). `bytes` is one rank's part; inner ranks of a
/// binomial tree forward their whole subtree's parts in one message.
Task<std::any> scatter(Rank& self, int root, double bytes, std::vector<std::any> contents, Tree tree = Tree::binomial);

/// The root gets every rank's content, in the order of ranks; others get an empty vector.
Task<std::vector<std::any>> gather(Rank& self, int root, double bytes, std::any content, Tree tree = Tree::binomial);

/// The root gets all contents combined, in the order of ranks relative to the root; others get an empty one. Combining
/// costs `flop` per step on the rank that does it.
Task<std::any> reduce(Rank& self, int root, double bytes, std::any content,
                      std::function<std::any(std::any, std::any)> combine, double flop = 0, Tree tree = Tree::binomial);

}  // namespace nowsim

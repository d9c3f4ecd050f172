// Ranks one by one, then their channels, then their collectives. Requests are told apart by sender, receiver and tag,
// as in SMPI's replay; those that are alike are counted.
#include "workloads/mpi/mpi_trace_checks.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/base/error.hpp"
#include "workloads/mpi/mpi_trace_text.hpp"

namespace nowsim {
namespace {

std::uint64_t key_of(MpiSide side, std::int32_t peer, std::int32_t tag) {  // peer and tag are at least -1
  return (static_cast<std::uint64_t>(peer + 1) << 33U) | (static_cast<std::uint64_t>(std::int64_t{tag} + 1) << 1U) |
         (side == MpiSide::send ? 1U : 0U);
}

std::string name_of(std::int32_t rank) { return rank == kAnySource ? "any rank" : "rank " + std::to_string(rank); }

/// Of a trace whose text was read it is: of a compiled one, others may have written it.
void check_sound(const MpiTrace& trace, std::size_t rank, const MpiAction& action) {
  const int ranks = trace.ranks();
  const bool takes_any = action.call == MpiCall::recv || action.call == MpiCall::irecv;
  if (!has_sound_indices(action, ranks) || !has_counts(action, ranks, trace.all_counts()) || action.tag < kAnyTag ||
      !is_quantity(action.second) || !(is_quantity(action.amount) || (takes_any && action.amount == kAnyBytes)))
    refuse_mpi_action(trace.file(static_cast<int>(rank)), rank, action,
                      "no program of " + std::to_string(ranks) + " ranks does this.");
}

/// All of a rank.
void check_rank(const MpiTrace& trace, std::size_t rank, MpiTraceFacts& facts, std::vector<MpiChannel>& channels) {
  ++facts.ranks;
  const int own = static_cast<int>(rank);
  MpiRankCheck check(rank, trace.file(own), facts);
  trace.find(rank, trace.actions(own).data(), [&](const MpiAction& mapped) {
    const MpiAction action = mapped;  // what is checked is what is counted
    check_sound(trace, rank, action);
    check.take(action);
    return false;
  });
  check.end();
  check.hand_over(channels);
}

void add_warnings(MpiTraceFacts& facts) {
  const auto warn = [&facts](std::uint64_t count, const std::string& what, const std::string& sentence) {
    if (count > 0) facts.warnings.push_back(what + " (" + std::to_string(count) + "): " + sentence);
  };
  const auto calls = [&facts](MpiCall call) { return facts.calls[static_cast<std::size_t>(call)]; };
  warn(facts.any_source_receives, "receives from any source",
       "which message comes first here need not have come first when the program was recorded, and what follows is as "
       "it was then");
  warn(facts.tests, "tests", "they find what they find here, and what follows is as it was recorded");
  warn(facts.waitanys, "waits for any of several",
       "they end with the first that is over here, and what follows is as it was recorded");
  warn(calls(MpiCall::sendrecv), "sendrecvs", "SMPI does not write their tags, for which 0 stands");
  warn(facts.narrow_waitalls, "waits for fewer requests than are outstanding",
       "the trace does not say for which, so they wait for all, as in SMPI's replay");
  warn(facts.unwaited, "requests that nothing waits for",
       "the end of the program waits for them, as in SMPI's replay");
}

}  // namespace

void refuse_mpi_action(const std::string& file, std::size_t rank, const MpiAction& action, const std::string& sentence) {
  throw InputError({file, static_cast<int>(action.line), ""},
                   "rank " + std::to_string(rank) + "'s '" + mpi_call_name(action.call) + "': " + sentence);
}

void MpiRankCheck::check_order(const MpiAction& action) {
  const bool is_first = actions_ == 0, is_init = action.call == MpiCall::init;
  if (is_first && !is_init)
    refuse(action, "this is the rank's first action, where 'init' should be: its beginning is cut off.");
  if (!is_first && is_init) refuse(action, "a rank has one 'init', and this is its second.");
  if (!is_first && last_.call == MpiCall::finalize)
    refuse(action, "this comes behind the rank's 'finalize', which ends its program.");
}

void MpiRankCheck::end() const {
  if (last_.call != MpiCall::finalize)
    refuse(last_, "this is the rank's last action, where 'finalize' should be: its end is cut off.");
  facts_->actions += actions_;
  facts_->rank_flop.push_back(flop_);
  facts_->flop += flop_;
  facts_->unwaited += outstanding_ - std::min(outstanding_, perhaps_done_);
}

void MpiRankCheck::hand_over(std::vector<MpiChannel>& channels) const {
  for (const auto& [key, own] : channels_) channels.push_back(own.all);
}

void MpiRankCheck::take(const MpiAction& action) {
  check_order(action);
  last_ = action;
  ++actions_;
  ++facts_->calls[static_cast<std::size_t>(action.call)];
  switch (action.call) {
    case MpiCall::compute:
    case MpiCall::reducescatter: flop_ += action.amount; break;
    case MpiCall::reduce:
    case MpiCall::allreduce:
    case MpiCall::scan:
    case MpiCall::exscan: flop_ += action.second; break;
    case MpiCall::send:
    case MpiCall::ssend: count_send(action); break;
    case MpiCall::isend:
    case MpiCall::issend: make_request(count_send(action)); break;
    case MpiCall::recv: count_receive(action.peer, action.tag); break;
    case MpiCall::irecv: make_request(count_receive(action.peer, action.tag)); break;
    case MpiCall::sendrecv:
      count_send(action);
      count_receive(action.other, action.tag);
      break;
    case MpiCall::test: test(action); break;
    case MpiCall::wait: wait(action); break;
    case MpiCall::waitall: wait_for_all(action); break;
    case MpiCall::waitany: wait_for_any(action); break;
    default: break;
  }
}

MpiRankCheck::OwnChannel& MpiRankCheck::channel(MpiSide side, std::int32_t peer, std::int32_t tag) {
  const auto [found, is_new] = channels_.try_emplace(key_of(side, peer, tag));
  if (is_new)
    found->second.all = side == MpiSide::send ? MpiChannel{.to = peer, .from = self_, .tag = tag}
                                              : MpiChannel{.to = self_, .from = peer, .tag = tag};
  return found->second;
}
MpiRankCheck::OwnChannel& MpiRankCheck::count_send(const MpiAction& action) {
  ++facts_->messages;
  facts_->message_bytes += action.amount;
  OwnChannel& to = channel(MpiSide::send, action.peer, action.tag);
  ++to.all.sent;
  return to;
}
MpiRankCheck::OwnChannel& MpiRankCheck::count_receive(std::int32_t from, std::int32_t tag) {
  if (from == kAnySource) ++facts_->any_source_receives;
  OwnChannel& of = channel(MpiSide::receive, from, tag);
  ++of.all.received;
  return of;
}

void MpiRankCheck::make_request(OwnChannel& channel) {
  bring_up_to_date(channel);
  ++channel.unwaited;
  ++channel.outstanding;
  ++outstanding_;
}
void MpiRankCheck::bring_up_to_date(OwnChannel& channel) const {
  if (channel.epoch == epoch_) return;
  channel.outstanding = channel.tested = 0;
  channel.epoch = epoch_;
}

/// That of a request that a wait or test is for. A message to oneself has two of the same name.
MpiRankCheck::OwnChannel& MpiRankCheck::asked_for(const MpiAction& action) {
  const auto find = [this, &action](MpiSide side, std::int32_t peer) {
    const auto found = channels_.find(key_of(side, peer, action.tag));
    return found != channels_.end() && found->second.unwaited > 0 ? &found->second : nullptr;
  };
  OwnChannel* channel = action.peer == self_ ? find(MpiSide::send, action.other) : nullptr;
  if (channel == nullptr && action.other == self_) channel = find(MpiSide::receive, action.peer);
  if (channel == nullptr)
    refuse(action, "no request is left that it could be for: before it no 'isend' or 'irecv' was made from " +
                       name_of(action.peer) + " to " + name_of(action.other) + " with tag " +
                       (action.tag == kAnyTag ? "any" : std::to_string(action.tag)) + ", or each has had its wait.");
  bring_up_to_date(*channel);
  return *channel;
}

/// A trace does not say what came out: the request may be done with, or not.
void MpiRankCheck::test(const MpiAction& action) {
  ++facts_->tests;
  OwnChannel& channel = asked_for(action);
  if (channel.tested == channel.outstanding) return;
  ++channel.tested;
  ++perhaps_done_;
}
void MpiRankCheck::wait(const MpiAction& action) {
  OwnChannel& channel = asked_for(action);
  --channel.unwaited;
  if (channel.outstanding == 0) return;  // a waitall or waitany that was not for it had to be taken to be
  --channel.outstanding;
  if (channel.tested > channel.outstanding) {
    --channel.tested;
    --perhaps_done_;
  }
  if (outstanding_ > 0) --outstanding_;
}
void MpiRankCheck::wait_for_all(const MpiAction& action) {
  const bool tells_number = action.amount > 0;
  if (tells_number && surely_outstanding() > action.amount) ++facts_->narrow_waitalls;
  ++epoch_;
  outstanding_ = perhaps_done_ = 0;
}
void MpiRankCheck::wait_for_any(const MpiAction& action) {
  ++facts_->waitanys;
  if (surely_outstanding() > action.amount)
    refuse(action, "it waits for one of " + std::to_string(static_cast<std::uint64_t>(action.amount)) +
                       " requests while " + std::to_string(outstanding_) +
                       " are outstanding: which of them it is for cannot be told from a "
                       "time-independent trace.");
  if (outstanding_ > 0) --outstanding_;
}
double MpiRankCheck::surely_outstanding() const {
  return static_cast<double>(outstanding_) - static_cast<double>(perhaps_done_);
}

MpiTraceFacts check_mpi_trace(const MpiTrace& trace) {
  MpiTraceFacts facts;
  std::vector<MpiChannel> channels;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(trace.ranks()); ++rank)
    check_rank(trace, rank, facts, channels);
  check_mpi_channels(std::move(channels), trace);
  check_mpi_collectives(trace);
  add_warnings(facts);
  return facts;
}

}  // namespace nowsim

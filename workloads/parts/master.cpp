// Starting tasks one by one; messages to and from rank 0, in turn; waiting for pages after the computing that needs them.
#include "workloads/parts/master.hpp"

#include "sim/program/rank.hpp"

namespace nowsim {
namespace {

ProgramDescription of_master(ProgramDescription program, const MasterCosts& costs, double whole_bytes) {
  program.communicates = true;
  if (whole_bytes > 0)
    program.paging_alone_s = [costs, flop = program.work_flop, whole_bytes](const Workstation& host) {
      return costs.paging_s(host, flop, whole_bytes);
    };
  return program;
}

}  // namespace

double MasterCosts::paging_s(const Workstation& host, double flop, double footprint_bytes) const {
  if (!host.extras->memory_bytes || footprint_bytes <= *host.extras->memory_bytes) return 0;
  return page_wait_s * flop * (1 - *host.extras->memory_bytes / footprint_bytes);
}

MasterProgram::MasterProgram(ProgramDescription program, const MasterCosts& costs, double whole_bytes)
    : Workload(of_master(std::move(program), costs, whole_bytes)), costs_(costs) {}

Process MasterProgram::run(Rank& self) const {
  if (self.count() == 1) {
    co_await self.compute(self.share());
    const double wait_s = program().paging_alone_s(self.host());
    if (wait_s > 0) co_await self.sleep_until(self.now() + wait_s);
    co_return;
  }
  if (costs_.spawn_s > 0) {
    note_next(self, {Meant::spawn});
    co_await self.sleep_until((self.index() == 0 ? self.count() - 1 : self.index()) * costs_.spawn_s);
  }
  co_await run_with_others(self);
}

Process MasterProgram::deal_out(Rank& self, BytesOfRank bytes_of) const {
  if (self.index() > 0) {
    if (bytes_of(self.index()) > 0) co_await receive(self, 0);
    co_return;
  }
  for (int rank = 1; rank < self.count(); ++rank)
    if (const double bytes = bytes_of(rank); bytes > 0) co_await send(self, rank, bytes);
}

Process MasterProgram::take_back(Rank& self, BytesOfRank bytes_of) const {
  if (self.index() > 0) {
    if (const double bytes = bytes_of(self.index()); bytes > 0) co_await send(self, 0, bytes);
    co_return;
  }
  for (int rank = 1; rank < self.count(); ++rank)
    if (bytes_of(rank) > 0) co_await receive(self, rank);
}

/// Relative to the root, a parent is the number without its lowest set bit; children have one bit more below it.
Process MasterProgram::pass_along_tree(Rank& self, int root, double bytes) const {
  const int count = self.count(), me = (self.index() - root + count) % count;
  int bit = 1;
  while (bit < count && (me & bit) == 0) bit <<= 1;
  if (me > 0) co_await receive(self, ((me & ~bit) + root) % count);
  for (bit >>= 1; bit > 0; bit >>= 1)
    if (me + bit < count) co_await send(self, (me + bit + root) % count, bytes);
}

Process MasterProgram::compute(Rank& self, double flop, double footprint_bytes) const {
  co_await self.compute(flop);
  const double wait_s = costs_.paging_s(self.host(), flop, footprint_bytes);
  if (wait_s > 0) co_await self.sleep_until(self.now() + wait_s);
}

Process MasterProgram::send(Rank& self, int to, double bytes) const {
  if (const double flop = costs_.message_flop(bytes); flop > 0) co_await compute_for_message(self, flop);
  co_await self.send(to, bytes);
}

Process MasterProgram::isend(Rank& self, int to, double bytes) const {
  if (const double flop = costs_.message_flop(bytes); flop > 0) co_await compute_for_message(self, flop);
  co_await self.isend(to, bytes);
}

Process MasterProgram::receive(Rank& self, int from) const {
  const Message message = co_await self.receive(from);
  if (const double flop = costs_.message_flop(message.bytes); flop > 0) co_await compute_for_message(self, flop);
}

WorkloadInfo master_program(WorkloadInfo own, bool has_pages) {
  KeyTable& keys = own.keys;
  keys.push_back({"spawn", KeyType::time, "0s", "that rank 0 takes to start a task"});
  if (has_pages) keys.push_back({"page_wait", KeyType::time, "0s", "of an operation none of whose data are in memory"});
  keys.push_back({"work_per_message", KeyType::work, "0f", "of a message, for sender and receiver each"});
  keys.push_back({"work_per_byte", KeyType::work, "0f", "of a byte of it, for sender and receiver each"});
  own.later = {"work_per_message", "work_per_byte"};
  return own;
}

MasterCosts read_master_costs(KeyReader& read, bool has_pages) {
  return {read.value("spawn"), has_pages ? read.value("page_wait") : 0, read.value("work_per_message"),
          read.value("work_per_byte")};
}

}  // namespace nowsim

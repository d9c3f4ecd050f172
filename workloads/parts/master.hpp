// The frame of a parallel program with a master (PVM's scheme in ZY 4.2): rank 0 starts the tasks, deals the data out and
// takes the results back; what messages cost processors, and what waiting for pages costs where data do not fit.
#pragma once

#include <functional>
#include <string>

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

/// What a job says of a program with a master besides its own keys; all 0 unless given.
struct MasterCosts {
  double spawn_s = 0;      ///< that rank 0 takes to start a task
  double page_wait_s = 0;  ///< per operation none of whose data are in memory [s/flop]
  double per_message_flop = 0, per_byte_flop = 0;

  /// Time spent waiting [s] while computing `flop` on data of `footprint_bytes`; 0 where the platform gives no memory.
  /// A task of footprint F on a machine of memory M < F waits page_wait·(1 - M/F) per operation for pages, whatever the
  /// machine's speed and owner: the part of its data that is not in memory, times what a miss costs. ZY 4.3: a product
  /// of matrices of order 1500 (27 MB) takes 17 hours on 16 MB machines, be they fast or slow, and 30 minutes where it
  /// fits. (Of the 17 hours a tenth is said to be computing; at the 30 minutes' rate it is 2 to 5 %.)
  [[nodiscard]] double paging_s(const Workstation& host, double flop, double footprint_bytes) const;
  /// What a message costs the processors of the machines at its ends: packing and unpacking, which an owner slows down
  /// as he does all computing there, while what the network does goes on whatever owners do. Computed by the sender
  /// before it sends and by the receiver after it has received. It is work done like any other (Quantity::work_flop),
  /// but none of the job's |A|.
  [[nodiscard]] double message_flop(double bytes) const { return per_message_flop + bytes * per_byte_flop; }
};

/// How many bytes travel between rank 0 and another rank, which may be asked for by any of them; 0: no message does.
using BytesOfRank = std::function<double(int rank)>;

/// That dealing out and taking back send per rank but the master.
inline constexpr double kMessagesOfMaster = 2;

/// A program with a master. On one machine there are no messages: that is what speedups are measured against.
class MasterProgram : public Workload {
 public:
  /// @param whole_bytes what the whole job's data take on one machine, where it may have to wait for pages
  MasterProgram(ProgramDescription program, const MasterCosts& costs, double whole_bytes = 0);
  /// Rank i begins when i tasks have been started, and rank 0, which starts them, when all have been (PVM's pvm_spawn).
  /// A rank alone computes its share, and waits for pages as long as the whole job does there: however much of the share
  /// is operations that only splitting costs (split_work_flop), the data are the job's.
  Process run(Rank& self) const final;

 protected:
  virtual Process run_with_others(Rank& self) const = 0;

  /// To be awaited by all ranks: rank 0 sends every other its bytes, to one after another in the order of ranks, each a
  /// rendezvous. The others wait for theirs.
  Process deal_out(Rank& self, BytesOfRank bytes_of) const;
  /// The other way round: rank 0 takes what the others have for it, in the order of ranks.
  Process take_back(Rank& self, BytesOfRank bytes_of) const;
  /// To be awaited by all ranks: as many bytes go from the root to every other along a binomial tree, as in
  /// sim/program/collectives.hpp, but that messages cost work.
  Process pass_along_tree(Rank& self, int root, double bytes) const;
  /// Computes `flop`, then waits for the pages that it took.
  Process compute(Rank& self, double flop, double footprint_bytes) const;

  /// What a message costs each of its ends; and the computing of it, which who watches is told to be that.
  [[nodiscard]] double message_flop(double bytes) const { return costs_.message_flop(bytes); }
  static auto compute_for_message(Rank& self, double flop) {
    note_next(self, {Meant::message_work});
    return self.compute(flop);
  }
  // A message, and its work.
  Process send(Rank& self, int to, double bytes) const;
  Process isend(Rank& self, int to, double bytes) const;
  Process receive(Rank& self, int from) const;

 private:
  MasterCosts costs_;
};

/// What stands at the keys that all programs with a master have.
MasterCosts read_master_costs(KeyReader& read, bool has_pages = true);
/// A workload with a master: its own keys, and those of MasterCosts, in the order in which they are to be read.
/// @param has_pages whether its data may not fit a machine's memory
WorkloadInfo master_program(WorkloadInfo own, bool has_pages = true);

}  // namespace nowsim

// `nowsim trace mpi`: an MPI program's calls and computing, as a folder that can be simulated.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ostream>

#include "experiments/driver/mpi/mpi_recording.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tools/commands/trace_command.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/parting.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTraceMpiUsage = "nowsim trace mpi [flags] [-np N] [--] PROGRAM [its arguments] [-np N]";
constexpr std::uint64_t kMostRanks = 100'000, kMostRepetitions = 1000;

void add_trace_mpi_flags(Flags& flags) {
  flags.add({{"np", whole(1, kMostRanks), "how many ranks; -np N too, before PROGRAM or behind it"},
             {"out,o", taking(Kind::folder), "the folder to make; by default PROGRAM-N-ranks.trace"},
             {"explicit", kSwitch,
              "what the program states by smpi_execute_flops() counts alone, so that recordings are the same each "
              "time; by default computing is measured"},
             {"host-speed", quantity(Dimension::speed).or_else("1Gf"),
              "of this machine: flop per second of computing that is measured"},
             {"repeat", whole(1, kMostRepetitions).or_else("1"),
              "record so many times: each compute is the median, and it is said how far they differ"},
             {"flops", taking(Kind::names).called("FILE:LINE=FLOP,..."),
              "flop of the computing that ends at a call; of programs compiled with smpicc -trace-call-location"},
             {"flop-scale", quantity(Dimension::number).or_else("1"), "all flop times this"},
             {"total-flop", quantity(Dimension::work), "all flop scaled so that they are so many together"},
             {"quiet,q", kSwitch, "nothing but errors"}});
}

/// Words of ours, and the program with its own.
struct MpiWords {
  std::vector<std::string> ours, program;
};

bool tells_ranks(const std::string& word) { return word == "-np" || word == "--np" || word.starts_with("--np="); }

/// Flags stand before the program; the first -np N is ours wherever it stands, unless -- ends what is ours.
MpiWords taken_apart(const std::vector<std::string>& words, const Flags& flags) {
  MpiWords out;
  bool has_ranks = false, is_over = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--" && out.program.empty() && !is_over) {
      is_over = true;
    } else if (!is_over && !has_ranks && tells_ranks(word)) {
      has_ranks = true;
      if (word.find('=') != word.npos)
        out.ours.push_back(word);
      else if (++i < words.size())
        out.ours.push_back("--np=" + words[i]);
      else
        throw UsageError("-np: a number of ranks is wanted; usage: " + std::string(kTraceMpiUsage));
    } else if (is_over || !out.program.empty() || !word.starts_with('-')) {
      out.program.push_back(word);
    } else {
      out.ours.push_back(word);
      if (flags.takes_next(word) && i + 1 < words.size()) out.ours.push_back(words[++i]);
    }
  }
  if (out.program.empty()) throw UsageError("which program? usage: " + std::string(kTraceMpiUsage));
  if (!has_ranks) throw UsageError("how many ranks? -np N says it; usage: " + std::string(kTraceMpiUsage));
  return out;
}

MpiRegions regions_of(const Arguments& arguments) {
  MpiRegions regions;
  for (const auto& word : arguments.names("flops")) {
    const auto equals = word.rfind('='), colon = word.rfind(':', equals);
    if (equals == word.npos || colon == word.npos || colon == 0)
      throw UsageError(flag_place("flops", word) + ": FILE:LINE=FLOP is wanted, as in gauss.c:41=2e6");
    regions[word.substr(0, equals)] = quantity_of_flag("flops", word.substr(equals + 1), Dimension::work, {0});
  }
  return regions;
}

MpiRecordingPlan plan_of(const Arguments& arguments, const std::vector<std::string>& program) {
  MpiRecordingPlan plan;
  plan.run.program = program.front();
  plan.run.arguments.assign(program.begin() + 1, program.end());
  plan.run.ranks = *arguments.whole("np");
  plan.run.host_speed_flops = *arguments.quantity("host-speed");
  plan.run.is_explicit = arguments.has("explicit");
  plan.repetitions = *arguments.whole("repeat");
  plan.flop_scale = *arguments.quantity("flop-scale");
  plan.total_flop = arguments.quantity("total-flop");
  plan.regions = regions_of(arguments);
  if (plan.total_flop && arguments.has("flop-scale"))
    throw UsageError("--flop-scale and --total-flop are two ways to scale: give one of them");
  if (plan.run.is_explicit && !plan.regions.empty())
    throw UsageError("--flops is of computing that is measured: with --explicit there is none");
  return plan;
}

fs::path folder_of(const Arguments& arguments, const MpiRun& run) {
  const std::string program = fs::path(run.program).filename().string();
  const auto given = arguments.text_or_none("out");
  const fs::path folder = given.value_or(program + '-' + std::to_string(run.ranks) + "-ranks.trace");
  if (folder.empty()) throw UsageError("--out: the name of a folder is wanted");
  return folder.has_filename() ? folder : folder.parent_path();
}

std::string percent_text(double share) { return short_number(100 * share) + "%"; }

std::string spread_text(const MpiSpread& spread) {
  const double most = *std::max_element(spread.by_rank.begin(), spread.by_rank.end());
  return "all flop differ by " + percent_text(spread.total) + ", a rank's by up to " + percent_text(most) +
         ", half of the computes by " + percent_text(spread.median_compute) + " or less";
}

void write_summary(const MpiRecording& recording, const fs::path& folder, std::ostream& out) {
  const MpiProvenance& from = recording.provenance;
  std::uint64_t actions = 0, messages = 0, collectives = 0;
  double bytes = 0;
  for (const auto& rank : recording.ranks) {
    actions += rank.lines.size();
    messages += rank.messages;
    collectives += rank.collectives;
    bytes += rank.message_bytes;
  }
  const auto told = [](double value, Dimension dimension) { return format_quantity(value, dimension); };
  DefinitionList lines;
  lines.add("ranks", std::to_string(from.ranks));
  lines.add("actions", std::to_string(actions));
  lines.add("messages", std::to_string(messages) + ", " + told(bytes, Dimension::bytes));
  lines.add("collectives", std::to_string(collectives) + (from.ranks > 1 ? " calls of all ranks together" : ""));
  lines.add("computing", told(flop_of(recording.ranks), Dimension::work) +
                             (from.is_explicit ? ", as the program states it" : ", as measured") +
                             (from.flop_scale != 1 ? ", scaled by " + short_number(from.flop_scale) : ""));
  if (from.is_explicit && flop_of(recording.ranks) == 0)
    lines.add("", "nothing: without smpi_execute_flops() in the program leave --explicit out, and it is measured");
  const std::string timing = from.timing_text();
  lines.add("by timing", timing.empty() ? "nothing: it is the same on every machine"
                                        : timing + ": as they came out here, wherever it is simulated");
  if (from.messages_among_others > 0)
    lines.add("communicators", std::to_string(from.messages_among_others) +
                                   " sends and receives on others than that of all ranks: told apart by partner and tag alone");
  if (from.repetitions > 1)
    lines.add("repetitions", std::to_string(from.repetitions) + ": " + spread_text(from.spread));
  const std::string name = shell_word(folder.string());
  lines.add("recorded", folder.string());
  lines.add("next", "nowsim plan PLATFORM --mpi " + name + ", or in an experiment job: {workload: mpi-trace, trace: " + name + "}");
  lines.write(out);
}

int do_trace_mpi(const Arguments& unread, Session& session) {
  const Flags flags = flags_of(trace_mpi());
  const MpiWords words = taken_apart(unread.words, flags);
  const Arguments arguments = Arguments::read(words.ours, flags, {}, kTraceMpiUsage);
  if (arguments.has("help")) {
    print_help(trace_mpi(), session.out);
    return 0;
  }
  const MpiRecordingPlan plan = plan_of(arguments, words.program);
  const fs::path folder = folder_of(arguments, plan.run);
  check_mpi_folder(folder);
  const bool is_quiet = arguments.has("quiet");
  const InterruptionWatch watch;
  const auto stop_if_asked = [&] {
    if (interruption_requested()) throw Stopped(kNothingKept, watch.exit_status(), false);
  };
  StageLine line(is_quiet);
  try {
    const MpiRecording recording = record_mpi(
        plan,
        [&](const std::string& said) {
          line.clear();
          if (!is_quiet) session.out << said << (said.ends_with('\n') ? "" : "\n") << std::flush;
        },
        [&](std::size_t k) {
          stop_if_asked();
          line.show("recording", k, plan.repetitions);
        });
    stop_if_asked();
    line.clear();
    write_mpi_folder(folder, recording);
    if (!is_quiet) write_summary(recording, folder, session.out);
  } catch (const RunError&) {
    stop_if_asked();  // it has ended the program too
    throw;
  }
  return 0;
}

}  // namespace

Command trace_mpi() {
  return {.name = "mpi",
          .summary = "record an MPI program, compiled with SMPI's smpicc",
          .usage = kTraceMpiUsage,
          .places = Places{{.kinds = {Kind::file}, .most = std::size_t(-1)}},
          .add_flags = add_trace_mpi_flags,
          .run = do_trace_mpi,
          .page = "mpi",
          .runs_program = true,
          .of = "trace"};
}

}  // namespace nowsim

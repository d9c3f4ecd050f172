// `nowsim isoefficiency`: how a problem has to grow with the machines to keep its efficiency.
#include <filesystem>

#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"
#include "tools/line/command.hpp"
#include "tools/running/study_answer.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {

namespace {

constexpr const char* kIsoefficiencyUsage = "nowsim isoefficiency SPEC.yaml --efficiency 0.5,0.7 [flags]";
constexpr const char* kMoreOnIsoefficiency =
    "\nSPEC's sweep is the family of growing systems: more machines, faster ones, or both; what else it sweeps makes\n"
    "curves of its own. Sizes that take more than an hour on one core are not tried, which is said where it matters.\n"
    "--out keeps all trials, so that the same command, or one with more efficiencies, goes on from there.\n"
    "Exit status: 0 also where an efficiency cannot be reached, 1 a run failed, 2 bad usage or bad input, 130 stopped\n"
    "by Ctrl-C.\n";

// ---- the question --------------------------------------------------------------------------------------------------

void add_isoefficiency_flags(Flags& flags) {
  flags.add({{"efficiency,e", taking(Kind::text), "what is to be kept, such as 0.5,0.7 or 50%,70%"},
             {"metric,m", taking(Kind::word, {"eps", "eps_a", "E"}),
              "the efficiency that is meant: eps (the default), eps_a, E, ..."},
             {"size", taking(Kind::key), "the key that is the problem's size; by default job.size, or else job.work"},
             {"from", taking(Kind::quantity), "the smallest size that is tried (1)"},
             {"to", taking(Kind::quantity), "the largest (1e9; of job.work 1e18)"},
             {"tolerance", taking(Kind::quantity), "how near the efficiency has to be, as a share of it (0.1%)"}});
  add_sweep_flag(flags);
  flags.add({{"along", taking(Kind::swept_keys),
              "the swept key, or keys, along which the system grows; by default platform.workstations, or the first "
              "along which machines or their speeds change"}});
  add_experiment_flags(flags);
  add_study_flags(flags, "trial",
                  "sizes over the law that they tell (else p_T·log2 p), and over its classic counterpart");
}

/// The question; its experiment is the first word. @throws UsageError, InputError naming the flag.
IsoefficiencyRequest isoefficiency_request(const ParsedFlags& parsed) {
  const GivenFlags& flags = parsed.flags;
  IsoefficiencyRequest request;
  request.file = find_experiment(parsed.words.front());
  request.targets = list_flag(flags, "efficiency");
  request.metric = text_flag(flags, "metric");
  request.key = text_flag(flags, "size");
  request.from = text_flag(flags, "from");
  request.to = text_flag(flags, "to");
  request.tolerance = text_flag(flags, "tolerance");
  request.along = list_flag(flags, "along");
  request.options = load_options(flags);
  for (const auto& axis : sweep_overrides(flags)) request.options.overrides.push_back(axis);
  return request;
}

int do_isoefficiency(const ParsedFlags& parsed, const Registries& registries) {
  const StudyOutputs outputs = study_outputs(parsed.flags);
  const IsoefficiencyRequest request = isoefficiency_request(parsed);
  const Experiment described = isoefficiency_experiment(request, registries);
  const IsoefficiencyFamily family = family_of(described, request.along);
  print_remarks(described);
  const std::string name = std::filesystem::path(request.file).stem().string() + kIsoefficiencyEnding;
  return answer_study({&described, name, question_text(request)}, outputs,
                      [&](const Experiment& solved, const ResultTable& summary) {
                        return isoefficiency_answer(isoefficiency_report(family, described, solved, summary));
                      });
}

}  // namespace

Command isoefficiency_command() {
  return {"isoefficiency", "how a problem has to grow with the machines to keep its efficiency", kIsoefficiencyUsage,
          Places{{.kinds = {Kind::experiment}}}, add_isoefficiency_flags, do_isoefficiency, kMoreOnIsoefficiency, {},
          "isoefficiency"};
}

}  // namespace nowsim

// `nowsim isoefficiency`: how a problem has to grow with the machines to keep its efficiency.
#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/study_answer.hpp"
#include "tools/running/watched_reading.hpp"

namespace nowsim {

namespace {

constexpr const char* kMoreOnIsoefficiency =
    "\nSPEC's sweep is the family of growing systems: more machines, faster ones, or both; what else it sweeps makes\n"
    "curves of its own. Sizes that take more than an hour on one core are not tried, which is said where it matters.\n"
    "--out keeps all trials, so that the same command, or one with more efficiencies, goes on from there.\n"
    "Exit status: 0 also where an efficiency cannot be reached, 1 a run failed, 2 bad usage or bad input, 130 stopped\n"
    "by Ctrl-C.\n";

// ---- the question --------------------------------------------------------------------------------------------------

void add_isoefficiency_flags(Flags& flags) {
  flags.add({{"efficiency,e", taking(Kind::names).called("E,...").needed(), "what is to be kept, such as 0.5,0.7 or 50%,70%"},
             {"metric,m", taking(Kind::text, {"eps", "eps_a", "E"}).called("METRIC"),
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

/// The question; its experiment is the first word. @throws InputError.
IsoefficiencyRequest isoefficiency_request(const Arguments& arguments, const Session& session) {
  IsoefficiencyRequest request;
  request.targets = arguments.names("efficiency");
  request.metric = arguments.text_or_none("metric");
  request.key = arguments.text_or_none("size");
  request.from = arguments.text_or_none("from");
  request.to = arguments.text_or_none("to");
  request.tolerance = arguments.text_or_none("tolerance");
  request.along = arguments.names("along");
  request.options = load_options(arguments);
  for (const auto& axis : sweep_overrides(arguments)) request.options.overrides.push_back(axis);
  request.file = named_experiment(arguments.words.front(), session, request.options);
  return request;
}

int do_isoefficiency(const Arguments& arguments, Session& session) {
  const StudyOutputs outputs = study_outputs(arguments);
  const IsoefficiencyRequest request = isoefficiency_request(arguments, session);
  const Experiment described = isoefficiency_experiment(request, session.known);
  const IsoefficiencyFamily family = family_of(described, request.along);
  print_remarks(described);
  const std::string name = name_of_experiment(request.file, request.options) + kIsoefficiencyEnding;
  return answer_study(session, {&described, name, question_text(request)}, outputs,
                      [&](const Experiment& solved, const ResultTable& summary) {
                        return isoefficiency_answer(isoefficiency_report(family, described, solved, summary));
                      });
}

}  // namespace

Command isoefficiency_command() {
  return {.name = "isoefficiency",
          .summary = "how a problem has to grow with the machines to keep its efficiency",
          .places = Places{{.kinds = {Kind::experiment}}},
          .main = {"efficiency"},
          .add_flags = add_isoefficiency_flags,
          .run = do_isoefficiency,
          .more = kMoreOnIsoefficiency,
          .page = "isoefficiency"};
}

}  // namespace nowsim

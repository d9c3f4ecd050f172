// `nowsim verify`: both engines on the same replications, and how far they are apart.
#include <algorithm>
#include <cstdio>
#include <ostream>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "sim/base/text.hpp"
#include "tools/commands/verify_scenarios.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/prepare.hpp"
#include "tools/running/watched_reading.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/progress_line.hpp"
#include "tools/verify/random_case.hpp"

namespace nowsim {
namespace {

/// Of them run where nothing else is asked for.
constexpr std::uint64_t kRandomPrograms = 2000;

bool is_compared(const Agreement& a) {
  return a.kind == Agreement::Kind::agree || a.kind == Agreement::Kind::reordered || a.kind == Agreement::Kind::differ;
}

std::string number_of(double difference) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", difference);
  return difference == 0 ? "0" : text;
}

std::string difference_text(const Agreement& a) { return is_compared(a) ? number_of(a.largest) : "-"; }

/// "1 replication", "3 replications".
std::string replications_text(std::uint64_t n) {
  return std::to_string(n) + (n == 1 ? " replication" : " replications");
}

std::string remark(const Agreement& a) {
  Words parts;
  if (a.kind != Agreement::Kind::agree && (a.largest > kEngineTolerance || !is_compared(a))) parts.push_back(a.where);
  if (a.reordered > 0)
    parts.push_back(replications_text(a.reordered) + (a.reordered == 1 ? " differs" : " differ") +
                    " in the order of simultaneous events, by " + number_of(a.largest_reordered) + " at most");
  if (a.alone > 0)
    parts.push_back(replications_text(a.alone) + " compared on " +
                    (a.alone == 1 ? "a clock of its own" : "clocks of their own") +
                    ": behind the longest SimGrid's is too coarse for such short ones");
  if (!a.apart_from_simgrid.empty()) parts.push_back(a.apart_from_simgrid);
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

/// What all cases came to.
struct Totals {
  std::size_t cases = 0, compared = 0, differ = 0, reordered = 0, failed = 0;
  double largest = 0;
  void add(const Agreement& a) {
    ++cases;
    differ += a.kind == Agreement::Kind::differ ? 1 : 0;
    reordered += a.kind == Agreement::Kind::reordered ? 1 : 0;
    failed += a.kind == Agreement::Kind::failed ? 1 : 0;
    if (!is_compared(a)) return;
    ++compared;
    largest = std::max(largest, a.largest);
  }
  [[nodiscard]] std::string text() const {
    const std::string of = " of " + std::to_string(cases) + " scenarios";
    const std::string fails = failed > 0 ? "; " + std::to_string(failed) + " failed" : "";
    if (compared == 0) return "0" + of + " run on both engines: nothing was compared" + fails;
    return std::to_string(compared) + of + " run on both engines; the largest relative difference is " +
           number_of(largest) + (differ > 0 ? ", more than 1e-09 allows in " + std::to_string(differ) : "") + fails;
  }
};

Fields agreement_fields(const std::string& name, const Agreement& a) {
  return {{"scenario", name},
          {"replications", std::uint64_t{a.replications}},
          {"largest_difference", is_compared(a) ? number_of(a.largest) : "", kInCsv},
          {"largest_difference", is_compared(a) ? a.largest : kNotKnown, kInJson},
          {"reordered", std::uint64_t{a.reordered}},
          {"verdict", std::string(agreement_name(a.kind))},
          {"remark", remark(a)}};
}

/// Compares case by case, each as its line is written.
class Verification {
 public:
  Verification(std::ostream& out, std::vector<VerifyCase> cases, bool quiet)
      : out_(out), cases_(std::move(cases)), line_(quiet) {
    for (const auto& one : cases_) width_ = std::max(width_, one.name.size());
  }
  Document document() {
    const List rows{cases_.size(), [this](std::size_t i) -> Value {
                      return Object{agreement_fields(cases_[i].name, agreement(i))};
                    }};
    return {[this](std::ostream& out) { write_table(out); }, agreement_fields("", {}), rows, rows};
  }
  [[nodiscard]] bool is_whole() const { return totals_.differ + totals_.failed + totals_.reordered == 0; }

 private:
  Agreement agreement(std::size_t i) {
    out_.flush();  // it may take long
    if (interruption_requested()) throw Interrupted();
    line_.show("comparing " + cases_[i].name + ":", i, cases_.size());
    const Agreement agreement = cases_[i].compare();
    line_.clear();
    totals_.add(agreement);
    return agreement;
  }
  void write_table(std::ostream& out) {
    const std::size_t columns = columns_of(out);
    is_narrow_ = columns > 0 && width_ + kOtherColumns > columns;
    if (!is_narrow_) {
      write_line(out, "scenario", "replications", "difference", "verdict", "");
      write_line(out, std::string(width_, '-'), "------------", "----------", "---------", "");
    }
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const Agreement a = agreement(i);
      write_line(out, cases_[i].name, std::to_string(a.replications), difference_text(a), agreement_name(a.kind),
                 remark(a));
    }
    out << "\n" << totals_.text() << '\n';
  }
  void write_line(std::ostream& out, const std::string& name, const std::string& count, const std::string& difference,
                  const std::string& verdict, const std::string& more) const {
    if (is_narrow_) {
      out << "  " << name << ": " << verdict << ", " << count << " replications, difference " << difference
          << (more.empty() ? "" : "; ") << more << '\n';
      return;
    }
    const auto gap = [](const std::string& text, std::size_t width) {
      return std::string(width - std::min(width, text.size()), ' ');
    };
    out << "  " << name << gap(name, width_) << "  " << gap(count, 12) << count << "  " << gap(difference, 10)
        << difference << "  " << verdict << (more.empty() ? "" : gap(verdict, 9) + "  " + more) << '\n';
  }

  static constexpr std::size_t kOtherColumns = 39;  // with gaps

  std::ostream& out_;
  std::vector<VerifyCase> cases_;
  StageLine line_;
  std::size_t width_ = 8;
  bool is_narrow_ = false;  // a terminal, on which each scenario is a sentence
  Totals totals_;
};

/// Of the flags of experiments those that say what is compared: replications run on both engines, and to their end.
constexpr const char* kSettingFlags[] = {"set", "replications", "variance-reduction"};
constexpr const char* kSeedFlag = "seed";

void add_verify_flags(Flags& flags) {
  Flags of_experiments;
  add_experiment_flags(of_experiments);
  for (const char* name : kSettingFlags) flags.add({*of_experiments.named(name)});
  flags.add({{kSeedFlag, whole(0),
              "seed of the random streams, and of random programs: with another they are others", "run.seed"}});
  flags.add({{"random", whole(1),
              "only so many random programs on random networks; without SPEC.yaml 2000 beside all else"},
             {"program", whole(0),
              "only this random program; one that fails is made smaller and printed"},
             {"platforms", taking(Kind::folder),
              "only random programs on the machines of each of a folder's platform files"}});
  add_output_flags(flags);
}

/// One of these at a time.
void check_what_is_asked_for(const Arguments& arguments) {
  std::vector<std::string> given;
  if (!arguments.words.empty()) given.push_back(quoted(arguments.words.front()));
  for (const char* flag : {"random", "program", "platforms"})
    if (arguments.has(flag)) given.push_back(std::string("--") + flag);
  if (given.size() > 1)
    throw UsageError(given[0] + " and " + given[1] + ": only one of them can say what is compared");
  for (const char* flag : {"random", "program", "platforms"})
    for (const char* setting : kSettingFlags)
      if (arguments.has(flag) && arguments.has(setting))
        throw UsageError(std::string("--") + setting + " says nothing of random programs, and --" + flag +
                         " asks for such alone; --" + kSeedFlag + " gives others");
  if (arguments.words.empty() && arguments.has(kSeedFlag) && !arguments.whole(kSeedFlag))
    throw UsageError(flag_place(kSeedFlag, arguments.text(kSeedFlag)) +
                     ": formulas are for experiments; random programs need a number");
  if (arguments.has("program") && arguments.has("format"))
    throw UsageError("--program prints a program and its network, which has no other --format");
}

/// One random program by its number, and what is left of it where it fails.
int verify_program(Session& session, std::uint64_t number, std::uint64_t seed) {
  const RandomCase one = random_case(number / kProgramsPerNetwork, number % kProgramsPerNetwork, seed);
  const Agreement agreement = compare_engines(one);
  session.out << agreement_name(agreement.kind);
  if (!has_failed(agreement)) {
    session.out << ", the largest relative difference is " << number_of(agreement.largest) << "\n\n" << case_text(one);
    return 0;
  }
  session.out << ": " << agreement.where << "\n\n";
  const RandomCase smallest = smallest_failing(
      one, [&](const RandomCase& candidate) { return compare_engines(candidate).kind == agreement.kind; });
  session.out << "made smaller: " << compare_engines(smallest).where << "\n\n" << case_text(smallest);
  return 1;
}

std::vector<VerifyCase> cases_asked_for(const Arguments& arguments, std::uint64_t seed, const Session& session,
                                        bool quiet) {
  LoadOptions options = load_options(arguments);
  if (!arguments.words.empty()) {
    const std::string file = named_experiment(arguments.words.front(), session, options);
    return cases_of(ready_to_run(load_experiment(file, options, session.known), nullptr, 1, quiet));
  }
  if (arguments.has("platforms")) return platform_cases(arguments.text("platforms"), seed);
  std::vector<VerifyCase> cases = random_cases(arguments.whole("random").value_or(kRandomPrograms), seed);
  if (arguments.has("random")) return cases;
  std::vector<VerifyCase> all = standard_cases(options, session.known, seed);
  all.insert(all.end(), cases.begin(), cases.end());
  return all;
}

int do_verify(const Arguments& arguments, Session& session) {
  const OutputFlags how = output_flags(arguments);
  check_what_is_asked_for(arguments);
  const std::uint64_t seed = arguments.whole(kSeedFlag).value_or(1);  // of random programs
  if (const auto program = arguments.whole("program")) return verify_program(session, *program, seed);
  Verification verification(session.out, cases_asked_for(arguments, seed, session, how.quiet), how.quiet);
  write_document(verification.document(), how.format, session.out);
  return verification.is_whole() ? 0 : 1;
}

}  // namespace

Command verify_command() {
  return {.name = "verify",
          .summary = "run both engines on the same replications, and compare",
          .places = Places{{.kinds = {Kind::experiment}, .least = 0}},
          .add_flags = add_verify_flags,
          .run = do_verify,
          .page = "engines"};
}

}  // namespace nowsim

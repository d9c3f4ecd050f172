// Isoefficiency: sizes with closed forms, on more machines, faster ones and both; what makes a curve; bad questions.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"
#include "experiments/driver/sweeps/prepare.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/thrown.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// T = W/p_T + 1 s: W = K·p_T, K = eps/(1 - eps).
std::string barriers(const std::string& sweep, const std::string& more = "") {
  return "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\n"
         "job: {workload: augmented-task, work: 1f, phases: 10, barrier_cost: 0.1s}\n"
         "split: {policy: proportional}\nrun: {replications: 2}\n" +
         more + (sweep.empty() ? "" : "sweep: " + sweep + "\n");
}
const std::string kAdding = "{platform.workstations: [2, 4, 8]}";

struct Question {
  std::string yaml;
  std::vector<std::string> targets{"0.5"};
  std::optional<std::string> metric = {}, key = {}, from = {}, to = {};
  std::vector<std::string> along = {}, flags = {};
};

Experiment experiment_of(const Question& q) {
  const Folder folder;
  return isoefficiency_experiment({folder.file("e.yaml", q.yaml), q.targets, q.metric, q.key, q.from, q.to, "1e-6",
                                   q.along, {q.flags}},
                                  Registries({}, builtin_checks(), builtin_figures()));
}

IsoefficiencyReport answer(const Question& q) {
  const Experiment described = experiment_of(q);
  const IsoefficiencyFamily family = family_of(described, q.along);
  const Experiment solved = solve_sizes(described);
  return isoefficiency_report(family, described, solved, summarise(solved, run_experiment(solved, {1})));
}

std::vector<double> sizes_of(const IsoefficiencyCurve& curve) {
  std::vector<double> out;
  for (const auto& point : curve.points) out.push_back(point.system.size.value);
  return out;
}

void check_sizes(const IsoefficiencyCurve& curve, const std::vector<double>& expected) {
  const auto sizes = sizes_of(curve);
  REQUIRE(sizes.size() == expected.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) CHECK(sizes[k] == Approx(expected[k]).epsilon(1e-5));
}

const GrowthFit& fit_of(const IsoefficiencyCurve& curve, const std::string& law) {
  for (const auto& fit : curve.fits)
    if (law == fit.law->name) return fit;
  throw std::out_of_range(law);
}

std::vector<std::string> best_of(const IsoefficiencyCurve& curve) {
  std::vector<std::string> out;
  for (const auto* fit : curve.best()) out.emplace_back(fit->law->name);
  return out;
}

std::string text_of(const IsoefficiencyReport& report, Format format) {
  std::ostringstream out;
  write_answer(isoefficiency_answer(report), format, out);
  return out.str();
}

std::string fits_csv(const IsoefficiencyReport& report) {
  const Answer answer = isoefficiency_answer(report);
  const AnswerRows& fits = answer.tables.at(1);
  CHECK(fits.ending == "-fits.csv");
  std::ostringstream out;
  write_csv(fits.head, fits.rows, out);
  return out.str();
}

/// The sentence that a question is refused with.
std::string refusal(const Question& q) {
  return sentence_of([&] { static_cast<void>(family_of(experiment_of(q), q.along)); });
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("With machines added the work grows as their power does", "[computes][isoefficiency]") {
  const auto report = answer({barriers(kAdding), {"0.5", "80%"}});
  REQUIRE(report.family.curves.size() == 2);
  CHECK(report.family.along == Words{"platform.workstations"});
  CHECK(report.key == "job.work");
  CHECK(report.metric == "eps");
  check_sizes(report.family.curves[0], {2, 4, 8});
  check_sizes(report.family.curves[1], {8, 16, 32});  // K = 0.8/0.2
  for (const auto& curve : report.family.curves) {
    CHECK(best_of(curve) == Words{"p", "p_T"});
    CHECK(fit_of(curve, "p_T").line.r_squared == Approx(1).epsilon(1e-9));
    // 2, 4 and 8 over 2, 8 and 24: sums of squares about the means 776/3 and 56/3, of products 208/3.
    CHECK(fit_of(curve, "p_log_p").line.r_squared == Approx(208.0 * 208.0 / (776.0 * 56.0)).epsilon(1e-4));
  }
  CHECK(fit_of(report.family.curves[1], "p_T").slope.value == Approx(4).epsilon(1e-5));
  CHECK(report.family.curves[0].points[2].tau_s.value == Approx(2).epsilon(1e-5));
  CHECK(report.family.curves[0].points[2].work_flop == Approx(8).epsilon(1e-5));
}

TEST_CASE("With machines upgraded it does too, though they are no more", "[isoefficiency]") {
  const auto report = answer({barriers("{platform.speed: [1f, 3f, 10f]}")});
  REQUIRE(report.family.curves.size() == 1);
  const auto& curve = report.family.curves[0];
  check_sizes(curve, {2, 6, 20});
  CHECK(curve.points[1].system.processors == 2);
  CHECK(curve.points[1].system.power_flops == 6);
  CHECK(best_of(curve) == Words{"p_T_log_p", "p_T_p", "p_T"});  // p is the same
  CHECK(std::isnan(fit_of(curve, "p_log_p").line.r_squared));
  CHECK(fit_of(curve, "p_T_log_p").slope.value == Approx(1).epsilon(1e-5));
}

TEST_CASE("With both, only the power tells", "[isoefficiency]") {
  const auto report =
      answer({barriers("{zip: {platform.workstations: [2, 4, 8, 8], platform.speed: [1f, 1f, 1f, 10f]}}")});
  const auto& curve = report.family.curves.at(0);
  check_sizes(curve, {2, 4, 8, 80});
  CHECK(best_of(curve) == Words{"p_T"});
  CHECK(fit_of(curve, "p").line.r_squared < 0.9);
}

TEST_CASE("What else is swept tells curves apart, and the key along which systems grow can be chosen",
          "[isoefficiency]") {
  const std::string sweep = "{platform.speed: [1f, 2f], platform.workstations: [2, 4, 8]}";
  const auto by_number = answer({barriers(sweep)});
  REQUIRE(by_number.family.curves.size() == 2);
  CHECK(by_number.family.curves[1].others == decltype(IsoefficiencyCurve::others){{"platform.speed", "2f"}});
  check_sizes(by_number.family.curves[1], {4, 8, 16});
  const auto by_speed = answer({.yaml = barriers(sweep), .along = {"platform.speed"}});
  REQUIRE(by_speed.family.curves.size() == 3);
  check_sizes(by_speed.family.curves[2], {8, 16});
  CHECK(by_speed.family.curves[2].best().empty());  // any law goes through two
  CHECK_THAT(text_of(by_speed, Format::table), Contains("no law: 2 sizes were found"));
  const auto by_both = answer({.yaml = barriers(sweep), .along = {"platform.speed", "platform.workstations"}});
  REQUIRE(by_both.family.curves.size() == 1);
  check_sizes(by_both.family.curves[0], {2, 4, 8, 4, 8, 16});
}

TEST_CASE("With owners the interval of a size covers the exact one as often as it says",
          "[isoefficiency][statistics]") {
  // Renewal theory: tau = t/a + TH²·E[L²]/(2 E[L]) + 1000 s, of t = W/S, a = 1/2, L uniform on [0, 20] s; eps = t/tau.
  const double correction_s = 0.25 * (400.0 / 3) / 20, t_s = 0.25 * (1000 + correction_s) / (1 - 0.25 / 0.5);
  const auto report = answer(
      {.yaml = "nowsim: 1\nplatform: {workstations: 1, speed: 1f}\n"
               "job: {workload: augmented-task, work: 1f, phases: 1, barrier_cost: 1000s}\n"
               "owner: {model: intervals, mean: 0.5, TH: 0.5, interval: 10s}\nrun: {replications: 200}\n"
               "sweep: {run.seed: {from: 1, to: 40, step: 1}, platform.speed: [1f, 3f]}\n",
       .targets = {"0.25"}, .along = {"platform.speed"}});
  int covered = 0, precise = 0;
  REQUIRE(report.family.curves.size() == 40);
  for (const auto& curve : report.family.curves) {
    const auto& size = curve.points[1].system.size;
    covered += size.low <= 3 * t_s && 3 * t_s <= size.high ? 1 : 0;
    precise += size.high - size.low < 0.03 * size.value ? 1 : 0;
  }
  CHECK(covered >= 34);  // of 38 expected: three standard deviations
  CHECK(precise == 40);
}

TEST_CASE("An efficiency that owners do not leave says how far it comes", "[isoefficiency]") {
  const auto report = answer({.yaml = barriers(kAdding, "owner: {model: duty-cycle, u: 50%, period: 100ms}\n"),
                              .targets = {"0.7"},
                              .to = "1e6",
                              .flags = {"run.replications=1"}});
  for (const auto& point : report.family.curves.at(0).points) {
    CHECK_FALSE(point.has_size);
    CHECK_THAT(point.reason, Contains("eps = 0.7 cannot be reached with ") && Contains("it is at most 0.") &&
                                 Contains("(job.work from 1 to 1e+06)"));
  }
  CHECK_THAT(text_of(report, Format::table), Contains("no size: eps = 0.7 cannot be reached with 2 workstations") &&
                                                 Contains("eps = 0.7: no size was found."));
  CHECK_THROWS_WITH(isoefficiency_script(report, PictureFormat::svg), Contains("no size was found"));
}

TEST_CASE("What owners leave is the power, where that efficiency is to be kept", "[isoefficiency]") {
  // tau = W/(0.5 p) + 1, eps_a = W/(tau·0.5 p) = 1/2: W = 0.5 p.
  const auto report = answer({.yaml = barriers(kAdding, "owner: {model: intervals, mean: 0.5, TH: 0}\n"),
                              .metric = "eps_a"});
  check_sizes(report.family.curves.at(0), {1, 2, 4});
  CHECK(report.family.curves[0].points[0].system.power_flops == 1);
  CHECK_THAT(text_of(report, Format::table), Contains("p_T_a·log2 p"));
  CHECK_THAT(text_of(report, Format::csv), Contains(",p,p_T_a,size,"));
  CHECK_THAT(text_of(report, Format::json),
             Contains("\"p_T_a\": ") && Contains("\"law\": \"p_T_a_log_p\", \"formula\": \"p_T_a·log2 p\"") &&
                 !Contains("\"p_T\""));
  CHECK_THAT(fits_csv(report), Contains(",p_T_a_log_p,p_T_a·log2 p,") && !Contains("p_T_log_p"));
}

TEST_CASE("A job too small to be split has an efficiency, but is no answer", "[isoefficiency]") {
  // One pair on two machines: eps = 1/2, and it falls before it rises.
  const auto report = answer({.yaml = "nowsim: 1\nplatform: {workstations: 2, speed: 1Gf, network: switch, latency: "
                                      "1ms, bandwidth: 125MBps}\njob: {workload: ep, size: 1, work_per_pair: 100Mf}\n"
                                      "run: {replications: 1}\nsweep: {platform.workstations: [2, 4]}\n",
                              .targets = {"0.9"}});
  for (const auto& point : report.family.curves.at(0).points) CHECK(point.system.size.value >= 2);
}

TEST_CASE("An experiment's own solve block says what flags do not", "[isoefficiency]") {
  const std::string block = "solve: {key: job.work, metric: E, equals: 20%, from: 0.5, to: 1e4, whole: false}\n";
  const auto own = answer({.yaml = barriers(kAdding, block), .targets = {}});
  CHECK(own.metric == "E");
  check_sizes(own.family.curves.at(0), {0.5, 1, 2});
  const auto given = answer({.yaml = barriers(kAdding, block), .targets = {"0.5"}, .metric = "eps"});
  check_sizes(given.family.curves.at(0), {2, 4, 8});
  // A swept key that is sought, a figure and claims are of another question.
  const auto swept = answer({barriers("{job.work: [1f, 2f], platform.workstations: [2, 4, 8]}")});
  check_sizes(swept.family.curves.at(0), {2, 4, 8});
}

TEST_CASE("Axes can be added by a flag", "[isoefficiency]") {
  CHECK(sweep_override("platform.workstations=2,4,8") == "sweep.platform.workstations=[2,4,8]");
  CHECK(sweep_override("platform.speed={from: 1, to: 3, step: 1}") ==
        "sweep.platform.speed={from: 1, to: 3, step: 1}");
  CHECK_THROWS_WITH(sweep_override("platform.workstations"), Contains("such as platform.workstations=2,4,8"));
  const auto report = answer({.yaml = barriers(""), .flags = {sweep_override("platform.workstations=2,4,8")}});
  check_sizes(report.family.curves.at(0), {2, 4, 8});
  const auto whole = answer({.yaml = barriers("{platform.speed: [1f, 2f]}"),
                             .flags = {"sweep={platform.workstations: [2, 16]}"}});
  check_sizes(whole.family.curves.at(0), {2, 16});
}

TEST_CASE("Questions without an answer are refused with a sentence", "[isoefficiency][error]") {
  CHECK_THAT(refusal({barriers("")}), Contains("sweeps nothing") && Contains("--sweep platform.workstations=2,4,8"));
  CHECK_THAT(refusal({barriers("{job.phases: [1, 10]}")}),
             Contains("points are of one size (2 workstations, p_T = 2 flop/s)"));
  CHECK_THAT(refusal({.yaml = barriers(kAdding), .along = {"platform.workstation"}}),
             Contains("--along platform.workstation: this key is not swept; did you mean 'platform.workstations'?"));
  CHECK_THAT(refusal({barriers(kAdding), {"1.5"}}), Contains("--efficiency 1.5: 'eps' lies between 0 and 1"));
  CHECK_THAT(refusal({barriers(kAdding), {"0"}}), Contains("--efficiency 0: "));
  CHECK_THAT(refusal({barriers(kAdding), {"abc"}}), Contains("--efficiency abc: "));
  CHECK_THAT(refusal({barriers(kAdding), {}}), Contains("--efficiency is missing"));
  CHECK_THAT(refusal({.yaml = barriers(kAdding), .metric = "epsilon"}), Contains("--metric: there is no metric"));
  CHECK_THAT(refusal({.yaml = barriers(kAdding), .from = "10", .to = "5"}), Contains("--from: this must be less than"));
  CHECK_THAT(refusal({.yaml = barriers(kAdding), .key = "job.sizes"}), Contains("--size job.sizes: "));
  CHECK_THAT(refusal({.yaml = barriers(kAdding), .flags = {"solve.equals=0.3"}}),
             Contains("solve.equals: that is said by --efficiency here"));
  CHECK_THAT(refusal({.yaml = barriers(kAdding), .flags = {"metrics=[tau]"}}), Contains("metrics: "));
}

TEST_CASE("Tables, CSV, JSON and the picture have every size", "[isoefficiency]") {
  const auto report = answer({barriers(kAdding), {"0.5"}});
  CHECK_THAT(text_of(report, Format::table),
             Contains("eps = 0.5: work grows in proportion to p = c·p_T (R² 1, slope 1"));
  const std::string csv = text_of(report, Format::csv);
  CHECK_THAT(csv, Contains("metric,target,platform.workstations,p,p_T,size,size_low,size_high,work,tau,"));
  CHECK(std::ranges::count(csv, '\n') == 4);
  CHECK(std::ranges::count(fits_csv(report), '\n') == 7);
  CHECK_THAT(text_of(report, Format::json), Contains("\"law\": \"p_T_log_p\"") && Contains("\"best\": true"));
  CHECK_THAT(isoefficiency_script(report, PictureFormat::png),
             Contains("pngcairo") && Contains("$curve2_2 << END_OF_DATA\n2,") && Contains("series_1 = 'eps = 0.5'\n"));
}

namespace {

/// Sizes on 2, 4, 8, ... machines of one power, without any runs.
IsoefficiencyReport report_of(const std::vector<Estimate>& sizes) {
  IsoefficiencyReport report;
  report.key = "job.size", report.metric = "eps";
  IsoefficiencyCurve curve;
  std::vector<GrowthPoint> systems;
  double p = 1;
  for (const auto& size : sizes) {
    systems.push_back({p *= 2, p, size});
    curve.points.push_back({.system = systems.back(), .has_size = std::isfinite(size.value)});
  }
  curve.fits = growth_fits(systems);
  report.family.curves.push_back(curve);
  return report;
}
std::string law_of(const std::vector<Estimate>& sizes) {
  const auto report = report_of(sizes);
  return law_sentence(report, report.family.curves.front());
}

}  // namespace

TEST_CASE("Sizes that fall, or do not change, are not told as growth", "[isoefficiency]") {
  CHECK(law_of({exactly(600), exactly(80), exactly(9)}) == "sizes fall");
  CHECK(law_of({{600, 590, 610}, {80, 70, 90}, {9, 8, 10}}) == "sizes fall");
  CHECK(law_of({{600, 100, 1100}, {580, 80, 1080}, {570, 70, 1070}}) == "these sizes do not tell whether they grow");
  CHECK(law_of({exactly(8), exactly(8), exactly(8)}) == "sizes do not change");
  CHECK(report_of({exactly(8), exactly(8), exactly(8)}).family.curves[0].best().empty());
  CHECK(law_of({exactly(kNotKnown), exactly(kNotKnown)}) == "no size was found");
}

TEST_CASE("The law's sentence says what the sizes' intervals leave open", "[isoefficiency]") {
  CHECK(law_of({exactly(120), exactly(400), exactly(1600)}) ==
        "size grows in proportion to p² = c·p_T·p (R² 0.99988, slope 24.76)");
  CHECK_THAT(law_of({{120, 92, 148}, {400, 270, 530}, {1600, 950, 2250}}),
             Contains("these sizes do not tell p² = c·p_T·p (R² 0.99988 [") &&
                 Contains("from p·log2 p, p_T·log2 p, p, p_T"));
  CHECK_THAT(law_of({{120, kNotKnown, kNotKnown}, exactly(400), exactly(1600)}),
             Contains("the nearest law is p² = c·p_T·p (R² 0.99988 ± ?), but"));
  CHECK_THAT(law_of({exactly(10), exactly(0), exactly(20)}), Contains("none of these laws holds; the nearest is "));
}

TEST_CASE("A law says through how many of the systems it goes", "[isoefficiency]") {
  const Estimate none = exactly(kNotKnown);
  CHECK_THAT(law_of({exactly(4), exactly(16), exactly(64), none, none, none}), Contains(", through 3 of 6 systems)"));
  CHECK_THAT(law_of({exactly(64), exactly(16), exactly(4), none}), Contains("sizes fall, through 3 of 4 systems"));
}

TEST_CASE("The picture is over the law that its curves tell, or else over that of broadcasts", "[isoefficiency]") {
  const std::vector<Estimate> broadcast{exactly(2), exactly(8), exactly(24)}, in_turn{exactly(4), exactly(16), exactly(64)},
      in_proportion{exactly(2), exactly(4), exactly(8)}, like_none{exactly(2), exactly(200), exactly(210)}, open{{120, 92, 148}, {400, 270, 530}, {1600, 950, 2250}};
  const auto labels = [](const std::vector<std::vector<Estimate>>& curves) {
    IsoefficiencyReport report = report_of(curves.front());
    for (std::size_t c = 1; c < curves.size(); ++c)
      report.family.curves.push_back(report_of(curves[c]).family.curves.front());
    const std::string script = isoefficiency_script(report, PictureFormat::svg);
    std::vector<std::string> out;
    for (const std::string label : {"x_label_1 = '", "x_label_2 = '"}) {
      const std::size_t at = script.find(label) + label.size();
      out.push_back(script.substr(at, script.find('\'', at) - at));
    }
    return out;
  };
  using Labels = std::vector<std::string>;
  const Labels of_broadcast{"p_{T} log_{2} p [flop/s]", "p log_{2} p"}, of_turns{"p_{T} p [flop/s]", "p^{2}"};
  CHECK(labels({broadcast}) == of_broadcast);
  CHECK(labels({in_turn}) == of_turns);
  CHECK(labels({in_proportion}) == Labels{"p_{T} [flop/s]", "p"});
  CHECK(labels({open, in_turn}) == of_turns);
  CHECK(labels({open}) == of_broadcast);
  CHECK_THAT(law_of(like_none), Contains("none of these laws holds"));
  CHECK(report_of(like_none).family.curves[0].best().empty());
  CHECK(labels({like_none}) == of_broadcast);
  CHECK(labels({in_proportion, in_turn}) == of_broadcast);
}

TEST_CASE("The picture's axes have short numbers", "[isoefficiency]") {
  std::vector<Estimate> sizes;
  for (double p = 2; p <= 512; p *= 2) sizes.push_back(exactly(7 * p * p));
  CHECK_THAT(isoefficiency_script(report_of(sizes), PictureFormat::svg),
             Contains("x_label_2 = 'p^{2} [10^{3}]'") && Contains("\n262.144,") && Contains("'p_{T} p [kflop/s]'"));
}

// `nowsim contrast`: which value of a swept key is better, by some metrics; as the experiment whose points are compared,
// as sentences, and as an answer.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/studies/comparison.hpp"

namespace nowsim {

/// The question; without metrics by the experiment's first.
struct ContrastRequest : ComparisonRequest {
  std::string file = {};
  LoadOptions options = {};
};

/// All of it as one text, which another question does not have.
std::string question_text(const ContrastRequest& request);

/// The experiment with these metrics alone, without its figure and claims.
/// @throws InputError naming the flag: of the key, the value and the metrics too.
Experiment contrast_experiment(const ContrastRequest& request, const Registries& registries);

struct ContrastReport : RowComparisons {
  ResultTable summary;
};
ContrastReport contrast_report(const ContrastRequest& request, const ResultTable& summary);

/// "which job.technique has the lowest tau?", "tau of each job.technique, beside SS".
std::string question_of(const RowComparisons& compared, const MetricComparison& by);
/// What a metric's cells tell, and how its values were compared: a sentence each.
std::vector<std::string> contrast_sentences(const RowComparisons& compared, const MetricComparison& by);
/// "differences: all 9 of a cell hold together"; the most of a cell.
std::string joint_text(const RowComparisons& compared);

/// Tables, sentences and who ran it for people; CSV: a row for each compared value; the picture: contrast_script().
Answer contrast_answer(ContrastReport report);
/// The differences of each cell with their intervals, the best value on top, and the line at 0. Of many cells the first
/// twelve, which it says. @throws RunError where nothing is compared.
std::string contrast_script(const ContrastReport& report, PictureFormat format);

}  // namespace nowsim

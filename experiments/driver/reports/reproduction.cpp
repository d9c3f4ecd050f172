// Reproducing: each of the stages in turn.
#include "experiments/driver/reports/reproduction.hpp"

#include <sstream>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace {

/// The pictures; a version of script or picture that a user has changed is kept. Where the picture cannot be drawn there
/// is its script, and pictures drawn before stay.
void draw(BatchStore& store, const std::string& name, const Figure& figure, Reproduction& made) {
  try {
    draw_figure(figure, made.sweep.summary, store.folder(), name, [&](const auto& file, const auto& bytes) {
      made.files.push_back(write_file(store, file.filename().string(), bytes));
    });
  } catch (const RunError& e) {
    made.no_picture = e.what();
  }
}

void check(BatchStore& store, const std::string& name, const std::vector<Claim>& claims,
           const ExperimentChanges& changes, Reproduction& made) {
  if (claims.empty()) return;
  made.claims = check_claims(claims, made.sweep.summary);
  for (ClaimResult& result : made.claims) result.changed = changes.text(result.claim.id);
  std::ostringstream csv;
  write_claims(made.claims, Format::csv, csv);
  made.files.push_back(write_file(store, name + kClaimsEnding + ".csv", csv.str()));
}

}  // namespace

Reproduction reproduce(BatchStore& store, const std::string& name, const Experiment& experiment,
                       const ExperimentChanges& changes, const RunOptions& options) {
  Reproduction made;
  made.sweep = sweep_into(store, name, experiment, options);
  made.files.push_back(write_results(store, name, made.sweep.summary));
  if (has_found_splits(made.sweep.summary)) made.files.push_back(write_splits(store, name, made.sweep.summary));
  made.no_picture = experiment.no_figure;
  if (experiment.figure) draw(store, name, *experiment.figure, made);
  check(store, name, experiment.claims, changes, made);
  store.commit();
  return made;
}

}  // namespace nowsim

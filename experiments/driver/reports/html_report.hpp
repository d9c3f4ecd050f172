// A report as one HTML page that needs no network and no scripts: a scoreboard of all claims, and of every experiment
// its picture, parameters, engine, replications and verdicts.
#pragma once

#include <string>

#include "experiments/driver/reports/report.hpp"

namespace nowsim {

/// The page (HTML 5, UTF-8): pictures and style are part of it, links go to the files beside it. Nothing in it depends
/// on when or where it was made.
std::string html_report(const Report& report);

}  // namespace nowsim

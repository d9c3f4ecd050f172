// The page about reproduced experiments: of each its description, results, verdicts and files.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/running/result_table.hpp"

namespace nowsim {

/// A setting: dotted key and value, as written.
struct Parameter {
  std::string key, value;
};

/// An experiment's file as a reader sees it.
struct ExperimentListing {
  std::string title, description;
  std::vector<Parameter>
      parameters;    ///< of platform, job, split, owner, run and all else that is no figure, claim or sweep
  std::string text;  ///< the file itself, without what flags change
};
/// Reads it, with the flags applied. @throws InputError as read_yaml and parse_override do.
ExperimentListing describe_file(const std::string& file, const std::vector<std::string>& overrides);

/// An experiment, and what was made of it.
struct ReportedExperiment {
  std::string folder;  ///< below the page; "" where it stands beside it
  std::string name;    ///< of its files
  ExperimentListing described;
  ResultTable summary;
  std::vector<ClaimResult> claims;
  std::vector<std::string> files;  ///< paths below the page, with '/'
  std::string svg;                 ///< the picture, whole; "" where there is none
  std::string thumbnail;           ///< the same as a small PNG; "" where there is none
  std::string no_picture;          ///< why there is none though one is described
  std::string failure;             ///< why there is nothing at all; "" where there is

  /// huang-lee-2007/fig05: what it is called, and the id of its article.
  [[nodiscard]] std::string path() const { return folder.empty() ? name : folder + "/" + name; }
};

/// What a page tells of an experiment, with its article as HTML: results are no longer needed.
struct ExperimentArticle {
  std::string folder, path, title;
  std::string gap;   ///< what is missing of it; "" where nothing is
  std::string seed;  ///< "-" where none ran
  std::vector<std::string> engines = {};
  bool has_failed = false;
  std::string html = {}, thumbnail = {};
  std::vector<ClaimResult> claims = {};

  template <class All>
  void fields(All& all) {
    all(folder, path, title, gap, seed, engines, has_failed, html, thumbnail, claims);
  }
};
ExperimentArticle article_of(ReportedExperiment experiment);

/// All that a page tells. It has no date: the same results are the same page.
struct Report {
  std::string version;             ///< of the program that made the page
  std::vector<std::string> flags;  ///< key=value that changed experiments
  std::vector<ExperimentArticle> experiments;
};

/// The page (HTML 5, UTF-8) that needs no network and no scripts: a scoreboard of all claims, and of every experiment
/// its picture, parameters, engine, replications and verdicts. Pictures and style are part of it, links go to the files
/// beside it. Nothing in it depends on when or where it was made.
std::string html_report(const Report& report);

/// The page's name in its folder.
inline constexpr const char* kReportFile = "index.html";

/// Writes the page into a folder at once. A page that is there is replaced where nowsim wrote it (its last line is a
/// checksum of the others, so that a change is seen) and it has no experiment that the new one lacks; else it is kept
/// as the first free index.html.~1~, index.html.~2~, ... Returns that name, or "". @throws RunError.
std::string write_report(const std::string& folder, const std::string& page);

}  // namespace nowsim

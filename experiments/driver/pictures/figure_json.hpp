// A figure's data as JSON, for pages and for programs that draw it their own way.
#pragma once

#include <string>

#include "experiments/driver/pictures/resolved_figure.hpp"

namespace nowsim {

/// The figure as an object:
///   name, kind, title, footer, remark and note (where there are any), provenance {replications, confidence, seed,
///   engine, version, variance_reduction}, series_key, series_label, legend (whether there is one),
///   series [{value, label, theory}],
///   x, y (of surfaces and winners) and each panel's own x and its value: axes {shows (key or metric), is_metric,
///   label, scale (linear, log), power (of ten that the label's unit has), unit (what 1 on the axis is in SI, such as
///   60 of minutes), range [least, most], tics [{at, label}] (none: any will do), values [{text, at}] of a key},
///   panels [{caption, has_results, where, deadline_s (in seconds), and
///     curves [{series, beside (of theory), column (of the CSV), where, points [{x, y, low, high}]}],
///     or surface [{x, y, value}], row by row, or cells [{column, row, best, ties, compared, excess, among_fewer}]}].
/// Series are told by their number from 0. Positions are in the unit that the axis' label tells. What is not known is
/// null. Labels are HTML: <sub> and <sup>, and &amp; &lt; &gt;; title, footer and remark are plain text. In ASCII.
std::string figure_json(const ResolvedFigure& figure);

}  // namespace nowsim

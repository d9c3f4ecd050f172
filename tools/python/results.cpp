// Results by columns, their texts as the command line has them, and arrays of replications.
#include "tools/python/results.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <sstream>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/split_output.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "tools/python/bindings.hpp"
#include "tools/python/stored_replications.hpp"

namespace nowsim {
namespace {

namespace py = pybind11;

/// A list of what a function gives of each row.
template <class Make>
py::list of_rows(const ResultTable& s, Make make) {
  py::list all;
  for (const auto& row : s.rows) all.append(make(row));
  return all;
}

/// Name, unit, what it is, and whether it is one per workstation.
py::list metric_list(const ExperimentResult& result) {
  py::list all;
  for (const Metric* metric : result.summary.metrics)
    all.append(py::make_tuple(metric->name, metric->unit, metric->summary, metric->per_workstation));
  return all;
}

/// Per row the estimates of a metric, one or one per workstation, as (value, low, high); none without results.
py::list estimates_of(const ExperimentResult& result, std::size_t metric) {
  return of_rows(result.summary, [&](const ResultRow& row) {
    py::list estimates;
    if (row.has_results())
      for (const Estimate& e : row.estimates[metric]) estimates.append(py::make_tuple(e.value, e.low, e.high));
    return estimates;
  });
}

/// What is known of each row besides.
py::dict row_columns(const ExperimentResult& result) {
  const ResultTable& s = result.summary;
  py::dict columns;
  columns["values"] = of_rows(s, [](const ResultRow& row) { return row.values; });
  columns["workstations"] = of_rows(s, [](const ResultRow& row) { return row.workstations; });
  columns["replications"] = of_rows(s, [](const ResultRow& row) { return row.replications; });
  columns["seed"] = of_rows(s, [](const ResultRow& row) { return row.seed; });
  columns["confidence"] = of_rows(s, [](const ResultRow& row) { return row.confidence; });
  columns["engine"] = of_rows(s, [](const ResultRow& row) { return row.engine; });
  columns["version"] = of_rows(s, [](const ResultRow& row) { return row.version; });
  columns["status"] = of_rows(s, [](const ResultRow& row) { return status_name(row.status); });
  columns["reason"] = of_rows(s, [](const ResultRow& row) { return row.reason; });
  return columns;
}

std::string written(const ExperimentResult& result, Format format) {
  std::ostringstream out;
  write_summary(result.summary, format, out);
  if (format == Format::table && has_found_splits(result.summary)) write_split_table(result.summary, out << '\n');
  return out.str();
}

/// Numbers that are not copied: the array keeps what they are of. With workstations a row per replication.
py::array_t<double> array_of(const ExperimentResult::Times& values, std::size_t workstations = 0) {
  const py::capsule keeper(new ExperimentResult::Times(values),
                           [](void* kept) { delete static_cast<ExperimentResult::Times*>(kept); });
  std::vector<std::size_t> shape{values->size()};
  if (workstations > 0) shape = {values->size() / workstations, workstations};
  py::array_t<double> array(shape, values->data(), keeper);
  array.attr("flags").attr("writeable") = false;
  return array;
}

/// Arrays by name: of a store all that is recorded, else the makespans; none where they were not kept.
py::dict replications_of(const ExperimentResult& result, std::size_t point) {
  py::dict arrays;
  if (!result.folder.empty()) {
    BatchStore store(result.folder, BatchStore::Access::read);
    for (const auto& column : stored_replications(store, result.summary.rows.at(point)))
      arrays[column.name.c_str()] = array_of(column.values, column.workstations);
  } else if (point < result.makespans_s.size() && result.makespans_s[point]) {
    arrays["T"] = array_of(result.makespans_s[point]);
  }
  return arrays;
}

}  // namespace

void bind_results(py::module_& m) {
  m.def("estimate_text", [](double value, double low, double high) { return estimate_text({value, low, high}); });
  py::class_<ExperimentResult>(m, "ExperimentResult")
      .def_property_readonly("title", [](const ExperimentResult& r) { return r.summary.title; })
      .def_property_readonly("file", [](const ExperimentResult& r) { return r.summary.file; })
      .def_property_readonly("axes", [](const ExperimentResult& r) { return r.summary.axes; })
      .def_property_readonly("folder", [](const ExperimentResult& r) { return r.folder; })
      .def_property_readonly("metrics", &metric_list)
      .def("estimates", &estimates_of)
      .def("columns", &row_columns)
      .def("replications", &replications_of)
      .def("table", [](const ExperimentResult& r) { return written(r, Format::table); })
      .def("csv", [](const ExperimentResult& r) { return written(r, Format::csv); })
      .def("json", [](const ExperimentResult& r) { return written(r, Format::json); });
}

}  // namespace nowsim

#include "experiments/driver/reading/swept_names.hpp"

#include <algorithm>
#include <iterator>

#include "sim/base/text.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim {
namespace {

constexpr const char* kMeasuredIsWanted = "; a metric of the whole run that is measured is wanted, such as tau";
constexpr const char* kStopThemselves = ", which stop by themselves; tau's precision can be asked for";

/// What some metrics have, and what is wanted instead where they won't do because of that; null where they do.
struct Hindrance {
  bool Metric::*has;
  const char* sentence;
  const char* instead_of_stopping;  ///< which takes one number per point, of its own replications or its baseline's
  const char* instead_of_solving;   ///< which takes one number per point that its own runs decide
};
constexpr Hindrance kHindrances[] = {
    {&Metric::per_workstation, "is a metric of each workstation", "; one of the whole run is wanted, such as tau",
     kMeasuredIsWanted},
    {&Metric::needs_step1, "compares two splits", kStopThemselves, nullptr},
    {&Metric::needs_reference, "compares two points", kStopThemselves, kMeasuredIsWanted},
    {&Metric::needs_solved, "is known before the point runs", "; tau's precision can be asked for", kMeasuredIsWanted},
    {&Metric::exact, "follows from the description alone", nullptr, kMeasuredIsWanted},
};

const char* instead(const Hindrance& hindrance, MetricUse use) {
  return use == MetricUse::stopping ? hindrance.instead_of_stopping : hindrance.instead_of_solving;
}

/// The first one. Null where the metric will do.
const Hindrance* hindrance(const Metric& metric, MetricUse use) {
  const auto hinders = [&](const Hindrance& h) { return metric.*h.has && instead(h, use) != nullptr; };
  const auto found = std::ranges::find_if(kHindrances, hinders);
  return found == std::end(kHindrances) ? nullptr : found;
}

Words useful_names(MetricUse use, const Registry<Metric>& known) {
  Words names;
  for (const auto& metric : known)
    if (hindrance(metric, use) == nullptr) names.push_back(metric.name);
  return names;
}

}  // namespace

const Metric* read_metric(Reader& read, const std::string& key, MetricUse use, const Registry<Metric>& known) {
  const std::string name = read.text(key);
  if (name.empty() && !read.reading().problems.empty()) return nullptr;  // missing or no text, which is noted
  const Metric* metric = find_metric(name, known);
  const Hindrance* why = metric == nullptr ? nullptr : hindrance(*metric, use);
  if (metric == nullptr)
    read.problem(key, no_metric(name, useful_names(use, known)));
  else if (why != nullptr)
    read.problem(key, "'" + name + "' " + why->sentence + instead(*why, use));
  return why == nullptr ? metric : nullptr;
}

std::string no_metric(const std::string& name, const Words& known) {
  if (const std::string why = quantile_name_problem(name); !why.empty())
    return "there is no metric " + quoted(name) + ": " + why;
  const std::string near = did_you_mean(name, known);
  return "there is no metric " + quoted(name) + (near.empty() ? "; 'nowsim list metrics' names them" : near);
}

bool SweptAndMeasured::is_swept(const std::string& key) const { return contains(sweep.keys(), key); }

const AxisValues& SweptAndMeasured::values(const std::string& key) const {
  const auto known = values_.find(key);
  return known != values_.end() ? known->second : values_.emplace(key, AxisValues(sweep.values_of(key))).first->second;
}

const Metric* SweptAndMeasured::metric(const std::string& name) const {
  const auto found = std::ranges::find(metrics, name, &Metric::name);
  return found == metrics.end() ? nullptr : *found;
}

Words SweptAndMeasured::names_of(const std::function<bool(const Metric&)>& is_wanted) const {
  Words names;
  for (const Metric* metric : metrics)
    if (is_wanted(*metric)) names.push_back(metric->name);
  return names;
}

}  // namespace nowsim

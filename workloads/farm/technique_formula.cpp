// Places are found once, values at each evaluation.
#include "workloads/farm/technique_formula.hpp"

#include "sim/base/text.hpp"

namespace nowsim {

TechniqueFormula::TechniqueFormula(const std::string& key, const WrittenFormula& written)
    : by_("the formula " + key + ": " + quoted(written.text)),
      formula_(written.formula),
      values_(formula_->variables().size()) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const std::string& name = formula_->variables()[k];
    if (const auto known = written.keys.find(name); known != written.keys.end()) {
      values_[k] = known->second;
      continue;
    }
    names.push_back(name);
    places_.push_back(k);
  }
  variables_ = variables_by_name(names);
}

std::int64_t TechniqueFormula::tasks(const LoopState& state, std::size_t worker) const {
  for (std::size_t k = 0; k < places_.size(); ++k) values_[places_[k]] = variables_[k]->value(state, worker);
  return whole_tasks(formula_->value_at(values_), by_, variables_, state, worker);
}

}  // namespace nowsim

// Following names from formula to formula.
#include "experiments/driver/labs/fact_parts.hpp"

#include <algorithm>
#include <set>

#include "sim/base/formula.hpp"

namespace nowsim {
namespace {

/// Collects what is simulated.
class PartsOf {
 public:
  PartsOf(const Lab& lab, const Question* question) : lab_(lab), question_(question) {}

  void add(const std::string& name_or_formula) {
    if (!name_or_formula.starts_with("=")) return add_named(name_or_formula);
    const Formula formula(name_or_formula.substr(1));
    for (const auto& name : formula.variables()) add_named(name);
  }
  [[nodiscard]] const std::vector<const LabFact*>& parts() const { return parts_; }

 private:
  void add_named(const std::string& name) {
    const LabFact* fact = fact_of_name(lab_, question_, name);
    if (fact == nullptr || !seen_.insert(fact).second) return;
    if (const auto* formula = std::get_if<FormulaFact>(&fact->what)) return add(formula->formula);
    parts_.push_back(fact);
    if (const auto* best = std::get_if<BestFact>(&fact->what))
      for (const auto& compared : best->facts) add(compared.second);
  }

  const Lab& lab_;
  const Question* question_;
  std::set<const LabFact*> seen_;
  std::vector<const LabFact*> parts_;
};

}  // namespace

const LabFact* fact_of_name(const Lab& lab, const Question* question, const std::string& name) {
  if (question != nullptr)
    if (const auto own = std::ranges::find(question->facts, name, &LabFact::name); own != question->facts.end())
      return &*own;
  if (const LabFact* fact = lab.fact(name)) return fact;
  const auto bar = name.rfind('_');
  if (bar == std::string::npos) return nullptr;
  const std::string end = name.substr(bar + 1);
  const bool is_part = end == "hw" || (!end.empty() && end.find_first_not_of("0123456789") == std::string::npos);
  return is_part ? fact_of_name(lab, question, name.substr(0, bar)) : nullptr;
}

std::vector<const LabFact*> simulated_parts(const Lab& lab, const Question* question, const std::string& name_or_formula) {
  PartsOf parts(lab, question);
  parts.add(name_or_formula);
  return parts.parts();
}

}  // namespace nowsim

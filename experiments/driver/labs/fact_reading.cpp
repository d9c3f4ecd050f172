// What kind of fact it is, by the key that only this kind has.
#include "experiments/driver/labs/fact_reading.hpp"

#include <span>
#include <utility>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using FactWhat = decltype(LabFact::what);

FactWhat read_estimate(LabBlock& block) {
  return EstimateFact{block.text("of"), block.text("metric"), block.named_texts("at"), block.text("workstation", "")};
}

FactWhat read_lowest(LabBlock& block) { return BestFact{false, block.named_texts("lowest")}; }
FactWhat read_highest(LabBlock& block) { return BestFact{true, block.named_texts("highest")}; }

FactWhat read_chart(LabBlock& block) {
  const auto what = block.word("chart", {"last_at_barrier", "waiting", "waiting_share", "barrier_gap"});
  return ChartFact{block.text("of"), static_cast<ChartFact::What>(what), block.count("replication", 0)};
}

FactWhat read_verdicts(LabBlock& block) {
  const std::string of = block.text("of");
  LabBlock own(block, "verdicts");
  VerdictsFact fact{of, own.text("key"), own.text("lower"), own.text("higher"), own.text("metric", "tau"),
                    own.text("replications"), own.count("repetitions", 1000), true};
  fact.is_paired = !own.has("paired") || own.flag("paired");
  return fact;
}

FactWhat read_law(LabBlock& block) {
  const std::string of = block.text("of");
  LabBlock own(block, "law");
  return LawFact{of, own.text("efficiency"), own.text("metric", "")};
}

struct FactKind {
  const char* key;  ///< that tells it
  FactWhat (*read)(LabBlock&);
};
constexpr FactKind kFactKinds[] = {{"metric", read_estimate}, {"lowest", read_lowest}, {"highest", read_highest},
                                   {"chart", read_chart},     {"verdicts", read_verdicts}, {"law", read_law}};

LabFact read_fact(const std::string& name, const YamlNode& node, LabBlock& block) {
  LabFact fact{name, {block.file(), node.line, "facts." + name}, FormulaFact{}};
  if (node.kind == YamlNode::Kind::scalar) {
    fact.what = FormulaFact{node.text};
    if (!node.text.starts_with("=")) block.problems().add(fact.place, "a formula begins with '='");
    return fact;
  }
  LabBlock own(node, block.file(), "facts." + name, block.problems());
  for (const auto& kind : kFactKinds)
    if (own.has(kind.key)) {
      fact.what = kind.read(own);
      return fact;
    }
  block.problems().add(fact.place, "a fact is a formula, or has one of: metric, lowest, highest, chart, verdicts, law");
  return fact;
}

}  // namespace

std::vector<LabFact> read_facts(LabBlock& block) {
  std::vector<LabFact> facts;
  block.each("facts", [&](const std::string& name, const YamlNode& node) { facts.push_back(read_fact(name, node, block)); });
  return facts;
}

}  // namespace nowsim

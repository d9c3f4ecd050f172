// Names of metrics as they are stored, and what descriptions of scenarios say of code.
#include "experiments/driver/sweeps/stored_code.hpp"

#include <algorithm>

#include "experiments/driver/running/store_database.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// The word behind `mark`, where it stands last; "" where it does not.
std::string word_behind(const std::string& mark, const std::string& text) {
  const auto found = text.rfind(mark);
  if (found == std::string::npos) return "";
  const auto begin = found + mark.size();
  return text.substr(begin, text.find(' ', begin) - begin);
}

const std::string& code_of(const WorkloadInfo& workload) { return workload.code; }
const std::string& code_of(const Technique& technique) { return technique.user_code.identity; }

template <class Thing>
std::string remark_on_edit(const char* kind, const std::string& name, const Registry<Thing>& known,
                           const std::string& code) {
  const Thing* thing = known.find(name);
  if (thing == nullptr || code_of(*thing).empty() || code_of(*thing) == code) return "";
  return "these results are of other code: the " + std::string(kind) + " " + quoted(name) +
         " is not the one of then; 'nowsim sweep' simulates what is missing of the one at hand";
}

/// Of a scenario, from its identity in words (make_workload()).
std::string remark_on(const std::string& description, const Registries& known) {
  const std::string of_workload = description.substr(0, description.find(" on "));  // behind it are machines and owners
  const std::string code = word_behind(" code=", of_workload);
  if (code.empty()) return "";
  const std::string workload = of_workload.substr(0, of_workload.find(' '));
  const std::string remark = remark_on_edit("workload", workload, known.workloads, code);
  if (!remark.empty()) return remark;
  return remark_on_edit("technique", word_behind(" technique=", of_workload), known.techniques, code);
}

}  // namespace

std::vector<std::string> remarks_on_code(BatchStore& batches, const std::string& experiment, const Registries& known) {
  std::vector<std::string> remarks;
  const auto add = [&remarks](const std::string& remark) {
    if (!remark.empty() && std::ranges::count(remarks, remark) == 0) remarks.push_back(remark);
  };
  StoreDatabase& store = batches.database();
  store.guarded([&] {
    const auto metrics = store.statement("SELECT name FROM metric"
                                         " WHERE experiment = (SELECT id FROM experiment WHERE name = ?) ORDER BY position");
    metrics->bind(1, experiment);
    while (metrics->executeStep())
      if (const std::string name = metrics->getColumn(0).getString(); find_metric(name, known.metrics) == nullptr)
        add("there is no metric " + quoted(name) + " here, so that what is stored of it is left out; where it is user "
            "code, --plugin FILE (or importing it in Python) takes that along");
    const auto scenarios =
        store.statement("SELECT DISTINCT description FROM scenario WHERE id IN (SELECT scenario FROM point"
                        " WHERE experiment = (SELECT id FROM experiment WHERE name = ?)) ORDER BY description");
    scenarios->bind(1, experiment);
    while (scenarios->executeStep()) add(remark_on(scenarios->getColumn(0).getString(), known));
  });
  return remarks;
}

}  // namespace nowsim

// The flags of work that comes in tasks.
#include "tools/commands/plan_steps.hpp"

#include <cstdint>
#include <iterator>

#include "experiments/driver/studies/task_bag.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

namespace {

constexpr const char* kNotQueued =
    "what is under way is planned without a queue: tasks that nobody has begun are a plan of their own";
constexpr RefusedFlag kNotOfTasks[] = {
    {"phases", "tasks are independent, and nobody waits for another's"},
    {"bytes", "tasks are independent; what a task's data cost goes into --dispatch"},
    {"subset", "machines are chosen by splits alone, so that a queue would not count; without --tasks it is told"},
    {"elapsed", kNotQueued}, {"started", kNotQueued}};

/// @throws UsageError for names that are none, or a split's.
std::vector<std::string> techniques_of(const Arguments& arguments, const Registry<Technique>& techniques) {
  const auto names = arguments.names("technique");
  if (names.empty()) return {std::begin(kUsualTechniques), std::end(kUsualTechniques)};
  for (const auto& name : names) {
    const Technique* technique = techniques.find(name);
    const std::string at = flag_place("technique", arguments.text("technique"));
    if (technique == nullptr) {
      const std::string near = did_you_mean(name, words_in(techniques));
      throw UsageError(at + ": there is no technique " + quoted(name) +
                       (near.empty() ? "; 'nowsim list techniques' names them" : near));
    }
    if (!technique->next) throw UsageError(at + ": " + quoted(name) + " hands nothing out on request; splits are named by --policies");
  }
  return names;
}

}  // namespace

void add_bag_flags(Flags& flags) {
  flags.add({{"tasks", whole(1),
              "the work comes in so many equal tasks: split in whole ones, beside a queue that hands them out on request"},
             {"technique", taking(Kind::names, {"techniques"}),
              "with --tasks: how they are handed out, names with commas between (SS,FAC2)"},
             {"dispatch", quantity(Dimension::time, {0}),
              "with --tasks: what each request costs the machine before it computes (0.3s, a start over ssh)"}});
}

std::optional<TaskBag> task_bag(const Arguments& arguments, const Registry<Technique>& techniques) {
  const auto tasks = arguments.whole("tasks");
  if (!tasks) {
    for (const char* other : {"technique", "dispatch"})
      if (arguments.has(other))
        throw UsageError("--" + std::string(other) + " is said of work that comes in tasks: how many, by --tasks 400");
    return std::nullopt;
  }
  refuse_beside(arguments, "tasks", kNotOfTasks);
  return TaskBag{static_cast<std::int64_t>(*tasks), techniques_of(arguments, techniques),
                 arguments.quantity("dispatch").value_or(kUsualDispatch_s)};
}

}  // namespace nowsim

// `nowsim compare`: how far two folders of results of the same experiments are apart.
#include <ostream>

#include "experiments/driver/running/result_comparison.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "tools/line/common_flags.hpp"

namespace nowsim {
namespace {

void add_compare_flags(Flags& flags) { add_format_flag(flags); }

int do_compare(const Arguments& arguments, Session& session) {
  const Format format = format_of(arguments);
  const auto all = compare_results(arguments.words[0], arguments.words[1]);
  write_comparison(all, format, session.out);
  std::vector<std::string> names;
  for (const auto& experiment : all) names.push_back(experiment.name);
  for (const auto& folder : arguments.words)
    for (const auto& remark : remarks_on_changed(folder, names)) session.error << "note: " << remark << '\n';
  if (compared_numbers(all) > 0) return 0;
  session.error << "nothing was compared: the folders have no estimate of the same metric at the same point\n";
  return 1;
}

}  // namespace

Command compare_command() {
  return {.name = "compare",
          .summary = "how far two folders of results are apart",
          .places = Places{{.kinds = {Kind::folder}}, {.kinds = {Kind::folder}}},
          .main = {"format"},
          .add_flags = add_compare_flags,
          .run = do_compare,
          .page = "papers"};
}

}  // namespace nowsim

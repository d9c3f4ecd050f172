// `nowsim list`: what there is to choose from, one line each.
#include <algorithm>
#include <ostream>
#include <utility>

#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/shipped/catalogue.hpp"
#include "tools/shipped/claim_listing.hpp"

namespace nowsim {
namespace {

/// Claims of shipped experiments, and where they stand.
std::vector<CatalogueEntry> claim_entries() {
  std::vector<CatalogueEntry> entries;
  for (const auto& claim : shipped_claims())
    entries.push_back({claim.id, claim.says, claim.experiment + "; " + claim.source});
  return entries;
}

void print_entries(Session& session, const std::vector<CatalogueEntry>& entries) {
  DefinitionList lines;
  for (const auto& entry : entries)
    lines.add(entry.name, entry.summary + (entry.parameters.empty() ? "" : " (" + entry.parameters + ")"));
  lines.write(session.out, 0);
}

/// The lists themselves, and how long they are.
int print_lists(Session& session) {
  std::vector<CatalogueEntry> lists;
  for (const auto& list : catalogue())
    lists.push_back({list.name, list.summary, std::to_string(list.entries(session.known).size())});
  for (const auto& [name, summary] : kFurtherLists) {
    const std::string blocks = name == kKeyList ? joined(words_in(key_blocks(session.known))) : "";
    lists.push_back({std::string(name), std::string(summary), blocks});
  }
  print_entries(session, lists);
  session.out << "\n'nowsim list workloads' prints a list, 'nowsim help NAME' what is in any of them\n";
  return 0;
}

/// What a block may say, or all of them.
int print_keys(const std::string& name, bool as_markdown, Session& session) {
  const auto blocks = key_blocks(session.known);
  if (const Words names = words_in(blocks); !name.empty() && !contains(names, name))
    throw UsageError("there is no block '" + name + "'" + did_you_mean(name, names) + " (there are: " + joined(names) +
                     ")");
  bool is_first = true;
  for (const auto& block : blocks) {
    if (!name.empty() && block.name != name) continue;
    if (!std::exchange(is_first, false)) session.out << '\n';
    if (as_markdown) {
      const ForPrograms for_programs(session.out);
      session.out << key_reference_markdown(block);
    } else {
      write_key_reference(block, session.out);
    }
  }
  return 0;
}

constexpr const char* kListUsage = "nowsim list [LIST [BLOCK]] [--markdown]";
constexpr const char* kMoreOnLists =
    "\nWithout a LIST: which lists there are. BLOCK is one of an experiment's file, for 'nowsim list keys'.\n";

void add_list_flags(Flags& flags) { flags.add({{"markdown", kSwitch, "of keys: tables for a README"}}); }

int do_list(const Arguments& arguments, Session& session) {
  const std::string name = arguments.words.empty() ? "" : arguments.words.front();
  const bool as_markdown = arguments.has("markdown");
  if (as_markdown && name != kKeyList) throw UsageError(with_usage("--markdown is for 'nowsim list keys' alone", kListUsage));
  if (name.empty()) return print_lists(session);
  const std::string block = arguments.words.size() > 1 ? arguments.words[1] : "";
  if (name == kKeyList) return print_keys(block, as_markdown, session);
  if (name == kClaimList && block.empty()) {
    print_entries(session, claim_entries());
    return 0;
  }
  const auto list = std::ranges::find(catalogue(), name, &CatalogueList::name);
  Words names = words_in(catalogue());
  for (const auto& further : kFurtherLists) names.emplace_back(further.name);
  if (list == catalogue().end())
    throw UsageError("there is no list of '" + name + "'" + did_you_mean(name, names) +
                     " (there are: " + joined(names) + ")");
  if (!block.empty()) throw UsageError(with_usage("'" + block + "' is one word too many", kListUsage));
  print_entries(session, list->entries(session.known));
  return 0;
}

}  // namespace

Command list_command() {
  return {.name = "list",
          .summary = "what there is to choose from",
          .usage = kListUsage,
          .places = Places{{.kinds = {Kind::list}, .least = 0}, {.kinds = {Kind::block}, .least = 0}},
          .add_flags = add_list_flags,
          .run = do_list,
          .more = kMoreOnLists,
          .page = "keys"};
}

}  // namespace nowsim
